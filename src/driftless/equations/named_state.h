// A state whose components have names: s["x"], and s[0] where a number is at hand.
#pragma once

#include <string_view>

#include "driftless/core/matrix.h"
#include "driftless/equations/layout.h"

namespace driftless {

// Where a name stands; Misuse, with the names that there are, if it is none of them. `what`: "parameter", "component".
std::size_t place_of(std::string_view name, const Names& names, std::string_view what);

// Wherever a function gets one, it may as well take the plain span that it is made of.
template <class SomeSpan>
class NamedComponents {
 public:
  NamedComponents(SomeSpan values, const Names& names) : values_(values), names_(names) {}
  decltype(auto) operator[](std::string_view name) const { return values_[place_of(name, names_, "component")]; }
  decltype(auto) operator[](std::size_t component) const { return values_[component]; }
  std::size_t size() const { return values_.size(); }
  SomeSpan values() const { return values_; }
  operator SomeSpan() const { return values_; }

 private:
  SomeSpan values_;
  const Names& names_;
};
using NamedState = NamedComponents<ConstSpan>;  // for whoever only reads it
using ChangingState = NamedComponents<Span>;    // for whoever changes it

}  // namespace driftless
