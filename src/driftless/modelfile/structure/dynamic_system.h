// Rows M v' + B lambda + f = 0 and gradients C as matrices of formulas, without entries that are zero wherever one
// looks.
#pragma once

#include "driftless/modelfile/structure/match_rows.h"

namespace driftless {

struct MassBlock {
  std::vector<std::uint32_t> rows, columns;
};

// The rows with their numbers, without entries that are zero at all points.
class DynamicSystem {
 public:
  DynamicSystem(Graph& graph, const SamplePoints& points, const DynamicRows& rows, const SparseExpressions& gradient);

  std::size_t size() const { return force_.size(); }
  std::size_t multipliers() const { return multipliers_; }
  std::vector<MassBlock> blocks() const;
  Expr mass(std::uint32_t row, std::uint32_t column) const { return mass_[row * size() + column]; }
  Expr reaction(std::uint32_t row, std::uint32_t j) const { return reaction_[row * multipliers_ + j]; }
  Expr gradient(std::uint32_t k, std::uint32_t column) const { return gradient_[k * size() + column]; }
  Expr force(std::uint32_t row) const { return force_[row]; }
  Graph& graph() const { return graph_; }
  const SamplePoints& points() const { return points_; }

 private:
  std::vector<Expr> dense(const SparseExpressions& matrix, std::size_t rows, std::size_t columns) const;

  Graph& graph_;
  const SamplePoints& points_;
  std::size_t multipliers_;
  std::vector<Expr> mass_, reaction_, gradient_, force_;
};

// Zero where it is within rounding of it at all points.
void drop_zeros(const Graph& graph, const SamplePoints& points, std::vector<Expr>& matrix, std::size_t columns);

}  // namespace driftless
