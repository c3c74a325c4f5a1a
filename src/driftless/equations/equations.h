// The closed set of forms that a problem can be stated in.
#pragma once

#include <variant>

#include "driftless/equations/index1.h"
#include "driftless/equations/index2.h"
#include "driftless/equations/index3.h"
#include "driftless/equations/mechanical.h"
#include "driftless/equations/wide_mechanical.h"

namespace driftless {

using Equations = std::variant<Index1, Index2, Index3, Mechanical, WideMechanical>;

const Layout& layout_of(const Equations& equations);
const Names& constraint_names_of(const Equations& equations);

// How large the unknowns usually are, in the order of the layout: see Layout.
void set_sizes(Equations& equations, ConstSpan sizes);

// The differentiation index of the form (not of a particular point, which the index check tells).
int index_of(const Equations& equations);

}  // namespace driftless
