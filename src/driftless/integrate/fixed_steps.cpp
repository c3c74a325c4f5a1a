#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "driftless/core/stop.h"
#include "driftless/integrate/index_watch.h"
#include "driftless/integrate/outgrown.h"
#include "driftless/integrate/runs.h"
#include "driftless/tableau/properties.h"

namespace driftless {

namespace {

// Times begin + i h, the last one exactly the end.
class Grid {
 public:
  explicit Grid(const SolveOptions& options) : span_(options.span) {
    const double length = span_.end - span_.begin;
    if (options.steps) {
      count_ = *options.steps;
      h_ = length / static_cast<double>(count_);
      return;
    }
    h_ = std::copysign(*options.step_size, length);
    const double exact = length / h_;
    if (exact > 1e12) throw Misuse(fmt::format("a step size of {} makes {:.3g} steps", *options.step_size, exact));
    count_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(exact - 1e-9)));
  }
  std::size_t count() const { return count_; }
  double time(std::size_t i) const { return i == count_ ? span_.end : span_.begin + static_cast<double>(i) * h_; }
  // The nominal size wherever the grid is uniform, so that steps do not differ by rounding of the times.
  double step(std::size_t i) const {
    const double h = time(i + 1) - time(i);
    return std::abs(h - h_) <= 1e-9 * std::abs(h_) ? h_ : h;
  }

 private:
  TimeSpan span_;
  std::size_t count_ = 0;
  double h_ = 0.0;
};

// Between two states: the cubic through both with their slopes; multipliers by a line.
class Between {
 public:
  explicit Between(const Equations& equations)
      : manifold_(make_manifold(equations)),
        moving_(layout_of(equations).size() - layout_of(equations).size_of("lambda")),
        slope0_(layout_of(equations).size()),
        slope1_(slope0_) {}
  void set(double t, double h, ConstSpan begin, ConstSpan end) {
    t_ = t, h_ = h, begin_ = begin, end_ = end;
    if (manifold_->derivative(t, begin, slope0_) != ManifoldStatus::ok) std::ranges::fill(slope0_, 0.0);
    if (manifold_->derivative(t + h, end, slope1_) != ManifoldStatus::ok) slope1_ = slope0_;
  }
  void operator()(double t, Span out) const {
    const double c = (t - t_) / h_, d = 1.0 - c;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = d * begin_[i] + c * end_[i];
      if (i >= moving_) continue;
      const double step = end_[i] - begin_[i];
      out[i] += c * d * (d * (h_ * slope0_[i] - step) - c * (h_ * slope1_[i] - step));
    }
  }

 private:
  std::unique_ptr<Manifold> manifold_;
  std::size_t moving_;
  double t_ = 0.0, h_ = 0.0;
  ConstSpan begin_, end_;
  Vector slope0_, slope1_;
};

void count(Statistics& total, const Attempt& attempt) {
  total.newton_iterations += static_cast<std::size_t>(attempt.newton_iterations);
  total.evaluations += attempt.work.evaluations;
  total.jacobians += attempt.work.jacobians;
  total.factorisations += attempt.work.factorisations;
}

}  // namespace

void run_fixed_steps(Solution& solution, const Stepper& stepper, const SolveOptions& options) {
  const Grid grid(options);
  Vector state = solution.start().state;
  const auto workspace = stepper.make_workspace();
  Attempt attempt = stepper.make_attempt();
  CertificateKeeper keeper(solution.equations(), options.written);
  const bool watched = options.certificate || options.history;
  const int order = options.history ? properties_of(options.method.tableau).order : 0;
  if (watched) keeper.see(options.span.begin, state);
  IndexWatch watch(solution.equations(), options.certificate);
  Between between(solution.equations());
  watch.restart(options.span.begin, state);
  // A step and a look at its index, either of which may be stopped.
  const auto advance = [&](std::size_t i) -> std::optional<Failure> {
    check_stop();
    auto failure = stepper.attempt(grid.time(i), state, grid.step(i), *workspace, attempt);
    count(solution.count(), attempt);
    if (failure) {
      Failure explained = watch.explain(std::move(*failure), grid.step(i));
      return blame_growth(std::move(explained), layout_of(solution.equations()), grid.time(i), state);
    }
    if (!watch.see(grid.time(i + 1), attempt.state)) return std::nullopt;
    between.set(grid.time(i), grid.step(i), state, attempt.state);
    return watch.search(std::cref(between));
  };
  for (std::size_t i = 0; i < grid.count(); ++i) {
    std::optional<Failure> failure;
    try {
      failure = advance(i);
    } catch (const Stopped&) {
      failure = stopped(grid.time(i));
    }
    if (failure) {
      solution.fail(std::move(*failure));
      break;
    }
    std::swap(state, attempt.state);
    ++solution.count().steps;
    if (options.observer) options.observer(grid.time(i + 1), state);
    if (watched) keeper.see(grid.time(i + 1), state);
    if (options.history)
      solution.note().steps.push_back({.time = grid.time(i + 1),
                                       .h = grid.step(i),
                                       .order = order,
                                       .newton_iterations = static_cast<std::size_t>(attempt.newton_iterations),
                                       .residual = keeper.latest()});
    if ((i + 1) % options.keep_every == 0 || i + 1 == grid.count()) solution.append(grid.time(i + 1), state);
  }
  Certificate certificate = keeper.certificate();
  certificate.condition = watch.condition();
  certificate.condition_time = watch.condition_time();
  solution.certify(certificate);
}

void require_fixed_grid(const SolveOptions& options) {
  require_fixed(options);
  (void)Grid(options);
}

}  // namespace driftless
