// Figures 1 to 5 of Schropp 2003: what is left of the constraints along a run, with and without projection.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/reproduce/figures.h"
#include "apps/driftless/reproduce/item.h"

namespace reproduce {

namespace {

double largest(const Vector& values) {
  double result = 0.0;
  for (const double value : values) result = std::fmax(result, std::abs(value));
  return result;
}

const Column& column(const Trace& trace, const std::string& name) {
  return *std::find_if(trace.columns.begin(), trace.columns.end(), [&](const Column& c) { return c.name == name; });
}

struct Band {
  double low, high;
};

struct Expected {
  const char* deviation;  // d1, d2, d3
  const char* without;    // what the figure shows
  Band without_band;
  const char* with;
  Band with_band;
};

Measurement figure(const Experiment& experiment, const Expected& expected) {
  Measurement result;
  Picture picture{.title = fmt::format("|{}| over time, tol = 1e-8", expected.deviation), .log_y = true};
  const Trace without = compute_trace(experiment, false), with = compute_trace(experiment, true);
  result.data = driftless::cli::Json::parse(as_json({without, with}));
  for (const Trace* trace : {&without, &with}) {
    const Vector& values = column(*trace, expected.deviation).values;
    const auto& [low, high] = trace->projected ? expected.with_band : expected.without_band;
    const char* name = trace->projected ? "with" : "without";
    result.lines.push_back({.id = fmt::format("{} projection", name),
                            .what = fmt::format("largest |{}| {} projection", expected.deviation, name),
                            .paper = trace->projected ? expected.with : expected.without,
                            .measured = largest(values),
                            .low = low,
                            .high = high});
    Vector sizes;
    for (const double value : values) sizes.push_back(std::max(std::abs(value), 1e-17));
    picture.curves.push_back({fmt::format("{} projection", name), column(*trace, "t").values, std::move(sizes)});
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

}  // namespace

// The stages satisfy the constraint itself, with and without: Radau IIA ends in its last stage.
Measurement figure1() {
  return figure(pendulum(), {"d1", "small: the last stage satisfies g", {0.0, 1e-8}, "the same", {0.0, 1e-8}});
}
Measurement figure2() {
  return figure(pendulum(), {"d2", "visibly not zero", {1e-6, 1e-3}, "zero, up to rounding", {0.0, 1e-13}});
}
Measurement figure3() {
  return figure(
      pendulum(),
      {"d3", "not zero", {1e-6, 1.0}, "of the order of the step, as lambda is that of the stages", {1e-9, 1.0}});
}
Measurement figure4() {
  return figure(andrews(), {"d1", "small: the last stage satisfies g", {0.0, 1e-8}, "the same", {0.0, 1e-8}});
}
Measurement figure5() {
  return figure(andrews(), {"d2", "visibly not zero", {1e-6, 1.0}, "zero, up to rounding", {0.0, 1e-13}});
}

}  // namespace reproduce
