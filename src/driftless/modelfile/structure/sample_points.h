// Points near the start at which expressions are compared: whether a matrix is constant, symmetric, or a multiple of
// another is decided by numbers, as forms of the same thing can look very different as formulas.
#pragma once

#include "driftless/core/matrix.h"
#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless {

class SamplePoints {
 public:
  SamplePoints(const FlatModel& model, std::size_t count);

  std::size_t count() const { return points_.size(); }
  // Values of the expressions at every point, one vector per point. Point 0 is the start itself.
  std::vector<Numbers> values(const Graph& graph, std::span<const Expr> expressions) const;

  // Moves the points to where the residuals vanish, by changes of these slots; points from where that is not found go.
  void move_onto(Graph& graph, std::span<const Expr> residuals, std::span<const std::uint32_t> slots);

  // Sets a slot that the model does not know, at all points: a variable of the analysis.
  void scatter(std::uint32_t slot);

 private:
  std::vector<Numbers> points_;  // by slot
};

// Relations and Booleans, each true at some of any three points that follow each other and false at others, and
// Integers: what is the same at all points has to be the same in all modes.
void vary_modes(const FlatModel& model, std::size_t point, Vector& inputs);

// The start value of a variable, 0 if it has none.
Number start_value(const FlatModel& model, const FlatVariable& variable, double time);

// a = ratio * b at all points where both are finite (a vector per point, all of the same length), entry by entry; NaN
// where there is no such number, 0 if a and b are both zero everywhere.
Number constant_ratio(const std::vector<Numbers>& a, const std::vector<Numbers>& b, std::size_t entry_a,
                      std::size_t entry_b);

// Values of expressions; on record where they depend on parameters. Inputs that are missing are `other`.
Numbers evaluate(const Graph& graph, std::span<const Expr> expressions, const Numbers& inputs, double other = 0.0);

}  // namespace driftless
