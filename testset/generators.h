// Families of problems of any size (or with a free parameter), with a consistent start in layout order.
#pragma once

#include "driftless/equations/equations.h"

namespace driftless::testset {

// n links of total length and mass 1, dropped from horizontal rest: 2n + 2n + n unknowns.
Equations chain_pendulum(std::size_t n);
Vector chain_pendulum_start(std::size_t n);

// A regular n-gon of links, hanging from one node, dropped at rest: 2(n-1) + 2(n-1) + n unknowns.
Equations closed_loop_chain(std::size_t n);
Vector closed_loop_chain_start(std::size_t n);

// n four-bar loops side by side, all cranks upright and turning at speed 1: 2(n+1) + 2(n+1) + 2n+1 unknowns.
Equations n_four_bar(std::size_t n);
Vector n_four_bar_start(std::size_t n);

// Nonlinear heat conduction in flux form on n cells: n + n-1 unknowns.
Equations heat_flux_mol(std::size_t n);
Vector heat_flux_mol_start(std::size_t n);

// The larger alpha, the less stable are unprojected symmetric methods.
Equations ascher_petzold_index2(double alpha);

// Tends to the rigid pendulum, of index 3, as epsilon -> 0.
Equations stiff_spring_pendulum(double epsilon);

}  // namespace driftless::testset
