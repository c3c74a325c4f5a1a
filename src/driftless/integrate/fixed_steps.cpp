#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/runs.h"
#include "driftless/tableau/properties.h"

namespace driftless {

namespace {

// Times begin + i h, the last one exactly the end.
class Grid {
 public:
  explicit Grid(const SolveOptions& options) : span_(options.span) {
    const double length = span_.end - span_.begin;
    if (!std::isfinite(length) || length == 0.0)
      throw Misuse(fmt::format("the span [{}, {}] is empty or not finite", span_.begin, span_.end));
    if (options.steps && options.step_size) throw Misuse("give either the number of steps or their size, not both");
    if (options.keep_every == 0) throw Misuse("keep_every must be at least 1");
    if (options.steps) {
      if (*options.steps == 0) throw Misuse("the number of steps must be at least 1");
      count_ = *options.steps;
      h_ = length / static_cast<double>(count_);
      return;
    }
    if (!(*options.step_size > 0.0) || !std::isfinite(*options.step_size))
      throw Misuse(fmt::format("the step size must be positive, but is {}", *options.step_size));
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
  for (std::size_t i = 0; i < grid.count(); ++i) {
    if (options.stop.stop_requested()) {
      solution.fail(stopped(grid.time(i)));
      break;
    }
    if (auto failure = stepper.attempt(grid.time(i), state, grid.step(i), *workspace, attempt)) {
      solution.fail(std::move(*failure));
      break;
    }
    std::swap(state, attempt.state);
    ++solution.count().steps;
    solution.count().newton_iterations += static_cast<std::size_t>(attempt.newton_iterations);
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
  solution.certify(keeper.certificate());
}

void require_fixed_grid(const SolveOptions& options) {
  (void)Grid(options);
  if (!options.events.empty() || !options.output_times.empty())
    throw Misuse("events and output times need adaptive steps: leave out .steps and .step_size");
}

}  // namespace driftless
