// Per-thread scratch memory for temporaries inside evaluations: after the first call nothing is allocated any more.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "driftless/core/per_thread.h"

namespace driftless {

// A stack of chunks. A Scratch marks the top on construction and returns everything taken since on destruction.
class Scratch {
 public:
  Scratch() : pool_(pool()), top_(pool_.top), end_(pool_.end), begun_(pool_.begun) {}
  ~Scratch() {
    pool_.top = top_;
    pool_.end = end_;
    pool_.begun = begun_;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // n value-initialised objects of a trivially destructible type.
  template <class T>
  std::span<T> take(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignment);
    T* first = static_cast<T*>(bytes(n * sizeof(T)));
    std::uninitialized_value_construct_n(first, n);
    return {first, n};
  }
  // The same without a value, to be written before they are read.
  template <class T>
  std::span<T> take_raw(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T> && alignof(T) <= alignment);
    return {static_cast<T*>(bytes(n * sizeof(T))), n};
  }

 private:
  static constexpr std::size_t alignment = 64;
  struct Pool {
    std::byte *top = nullptr, *end = nullptr;  // what is free of the chunk in use
    std::size_t begun = 0;                     // chunks in use, the last of them up to `top`

    Pool();
    ~Pool();
    void use_next(std::size_t count);

   private:
    struct Chunks;
    std::unique_ptr<Chunks> chunks_;
  };
  static Pool& pool() { return per_thread<Pool>(); }

  void* bytes(std::size_t count) {
    count = (count + alignment - 1) / alignment * alignment;
    if (count > static_cast<std::size_t>(pool_.end - pool_.top)) pool_.use_next(count);
    void* result = pool_.top;
    pool_.top += count;
    return result;
  }

  Pool& pool_;
  std::byte *top_, *end_;
  std::size_t begun_;
};

}  // namespace driftless
