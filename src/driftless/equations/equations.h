// The closed set of forms that a problem can be stated in.
#pragma once

#include <variant>

#include "driftless/equations/index1.h"
#include "driftless/equations/index2.h"
#include "driftless/equations/index3.h"
#include "driftless/equations/mechanical.h"

namespace driftless {

using Equations = std::variant<Index1, Index2, Index3, Mechanical>;

inline const Layout& layout_of(const Equations& equations) {
  return std::visit([](const auto& form) -> const Layout& { return form.layout(); }, equations);
}

inline const Names& constraint_names_of(const Equations& equations) {
  return std::visit([](const auto& form) -> const Names& { return form.constraint_names(); }, equations);
}

// How large the unknowns usually are, in the order of the layout: see Layout.
inline void set_sizes(Equations& equations, ConstSpan sizes) {
  std::visit([&](auto& form) { form.set_sizes(sizes); }, equations);
}

// The differentiation index of the form (not of a particular point, which the index check tells).
int index_of(const Equations& equations);

}  // namespace driftless
