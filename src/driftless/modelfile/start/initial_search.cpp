#include "driftless/modelfile/start/initial_search.h"

#include <algorithm>
#include <cmath>
#include <random>
namespace driftless {

namespace {

constexpr double met_to = 1e-15;              // of a residual, relative to the unknowns in it
constexpr double met_by_many = 4.0 * met_to;  // by each of many: some of them are sums of a dozen terms

bool all_finite(const Vector& values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

}  // namespace

InitialSearch::InitialSearch(const InitialSystem& system, const InitialSystem::Stage& stage)
    : system_(system),
      stage_(stage),
      rows_(stage.conditions.size()),
      columns_(stage.unknowns.size()),
      residual_(rows_),
      slopes_(stage.entries.size()),
      scale_(rows_, 1.0),
      wish_(stage.wishes.size()),
      wish_slopes_(stage.wish_entries.size()),
      counts_(stage.wishes.size(), 1) {}

InitialSearch::Status InitialSearch::run(Vector& inputs, Damping damping, std::optional<std::size_t> first) {
  inputs_ = &inputs;
  if (!determined()) aim(first);
  return run_from(inputs, damping);
}

InitialSearch::Status InitialSearch::run_from(Vector& inputs, Damping damping) {
  inputs_ = &inputs;
  const Status status = meet_conditions(damping);
  if (status != Status::solved) return status;
  if (!determined()) approach_wishes();
  drop_rounding();
  measure();
  return Status::solved;
}

std::size_t InitialSearch::worst() const {
  std::size_t result = 0;
  for (std::size_t i = 1; i < rows_; ++i)
    if (relative(i) > relative(result)) result = i;
  return result;
}

std::size_t InitialSearch::not_finite_row() const {
  for (std::size_t i = 0; i < rows_; ++i)
    if (!std::isfinite(residual_[i])) return i;
  for (std::size_t k = 0; k < slopes_.size(); ++k)
    if (!std::isfinite(slopes_[k])) return stage_.entries[k].row;
  return 0;
}

bool InitialSearch::evaluate() {
  stage_.residuals.run(inputs_->data(), residual_.data());
  return all_finite(residual_);
}

// Slopes, and for each condition the size of residual that a relative change of the unknowns by 1 would cause.
bool InitialSearch::linearise() {
  stage_.jacobian.run(inputs_->data(), slopes_.data());
  std::fill(scale_.begin(), scale_.end(), 0.0);
  for (std::size_t k = 0; k < slopes_.size(); ++k) {
    if (!std::isfinite(slopes_[k])) return false;
    const auto [row, column] = stage_.entries[k];
    scale_[row] += std::abs(slopes_[k]) * (1e-3 * unit(column) + std::abs(value(column)));
  }
  if (std::ranges::find(scale_, 0.0) != scale_.end()) scale_by_trial();
  return true;
}

// Conditions that no unknown of the stage changes, as all in them is fixed, or as a slope vanishes here: the same size
// from small changes of everything in them, fixed or not. What depends on nothing is about 1.
void InitialSearch::scale_by_trial() {
  constexpr double small = 1e-4;
  constexpr int directions = 4;
  Vector trial, changed(rows_), largest(rows_, 0.0);
  std::mt19937 random(11);
  std::uniform_real_distribution size(0.5, 1.0);
  for (int k = 0; k < directions; ++k) {
    trial = *inputs_;
    for (const InitialUnknown& u : system_.unknowns_) {
      const double change = small * size(random) * (1e-3 * u.scale + std::abs(trial[u.slot]));
      trial[u.slot] += random() % 2 == 0 ? change : -change;
    }
    stage_.residuals.run(trial.data(), changed.data());
    for (std::size_t i = 0; i < rows_; ++i)
      if (const double moved = std::abs(changed[i] - residual_[i]) / small; std::isfinite(moved))
        largest[i] = std::max(largest[i], moved);
  }
  for (std::size_t i = 0; i < rows_; ++i)
    if (scale_[i] == 0.0) scale_[i] = largest[i] > 0.0 ? largest[i] : 1.0;
}

double InitialSearch::merit() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) sum = std::hypot(sum, relative(i));  // a tiny scale must not overflow
  return sum;
}

// The rounding errors of many rows add up to more than that of one, which no step makes smaller.
bool InitialSearch::holds_to_rounding() const {
  if (!is_large()) return false;
  for (std::size_t i = 0; i < rows_; ++i)
    if (!(relative(i) <= met_by_many)) return false;
  return true;
}

bool InitialSearch::satisfied() const {
  for (std::size_t i = 0; i < rows_; ++i)
    if (!(relative(i) <= 1e-9)) return false;
  return true;
}

InitialSearch::Status InitialSearch::meet_conditions(Damping damping) {
  if (rows_ == 0) return Status::solved;
  if (!evaluate()) return Status::not_finite;
  for (int iteration = 0; iteration < 200; ++iteration) {
    if (!linearise()) return Status::not_finite;
    const double size = merit();
    if (size <= met_to || holds_to_rounding()) return Status::solved;
    const double moved = take(correction(), size, damping);
    if (moved < 4e-16 || (moved < 1e-13 && satisfied())) break;
  }
  return satisfied() ? Status::solved : Status::stuck;
}

double InitialSearch::move(const Vector& from, const Vector& step, double length) {
  double moved = 0.0;
  for (std::size_t k = 0; k < columns_; ++k) {
    value(k) = from[k] + length * step[k];
    moved = std::max(moved, std::abs(value(k) - from[k]) / (1e-3 * unit(k) + std::abs(from[k])));
  }
  return moved;
}

// |F(x + s d) - (1 - s) F(x)| <= s |F(x)| / 2: the part of F that is not linear along d is the smaller one.
bool InitialSearch::on_path(const Vector& before, double length) const {
  double off = 0.0, size = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const double expected = (1.0 - length) * before[i];
    off = std::hypot(off, (residual_[i] - expected) / scale_[i]);
    size = std::hypot(size, before[i] / scale_[i]);
  }
  return off <= 0.5 * length * size;
}

// Halves the step until it is good; the largest relative change of an unknown is returned. On the way to a point that
// is on the path by chance, behind other roots, another point is not.
double InitialSearch::take(const Vector& step, double before, Damping damping) {
  const Vector from = values(), was = residual_;
  const bool descent = damping == Damping::descent || before < 1e-6;
  for (double length = 1.0; length > 1e-12; length *= 0.5) {
    if (!descent) {
      move(from, step, 0.38 * length);
      if (!evaluate() || !on_path(was, 0.38 * length)) continue;
    }
    const double moved = move(from, step, length);
    if (evaluate() && merit() < before && (descent || on_path(was, length))) return moved;
  }
  restore(from);
  evaluate();
  return 0.0;
}

Vector InitialSearch::values() {
  Vector result(columns_);
  for (std::size_t k = 0; k < columns_; ++k) result[k] = value(k);
  return result;
}

void InitialSearch::restore(const Vector& values) {
  for (std::size_t k = 0; k < columns_; ++k) value(k) = values[k];
}

}  // namespace driftless
