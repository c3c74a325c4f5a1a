#include "driftless/integrate/solution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/equations/manifold.h"
#include "driftless/integrate/solution_recorder.h"

namespace driftless {

Solution::Solution(Equations equations, ConsistentStart start)
    : equations_(std::move(equations)), start_(std::move(start)), width_(layout_of(equations_).size()) {}

const Solution& Solution::or_throw() const {
  if (failure_) throw FailedRun(*failure_);
  return *this;
}

const Failure& Solution::failure() const {
  if (!failure_) throw Misuse("this run reached its end, so it has no failure: ask ok() first");
  return *failure_;
}

void Solution::refuse_index(std::size_t i) const {
  if (times_.empty()) throw Misuse("this run kept no state: its start could not be made consistent, see failure()");
  throw Misuse(fmt::format("there is no state {}: this run kept {}, counted from 0", i, times_.size()));
}

double Solution::final(std::string_view name) const { return value(name, times_.empty() ? 0 : size() - 1); }

ConstSpan Solution::block(std::string_view symbol, std::size_t i) const {
  return layout_of(equations_).block(symbol).of(state(i));
}

double Solution::value(std::string_view name, std::size_t i) const {
  return state(i)[layout_of(equations_).find(name)];
}

double Solution::value(std::string_view name, const EventRecord& event) const {
  return event.state[layout_of(equations_).find(name)];
}

ConstraintResiduals Solution::residuals(std::size_t i) const {
  return constraint_residuals(equations_, time(i), state(i));
}

Vector Solution::at(double t, bool projected) const {
  if (dense_.empty())
    throw Misuse(
        "this run kept no dense output: .dense must be set for runs of many unknowns, and with fixed steps all of "
        "them kept");
  const double direction = dense_.front().h > 0.0 ? 1.0 : -1.0;
  const double first = dense_.front().begin, last = times_.back();
  // The first step behind an event begins there but for rounding.
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(first), std::abs(last));
  if (!(direction * (t - first) >= -rounding && direction * (t - last) <= rounding))
    throw Misuse(fmt::format("t = {} is outside the run, which covers [{}, {}]", t, first, last));
  const auto after = std::lower_bound(dense_.begin(), dense_.end(), t, [&](const DenseStep& step, double time) {
    return direction * (step.valid_until - time) < 0.0;
  });
  Vector state(width_);
  const DenseStep& kept = after == dense_.end() ? dense_.back() : *after;
  if (!projected && !kept.multipliers_by_constraint) {
    kept.evaluate(t, state);
    return state;
  }
  const auto manifold = make_manifold(equations_);
  if (kept.order_by_slopes == 0) {
    kept.evaluate(t, state);
  } else {
    DenseStep whole = kept;
    whole.finish(*manifold);
    whole.evaluate(t, state);
  }
  Vector mu1(manifold->constraint_count()), mu2(manifold->constraint_count());
  auto status = projected ? manifold->project(t, state, true, mu1, mu2) : ManifoldStatus::ok;
  if (status == ManifoldStatus::ok) status = manifold->set_multipliers(t, state);
  if (status != ManifoldStatus::ok) throw FailedRun(explain(status, equations_, t, state));
  return state;
}

void SolutionRecorder::append(double t, ConstSpan state) {
  times_.push_back(t);
  states_.insert(states_.end(), state.begin(), state.end());
}

}  // namespace driftless
