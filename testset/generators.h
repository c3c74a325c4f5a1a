// Families of problems of any size (or with a free parameter), with a consistent start in layout order.
#pragma once

#include <numbers>

#include "driftless/equations/equations.h"

namespace driftless::testset {

// n links of total length and mass 1, dropped from horizontal rest: 2n + 2n + n unknowns.
Equations chain_pendulum(std::size_t n);
Vector chain_pendulum_start(std::size_t n);

// A regular n-gon of links, hanging from one node, dropped at rest: 2(n-1) + 2(n-1) + n unknowns.
Equations closed_loop_chain(std::size_t n);
Vector closed_loop_chain_start(std::size_t n);

// n >= 3 links of total length and mass 1, both ends fixed at the same height, dropped at rest from two straight pieces
// that hang in a corner: 2(n-1) + 2(n-1) + n unknowns. The span is irrational, so that the links can never lie in one
// line and G has full rank everywhere.
inline constexpr double suspended_chain_span = std::numbers::inv_sqrt3;
Equations suspended_chain(std::size_t n);
Vector suspended_chain_start(std::size_t n);

// n four-bar loops side by side, all cranks upright and turning at speed 1: 2(n+1) + 2(n+1) + 2n+1 unknowns.
Equations n_four_bar(std::size_t n);
Vector n_four_bar_start(std::size_t n);

// Nonlinear heat conduction in flux form on n cells: n + n-1 unknowns.
Equations heat_flux_mol(std::size_t n);
Vector heat_flux_mol_start(std::size_t n);

// Reaction and diffusion on a line with an algebraic species in each cell: (u_1, w_1, u_2, ...), 2 cells unknowns.
Equations reaction_diffusion(std::size_t cells);
Vector reaction_diffusion_start(std::size_t cells);

// On n x n cells of a square: the Brusselator with diffusion, 2 n^2 unknowns; resistors, capacitors and diodes, 2 n^2;
// heat conduction, n^2, with its exact solution at any time.
Equations brusselator_grid(std::size_t n);
Vector brusselator_grid_start(std::size_t n);
Equations diode_grid(std::size_t n);
Vector diode_grid_start(std::size_t n);
Equations heat_grid(std::size_t n);
Vector heat_grid_at(std::size_t n, double t);

// Incompressible flow on a periodic staggered grid: 2 n^2 + n^2 unknowns, and its exact solution at any time.
Equations taylor_green(std::size_t n);
Vector taylor_green_at(std::size_t n, double t);

// A net of n x n knots and inextensible rods, hung up at one edge and struck: 3 n^2 + 3 n^2 + 2 n^2 - n unknowns.
Equations rod_net(std::size_t n);
Vector rod_net_start(std::size_t n);

// The larger alpha, the less stable are unprojected symmetric methods.
Equations ascher_petzold_index2(double alpha);

// Tends to the rigid pendulum, of index 3, as epsilon -> 0.
Equations stiff_spring_pendulum(double epsilon);

// Two unit masses, the first on a rigid rod, the second on a spring with a damper at the first; dropped from horizontal
// rest, gravity 1. Fast eigenvalues solve z^2 + 2 damping z + 2 stiffness = 0.
Equations stiff_double_pendulum(double stiffness, double damping);
Vector stiff_double_pendulum_start();

}  // namespace driftless::testset
