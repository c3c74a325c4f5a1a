// What a bound is a bound of, measured: the error of a run against a more accurate one, and the deviation of a run
// whose equations are perturbed.
#pragma once

#include <optional>

#include "driftless/analysis/stability/box.h"
#include "driftless/analysis/stability/stability_along.h"
#include "driftless/analysis/stability/vector_norm.h"

namespace driftless::cli {

struct MeasuredDeviation {
  Vector times = {}, p = {}, q = {};  // |P dx| and |Q dx|
};

// Against a run with a tolerance of 1e-11; nothing if that fails.
std::optional<MeasuredDeviation> measure_error(const Solution& run, const Index1& form, const Norm& norm);

// A run from the start moved by `sizes.start`, with constant perturbations of the other sizes, all components alike,
// against one without; nothing if one of them fails, or leaves the box where there is one.
std::optional<MeasuredDeviation> measure_perturbation(const Index1& form, ConstSpan start, const Norm& norm,
                                                      const PerturbationSizes& sizes, const Vector& times,
                                                      const Box* box = nullptr);

}  // namespace driftless::cli
