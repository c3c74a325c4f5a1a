// Values by name: parameters, and components of a state.
#pragma once

#include <string_view>

#include "driftless/core/matrix.h"
#include "driftless/equations/layout.h"

namespace driftless {

// Where a name stands; Misuse, with the names that there are, if it is none of them. `what`: "parameter", "component".
std::size_t place_of(std::string_view name, const Names& names, std::string_view what);

class Parameters {
 public:
  Parameters() = default;
  Parameters(Names names, Vector values) : names_(std::move(names)), values_(std::move(values)) {}

  double operator[](std::string_view name) const { return values_[place_of(name, names_, "parameter")]; }
  void set(std::string_view name, double value) { values_[place_of(name, names_, "parameter")] = value; }
  const Names& names() const { return names_; }

 private:
  Names names_;
  Vector values_;
};

// A state whose components have names, for whoever only reads it, and for whoever changes it.
template <class SomeSpan>
class NamedComponents {
 public:
  NamedComponents(SomeSpan values, const Names& names) : values_(values), names_(names) {}
  decltype(auto) operator[](std::string_view name) const { return values_[place_of(name, names_, "component")]; }
  SomeSpan values() const { return values_; }

 private:
  SomeSpan values_;
  const Names& names_;
};
using NamedState = NamedComponents<ConstSpan>;
using ChangingState = NamedComponents<Span>;

}  // namespace driftless
