// A model from its start to its end, over all events: the one function that programs call.
#pragma once

#include <limits>

#include "driftless/simulate/simulation.h"

namespace driftless {

struct SimulateOptions {
  // Span, tolerance, steps, method, what is kept. Events, the start and the written constraints are the model's: Misuse
  // if they are given here. An error bound is carried up to the first event. Rows are all that is kept, unless:
  SolveOptions solve = {};
  bool dense = false;          // keep the polynomials of all steps, for Simulation::at()
  bool verify = false;         // put every row of the results into every equation as written
  bool show_verified = false;  // and say how well they hold: Simulation::verification
  double most_bytes = std::numeric_limits<double>::infinity();  // of rows; a run that fills them ends, and keeps them
};

// What a row of all results takes until it is written.
double row_bytes(const Model& model);

// The run that the model itself describes: its span, its tolerance, a row every interval, or 500 rows.
SimulateOptions usual_options(const Model& model);

// Throws what Model::start throws, and Misuse; everything else is in the result, with all that was computed until then.
Simulation simulate(const Model& model, const SimulateOptions& options);
// From a start that the model gave.
Simulation simulate(const Model& model, Start start, const SimulateOptions& options);
inline Simulation simulate(const Model& model) { return simulate(model, usual_options(model)); }

}  // namespace driftless
