// Gauss-Newton with the least weighted change, shortened where it does not improve, and tried again from a little
// beside the start values where it gets stuck (a circle has no slope along y at y = 0).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "driftless/linalg/lu.h"
#include "driftless/linalg/rank.h"
#include "driftless/modelfile/expression_text.h"
#include "driftless/modelfile/initial_system.h"
#include "driftless/modelfile/sample_points.h"

namespace driftless {

class InitialSolver {
 public:
  InitialSolver(const InitialSystem& system, const InitialSystem::Stage& stage)
      : system_(system),
        stage_(stage),
        rows_(stage.conditions.size()),
        columns_(stage.unknowns.size()),
        residual_(rows_),
        slopes_(stage.entries.size()),
        scale_(rows_) {}

  enum class Status { solved, not_finite, stuck };

  Status run(Vector& inputs) {
    inputs_ = &inputs;
    if (!evaluate()) return Status::not_finite;
    for (int iteration = 0; iteration < 200; ++iteration) {
      if (!linearise()) return Status::not_finite;
      const double size = merit();
      if (size <= rounding) return Status::solved;
      const Vector step = correction();
      const double moved = shorten(step, size);
      if (moved < 4e-16 || (moved < 1e-13 && satisfied())) return satisfied() ? Status::solved : Status::stuck;
    }
    return satisfied() ? Status::solved : Status::stuck;
  }

  // The condition that is worst off, by what rounding would explain.
  std::size_t worst() const {
    std::size_t result = 0;
    for (std::size_t i = 1; i < rows_; ++i)
      if (relative(i) > relative(result)) result = i;
    return result;
  }
  double residual(std::size_t i) const { return residual_[i]; }
  // A condition whose residual, or one of whose slopes, is not finite.
  std::size_t not_finite_row() const {
    for (std::size_t i = 0; i < rows_; ++i)
      if (!std::isfinite(residual_[i])) return i;
    for (std::size_t k = 0; k < slopes_.size(); ++k)
      if (!std::isfinite(slopes_[k])) return stage_.entries[k].row;
    return 0;
  }

 private:
  static constexpr double rounding = 1e-15;  // of a residual, relative to the unknowns in it

  double& value(std::size_t column) { return (*inputs_)[system_.unknowns_[stage_.unknowns[column]].slot]; }
  double nominal(std::size_t column) const { return system_.unknowns_[stage_.unknowns[column]].nominal; }

  bool evaluate() {
    stage_.residuals.run(inputs_->data(), residual_.data());
    return std::ranges::all_of(residual_, [](double x) { return std::isfinite(x); });
  }

  // Slopes, and for each condition the size of residual that a relative change of the unknowns by 1 would cause.
  bool linearise() {
    stage_.jacobian.run(inputs_->data(), slopes_.data());
    std::fill(scale_.begin(), scale_.end(), 0.0);
    for (std::size_t k = 0; k < slopes_.size(); ++k) {
      if (!std::isfinite(slopes_[k])) return false;
      const auto [row, column] = stage_.entries[k];
      scale_[row] += std::abs(slopes_[k]) * (1e-3 + std::abs(value(column)));
    }
    for (std::size_t i = 0; i < rows_; ++i)
      if (scale_[i] == 0.0) scale_[i] = 1.0;
    return true;
  }

  double relative(std::size_t i) const { return std::abs(residual_[i]) / scale_[i]; }
  double merit() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) sum += relative(i) * relative(i);
    return std::sqrt(sum);
  }
  bool satisfied() const {
    for (std::size_t i = 0; i < rows_; ++i)
      if (!(relative(i) <= 1e-9)) return false;
    return true;
  }

  // In units of nominal values and of what rounding would explain.
  Vector correction() const {
    Matrix j(rows_, columns_);
    Vector right(rows_);
    for (std::size_t k = 0; k < slopes_.size(); ++k) {
      const auto [row, column] = stage_.entries[k];
      j(row, column) += slopes_[k] * nominal(column) / scale_[row];
    }
    for (std::size_t i = 0; i < rows_; ++i) right[i] = -residual_[i] / scale_[i];
    Vector step = solve(j, std::move(right));
    for (std::size_t k = 0; k < columns_; ++k) step[k] *= nominal(k);
    return step;
  }

  Vector solve(const Matrix& j, Vector right) const {
    if (auto x = solve_regular(j, right)) return *std::move(x);
    Vector step(columns_, 0.0);
    std::array<std::vector<std::size_t>, 3> ranks;
    for (std::size_t k = 0; k < columns_; ++k)
      ranks[static_cast<std::size_t>(system_.unknowns_[stage_.unknowns[k]].rank())].push_back(k);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      std::vector<std::size_t> others;
      for (std::size_t higher = rank + 1; higher < ranks.size(); ++higher)
        others.insert(others.end(), ranks[higher].begin(), ranks[higher].end());
      if (ranks[rank].empty()) continue;
      const Vector part = least_change(columns_of(j, ranks[rank]), columns_of(j, others), right);
      for (std::size_t k = 0; k < part.size(); ++k) {
        const std::size_t column = ranks[rank][k];
        step[column] = part[k];
        for (std::size_t i = 0; i < rows_; ++i) right[i] -= j(i, column) * part[k];
      }
    }
    return step;
  }

  static Matrix columns_of(const Matrix& j, const std::vector<std::size_t>& which) {
    Matrix result(j.rows(), which.size());
    for (std::size_t k = 0; k < which.size(); ++k)
      for (std::size_t i = 0; i < j.rows(); ++i) result(i, k) = j(i, which[k]);
    return result;
  }

  // The smallest x for which some y solves A x + B y = b: only what B cannot reach is asked of x.
  static Vector least_change(const Matrix& a, const Matrix& b, const Vector& right) {
    if (b.cols() == 0) return least_norm_solution(a, right);
    const SingularValues svd = singular_values(b);
    std::size_t rank = 0;
    while (rank < svd.s.size() && svd.s[rank] > rank_tolerance * svd.s[0]) ++rank;
    const std::size_t rows = a.rows() - rank;
    if (rows == 0) return Vector(a.cols(), 0.0);
    Matrix projected(rows, a.cols());
    Vector left(rows);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < a.rows(); ++k) {
        const double u = svd.u(k, rank + i);
        left[i] += u * right[k];
        for (std::size_t c = 0; c < a.cols(); ++c) projected(i, c) += u * a(k, c);
      }
    return least_norm_solution(projected, left);
  }

  std::optional<Vector> solve_regular(const Matrix& j, const Vector& right) const {
    if (rows_ != columns_ || rows_ == 0) return std::nullopt;
    RealLu lu(rows_);
    lu.matrix() = j;
    Vector x = right;
    if (!lu.factorise()) return std::nullopt;
    lu.solve(x);
    double back = 0.0, size = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      double sum = -right[i];
      for (std::size_t k = 0; k < columns_; ++k) sum += j(i, k) * x[k];
      back = std::max(back, std::abs(sum));
      size = std::max(size, std::abs(right[i]));
    }
    return back <= 1e-8 * size ? std::optional(std::move(x)) : std::nullopt;
  }

  // Halves the step until it improves; the largest relative change of an unknown is returned.
  double shorten(const Vector& step, double before) {
    Vector from(columns_);
    for (std::size_t k = 0; k < columns_; ++k) from[k] = value(k);
    for (double length = 1.0; length > 1e-12; length *= 0.5) {
      double moved = 0.0;
      for (std::size_t k = 0; k < columns_; ++k) {
        value(k) = from[k] + length * step[k];
        moved = std::max(moved, std::abs(value(k) - from[k]) / (1e-3 + std::abs(from[k])));
      }
      if (evaluate() && merit() < before) return moved;
    }
    for (std::size_t k = 0; k < columns_; ++k) value(k) = from[k];
    evaluate();
    return 0.0;
  }

  const InitialSystem& system_;
  const InitialSystem::Stage& stage_;
  std::size_t rows_, columns_;
  Vector* inputs_ = nullptr;
  Vector residual_, slopes_, scale_;
};

InitialSystem::Outcome InitialSystem::solve(double time, const Vector& held) const {
  Outcome outcome{.values = held, .errors = {}};
  outcome.values.resize(reduction_.model.slots, 0.0);
  outcome.values[reduction_.model.time_slot] = time;
  for (const InitialUnknown& u : unknowns_) outcome.values[u.slot] = u.guess;
  for (const Stage& stage : stages_) {
    outcome.errors = solve_stage(stage, outcome.values);
    outcome.only_highest = stages_.size() == 1 ? conditions_.empty() : &stage == &stages_.back();
    if (!outcome.ok()) return outcome;
  }
  Vector rates(rate_values_.outputs());
  rate_values_.run(outcome.values.data(), rates.data());
  if (std::ranges::any_of(rates, [](double x) { return !std::isfinite(x); }))
    if (auto finding = guilty_equation(outcome.values)) outcome.errors.push_back(*std::move(finding));
  return outcome;
}

// How far states with a start value are from it.
double InitialSystem::moved(const Stage& stage, const Vector& values) const {
  double sum = 0.0;
  for (const std::size_t k : stage.unknowns)
    if (const InitialUnknown& u = unknowns_[k]; u.rank() == 0) sum += std::abs(values[u.slot] - u.guess) / u.nominal;
  return sum;
}

// States without a start value that cannot move at first, as some condition has slope 0 along them.
std::vector<std::size_t> InitialSystem::stuck_unknowns(const Stage& stage, const Vector& values) const {
  Vector slopes(stage.entries.size());
  stage.jacobian.run(values.data(), slopes.data());
  std::vector<std::size_t> result;
  for (std::size_t e = 0; e < slopes.size(); ++e) {
    const std::size_t k = stage.unknowns[stage.entries[e].column];
    if (slopes[e] == 0.0 && unknowns_[k].rank() == 1) result.push_back(k);
  }
  return result;
}

// Another point to begin at: beside the start values first, then anywhere around them, only fixed ones as they are.
Vector InitialSystem::beside(const Vector& values, const std::vector<std::size_t>& movable, bool near,
                             std::mt19937& random) const {
  Vector trial = values;
  for (const std::size_t k : movable) {
    const InitialUnknown& u = unknowns_[k];
    if (near && !u.given) trial[u.slot] += std::uniform_real_distribution(-0.1, 0.5)(random) * u.nominal;
    if (!near) {
      const double reach = 2.0 * std::max(u.nominal, std::abs(u.guess));
      trial[u.slot] += std::uniform_real_distribution(-1.0, 1.0)(random) * (u.given ? 0.5 : 1.0) * reach;
    }
  }
  return trial;
}

// If values that the model gives have to move, or none are found, others are tried.
std::vector<Finding> InitialSystem::solve_stage(const Stage& stage, Vector& values) const {
  constexpr int attempts_near = 8, attempts = 32;
  std::vector<Finding> first;
  std::optional<Vector> best;
  double best_moved = 0.0;
  std::mt19937 random(7);
  for (int attempt = 0; attempt < (best ? attempts_near : attempts); ++attempt) {
    Vector trial = values;
    if (attempt > 0)
      trial = beside(values, best ? stuck_unknowns(stage, values) : stage.unknowns, attempt < attempts_near, random);
    if (attempt > 0 && trial == values) continue;
    InitialSolver solver(*this, stage);
    const auto status = solver.run(trial);
    if (status == InitialSolver::Status::solved) {
      const double change = moved(stage, trial);
      if (!best || change < 0.5 * best_moved) {
        best = std::move(trial);
        best_moved = change;
      }
      if (best_moved < 1e-9) break;
    } else if (attempt == 0) {
      const bool finite = status != InitialSolver::Status::not_finite;
      const std::size_t row = finite ? solver.worst() : solver.not_finite_row();
      const InitialCondition& condition = conditions_[stage.conditions[row]];
      first.push_back(finite ? not_satisfied(condition, solver.residual(row)) : not_finite(condition, trial));
    }
  }
  if (!best) return first;
  values = *std::move(best);
  return {};
}

std::string InitialSystem::quote(const InitialCondition& condition) const {
  const FlatModel& model = reduction_.model;
  switch (condition.kind) {
    case InitialCondition::Kind::initial_equation: {
      const FlatEquation& e = model.initial_equations[condition.source];
      return fmt::format("the initial equation '{}' (line {})", e.text, e.place.line);
    }
    case InitialCondition::Kind::fixed: {
      const FlatVariable& variable = model.variables[condition.source];
      return fmt::format("the fixed start value of {}", variable.name);
    }
    case InitialCondition::Kind::hidden:
      return fmt::format("the derivative of {}", driftless::quote(model, reduction_.rows[condition.source]));
    default: return driftless::quote(model, reduction_.rows[condition.source]);
  }
}

SourcePlace InitialSystem::place(const InitialCondition& condition) const {
  const FlatModel& model = reduction_.model;
  switch (condition.kind) {
    case InitialCondition::Kind::initial_equation: return model.initial_equations[condition.source].place;
    case InitialCondition::Kind::fixed: return model.variables[condition.source].place;
    default: return place_of(model, reduction_.rows[condition.source]);
  }
}

// The equation as written in which something is not finite, whatever was made of it since.
std::optional<Finding> InitialSystem::guilty_equation(std::span<const double> inputs) const {
  const FlatModel& model = reduction_.model;
  Vector all(inputs.begin(), inputs.end());
  for (const auto* known : {&rates_, &reduction_.values})
    for (const auto& [slot, value] : *known) {
      const double x = evaluate(model.graph, value, known == &rates_ ? inputs : ConstSpan(all));
      all[slot] = std::isfinite(x) ? x : 0.7;  // the equation that made it so is guilty, not those that read it
    }
  const SlotName name = [this](std::uint32_t slot) { return name_of(slot); };
  for (std::size_t e = 0; e < model.equations.size(); ++e) {
    const std::string why = explain_not_finite(model.graph, model.equations[e].residual, all, name);
    if (why.empty()) continue;
    return Finding{model.equations[e].place,
                   fmt::format("'{}' (line {}) cannot be evaluated at the start: {}", model.equations[e].text,
                               model.equations[e].place.line, why),
                   "give start values for which it is defined"};
  }
  return std::nullopt;
}

Finding InitialSystem::not_finite(const InitialCondition& condition, std::span<const double> inputs) const {
  if (auto finding = guilty_equation(inputs)) return *std::move(finding);
  const SlotName name = [this](std::uint32_t slot) { return name_of(slot); };
  std::string why = explain_not_finite(reduction_.model.graph, condition.residual, inputs, name);
  if (why.empty()) why = "its derivatives are not finite there";
  return {place(condition), fmt::format("{} cannot be evaluated at the start: {}", quote(condition), why),
          "give start values for which it is defined"};
}

Finding InitialSystem::not_satisfied(const InitialCondition& condition, double residual) const {
  std::vector<std::string> fixed;
  for (const std::uint32_t slot : inputs_of(reduction_.model.graph, condition.residual))
    for (const InitialUnknown& u : unknowns_)
      if (u.slot == slot && u.fixed) fixed.push_back(fmt::format("{} = {:.6g}", name_of(slot), u.guess));
  return {place(condition),
          fmt::format("{} cannot be satisfied at the start: {:.3g} is left of it", quote(condition), residual),
          fixed.empty() ? "give start values closer to a solution, or check whether there is one"
                        : fmt::format("free one of the start values that are fixed: {}", fmt::join(fixed, ", "))};
}

}  // namespace driftless
