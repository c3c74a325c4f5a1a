#include "driftless/study/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

namespace {

constexpr double golden = 0.61803398874989485;  // (sqrt(5) - 1)/2

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

double value_at(const Simulation& run, std::size_t column, double t) { return run.at(t)[column - 1]; }

// The largest value of sign * x by golden sections, in an interval with one hill.
double top_between(const Simulation& run, std::size_t column, double sign, double a, double b) {
  double left = b - golden * (b - a), right = a + golden * (b - a);
  double at_left = sign * value_at(run, column, left), at_right = sign * value_at(run, column, right);
  for (int k = 0; k < 40; ++k) {
    if (at_left > at_right) {
      b = right;
      right = left;
      at_right = at_left;
      left = b - golden * (b - a);
      at_left = sign * value_at(run, column, left);
    } else {
      a = left;
      left = right;
      at_left = at_right;
      right = a + golden * (b - a);
      at_right = sign * value_at(run, column, right);
    }
  }
  return std::max(at_left, at_right);
}

// Not across an event, where the time stands still from one row to the next.
double extreme(const Simulation& run, std::size_t column, double sign) {
  const Recording& rows = run.recording;
  std::size_t best = 0;
  for (std::size_t row = 1; row < rows.rows(); ++row)
    if (sign * rows.at(row, column) > sign * rows.at(best, column)) best = row;
  const double here = rows.at(best, 0);
  const double before = best > 0 ? rows.at(best - 1, 0) : here;
  const double behind = best + 1 < rows.rows() ? rows.at(best + 1, 0) : here;
  const double top = sign * rows.at(best, column);
  if (before == here || behind == here) return sign * top;
  return sign * std::max(top, top_between(run, column, sign, before, behind));
}

// Simpson's rule from row to row.
double integral(const Simulation& run, std::size_t column) {
  const Recording& rows = run.recording;
  double sum = 0.0;
  for (std::size_t row = 1; row < rows.rows(); ++row) {
    const double a = rows.at(row - 1, 0), b = rows.at(row, 0);
    if (a == b) continue;
    const double middle = value_at(run, column, 0.5 * (a + b));
    sum += (b - a) / 6.0 * (rows.at(row - 1, column) + 4.0 * middle + rows.at(row, column));
  }
  return sum;
}

double time_of(const Simulation& run, const std::string& name) {
  for (const SimulationEvent& event : run.happened)
    if (without_blanks(event.name) == name) return event.time;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Measure measure_from(const std::string& text) {
  using enum Measure::Kind;
  Measure measure{.name = text, .text = text};
  const std::size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')') return measure;
  const std::string word = without_blanks(text.substr(0, open));
  const std::string inner = text.substr(open + 1, text.size() - open - 2);
  if (word == "der") return measure;
  measure.name = word == "time" ? without_blanks(inner) : inner;
  if (word == "end")
    measure.kind = end;
  else if (word == "max")
    measure.kind = largest;
  else if (word == "min")
    measure.kind = smallest;
  else if (word == "mean")
    measure.kind = mean;
  else if (word == "time")
    measure.kind = time_of_event;
  else
    throw Misuse(
        fmt::format("{}: there are end(x), max(x), min(x), mean(x) of a result, and time(x < 0) of an event", text));
  if (measure.name.empty()) throw Misuse(fmt::format("{}: of what?", text));
  return measure;
}

double measured(const Measure& measure, const Simulation& run) {
  using enum Measure::Kind;
  if (measure.kind == time_of_event) return time_of(run, measure.name);
  const std::size_t column = run.recording.column(measure.name);
  if (measure.kind == end) return run.final(measure.name);
  if (measure.kind == largest) return extreme(run, column, 1.0);
  if (measure.kind == smallest) return extreme(run, column, -1.0);
  const double length = run.recording.last_time() - run.recording.at(0, 0);
  return length == 0.0 ? run.final(measure.name) : integral(run, column) / length;
}

}  // namespace driftless
