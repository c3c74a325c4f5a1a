// What cannot be honoured is refused before anything is computed.
#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "driftless/integrate/fixed_grid.h"
#include "driftless/integrate/run.h"

namespace driftless {

namespace {

bool positive(double x) { return x > 0.0 && std::isfinite(x); }

void require_span(const TimeSpan& span) {
  if (!std::isfinite(span.end - span.begin) || span.begin == span.end)
    throw Misuse(fmt::format("the span [{}, {}] is empty or not finite", span.begin, span.end));
}

void require_tolerance(const Layout& layout, const Tolerance& tolerance) {
  if (!positive(tolerance.relative) || !positive(tolerance.absolute))
    throw Misuse(fmt::format("tolerances must be positive, but relative = {} and absolute = {}", tolerance.relative,
                             tolerance.absolute));
  if (tolerance.relative < 1e-14)
    throw Misuse(fmt::format("a relative tolerance of {} is below what rounding allows; 1e-13 is about the least",
                             tolerance.relative));
  const Vector& each = tolerance.absolute_by_component;
  if (!each.empty() && each.size() != layout.size())
    throw Misuse(fmt::format("{} absolute tolerances given for {} components", each.size(), layout.size()));
  for (std::size_t i = 0; i < each.size(); ++i)
    if (!positive(each[i]))
      throw Misuse(
          fmt::format("tolerances must be positive, but the absolute one of {} is {}", layout.name(i), each[i]));
}

void require_stepping(const Stepping& stepping) {
  if (stepping.first && !positive(*stepping.first))
    throw Misuse(fmt::format("the first step must be positive, but is {}", *stepping.first));
  if (!(stepping.largest >= 0.0))
    throw Misuse(fmt::format("the largest step must be positive, or 0 for no limit, but is {}", stepping.largest));
  if (stepping.first && stepping.largest > 0.0 && *stepping.first > stepping.largest)
    throw Misuse(
        fmt::format("the first step, {}, must not exceed the largest one, {}", *stepping.first, stepping.largest));
  if (stepping.limit == 0) throw Misuse("a run needs at least one attempt of a step: stepping.limit is 0");
}

void require_radau(const RadauOptions& radau) {
  for (int stages : {radau.least_stages, radau.most_stages})
    if (stages != 3 && stages != 5 && stages != 7)
      throw Misuse(fmt::format("Radau stages must be 3, 5 or 7, not {}", stages));
  if (radau.least_stages > radau.most_stages) throw Misuse("least_stages must not exceed most_stages");
  if (radau.newton_share != 0.0 && !positive(radau.newton_share))
    throw Misuse(
        fmt::format("newton_share must be positive, or 0 for the calibrated one, but is {}", radau.newton_share));
}

void require_output(const SolveOptions& options) {
  const auto& [begin, end] = options.span;
  const double direction = end > begin ? 1.0 : -1.0;
  for (std::size_t i = 0; i < options.output_times.size(); ++i) {
    const double t = options.output_times[i];
    if (!(direction * (t - begin) >= 0.0 && direction * (end - t) >= 0.0))
      throw Misuse(fmt::format("output time {} is outside the span [{}, {}]", t, begin, end));
    if (i > 0 && direction * (t - options.output_times[i - 1]) < 0.0)
      throw Misuse("output times must be in the order of the run");
  }
}

void require_events(const SolveOptions& options) {
  for (const Event& event : options.events) {
    if (!event.root) throw Misuse(fmt::format("the event '{}' has no function", event.name));
    if (event.terminal && event.jump)
      throw Misuse(fmt::format("the event '{}' ends the run and jumps: choose one of the two", event.name));
    if (event.where_undefined && (std::isnan(*event.where_undefined) || *event.where_undefined == 0.0))
      throw Misuse(fmt::format("where_undefined of the event '{}' is a sign, 1 or -1, not {}", event.name,
                               *event.where_undefined));
  }
  if (options.event_limit == 0) throw Misuse("event_limit must be at least 1");
}

}  // namespace

void require_integrator(const Equations& equations, const AdaptiveOptions& options) {
  require_tolerance(layout_of(equations), options.tolerance);
  require_radau(options.radau);
  require_stepping(options.stepping);
}

namespace {

// What is given and could not be honoured is a mistake, and is answered as one.
void refuse_without_effect(bool given, std::string_view option, std::string_view with, std::string_view instead) {
  if (given) throw Misuse(fmt::format(".{} has no effect with {}: leave it out, or {}", option, with, instead));
}

void refuse_adaptive_options(const SolveOptions& options) {
  const auto refuse = [](bool given, std::string_view option) {
    refuse_without_effect(given, option, "fixed steps", "leave out .steps and .step_size");
  };
  refuse(options.adaptive != AdaptiveMethod::automatic, "adaptive");
  refuse(options.tolerance != Tolerance(), "tolerance");
  refuse(options.radau != RadauOptions(), "radau");
  refuse(options.stepping.first.has_value(), "stepping.first");
  refuse(options.stepping.largest != 0.0, "stepping.largest");
  refuse(options.stepping.limit != Stepping().limit, "stepping.limit");
}

void refuse_fixed_options(const SolveOptions& options) {
  const std::string_view instead = "give .steps or .step_size";
  static const Method usual;  // a copy of its tableau for each run would be felt by small ones
  refuse_without_effect(options.method != usual, "method", "adaptive steps, which .adaptive chooses", instead);
  refuse_without_effect(options.newton != NewtonOptions(), "newton", "adaptive steps", instead);
  const bool radau = options.adaptive == AdaptiveMethod::automatic || options.adaptive == AdaptiveMethod::radau;
  refuse_without_effect(!radau && options.radau != RadauOptions(), "radau", "an explicit method",
                        "take AdaptiveMethod::radau");
}

void require_fixed(const SolveOptions& options) {
  refuse_adaptive_options(options);
  if (options.steps && options.step_size) throw Misuse("give either the number of steps or their size, not both");
  if (options.steps && *options.steps == 0) throw Misuse("the number of steps must be at least 1");
  if (options.step_size && !positive(*options.step_size))
    throw Misuse(fmt::format("the step size must be positive, but is {}", *options.step_size));
  const NewtonOptions& newton = options.newton;
  if (!(newton.relative >= 0.0) || !(newton.absolute >= 0.0) || !positive(newton.relative + newton.absolute))
    throw Misuse(
        fmt::format("the tolerances of Newton's iteration must be positive, but relative = {} and absolute = {}",
                    newton.relative, newton.absolute));
  if (newton.limit < 1) throw Misuse(fmt::format("Newton's iteration needs at least one, not {}", newton.limit));
  (void)FixedGrid(options);
}

}  // namespace

void require_options(const Equations& equations, const SolveOptions& options) {
  require_span(options.span);
  if (has_fixed_steps(options)) {
    require_fixed(options);
  } else {
    refuse_fixed_options(options);
    require_integrator(equations, {options.adaptive, options.tolerance, options.stepping, options.radau});
  }
  if (options.keep_every == 0) throw Misuse("keep_every must be at least 1");
  refuse_without_effect(options.keep_every != 1 && !options.output_times.empty(), "keep_every", "output times",
                        "leave out .output_times");
  require_output(options);
  require_events(options);
}

}  // namespace driftless
