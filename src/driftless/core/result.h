// A value, or the Failure that stands in its place.
#pragma once

#include <utility>
#include <variant>

#include "driftless/core/failure.h"

namespace driftless {

template <class T>
class Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Failure failure) : content_(std::move(failure)) {}

  bool ok() const { return std::holds_alternative<T>(content_); }
  explicit operator bool() const { return ok(); }

  // The value; throws FailedRun with the whole message if there is none.
  T& value() & {
    require();
    return std::get<T>(content_);
  }
  const T& value() const& {
    require();
    return std::get<T>(content_);
  }
  T&& value() && {
    require();
    return std::get<T>(std::move(content_));
  }
  // Misuse if there is a value.
  const Failure& failure() const {
    if (ok()) throw Misuse("failure() of a result that is a value; ask ok() first");
    return std::get<Failure>(content_);
  }

  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }

 private:
  void require() const {
    if (!ok()) throw FailedRun(failure());
  }
  std::variant<T, Failure> content_;
};

}  // namespace driftless
