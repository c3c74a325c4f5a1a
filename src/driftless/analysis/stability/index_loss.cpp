#include "driftless/analysis/stability/index_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

// M_Q+[Qf] and the regularity of the constraint at a state, scaled at the start.
class IndexWatch {
 public:
  IndexWatch(const Index1& form, double t, ConstSpan start, const IndexLossOptions& options)
      : form_(options.scaling == ConstraintScaling::newton ? with_newton_scaling(form, start, t) : form),
        split_(form.projector(), options.norm) {}

  IndexWatchPoint at(double t, ConstSpan x) const {
    const std::size_t n = form_.size();
    Matrix all(n, n + 1);
    form_.functions().f_jacobian(x, t, all);
    const Matrix j = copy_of(all.view().block(0, 0, n, n));
    return {t, split_.value(Quantity::algebraic, j), smallest_singular_value(split_.algebraic_block(j))};
  }

 private:
  Index1 form_;
  Index1Split split_;
};

// Values near a fold vanish like (t* - t)^a: a line through their powers 1/a meets zero at t*.
struct Extrapolation {
  double time = infinity, misfit = infinity;
};

Extrapolation extrapolate(const std::vector<IndexWatchPoint>& history, std::size_t points, double exponent) {
  const std::size_t first = history.size() - points;
  double t_mean = 0.0, v_mean = 0.0, tt = 0.0, tv = 0.0, vv = 0.0;
  const auto value = [&](std::size_t k) { return std::pow(std::max(0.0, -history[k].monotonicity), 1.0 / exponent); };
  for (std::size_t k = first; k < history.size(); ++k) {
    t_mean += history[k].time / static_cast<double>(points);
    v_mean += value(k) / static_cast<double>(points);
  }
  for (std::size_t k = first; k < history.size(); ++k) {
    const double dt = history[k].time - t_mean, dv = value(k) - v_mean;
    tt += dt * dt;
    tv += dt * dv;
    vv += dv * dv;
  }
  if (!(tt > 0.0) || !(tv < 0.0)) return {};
  const double slope = tv / tt;
  return {t_mean - v_mean / slope, std::max(0.0, vv - tv * tv / tt) / vv};
}

// The time to which the last values lead, if they do lead to zero soon.
void follow(IndexLoss& loss) {
  const auto& history = loss.history;
  const double first = std::abs(history.front().monotonicity), last = std::abs(history.back().monotonicity);
  if (history.size() < 5 || !(last < 0.3 * first)) return;
  Extrapolation best;
  for (const double exponent : {1.0, 0.5, 1.0 / 3.0})
    if (const auto found = extrapolate(history, 4, exponent); found.misfit < best.misfit) best = found;
  const double span = history.back().time - history.front().time, ahead = best.time - history.back().time;
  if (!(ahead >= -1e-9 * span && ahead < 0.05 * span)) return;
  loss.lost = loss.extrapolated = true;
  loss.time = best.time;
  loss.uncertainty = std::abs(ahead);
}

// The run itself found the place inside a step that it did not keep: where both agree, the time is known that well.
void compare(IndexLoss& loss, const Failure& failure) {
  if (!loss.lost || failure.kind != FailureKind::index_lost) return;
  const double apart = std::max(std::abs(loss.time - failure.time), 1e-13 * (1.0 + std::abs(loss.time)));
  loss.uncertainty = std::min(loss.uncertainty, apart);
}

// Between two states, on the dense output as it is: a projection may fail where the constraint is singular.
void locate(IndexLoss& loss, const IndexWatch& watch, const Solution& solution, std::size_t i) {
  double low = solution.time(i - 1), high = solution.time(i);
  loss.lost = true;
  try {
    for (int k = 0; k < 60 && high - low > 1e-13 * (1.0 + std::abs(high)); ++k) {
      const double middle = 0.5 * (low + high);
      (watch.at(middle, solution.at(middle, false)).monotonicity < 0.0 ? low : high) = middle;
    }
  } catch (const Misuse&) {  // no dense output: linear between the states
    const double a = loss.history[i - 1].monotonicity, b = loss.history[i].monotonicity;
    low = high = low + (high - low) * a / (a - b);
    loss.uncertainty = 0.5 * (solution.time(i) - solution.time(i - 1));
  }
  loss.time = high;
  loss.uncertainty = std::max(loss.uncertainty, high - low);
}

std::string verdict_of(const IndexLoss& loss, const Solution& solution) {
  if (!loss.lost) {
    double largest = -infinity;
    for (const auto& point : loss.history) largest = std::max(largest, point.monotonicity);
    if (!solution.ok())
      return fmt::format(
          "The run failed, but not for its index: M_Q+[Qf] (scaled to -1 at the start) is at most {:.4g}.", largest);
    return fmt::format("Index 1 all along: M_Q+[Qf] (scaled to -1 at the start) stays at or below {:.4g}.", largest);
  }
  const std::string when = loss.extrapolated
                               ? fmt::format("is about to reach 0 at t = {:.8g} (the run ended at {:.8g})", loss.time,
                                             loss.history.back().time)
                               : fmt::format("reaches 0 at t = {:.8g}", loss.time);
  return fmt::format("M_Q+[Qf] {}. {}", when,
                     loss.singular
                         ? "The constraint becomes singular there: the problem is no longer of index 1, and no "
                           "bound holds beyond."
                         : "The constraint is still regular, so the index may remain 1, but its monotonicity "
                           "ends, and with it the bounds.");
}

}  // namespace

IndexLoss find_index_loss(const Solution& solution, const IndexLossOptions& options) {
  const auto* form = std::get_if<Index1>(&solution.equations());
  if (!form) throw Misuse("the loss of index 1 can only be watched on problems of index 1");
  IndexLoss loss;
  if (form->constraint_count() == 0) {
    loss.verdict = "There is no constraint: the problem is an ordinary differential equation.";
    return loss;
  }
  const IndexWatch watch(*form, solution.time(0), solution.state(0), options);
  for (std::size_t i = 0; i < solution.size() && !loss.lost; ++i) {
    loss.history.push_back(watch.at(solution.time(i), solution.state(i)));
    if (loss.history.back().monotonicity < 0.0) continue;
    if (i == 0) {
      loss.lost = true;
      loss.time = solution.time(0);
    } else {
      locate(loss, watch, solution, i);
    }
  }
  if (!loss.lost && !solution.ok()) {
    follow(loss);
    compare(loss, solution.failure());
  }
  if (loss.lost) {
    // Singular if the regularity vanishes together with the monotonicity, seen on the last state before.
    const IndexWatchPoint& near =
        loss.history.size() > 1 && !loss.extrapolated ? loss.history[loss.history.size() - 2] : loss.history.back();
    double least = near.regularity / std::max(1e-300, std::abs(near.monotonicity));
    if (!loss.extrapolated) {
      try {
        const IndexWatchPoint there = watch.at(loss.time, solution.at(loss.time, false));
        least = there.regularity / std::max(1e-300, loss.history.front().regularity);
        loss.singular = least < 1e-6;
      } catch (const Misuse&) {
        loss.singular = least < 3.0;
      }
    } else {
      loss.singular = least < 3.0;
    }
  }
  loss.verdict = verdict_of(loss, solution);
  return loss;
}

Event index_loss_event(const Index1& form, double t, ConstSpan start, double limit, const IndexLossOptions& options) {
  auto watch = std::make_shared<const IndexWatch>(form, t, start, options);
  return {.name = "loss of index 1",
          .root = [watch, limit](double time, ConstSpan state) { return watch->at(time, state).monotonicity - limit; },
          .direction = Direction::rising,
          .terminal = true};
}

}  // namespace driftless
