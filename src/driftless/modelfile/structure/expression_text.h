// A formula as a user would write it, for messages.
#pragma once

#include <functional>
#include <string>

#include "driftless/expression/graph.h"

namespace driftless {

using SlotName = std::function<std::string(std::uint32_t slot)>;

// Long formulas are cut: "x + y*(...)".
std::string expression_text(const Graph& graph, Expr e, const SlotName& name_of);

// The operation that made the value of `e` infinite or not a number, in words: "division by x - y, which is 0"; empty
// if the value is finite.
std::string explain_not_finite(const Graph& graph, Expr e, std::span<const double> inputs, const SlotName& name_of);

}  // namespace driftless
