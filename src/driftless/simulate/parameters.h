// Numbers by name that a model depends on.
#pragma once

#include "driftless/equations/named_state.h"

namespace driftless {

struct Parameter {
  std::string name;
  double value = 0.0;
};

class Parameters {
 public:
  Parameters() = default;
  Parameters(Names names, Vector values) : names_(std::move(names)), values_(std::move(values)) {}

  double operator[](std::string_view name) const { return values_[place_of(name, names_, "parameter")]; }
  void set(std::string_view name, double value) { values_[place_of(name, names_, "parameter")] = value; }
  const Names& names() const { return names_; }
  const Vector& values() const { return values_; }

 private:
  Names names_;
  Vector values_;
};

}  // namespace driftless
