#include "bench/sizes/sized_problem.h"

#include <cmath>

#include "testset/generators.h"
#include "testset/square_grid.h"

namespace bench {

namespace {

using driftless::testset::SquareGrid;

// `visit(x, t, put)` puts every entry of f_x; run once at `start`, it tells where they are.
template <class Visit>
void differentiate_by(SizedProblem& problem, Visit visit) {
  problem.algebraic.resize(problem.start.size(), false);
  visit(problem.start.data(), 0.0, [&](int row, int col, double) {
    problem.entries.row.push_back(row);
    problem.entries.col.push_back(col);
  });
  problem.jacobian = [visit](const double* x, double t, double* values) {
    visit(x, t, [&](int, int, double value) { *values++ = value; });
  };
}

SizedProblem reaction_diffusion(std::size_t unknowns) {
  const int cells = static_cast<int>(unknowns / 2);
  const auto n = static_cast<std::size_t>(cells);
  SizedProblem problem{
      driftless::testset::reaction_diffusion(n), driftless::testset::reaction_diffusion_start(n), 10.0, {}, {}, {}};
  for (std::size_t i = 0; i < n; ++i) problem.algebraic.insert(problem.algebraic.end(), {false, true});
  differentiate_by(problem, [cells](const double* x, double, auto put) {
    const double dx = 50.0 / cells, per_dx2 = 1.0 / (dx * dx);
    for (int i = 0; i < cells; ++i) {
      const double u = x[2 * i], w = x[2 * i + 1];
      const int neighbours = (i > 0) + (i + 1 < cells);
      if (i > 0) put(2 * i, 2 * i - 2, per_dx2);
      put(2 * i, 2 * i, 1.0 - 2.0 * u - neighbours * per_dx2);
      put(2 * i, 2 * i + 1, -0.1);
      if (i + 1 < cells) put(2 * i, 2 * i + 2, per_dx2);
      put(2 * i + 1, 2 * i, -0.2 / ((0.2 + u) * (0.2 + u)));
      put(2 * i + 1, 2 * i + 1, 1.0 + 3.0 * w * w);
    }
  });
  return problem;
}

std::size_t side_of(std::size_t cells) { return static_cast<std::size_t>(std::lround(std::sqrt(double(cells)))); }

SizedProblem brusselator(std::size_t unknowns) {
  const SquareGrid grid{side_of(unknowns / 2)};
  SizedProblem problem{driftless::testset::brusselator_grid(grid.n),
                       driftless::testset::brusselator_grid_start(grid.n),
                       6.0,
                       {},
                       {},
                       {}};
  differentiate_by(problem, [grid](const double* x, double, auto put) {
    const double d = 0.002 * static_cast<double>(grid.n * grid.n);
    for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
      const int at = 2 * static_cast<int>(cell);
      const double u = x[at], v = x[at + 1];
      int neighbours = 0;
      grid.for_each_neighbour(cell, [&](std::size_t other) {
        put(at, 2 * static_cast<int>(other), d);
        put(at + 1, 2 * static_cast<int>(other) + 1, d);
        ++neighbours;
      });
      put(at, at, 2.0 * u * v - 4.4 - d * neighbours);
      put(at, at + 1, u * u);
      put(at + 1, at, 3.4 - 2.0 * u * v);
      put(at + 1, at + 1, -u * u - d * neighbours);
    }
  });
  return problem;
}

SizedProblem diodes(std::size_t unknowns) {
  const SquareGrid grid{side_of(unknowns / 2)};
  SizedProblem problem{
      driftless::testset::diode_grid(grid.n), driftless::testset::diode_grid_start(grid.n), 10.0, {}, {}, {}};
  for (std::size_t i = 0; i < grid.cells(); ++i) problem.algebraic.insert(problem.algebraic.end(), {false, true});
  differentiate_by(problem, [grid](const double* x, double, auto put) {
    for (std::size_t node = 0; node < grid.cells(); ++node) {
      const int at = 2 * static_cast<int>(node);
      double own = node == 0 ? -2.0 : -1.0;
      grid.for_each_neighbour(node, [&](std::size_t other) {
        put(at, 2 * static_cast<int>(other), 1.0);
        own -= 1.0;
      });
      put(at, at, own);
      put(at, at + 1, 1.0);
      put(at + 1, at, 1.0);
      put(at + 1, at + 1, -1.0 - 0.01 * std::exp(10.0 * x[at + 1]));
    }
  });
  return problem;
}

SizedProblem heat(std::size_t unknowns) {
  const SquareGrid grid{side_of(unknowns)};
  SizedProblem problem{
      driftless::testset::heat_grid(grid.n), driftless::testset::heat_grid_at(grid.n, 0.0), 10.0, {}, {}, {}};
  differentiate_by(problem, [grid](const double*, double, auto put) {
    const double per_h2 = 0.01 * static_cast<double>(grid.n * grid.n);
    for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
      double own = 0.0;
      grid.for_each_neighbour(cell, [&](std::size_t other) {
        put(static_cast<int>(cell), static_cast<int>(other), per_h2);
        own -= per_h2;
      });
      put(static_cast<int>(cell), static_cast<int>(cell), own);
    }
  });
  problem.exact = [n = grid.n] { return driftless::testset::heat_grid_at(n, 10.0); };
  return problem;
}

}  // namespace

const std::vector<SizedFamily>& sized_families() {
  static const std::vector<SizedFamily> all = {
      {"reaction_diffusion", "1-D reaction and diffusion, an algebraic species in each cell", reaction_diffusion},
      {"brusselator", "2-D Brusselator", brusselator},
      {"diodes", "2-D grid of resistors, capacitors and diodes", diodes},
      {"heat", "2-D heat conduction", heat}};
  return all;
}

}  // namespace bench
