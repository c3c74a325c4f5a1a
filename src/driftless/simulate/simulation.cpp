#include "driftless/simulate/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

namespace driftless {

const Simulation& Simulation::or_throw() const {
  if (failure) throw FailedRun(*failure);
  return *this;
}

double Simulation::final(std::string_view name) const {
  const std::size_t column = recording.column(name);
  if (results.empty()) throw Misuse("the simulation has no state: it did not begin");
  return column == 0 ? t : results[column - 1];
}

double Simulation::value(std::string_view name, std::size_t row) const {
  const std::size_t column = recording.column(name);
  if (row >= recording.rows()) throw Misuse(fmt::format("row {} of {} rows", row, recording.rows()));
  return recording.at(row, column);
}

Vector Simulation::column(std::string_view name) const {
  const std::size_t column = recording.column(name);
  Vector values(recording.rows());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = recording.at(row, column);
  return values;
}

Vector Simulation::at(double t) const {
  if (kept.empty()) throw Misuse("the run kept no polynomials: ask for them with SimulateOptions::dense");
  const double direction = recording.last_time() >= recording.at(0, 0) ? 1.0 : -1.0;
  const auto behind = [&](const KeptStretch& one) { return direction * (one.stretch.begin - t) > 0.0; };
  const auto next = std::ranges::partition_point(kept, std::not_fn(behind));
  const KeptStretch& one = next == kept.begin() ? kept.front() : *std::prev(next);
  Vector all(recording.columns.size() - 1);
  one.stretch.results(t, one.solution.at(t), all);
  return all;
}

}  // namespace driftless
