// Decaying vortices of an incompressible fluid (Taylor and Green 1937) on a periodic staggered grid of n x n cells of
// the square with side 2 pi: u on the edges between cells of a row, v between those of a column, p in the centres,
//     w' = -div(w w) + nu L w - grad p,   div w = 0,
// with central averages and differences of second order (Harlow and Welch 1965). On this grid, too, the convection of
//     u = F sin x cos y,  v = -F cos x sin y,   F = exp(-nu mu t),  mu = 8 sin(h/2)^2 / h^2
// is a gradient, that of p = F^2 cos(h/2)^2 (cos 2x + cos 2y) / 4: it solves the equations of the grid in closed form.
// Pressure is fixed up to a constant (its mean is 0 here), and one of the constraints follows from the others.
#include <cmath>
#include <numbers>

#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"
#include "testset/generators.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

constexpr double viscosity = 0.05;

// u(i, j) is at (i h, (j + 1/2) h), v(i, j) at ((i + 1/2) h, j h), p(i, j) at the centre ((i + 1/2) h, (j + 1/2) h).
struct StaggeredFlow {
  std::size_t n;

  double h() const { return 2.0 * std::numbers::pi / static_cast<double>(n); }
  std::size_t cell(std::size_t i, std::size_t j) const { return (i % n) * n + j % n; }
  std::size_t before(std::size_t k) const { return k + n - 1; }

  void f(auto w, auto p, auto, auto out) const {
    const double per_h = 1.0 / h(), friction = viscosity / (h() * h());
    const std::size_t cells = n * n;
    const auto u = [&](std::size_t i, std::size_t j) { return w[cell(i, j)]; };
    const auto v = [&](std::size_t i, std::size_t j) { return w[cells + cell(i, j)]; };
    const auto pressure = [&](std::size_t i, std::size_t j) { return p[cell(i, j)]; };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t im = before(i), jm = before(j), ip = i + 1, jp = j + 1;
        // Squares at the centres to both sides, products at the corners above and below; and the same for v.
        const auto uu = [&](std::size_t a, std::size_t b) { return 0.25 * squared(u(a, j) + u(b, j)); };
        const auto vv = [&](std::size_t a, std::size_t b) { return 0.25 * squared(v(i, a) + v(i, b)); };
        const auto uv = [&](std::size_t a, std::size_t b) {  // at the corner (a h, b h)
          return 0.25 * (u(a, b) + u(a, before(b))) * (v(a, b) + v(before(a), b));
        };
        out[cell(i, j)] = -per_h * (uu(ip, i) - uu(i, im) + uv(i, jp) - uv(i, j)) -
                          per_h * (pressure(i, j) - pressure(im, j)) +
                          friction * (u(ip, j) + u(im, j) + u(i, jp) + u(i, jm) - 4.0 * u(i, j));
        out[cells + cell(i, j)] = -per_h * (vv(jp, j) - vv(j, jm) + uv(ip, j) - uv(i, j)) -
                                  per_h * (pressure(i, j) - pressure(i, jm)) +
                                  friction * (v(ip, j) + v(im, j) + v(i, jp) + v(i, jm) - 4.0 * v(i, j));
      }
  }
  void g(auto w, auto, auto out) const {
    const std::size_t cells = n * n;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        out[cell(i, j)] = (w[cell(i + 1, j)] - w[cell(i, j)] + w[cells + cell(i, j + 1)] - w[cells + cell(i, j)]) / h();
  }

  static auto squared(auto a) { return a * a; }
};

Names cell_names(const char* quantity, std::size_t n) {
  Names names;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) names.push_back(fmt::format("{}[{},{}]", quantity, i + 1, j + 1));
  return names;
}

}  // namespace

Equations taylor_green(std::size_t n) {
  Names velocities = cell_names("u", n);
  for (std::string& name : cell_names("v", n)) velocities.push_back(std::move(name));
  return index2(
      StaggeredFlow{n},
      {.u_names = std::move(velocities), .lambda_names = cell_names("p", n), .constraint_names = cell_names("div", n)});
}

Vector taylor_green_at(std::size_t n, double t) {
  const double h = StaggeredFlow{n}.h(), s = 2.0 * std::sin(h / 2) / h, c = std::cos(h / 2);
  const double decay = std::exp(-2.0 * viscosity * s * s * t);
  Vector u, v, p;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double edge_x = static_cast<double>(i) * h, edge_y = static_cast<double>(j) * h;
      const double x = edge_x + h / 2, y = edge_y + h / 2;
      u.push_back(decay * std::sin(edge_x) * std::cos(y));
      v.push_back(-decay * std::cos(x) * std::sin(edge_y));
      p.push_back(0.25 * decay * decay * c * c * (std::cos(2 * x) + std::cos(2 * y)));
    }
  return joined({u, v, p});
}

Problem taylor_green_problem(std::size_t n) {
  return {.title = fmt::format("Vortices of Taylor and Green on a staggered grid of {0} x {0} cells", n),
          .source = "Taylor and Green 1937; Harlow and Welch 1965",
          .notes = "Index 2 with one redundant constraint. Pressure has the mean 0.",
          .equations = taylor_green(n),
          .start = taylor_green_at(n, 0.0),
          .references = {{1.0, taylor_green_at(n, 1.0)}},
          .trusted_digits = 15.0,
          .exact = [n](double t) { return taylor_green_at(n, t); }};
}

}  // namespace driftless::testset
