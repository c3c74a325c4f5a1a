// Expressions evaluated with intervals: results that contain the values for all inputs of a box, rounding included.
#pragma once

#include "driftless/core/interval.h"
#include "driftless/expression/parameter_trace.h"
#include "driftless/expression/tape.h"

namespace driftless {

// Of the formulas as they stand in the graph, that is with constants already folded. Immutable.
class Enclosure {
 public:
  Enclosure() : tape_({}, {}) {}
  Enclosure(const Graph& graph, std::span<const Expr> outputs) : tape_(graph, outputs), version_(version_of(graph)) {}

  // As Program::run. UndecidedComparison where a formula branches or jumps inside the box: a comparison that holds for
  // a part of it only, sign, floor and ceil across a jump.
  void run(const Interval* inputs, Interval* outputs, const ParameterValues* parameters = nullptr) const;
  std::size_t outputs() const { return tape_.outputs.size(); }

 private:
  static std::size_t version_of(const Graph& graph);

  Tape tape_;
  std::size_t version_ = 0;  // of the trace of its parameters, if it has one
};

}  // namespace driftless
