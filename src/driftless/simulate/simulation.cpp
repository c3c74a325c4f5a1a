#include "driftless/simulate/simulation.h"

#include <fmt/format.h>

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

}  // namespace driftless
