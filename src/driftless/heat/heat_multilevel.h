// One cycle over coarser and coarser meshes instead of a solution: an approximate inverse of c C + L, for real and
// complex c with positive real part, at a cost proportional to the number of cells.
#pragma once

#include "driftless/heat/heat_hierarchy.h"
#include "driftless/heat/heat_solver.h"

namespace driftless {

inline constexpr std::size_t multilevel_from = 400;  // cells; fewer are best left to a factorisation

std::unique_ptr<ShiftedHeatSystems> make_multilevel_heat_systems(const HeatProblem& problem, Vector real_eigenvalues,
                                                                 std::vector<std::complex<double>> complex_eigenvalues);

}  // namespace driftless
