#include "bench/sizes/sized_problem.h"

#include <cmath>

#include "driftless/equations/manifold.h"
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

// Velocities and accelerations at rest in the plane are as the equations have them.
MechanismStart net_start(const SizedProblem& problem) {
  const auto& form = std::get<driftless::Mechanical>(problem.equations);
  const auto n = static_cast<std::ptrdiff_t>(form.q_size());
  driftless::Vector state = problem.start, slope(state.size());
  driftless::make_manifold(problem.equations)->flow(0.0, state, slope);
  const auto part = [n](const driftless::Vector& x, std::ptrdiff_t k) {
    return std::vector<double>(x.begin() + k * n, x.begin() + (k + 1) * n);
  };
  return {.t = 0.0,
          .q = part(state, 0),
          .v = part(state, 1),
          .a = part(slope, 1),
          .lambda = {state.begin() + 2 * n, state.end()}};
}

SizedProblem rod_net(std::size_t unknowns) {
  const std::size_t n = side_of(unknowns / 8);
  SizedProblem problem{
      .equations = driftless::testset::rod_net(n), .start = driftless::testset::rod_net_start(n), .end = 0.5};
  problem.compared = 6 * n * n;
  const std::shared_ptr<Mechanism> net = net_mechanism(static_cast<int>(n));
  const MechanismStart start = net_start(problem);
  for (const auto& [name, form] : {std::pair{", GGL", Form::ggl}, std::pair{", index 1", Form::index1}})
    problem.peers.push_back({name, [net, start, form = form] {
                               return residual_system(*net, start, {.form = form, .storage = Storage::sparse});
                             }});
  return problem;
}

// Gamma = I; the Jacobian by automatic derivatives on the pattern, of which IDA asks for few. One pressure is held, in
// place of the constraint that follows from the others.
class FlowSystem final : public FullyImplicit {
 public:
  explicit FlowSystem(std::size_t n)
      : equations_(driftless::testset::taylor_green(n)),
        form_(std::get<driftless::Index2>(equations_)),
        patterns_(form_.patterns()),
        start_(driftless::testset::taylor_green_at(n, 0.0)),
        u_(form_.u_size()),
        f_(patterns_.f.count()),
        g_(patterns_.g.count()) {
    const std::size_t m = form_.lambda_size();
    size_ = static_cast<int>(u_ + m);
    algebraic_.assign(u_ + m, true);
    std::fill_n(algebraic_.begin(), u_, false);
    list(patterns_.f, u_ + m, f_entries_);
    list(patterns_.g, u_, g_entries_);
    g_values_.resize(g_entries_.size());
    held_.add(static_cast<int>(m) - 1, static_cast<int>(m) - 1);
    const int first = static_cast<int>(u_);
    matrix_.add_identity(first, {.row = 0, .col = 0, .times_cj = true});
    matrix_.add(f_entries_, f_, {.row = 0, .col = 0, .factor = -1.0});
    matrix_.add(g_entries_, g_values_, {.row = first, .col = 0});
    matrix_.add(held_, one_, {.row = first, .col = first});
    store(Storage::sparse);
  }
  void residual(double t, const double* y, const double* yp, double* out) override {
    const std::size_t m = form_.lambda_size();
    form_.functions().f({y, u_}, {y + u_, m}, t, {out, u_});
    form_.functions().g({y, u_}, t, {out + u_, m});
    for (std::size_t k = 0; k < u_; ++k) out[k] = yp[k] - out[k];
    out[u_ + m - 1] = y[u_ + m - 1] - start_[u_ + m - 1];
  }
  void jacobian(double t, const double* y, const double*, double cj, double* out) override {
    const std::size_t m = form_.lambda_size();
    form_.functions().f_values({y, u_}, {y + u_, m}, t, f_);
    form_.functions().g_values({y, u_}, t, g_);
    for (std::size_t k = 0; k < g_values_.size(); ++k)
      g_values_[k] = g_entries_.row[k] + 1 == static_cast<int>(m) ? 0.0 : g_[k];
    matrix_.fill(cj, out);
  }
  void start(std::vector<double>& y, std::vector<double>& yp) const override {
    y = start_;
    yp.assign(y.size(), 0.0);
    const driftless::ConstSpan x(start_);
    form_.functions().f(x.first(u_), x.subspan(u_), 0.0, driftless::Span(yp).first(u_));
  }
  std::vector<double> result(const std::vector<double>& y) const override { return y; }

 private:
  static void list(const driftless::Pattern& pattern, std::size_t columns, Entries& entries) {
    for (std::size_t j = 0, k = 0; j < columns; ++j)
      for (; k < pattern.begin[j + 1]; ++k) entries.add(static_cast<int>(pattern.row[k]), static_cast<int>(j));
  }

  driftless::Equations equations_;
  const driftless::Index2& form_;
  driftless::Index2::Functions::Patterns patterns_;
  driftless::Vector start_;
  std::size_t u_;
  std::vector<double> f_, g_, g_values_, one_ = {1.0};
  Entries f_entries_, g_entries_, held_;
};

SizedProblem taylor_green(std::size_t unknowns) {
  const std::size_t n = side_of(unknowns / 3);
  SizedProblem problem{.equations = driftless::testset::taylor_green(n),
                       .start = driftless::testset::taylor_green_at(n, 0.0),
                       .end = 1.0};
  problem.exact = [n] { return driftless::testset::taylor_green_at(n, 1.0); };
  problem.compared = 2 * n * n;
  problem.peers.push_back({", index 2", [n] { return std::make_unique<FlowSystem>(n); }});
  return problem;
}

}  // namespace

const std::vector<SizedFamily>& sized_families() {
  static const std::vector<SizedFamily> all = {
      {"reaction_diffusion", "1-D reaction and diffusion, an algebraic species in each cell", reaction_diffusion},
      {"brusselator", "2-D Brusselator", brusselator},
      {"diodes", "2-D grid of resistors, capacitors and diodes", diodes},
      {"heat", "2-D heat conduction", heat},
      {"taylor_green", "2-D incompressible flow on a staggered grid, index 2", taylor_green},
      {"rod_net", "net of inextensible rods, index 3, mechanical", rod_net}};
  return all;
}

}  // namespace bench
