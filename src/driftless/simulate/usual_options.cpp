// The run that a model itself describes, and what its rows take.
#include <fmt/format.h>

#include <cmath>

#include "driftless/core/memory.h"
#include "driftless/simulate/output_times.h"
#include "driftless/simulate/simulate.h"

namespace driftless {

// Measured: 56 bytes a number with CSV, which is made as a whole before it is written.
double row_bytes(const Model& model) { return 64.0 * static_cast<double>(model.results.size() + 1); }

SimulateOptions usual_options(const Model& model) {
  SimulateOptions options;
  options.solve.span = {model.begin, model.end};
  if (model.tolerance) options.solve.tolerance = {.relative = *model.tolerance, .absolute = 1e-3 * *model.tolerance};
  if (!model.interval) {
    options.solve.output_times = times_of_grid(usual_rows, options.solve.span);
    return options;
  }
  require_memory(std::abs((model.end - model.begin) / *model.interval) * row_bytes(model),
                 fmt::format("a row every {}, as the model says,", *model.interval));
  options.solve.output_times = times_every(*model.interval, options.solve.span);
  return options;
}

}  // namespace driftless
