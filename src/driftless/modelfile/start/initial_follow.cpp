// A point to begin at, found from what is stated alone, equation by equation.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "driftless/modelfile/start/initial_system.h"

namespace driftless {

// What is asked of the unknowns of a stage: its conditions, then the start values of eliminated variables.
class InitialSystem::StatedPath {
 public:
  StatedPath(const InitialSystem& system, const Stage& stage, const Vector& begin)
      : system_(system),
        stage_(stage),
        asked_(stage.conditions.size() + stage.eliminated_wishes),
        columns_in_(asked_),
        known_(stage.unknowns.size()),
        point_(begin) {
    for (const auto& [row, column] : stage.entries) columns_in_[row].push_back(column);
    for (const auto& [row, column] : stage.wish_entries) columns_in_[stage.conditions.size() + row].push_back(column);
    for (std::size_t k = 0; k < known_.size(); ++k) known_[k] = system.unknowns_[stage.unknowns[k]].given;
  }

  // One unknown after the other, from an equation in which all else is known.
  Vector follow() {
    while (const auto step = best_step()) {
      known_[step->column] = 1;
      solve(*step);
    }
    return std::move(point_);
  }

 private:
  struct Step {
    std::size_t row, column;
    double nonlinear;  // what a Newton step leaves of the residual
  };

  double& value(std::size_t column) { return point_[system_.unknowns_[stage_.unknowns[column]].slot]; }

  std::optional<std::size_t> only_unknown(std::size_t row) const {
    std::optional<std::size_t> only;
    for (const std::size_t column : columns_in_[row])
      if (!known_[column] && column != only) {
        if (only) return std::nullopt;
        only = column;
      }
    return only;
  }

  double residual(std::size_t row) const {
    const std::size_t conditions = stage_.conditions.size();
    Vector values(row < conditions ? conditions : stage_.eliminated_wishes);
    (row < conditions ? stage_.residuals : stage_.wish_values).run(point_.data(), values.data());
    return row < conditions ? values[row] : values[row - conditions] - stage_.wishes[row - conditions].target;
  }

  double slope(std::size_t row, std::size_t column) const {
    const std::size_t conditions = stage_.conditions.size();
    const auto& entries = row < conditions ? stage_.entries : stage_.wish_entries;
    Vector values(entries.size());
    (row < conditions ? stage_.jacobian : stage_.wish_jacobian).run(point_.data(), values.data());
    double sum = 0.0;
    for (std::size_t e = 0; e < entries.size(); ++e)
      if (entries[e].row == (row < conditions ? row : row - conditions) && entries[e].column == column)
        sum += values[e];
    return sum;
  }

  // Of several equations that could tell an unknown, the one that is nearest to a line has fewest other roots.
  std::optional<Step> best_step() {
    constexpr double too_far = 0.5;
    std::optional<Step> best;
    for (std::size_t row = 0; row < asked_; ++row) {
      const auto column = only_unknown(row);
      if (!column) continue;
      const double before = value(*column), was = residual(row);
      value(*column) -= was / slope(row, *column);
      const double left = was == 0.0 ? 0.0 : std::abs(residual(row) / was);
      value(*column) = before;
      if (left <= too_far && (!best || left < best->nonlinear)) best = {row, *column, left};
    }
    return best;
  }

  void solve(const Step& step) {
    constexpr int most_iterations = 20;
    const double begin = value(step.column);
    double last = std::abs(residual(step.row));
    for (int iteration = 0; iteration < most_iterations && last > 0.0; ++iteration) {
      const double before = value(step.column);
      value(step.column) -= residual(step.row) / slope(step.row, step.column);
      const double now = std::abs(residual(step.row));
      if (now < last) {
        last = now;
        continue;
      }
      value(step.column) = std::isfinite(now) ? before : begin;
      return;
    }
  }

  const InitialSystem& system_;
  const Stage& stage_;
  std::size_t asked_;
  std::vector<std::vector<std::size_t>> columns_in_;
  std::vector<char> known_;
  Vector point_;
};

Vector InitialSystem::follow_stated(const Stage& stage, const Vector& values) const {
  constexpr std::size_t most = 100;  // every equation is looked at for every unknown
  if (stage.unknowns.size() > most) return values;
  return StatedPath(*this, stage, values).follow();
}

}  // namespace driftless
