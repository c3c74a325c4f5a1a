// Rows and velocities that a mass matrix couples, and the ways in which they can be those of mechanics: rows in an
// order and with scales that make the block symmetric and positive definite; or, for blocks of a few, M = L U with
// combined rows, where L^-1 B has to be along C U^-1 and the block becomes U^T D U.
#pragma once

#include "driftless/modelfile/structure/dynamic_system.h"

namespace driftless {

struct ForcesAtPoints;

// Of the rows of a unit, B_ij / C_ki: one number at each point.
struct UnitRatio {
  std::size_t unit = 0;
  Numbers at_points;
};
// a / b if that is the same at all points, else NaN.
Number constant_quotient(const Numbers& a, const Numbers& b);

// C_k C_l^T and C_k D B_j for some constraints k and l.
struct NormalEquations {
  std::vector<Expr> matrix, right;
};

class BlockForm {
 public:
  std::size_t units() const { return lower_.empty() ? 1 : rows_.size(); }
  // False if the forces of multiplier j are not along the gradient of k.
  bool add_ratios(std::uint32_t j, std::uint32_t k, std::vector<UnitRatio>& ratios) const;
  void add_products(Graph& graph, const Numbers& scale, std::uint32_t j, const std::vector<std::uint32_t>& constraints,
                    NormalEquations& equations) const;
  void append(ForcesAtPoints& forces, std::size_t first_unit) const;
  void assemble(Graph& graph, const DynamicSystem& system, const Numbers& scale, SparseExpressions& mass,
                std::vector<Expr>& force) const;

 private:
  friend std::vector<BlockForm> forms_of(const DynamicSystem& system, const MassBlock& block);
  friend class FormSearch;
  void sample(const DynamicSystem& system);

  std::vector<std::uint32_t> rows_, columns_;  // row i is that of velocity columns_[i]
  Numbers row_scale_;                          // of whole blocks
  std::vector<Expr> lower_, upper_;            // of factorised ones; upper has a unit diagonal
  std::size_t multipliers_ = 0;
  std::vector<Expr> reaction_, gradient_;           // L^-1 B and (C U^-1)^T, or d B and C^T: by row, then multiplier
  std::vector<Numbers> reaction_at_, gradient_at_;  // at each point
};

// At least one, unless the block is none of mechanics.
std::vector<BlockForm> forms_of(const DynamicSystem& system, const MassBlock& block);

}  // namespace driftless
