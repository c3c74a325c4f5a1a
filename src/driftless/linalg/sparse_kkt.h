// The saddle-point system of constrained mechanics, as in kkt.h, for matrices whose zeros are known beforehand: every
// position is worked out once, so that a factorisation touches nothing but what differs from zero. Chains and trees of
// bodies cost time in proportion to their number of bodies.
//     M = L D L^T,   Y = L^-1 G^T,   S = Y^T D^-1 Y = L_s D_s L_s^T
#pragma once

#include <memory>
#include <optional>

#include "driftless/core/matrix.h"
#include "driftless/linalg/fixed_kkt.h"
#include "driftless/linalg/pattern.h"
#include "driftless/linalg/small_kkt.h"

namespace driftless {

// L D L^T of a symmetric positive definite matrix on a fixed pattern, in an order of small fill.
class SparseLdl {
 public:
  SparseLdl() = default;
  // Both triangles of the pattern. position_of(i, j) tells where entries are to be added.
  explicit SparseLdl(const Pattern& pattern);

  std::size_t size() const { return begin_.size() - 1; }
  std::size_t entry_count() const { return row_.size(); }
  // Place of the vertex `v` in the order of elimination, and back.
  std::uint32_t place_of(std::uint32_t v) const { return place_[v]; }
  // Index into the entries (columns of the lower triangle, diagonal first) for two places.
  std::uint32_t position_of(std::uint32_t place_i, std::uint32_t place_j) const;

  std::uint32_t vertex_at(std::size_t place) const { return vertex_[place]; }

  // In place: entries of the lower triangle become L (diagonal unused) and `inverse` 1/D. The first place whose pivot
  // is below `least` times its diagonal entry, if there is one.
  std::optional<std::size_t> factorise(double* entries, double* inverse, double least) const;

  // x := L^-1 x and x := L^-T x, x in the order of elimination.
  void forward(const double* entries, double* x) const;
  void backward(const double* entries, double* x) const;

  const std::vector<std::uint32_t>& begin() const { return begin_; }
  const std::vector<std::uint32_t>& row() const { return row_; }

 private:
  std::vector<std::uint32_t> place_, vertex_;
  std::vector<std::uint32_t> begin_ = {0}, row_;  // columns of L, the diagonal first, places ascending
  // Where products of two entries of a column are subtracted; empty for many rows.
  std::vector<std::uint32_t> target_;
  std::optional<std::size_t> factorise_column_by_column(double* entries, double* inverse, double least) const;
};

// What the zeros of M and G settle once and for all; shared by all who factorise with them.
struct SparseKktPlan {
  // How values are handed over: in the order of the patterns, or as whole matrices, column by column.
  enum class Values { compressed, dense };
  // Patterns of M (both triangles; 0 x 0: the identity) and G.
  SparseKktPlan(const Pattern& mass, const Pattern& g, Values values);

  struct Move {
    std::uint32_t from, to;
  };
  struct Product {
    std::uint32_t left, right, to;
  };
  struct Entry {
    std::uint32_t row, column, at;
  };

  std::size_t n, m;
  bool unit_mass, in_order = true;  // is the caller's order that of elimination?
  const FixedKkt* fixed = nullptr;  // for few constraints and coordinates: Y and S as a whole
  const SmallKkt* small = nullptr;  // for a handful of them: everything
  SparseLdl mass_ldl, s_ldl;
  std::vector<Move> mass_moves, g_moves;         // entries of M -> L, of G -> Y
  std::vector<std::uint32_t> mass_fill, y_fill;  // entries of L and Y that come into being by elimination
  // Flat lists instead of nested loops: rows are short, and a loop that ends after two or six turns is mispredicted.
  std::vector<Entry> y_by_row, y_by_column;
  std::vector<Product> y_products;                       // Y -= L Y
  std::vector<Product> s_products;                       // S += (D^-1 Y)^T Y
  std::vector<std::uint32_t> constraint_place, q_place;  // from the caller's order to that of elimination
  std::size_t y_size = 0, s_size = 0;

 private:
  void analyse_mass(const Pattern& mass, Values values);
  void analyse_y(const Pattern& g, Values values);
  void analyse_s();
  const SmallKkt* find_small() const;
};

class SparseKkt {
 public:
  explicit SparseKkt(std::shared_ptr<const SparseKktPlan> plan);
  SparseKkt(const SparseKkt&) = delete;
  SparseKkt& operator=(const SparseKkt&) = delete;

  enum class Status { regular, ill_conditioned, mass_not_positive_definite };
  // After `ill_conditioned` only solve_mass() is to be used.
  Status factorise(ConstSpan mass, ConstSpan g);
  std::size_t failed_row() const { return plan_->mass_ldl.vertex_at(failed_place_); }

  // In place: top becomes x, bottom becomes lambda.
  void solve(Span top, Span bottom) const;
  // The same with zeros on top; x is only written.
  void solve_constraints(Span x, Span bottom) const;
  // x := x - M^-1 G^T (G M^-1 G^T)^-1 G x. The plan must have a small one.
  void remove_normal(ConstSpan g, Span x) const { plan_->small->remove_normal(small_, g.data(), x.data()); }
  bool is_small() const { return plan_->small; }
  void solve_mass(Span x) const;
  // Largest over smallest pivot of S scaled to a unit diagonal: a cheap lower bound of its condition.
  double pivot_ratio() const;
  double log_determinant() const;  // of S
  double mass_log_determinant() const;

 private:
  bool factorise_schur();
  // w in the order of elimination; zero on entry unless `loaded`.
  void solve_in_order(double* w, double* lambda, bool loaded) const;
  void solve_anywhere(Span top, Span bottom, bool loaded) const;

  Status factorise_small(ConstSpan mass, ConstSpan g);

  std::shared_ptr<const SparseKktPlan> plan_;
  Vector mass_, inverse_, y_, scaled_y_, s_, s_inverse_, s_diagonal_;  // scaled_y = D^-1 Y
  SmallKkt::Factors small_;                                            // the same
  std::size_t failed_place_ = 0;
};

}  // namespace driftless
