// Gauss-Newton with the least weighted change, shortened where it does not improve, and tried again from a little
// beside the start values where it gets stuck (a circle has no slope along y at y = 0).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
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
      if (size == 0.0) return Status::solved;
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
  double& value(std::size_t column) { return (*inputs_)[system_.unknowns_[stage_.unknowns[column]].slot]; }
  double reach(std::size_t column) const { return system_.unknowns_[stage_.unknowns[column]].reach; }

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

  Vector correction() const {
    Matrix j(rows_, columns_);
    Vector right(rows_);
    for (std::size_t k = 0; k < slopes_.size(); ++k) {
      const auto [row, column] = stage_.entries[k];
      j(row, column) += slopes_[k] * reach(column) / scale_[row];
    }
    for (std::size_t i = 0; i < rows_; ++i) right[i] = -residual_[i] / scale_[i];
    Vector step = solve(std::move(j), right);
    for (std::size_t k = 0; k < columns_; ++k) step[k] *= reach(k);
    return step;
  }

  Vector solve(Matrix j, const Vector& right) const {
    if (rows_ == columns_ && rows_ > 0) {
      RealLu lu(rows_);
      lu.matrix() = j;
      Vector x = right;
      if (lu.factorise()) {
        lu.solve(x);
        double back = 0.0, size = 0.0;
        for (std::size_t i = 0; i < rows_; ++i) {
          double sum = -right[i];
          for (std::size_t k = 0; k < columns_; ++k) sum += j(i, k) * x[k];
          back = std::max(back, std::abs(sum));
          size = std::max(size, std::abs(right[i]));
        }
        if (back <= 1e-8 * size) return x;
      }
    }
    return least_norm_solution(j, right);
  }

  // Halves the step until it improves; the largest relative change of an unknown is returned.
  double shorten(const Vector& step, double before) {
    Vector from(columns_);
    for (std::size_t k = 0; k < columns_; ++k) from[k] = value(k);
    const Vector scale = scale_;
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

namespace {

constexpr int attempts = 8;

}  // namespace

InitialSystem::Outcome InitialSystem::solve(double time, const Vector& held) const {
  Outcome outcome{.values = held, .errors = {}};
  outcome.values.resize(reduction_.model.slots, 0.0);
  outcome.values[reduction_.model.time_slot] = time;
  for (const InitialUnknown& u : unknowns_) outcome.values[u.slot] = u.guess;
  for (const Stage& stage : stages_) {
    std::vector<Finding> first;
    bool solved = false;
    std::mt19937 random(7);
    const Vector guess = outcome.values;
    for (int attempt = 0; attempt < attempts && !solved; ++attempt) {
      outcome.values = guess;
      if (attempt > 0)
        for (const std::size_t k : stage.unknowns) {
          const InitialUnknown& u = unknowns_[k];
          if (!u.given) outcome.values[u.slot] += std::uniform_real_distribution(-0.1, 0.5)(random) * u.reach / 10.0;
        }
      InitialSolver solver(*this, stage);
      const auto status = solver.run(outcome.values);
      solved = status == InitialSolver::Status::solved;
      if (solved || !first.empty()) continue;
      if (status == InitialSolver::Status::not_finite)
        first.push_back(not_finite(conditions_[stage.conditions[solver.not_finite_row()]], outcome.values));
      else
        first.push_back(not_satisfied(conditions_[stage.conditions[solver.worst()]], solver.residual(solver.worst()),
                                      std::ranges::any_of(unknowns_, &InitialUnknown::fixed)));
    }
    if (!solved) {
      outcome.errors = std::move(first);
      return outcome;
    }
  }
  return outcome;
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

Finding InitialSystem::not_finite(const InitialCondition& condition, std::span<const double> inputs) const {
  const SlotName name = [this](std::uint32_t slot) { return name_of(slot); };
  std::string why = explain_not_finite(reduction_.model.graph, condition.residual, inputs, name);
  if (why.empty()) why = "its derivatives are not finite there";
  return {place(condition), fmt::format("{} cannot be evaluated at the start: {}", quote(condition), why),
          "give start values for which it is defined"};
}

Finding InitialSystem::not_satisfied(const InitialCondition& condition, double residual, bool fixed_in_the_way) const {
  return {place(condition),
          fmt::format("{} cannot be satisfied at the start: {:.3g} is left of it", quote(condition), residual),
          fixed_in_the_way
              ? "fewer start values should be fixed, or they contradict the equations: check them and initial equations"
              : "give start values closer to a solution, or check the equation itself"};
}

}  // namespace driftless
