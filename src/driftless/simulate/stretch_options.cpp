#include "driftless/simulate/stretch_options.h"

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

// In the units of the stretch: the user's, component by component, or one for all that follows their nominal values.
void choose_absolute(const Stretch& stretch, Tolerance& tolerance) {
  Vector& each = tolerance.absolute_by_component;
  if (each.empty())
    for (const double nominal : stretch.nominal) each.push_back(tolerance.absolute * nominal);
  else if (each.size() == stretch.unit.size())
    for (std::size_t i = 0; i < each.size(); ++i) each[i] /= stretch.unit[i];
}

// A number of steps is one of the whole run: its parts have steps of the same size.
void choose_span(const Stretch& stretch, SolveOptions& options) {
  const double direction = options.span.end > options.span.begin ? 1.0 : -1.0;
  const bool whole = stretch.begin == options.span.begin && !stretch.end;
  if (options.steps && !whole) {
    options.step_size = std::abs(options.span.end - options.span.begin) / static_cast<double>(*options.steps);
    options.steps.reset();
  }
  if (stretch.begin != options.span.begin) {
    std::erase_if(options.output_times, [&](double t) { return direction * (t - stretch.begin) <= 0.0; });
    options.span.begin = stretch.begin;
    options.stepping.first = {};
  }
  if (stretch.end && direction * (*stretch.end - options.span.end) < 0.0) {
    options.span.end = *stretch.end;
    std::erase_if(options.output_times, [&](double t) { return direction * (t - *stretch.end) > 0.0; });
  }
}

}  // namespace

void require_options_of_a_simulation(const SolveOptions& options) {
  if (!options.events.empty())
    throw Misuse("a simulation takes its events from the model; state them there, or use solve()");
  if (!options.start.fixed.empty() || options.start.after_event)
    throw Misuse("a simulation takes its start from the model; state it there, or use solve()");
  if (!options.written.empty()) throw Misuse("a simulation takes the written constraints from the model");
}

SolveOptions options_of_stretch(const SolveOptions& whole, const Stretch& stretch, std::size_t attempts,
                                double restart_size) {
  SolveOptions options = whole;
  options.events = stretch.events;
  options.start = {.fixed = stretch.fixed, .after_event = stretch.after_event};
  options.written = stretch.written;
  const bool fixed = options.steps || options.step_size;
  if (fixed)
    options.tolerance = {};  // only the model's own checks look at it
  else
    choose_absolute(stretch, options.tolerance);
  choose_span(stretch, options);
  if (stretch.after_event) options.stepping.first_at_most = restart_size;
  if (!fixed) options.stepping.limit -= std::min(attempts, options.stepping.limit - 1);
  return options;
}

}  // namespace driftless
