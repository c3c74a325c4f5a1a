// The wishes of a stage: how far they are met, and steps that meet them better.
#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/modelfile/start/initial_search.h"

namespace driftless {

namespace {

// By the first level that differs by more than rounding.
template <class Distances>
bool closer(const Distances& a, const Distances& b) {
  for (std::size_t level = 0; level < a.size(); ++level) {
    const double noise = 1e-13 + 1e-9 * b[level];
    if (std::abs(a[level] - b[level]) > noise) return a[level] < b[level];
  }
  return false;
}

}  // namespace

// False where a wish cannot be evaluated.
bool InitialSearch::measure() {
  const std::size_t eliminated = stage_.eliminated_wishes;
  stage_.wish_values.run(inputs_->data(), wish_.data());
  for (std::size_t k = 0; k < columns_; ++k) wish_[eliminated + k] = value(k);
  stage_.wish_jacobian.run(inputs_->data(), wish_slopes_.data());
  distances_ = {};
  bool finite = true;
  for (std::size_t k = 0; k < wish_.size(); ++k) {
    const InitialWish& wish = stage_.wishes[k];
    wish_[k] = (wish_[k] - wish.target) / wish.scale;
    if (!counts_[k]) continue;
    finite &= std::isfinite(wish_[k]);
    distances_[static_cast<std::size_t>(wish.trust)] += wish_[k] * wish_[k];
  }
  for (double& d : distances_) d = std::sqrt(d);
  return finite && std::ranges::all_of(wish_slopes_, [](double x) { return std::isfinite(x); });
}

// Guesses for what is not stated, from what is stated of eliminated variables alone: a better place to begin.
void InitialSearch::aim(std::optional<std::size_t> first) {
  if (stage_.eliminated_wishes == 0) return;
  if (first) {
    std::fill_n(counts_.begin(), stage_.eliminated_wishes, 0);
    counts_[*first] = 1;
    aim_at_what_counts();
    std::ranges::fill(counts_, 1);
  }
  aim_at_what_counts();
}

void InitialSearch::aim_at_what_counts() {
  const Vector begin = values();
  if (!measure()) return;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Vector from = values(), step = wish_step(false);
    const Distances before = distances_;
    bool better = false;
    for (double length = 1.0; length > 1e-6 && !better; length *= 0.5) {
      move(from, step, length);
      better = measure() && closer(distances_, before);
    }
    if (better) continue;
    restore(from);
    break;
  }
  if (!measure() || (rows_ > 0 && !evaluate())) restore(begin);
}

// Steps that shrink the distances, each followed by a return to F = 0. Near the end the distances are flat, and steps
// that shrink tell more.
void InitialSearch::approach_wishes() {
  const double met = is_large() ? 1e-13 : 0.0;  // of many wishes the rounding errors add up
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 100; ++iteration) {
    if ((rows_ > 0 && (!evaluate() || !linearise())) || !measure()) return;
    if (std::ranges::all_of(distances_, [&](double d) { return d <= met; })) return;
    const Vector from = values(), step = wish_step(true);
    const Distances before = distances_;
    bool better = false;
    for (double length = 1.0; length > 1e-3 && !better; length *= 0.5) {
      const double moved = move(from, step, length);
      if (moved < 1e-14) break;
      if (meet_conditions(Damping::path) != Status::solved || !measure()) continue;
      better = closer(distances_, before) || (moved < 0.5 * last && !closer(before, distances_));
      if (better) last = moved;
    }
    if (better) continue;
    restore(from);
    return;
  }
}

// What is off its start value by rounding alone gets it back, if the conditions hold as well with it.
void InitialSearch::drop_rounding() {
  const auto size = [&] { return rows_ == 0 ? 0.0 : evaluate() && linearise() ? merit() : 1.0; };
  const Vector found = values();
  const double before = size();
  for (std::size_t k = 0; k < columns_; ++k) {
    const double guess = system_.unknowns_[stage_.unknowns[k]].guess;
    if (std::abs(found[k] - guess) <= 1e-14 * unit(k)) value(k) = guess;
  }
  if (values() != found && !(size() <= std::max(before, 1e-15))) restore(found);
}

std::vector<std::size_t> InitialSearch::missed() const {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < stage_.eliminated_wishes; ++k)
    if (std::abs(wish_[k]) > 1e-9) result.push_back(k);
  std::ranges::stable_sort(result, std::ranges::greater(), [&](std::size_t k) { return std::abs(wish_[k]); });
  return result;
}

}  // namespace driftless
