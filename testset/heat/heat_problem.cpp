#include "testset/heat/heat_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/equations/tracing.h"
#include "testset/heat/heat_multilevel.h"

namespace driftless::testset {

namespace {

// Temperatures as unknowns of their own and fluxes as algebraic ones.
template <class Functions>
class HeatFunctions : public Functions {
 public:
  explicit HeatFunctions(HeatProblem problem)
      : problem_(std::move(problem)), capacity_(capacities(problem_)), pattern_(pattern_of(problem_)) {}
  const HeatProblem& problem() const { return problem_; }

  void f(ConstSpan x, double t, Span out) const override {
    const std::size_t n = problem_.cells(), m = problem_.faces();
    Vector v(m), g_q(m), g_v(m);
    gradients(problem_, x.subspan(0, n), v);
    heat_balance(problem_, t, x.subspan(n, m), out.subspan(0, n));
    for (std::size_t i = 0; i < n; ++i) out[i] /= capacity_[i];
    problem_.law->evaluate(problem_.mesh.faces, x.subspan(n, m), v, out.subspan(n, m), g_q, g_v);
  }
  void f_jacobian(ConstSpan x, double t, MatrixView j) const override {
    j.fill(0.0);
    write_derivatives(x, j);
    write_rate_of_source(t, j.column(x.size()));
  }
  const Pattern* pattern() const override { return &pattern_; }
  void f_values(ConstSpan x, double, Span values) const override {
    write_derivatives(x, SparseOutMatrix<double>(pattern_, values));
  }
  void f_by_t(ConstSpan, double t, Span out) const override {
    std::ranges::fill(out, 0.0);
    write_rate_of_source(t, out);
  }

 private:
  static Pattern pattern_of(const HeatProblem& problem) {
    const std::size_t n = problem.cells(), m = problem.faces();
    std::vector<std::vector<std::uint32_t>> columns(n + m);
    for (std::uint32_t k = 0; k < m; ++k) {
      const HeatFace& face = problem.mesh.faces[k];
      const auto law = static_cast<std::uint32_t>(n) + k;
      columns[face.left].push_back(law);
      columns[law] = {static_cast<std::uint32_t>(face.left), law};
      if (face.right == no_cell) continue;
      columns[face.right].push_back(law);
      columns[law].push_back(static_cast<std::uint32_t>(face.right));
      std::ranges::sort(columns[law]);
    }
    return pattern_from_columns(n + m, columns);
  }

  // By the unknowns, into any kind of matrix.
  template <class Into>
  void write_derivatives(ConstSpan x, const Into& j) const {
    const std::size_t n = problem_.cells(), m = problem_.faces();
    Vector v(m), g(m), g_q(m), g_v(m);
    gradients(problem_, x.subspan(0, n), v);
    problem_.law->evaluate(problem_.mesh.faces, x.subspan(n, m), v, g, g_q, g_v);
    for (std::size_t k = 0; k < m; ++k) {
      const HeatFace& face = problem_.mesh.faces[k];
      j(face.left, n + k) = -face.area / capacity_[face.left];
      j(n + k, face.left) = -g_v[k] / face.distance;
      j(n + k, n + k) = g_q[k];
      if (face.right == no_cell) continue;
      j(face.right, n + k) = face.area / capacity_[face.right];
      j(n + k, face.right) = g_v[k] / face.distance;
    }
  }
  void write_rate_of_source(double t, Span out) const {
    const std::size_t n = problem_.cells();
    if (!problem_.source) return;
    Vector before(n), after(n);
    const double h = 1e-6 * (1.0 + std::abs(t));
    problem_.source(t - h, before);
    problem_.source(t + h, after);
    for (std::size_t i = 0; i < n; ++i)
      out[i] = (after[i] - before[i]) / (2.0 * h) * problem_.mesh.volume[i] / capacity_[i];
  }

  HeatProblem problem_;
  Vector capacity_;
  Pattern pattern_;
};

class IteratedHeat final : public HeatFunctions<PreconditionedFunctions> {
 public:
  explicit IteratedHeat(HeatProblem problem) : HeatFunctions(std::move(problem)) {}
  std::unique_ptr<Index1Preconditioner> make_preconditioner() const override {
    return make_heat_preconditioner(problem());
  }
};

}  // namespace

Vector capacities(const HeatProblem& problem) {
  Vector c = problem.mesh.volume;
  if (problem.heat_capacity.empty()) return c;
  if (problem.heat_capacity.size() != c.size())
    throw Misuse(fmt::format("{} heat capacities for {} cells", problem.heat_capacity.size(), c.size()));
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!(problem.heat_capacity[i] > 0.0))
      throw Misuse(fmt::format("cell {} has the heat capacity {}", i, problem.heat_capacity[i]));
    c[i] *= problem.heat_capacity[i];
  }
  return c;
}

void gradients(const HeatProblem& problem, ConstSpan theta, Span v) {
  for (std::size_t k = 0; k < v.size(); ++k) {
    const HeatFace& face = problem.mesh.faces[k];
    const double right = face.right == no_cell ? face.outside : theta[face.right];
    v[k] = (right - theta[face.left]) / face.distance;
  }
}

void heat_balance(const HeatProblem& problem, double t, ConstSpan q, Span out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (problem.source) {
    problem.source(t, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] *= problem.mesh.volume[i];
  }
  for (std::size_t k = 0; k < q.size(); ++k) {
    const HeatFace& face = problem.mesh.faces[k];
    const double flow = face.area * q[k];
    out[face.left] -= flow;
    if (face.right != no_cell) out[face.right] += flow;
  }
}

Vector consistent_state(const HeatProblem& problem, ConstSpan theta) {
  if (theta.size() != problem.cells())
    throw Misuse(fmt::format("{} temperatures for {} cells", theta.size(), problem.cells()));
  Vector state(theta.begin(), theta.end());
  state.resize(problem.unknowns(), 0.0);
  Vector v(problem.faces()), conductivity(problem.faces());
  gradients(problem, theta, v);
  const Span q = Span(state).subspan(problem.cells());
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = -v[k];
  if (!problem.law->solve(problem.mesh.faces, v, q, conductivity))
    throw Misuse("the law gives no flux for these temperatures: its potential may not be convex");
  return state;
}

double heat_norm(ConstSpan capacity, ConstSpan theta) {
  double sum = 0.0;
  for (std::size_t i = 0; i < capacity.size(); ++i) sum += capacity[i] * theta[i] * theta[i];
  return std::sqrt(sum);
}

Index1 as_index1(const HeatProblem& problem, HeatSystems systems) {
  require_valid(problem.mesh);
  Index1::Shape shape{.projector = ConstantMatrix::leading_identity(problem.unknowns(), problem.cells())};
  for (std::size_t i = 0; i < problem.cells(); ++i) {
    shape.x_names.push_back(fmt::format("theta{}", i + 1));
    shape.equation_names.push_back(fmt::format("heat balance {}", i + 1));
  }
  for (std::size_t k = 0; k < problem.faces(); ++k) {
    shape.x_names.push_back(fmt::format("q{}", k + 1));
    shape.equation_names.push_back(fmt::format("flux law {}", k + 1));
  }
  const bool coarser = problem.cells() >= multilevel_from;
  if (systems == HeatSystems::iterated || (systems == HeatSystems::automatic && coarser))
    return Index1(std::move(shape), std::make_shared<const IteratedHeat>(problem));
  return Index1(std::move(shape), std::make_shared<const HeatFunctions<Index1::Functions>>(problem));
}

Norm contraction_norm(const HeatProblem& problem) {
  Vector weights = capacities(problem);
  for (double& w : weights) w = std::sqrt(w);
  weights.resize(problem.unknowns(), 1.0);
  return Norm::weighted(Norm::Kind::two, std::move(weights));
}

}  // namespace driftless::testset
