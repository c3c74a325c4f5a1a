// One stage of the initial system, solved from a given point.
//
// With conditions F(x) = 0 and wishes W_l(x) = w_l of trust l = 1, 2, ..., in units of their scales, the start is
//     lexmin ( |W_1(x) - w_1|, |W_2(x) - w_2|, ... )   subject to   F(x) = 0.
// First F = 0 is met near the point: Gauss-Newton steps d with F' d = -F that change W_1 least, then W_2, and so on.
// Then, with F = 0 kept, d with F' d = -F and W_l' d = w_l - W_l in the same order, as long as the distances shrink.
#pragma once

#include <array>
#include <optional>

#include "driftless/linalg/sparse_lexicographic.h"
#include "driftless/linalg/sparse_lu.h"
#include "driftless/modelfile/start/initial_system.h"

namespace driftless {

class InitialSearch {
 public:
  InitialSearch(const InitialSystem& system, const InitialSystem::Stage& stage);

  enum class Status { solved, not_finite, stuck };
  // How far a step is taken. `path`: while the residual stays near (1 - s) F(x), so that x follows the curve along
  // which F shrinks to 0 in proportion, and ends in the root that the point leads to. `descent`: while F gets smaller,
  // wherever that leads.
  enum class Damping { path, descent };
  // `first`: a wish of an eliminated variable that is met before the others count, as far as it can be met alone.
  Status run(Vector& inputs, Damping damping, std::optional<std::size_t> first = {});
  // The same from the very point, without guesses for what is not stated.
  Status run_from(Vector& inputs, Damping damping);

  // How far the values are from what is stated, in units of the scales.
  double moved() const { return distances_[0] + distances_[1]; }
  // The wishes of eliminated variables that are not met, those furthest away first.
  std::vector<std::size_t> missed() const;
  // Columns of unknowns that neither the conditions nor anything stated determines.
  std::vector<std::size_t> open_columns(Vector& inputs);

  // The condition that is worst off, by what rounding would explain.
  std::size_t worst() const;
  double residual(std::size_t i) const { return residual_[i]; }
  // A condition whose residual, or one of whose slopes, is not finite.
  std::size_t not_finite_row() const;

 private:
  using Distances = std::array<double, trust_levels>;

  double& value(std::size_t column) { return (*inputs_)[system_.unknowns_[stage_.unknowns[column]].slot]; }
  double unit(std::size_t column) const { return system_.unknowns_[stage_.unknowns[column]].scale; }
  bool determined() const { return rows_ == columns_; }

  // What the residuals are.
  bool evaluate();
  bool linearise();
  void scale_by_trial();
  double relative(std::size_t i) const { return std::abs(residual_[i]) / scale_[i]; }
  double merit() const;
  bool satisfied() const;
  bool holds_to_rounding() const;

  // F(x) = 0.
  Status meet_conditions(Damping damping);
  Vector correction();
  std::optional<Vector> solve_dense(const SparseRows& rows) const;
  bool analyse_sparse(const SparseRows& rows);
  std::optional<Vector> solve_sparse(const SparseRows& rows);
  std::optional<Vector> solve_pinned(const SparseRows& rows, Vector values, const Vector& right);
  SparseRows scaled_conditions() const;
  bool is_large() const;
  double take(const Vector& step, double before, Damping damping);
  bool on_path(const Vector& before, double length) const;
  double move(const Vector& from, const Vector& step, double length);

  // The wishes.
  void aim(std::optional<std::size_t> first);
  void aim_at_what_counts();
  void approach_wishes();
  void drop_rounding();
  bool measure();
  SparseRows wishes_of(std::size_t level, bool towards_target) const;
  Vector most_important_first(const std::vector<SparseRows>& levels) const;
  SparseRows settled() const;
  Vector wish_step(bool with_conditions) const;
  Vector values();
  void restore(const Vector& values);

  const InitialSystem& system_;
  const InitialSystem::Stage& stage_;
  std::size_t rows_, columns_;
  Vector* inputs_ = nullptr;
  Vector residual_, slopes_, scale_;
  Vector wish_, wish_slopes_;  // (W - w) / scale of all wishes; slopes of the eliminated ones
  std::vector<char> counts_;   // by wish: others are left out for the time being
  struct SparseSystem {
    SparseLu lu;
    std::vector<std::uint32_t> place;  // of each entry of the Jacobian in the pattern
    std::vector<std::uint32_t> place_of_row;
    std::vector<std::uint32_t> diagonal;  // by column: the place of its entry there
    std::vector<std::size_t> pins = {};   // columns that a singular matrix leaves open
  };
  std::optional<SparseSystem> sparse_;
  Distances distances_ = {};
};

}  // namespace driftless
