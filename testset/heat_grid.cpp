// Heat conduction on n x n cells of the unit square without flux through the edges: u' = 0.01 n^2 sum of (u_neighbour -
// u). cos(k pi x) cos(l pi y) at the centres of the cells is an eigenvector with eigenvalue -0.04 n^2 (sin(k pi / 2n)^2
// + sin(l pi / 2n)^2), so that the solution is known in closed form at any size.
// Source: constructed for this test set.
#include <cmath>
#include <numbers>

#include "driftless/equations/index1_model.h"
#include "testset/catalogue.h"
#include "testset/generators.h"
#include "testset/square_grid.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

constexpr double conductivity = 0.01;

struct HeatGrid {
  SquareGrid grid;

  void f(auto x, auto, auto out) const {
    const double per_h2 = conductivity * static_cast<double>(grid.n * grid.n);
    for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
      auto flux = 0.0 * x[cell];
      grid.for_each_neighbour(cell, [&](std::size_t other) { flux += x[other] - x[cell]; });
      out[cell] = per_h2 * flux;
    }
  }
};

struct Mode {
  double amplitude;
  int k, l;
};
constexpr Mode modes[] = {{1.0, 0, 0}, {0.5, 1, 0}, {0.25, 1, 2}, {0.125, 3, 1}};

}  // namespace

Equations heat_grid(std::size_t n) {
  const SquareGrid grid{n};
  std::vector<ConstantMatrix::Entry> identity;
  for (std::uint32_t k = 0; k < grid.cells(); ++k) identity.push_back({k, k, 1.0});
  return index1(HeatGrid{grid}, {.projector = {grid.cells(), grid.cells(), std::move(identity)},
                                 .x_names = grid.names({"u"}),
                                 .equation_names = grid.names({"balance of"})});
}

Vector heat_grid_at(std::size_t n, double t) {
  const double cells = static_cast<double>(n), pi = std::numbers::pi;
  Vector state;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double x = (static_cast<double>(i) + 0.5) / cells, y = (static_cast<double>(j) + 0.5) / cells;
      double sum = 0.0;
      for (const auto& [amplitude, k, l] : modes) {
        const double a = std::sin(k * pi / (2 * cells)), b = std::sin(l * pi / (2 * cells));
        const double rate = 4.0 * conductivity * cells * cells * (a * a + b * b);
        sum += amplitude * std::exp(-rate * t) * std::cos(k * pi * x) * std::cos(l * pi * y);
      }
      state.push_back(sum);
    }
  return state;
}

Problem heat_grid_problem(std::size_t n) {
  return {.title = fmt::format("Heat conduction on {0} x {0} cells", n),
          .source = "constructed for this test set",
          .notes = "A linear ordinary differential equation with stiffness 0.08 n^2.",
          .equations = heat_grid(n),
          .start = heat_grid_at(n, 0.0),
          .references = {{10.0, heat_grid_at(n, 10.0)}},
          .trusted_digits = 15.0,
          .exact = [n](double t) { return heat_grid_at(n, t); }};
}

}  // namespace driftless::testset
