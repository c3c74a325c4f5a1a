#include "driftless/heat/heat_stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/require.h"
#include "driftless/linalg/gmres.h"
#include "driftless/step/collocation.h"
#include "driftless/tableau/eigenbasis.h"

namespace driftless {

namespace {

constexpr double slow = 0.2;             // contraction above which corrections become exact
constexpr double inner_accuracy = 3e-2;  // of the linear systems: Newton corrects what they leave
constexpr double cycle_accuracy = 3e-3;  // of corrections by cycles
constexpr double shortest = 1e-4;        // part of a Newton step
constexpr double smallest_norm = 1e-300;

Vector real_parts(const Eigenbasis& basis) { return basis.real; }
std::vector<std::complex<double>> complex_parts(const Eigenbasis& basis) {
  std::vector<std::complex<double>> values;
  for (const auto& pair : basis.pairs) values.emplace_back(pair.alpha, -pair.beta);
  return values;
}

// Before anything is made of it: the linear systems trust the mesh.
const HeatProblem& valid(const HeatProblem& problem) {
  require_valid(problem.mesh);
  return problem;
}

}  // namespace

struct HeatStepper::Work {
  Work(const HeatProblem& given, const HeatOptions& how)
      : problem(valid(given)),
        options(how),
        tableau(radau_iia(how.stages)),
        omega(inverse_of(tableau.a)),
        basis(eigenbasis_of(tableau)),
        capacity(capacities(given)),
        n(given.cells()),
        m(given.faces()),
        s(tableau.stages()),
        systems(make_heat_systems(given, real_parts(basis), complex_parts(basis), how.solver, inner_accuracy)),
        z(n, s),
        residual(n, s),
        correction(n, s),
        delta(n, s),
        q(m, s),
        conductivity(m, s),
        theta(n) {
    for (const HeatFace& face : given.mesh.faces) links.push_back({face.left, face.right, face.area / face.distance});
    for (std::size_t i = 0; i < s; ++i)
      for (const double c : capacity) inverse_capacity.push_back(1.0 / c);
  }

  void predict(double h, ConstSpan state);
  bool stage_fluxes(ConstSpan state, std::size_t i, Span out);
  bool residuals(double t, double h, ConstSpan state);
  void correct(double h);
  void correct_by_cycles(double h, ConstSpan r, Span out);
  void move(double length);
  double residual_norm() const;
  std::optional<Failure> descend(double t, double h, ConstSpan state);
  void transform(const Matrix& t, ConstSpan from, Span to) const;
  void precondition(ConstSpan r, Span out);
  void multiply(double h, ConstSpan d, Span out) const;
  ConstSpan mean_conductivity();
  std::optional<Failure> refresh(double t, double h);
  std::optional<Failure> iterate(double t, double h, ConstSpan state);
  Failure failed(double t, const char* what) const;

  struct Link {  // what matters of a face, in few bytes
    std::uint32_t left, right;
    double shape;  // area / distance
    bool wall() const { return right == no_cell; }
  };

  const HeatProblem& problem;
  HeatOptions options;
  Tableau tableau;
  Matrix omega;
  Eigenbasis basis;
  Vector capacity;
  std::size_t n, m, s;
  std::unique_ptr<ShiftedHeatSystems> systems;
  Matrix z, residual, correction, delta, q, conductivity;
  Vector theta, mean, inverse_capacity;  // the last for all stages
  std::vector<Link> links;
  bool descending = false;
  bool exact = false;  // corrections with the Jacobian of every stage
  // Solutions of the linear systems: so far, in the best step with the matrices at hand, and beyond that in all others.
  std::size_t solutions = 0, fewest = 0, extra = 0;
  double last_h = 0.0, matrix_h = 0.0;
  HeatStatistics counts;
};

// The polynomial of the last step, continued; nothing moves in the first one.
void HeatStepper::Work::predict(double h, ConstSpan state) {
  if (last_h == 0.0) {
    std::fill(z.data(), z.data() + n * s, 0.0);
    for (std::size_t i = 0; i < s; ++i)
      std::copy(state.begin() + static_cast<std::ptrdiff_t>(n), state.end(), q.view().column(i).begin());
    return;
  }
  Vector weights(s);
  correction = z;
  for (std::size_t i = 0; i < s; ++i) {
    collocation_weights(tableau.c, 1.0 + tableau.c[i] * h / last_h, weights);
    weights[s - 1] -= 1.0;  // less the value at the end of the last step
    const Span column = z.view().column(i);
    std::fill(column.begin(), column.end(), 0.0);
    for (std::size_t j = 0; j < s; ++j)
      for (std::size_t k = 0; k < n; ++k) column[k] += weights[j] * correction(k, j);
  }
}

// Fluxes of one stage, and what flows out of the cells, added to `out`. A few faces at a time, so that each is read
// from memory once.
bool HeatStepper::Work::stage_fluxes(ConstSpan state, std::size_t i, Span out) {
  for (std::size_t k = 0; k < n; ++k) theta[k] = state[k] + z(k, i);
  constexpr std::size_t together = 512;
  double v[together];
  for (std::size_t first = 0; first < m; first += together) {
    const std::size_t count = std::min(together, m - first);
    const auto faces = std::span(problem.mesh.faces).subspan(first, count);
    const Span flux = q.view().column(i).subspan(first, count);
    for (std::size_t k = 0; k < count; ++k) {
      const double right = faces[k].right == no_cell ? faces[k].outside : theta[faces[k].right];
      v[k] = (right - theta[faces[k].left]) / faces[k].distance;
    }
    if (!problem.law->solve(faces, {v, count}, flux, conductivity.view().column(i).subspan(first, count))) return false;
    for (std::size_t k = 0; k < count && !out.empty(); ++k) {
      const double flow = faces[k].area * flux[k];
      out[faces[k].left] += flow;
      if (faces[k].right != no_cell) out[faces[k].right] -= flow;
    }
  }
  return true;
}

// C sum_j w_ij Z_j / h - (what flows into the cells), for all stages.
bool HeatStepper::Work::residuals(double t, double h, ConstSpan state) {
  for (std::size_t i = 0; i < s; ++i) {
    const Span r = residual.view().column(i);
    heat_balance(problem, t + tableau.c[i] * h, {}, r);
    for (std::size_t k = 0; k < n; ++k) {
      double rate = 0.0;
      for (std::size_t j = 0; j < s; ++j) rate += omega(i, j) * z(k, j);
      r[k] = capacity[k] * rate / h - r[k];
    }
    if (!stage_fluxes(state, i, r)) return false;
  }
  return true;
}

// All stages of a cell at a time, so that each vector is read once.
void HeatStepper::Work::transform(const Matrix& t, ConstSpan from, Span to) const {
  Vector values(s);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < s; ++j) values[j] = from[j * n + k];
    for (std::size_t i = 0; i < s; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < s; ++j) sum += t(i, j) * values[j];
      to[i * n + k] = sum;
    }
  }
}

// The stages decouple in the eigenbasis of A^-1, as in implicit_rk.cpp, if all have the conductivities of the matrices.
void HeatStepper::Work::precondition(ConstSpan r, Span out) {
  ++solutions;
  const Span all(correction.data(), n * s);
  transform(basis.t_inverse, r, all);
  std::size_t column = 0;
  for (std::size_t k = 0; k < basis.real.size(); ++k, ++column)
    systems->solve_real(k, correction.view().column(column));
  for (std::size_t k = 0; k < basis.pairs.size(); ++k, column += 2)
    systems->solve_complex(k, correction.view().column(column), correction.view().column(column + 1));
  transform(basis.t, all, out);
}

// The Jacobian of the stage equations, each stage with its own conductivities.
void HeatStepper::Work::multiply(double h, ConstSpan d, Span out) const {
  for (std::size_t i = 0; i < s; ++i) {
    const Span r = out.subspan(i * n, n);
    const ConstSpan own = d.subspan(i * n, n);
    for (std::size_t k = 0; k < n; ++k) {
      double rate = 0.0;
      for (std::size_t j = 0; j < s; ++j) rate += omega(i, j) * d[j * n + k];
      r[k] = capacity[k] * rate / h;
    }
    const ConstSpan conducts = conductivity.view().column(i);
    for (std::size_t f = 0; f < m; ++f) {
      const Link& link = links[f];
      const double flow = conducts[f] * link.shape * (link.wall() ? own[link.left] : own[link.left] - own[link.right]);
      r[link.left] += flow;
      if (!link.wall()) r[link.right] -= flow;
    }
  }
}

// The simplified Newton correction, or the exact one up to the accuracy of a few iterations.
void HeatStepper::Work::correct(double h) {
  const Span out(delta.data(), n * s);
  const ConstSpan r(residual.data(), n * s);
  if (!systems->solves_exactly() && !descending)
    correct_by_cycles(h, r, out);
  else if (exact)
    gmres([&](ConstSpan x, Span y) { multiply(h, x, y); }, [&](ConstSpan x, Span y) { precondition(x, y); }, r,
          inverse_capacity, out);
  else
    precondition(r, out);
  for (double& x : out) x = -x;
}

// What is made small is the error of the correction, not its residual: on fine meshes that would ask for much more.
void HeatStepper::Work::correct_by_cycles(double h, ConstSpan r, Span out) {
  Vector right(r.size()), product(r.size());
  precondition(r, right);
  gmres(
      [&](ConstSpan x, Span y) {
        multiply(h, x, product);
        precondition(product, y);
      },
      {}, right, {}, out, {.reduction = cycle_accuracy});
}

Failure HeatStepper::Work::failed(double t, const char* what) const {
  return {.kind = FailureKind::newton_did_not_converge,
          .time = t,
          .what_happened = what,
          .what_to_try = "take smaller steps; check that the potential of the flux law is convex",
          .where = "heat conduction"};
}

// Of the stages, which is nearer to each of them than that of the last one.
ConstSpan HeatStepper::Work::mean_conductivity() {
  if (s == 1) return conductivity.view().column(0);
  mean.assign(m, 0.0);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t k = 0; k < m; ++k) mean[k] += conductivity(k, i) / static_cast<double>(s);
  return mean;
}

std::optional<Failure> HeatStepper::Work::refresh(double t, double h) {
  ++counts.matrices;
  matrix_h = h;
  exact = !systems->solves_exactly();
  fewest = std::numeric_limits<std::size_t>::max();
  extra = 0;
  if (systems->factorise(mean_conductivity(), h)) return std::nullopt;
  return failed(t, "the matrix of a step is not positive definite");
}

// |C^-1/2 r| of all stages together.
double HeatStepper::Work::residual_norm() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < n * s; ++k) sum += inverse_capacity[k] * residual.data()[k] * residual.data()[k];
  return std::sqrt(sum);
}

void HeatStepper::Work::move(double length) {
  for (std::size_t k = 0; k < n * s; ++k) z.data()[k] += length * delta.data()[k];
}

// From where the residuals are up to date: Newton's direction with matrices made here, as far as the residual shrinks.
std::optional<Failure> HeatStepper::Work::descend(double t, double h, ConstSpan state) {
  const double before = residual_norm();
  if (auto failure = refresh(t, h)) return failure;
  exact = descending = true;
  correct(h);
  descending = false;
  move(1.0);
  for (double length = 1.0; length > shortest; length *= 0.5) {
    if (!residuals(t, h, state)) return failed(t, "the flux law has no solution");
    if (residual_norm() < (1.0 - 0.1 * length) * before) return std::nullopt;
    move(-0.5 * length);
  }
  return failed(t, "no step along Newton's direction reduces the residual");
}

std::optional<Failure> HeatStepper::Work::iterate(double t, double h, ConstSpan state) {
  const double scale = heat_norm(capacity, state.subspan(0, n)) + smallest_norm;
  double last = 0.0;
  if (!residuals(t, h, state)) return failed(t, "the flux law has no solution");
  if (matrix_h != h || !systems->solves_exactly() || static_cast<double>(extra) > systems->factorisation_cost())
    if (auto failure = refresh(t, h)) return failure;
  for (int iteration = 0; iteration < options.limit; ++iteration) {
    const double before = residual_norm();
    if (iteration > 0 && !systems->solves_exactly())
      if (auto failure = refresh(t, h)) return failure;
    correct(h);
    move(1.0);
    ++counts.newton_iterations;
    double norm = 0.0;
    for (std::size_t i = 0; i < s; ++i) norm = std::max(norm, heat_norm(capacity, delta.view().column(i)) / scale);
    if (!std::isfinite(norm)) return failed(t, "the iteration left the range of numbers");
    const double rate = iteration > 0 ? std::max(norm / last, systems->solves_exactly() ? 0.0 : cycle_accuracy) : 1.0;
    if (norm <= 1e-15 || (iteration > 0 && rate < 1.0 && norm * rate / (1.0 - rate) <= options.newton))
      return std::nullopt;
    if (!residuals(t, h, state)) return failed(t, "the flux law has no solution");
    const bool worse = systems->solves_exactly() ? residual_norm() > before : iteration > 0 && rate > 1.0;
    if (worse && norm > 1e-13) {
      move(-1.0);
      if (!residuals(t, h, state)) return failed(t, "the flux law has no solution");
      if (auto failure = descend(t, h, state)) return failure;
    } else if (iteration > 0 && rate > slow) {
      exact = true;  // the matrices serve as preconditioner until new ones are cheaper
    }
    last = norm;
  }
  return failed(t, "the Newton iteration does not converge");
}

namespace {

const HeatOptions& required(const HeatOptions& options) {
  require_positive("newton", options.newton);
  require_at_least(1, "limit", options.limit);
  return options;
}

}  // namespace

HeatStepper::HeatStepper(const HeatProblem& problem, const HeatOptions& options)
    : work_(std::make_unique<Work>(problem, required(options))) {}
HeatStepper::~HeatStepper() = default;
HeatStepper::HeatStepper(HeatStepper&&) noexcept = default;

std::optional<Failure> HeatStepper::step(double t, double h, Span state) {
  Work& w = *work_;
  if (state.size() != w.problem.unknowns()) throw Misuse("the state does not have the size of the problem");
  require_positive("the step size", std::abs(h));
  w.predict(h, state);
  const std::size_t before = w.solutions;
  if (auto failure = w.iterate(t, h, state)) {
    w.last_h = w.matrix_h = 0.0;
    return failure;
  }
  w.fewest = std::min(w.fewest, w.solutions - before);
  w.extra += w.solutions - before - w.fewest;
  const std::size_t last = w.s - 1;
  if (!w.stage_fluxes(state, last, {})) return w.failed(t, "the flux law has no solution");
  std::copy(w.theta.begin(), w.theta.end(), state.begin());
  const auto flux = w.q.view().column(last);
  std::copy(flux.begin(), flux.end(), state.begin() + static_cast<std::ptrdiff_t>(w.n));
  w.last_h = h;
  ++w.counts.steps;
  return std::nullopt;
}

HeatStatistics HeatStepper::statistics() const {
  const Work& w = *work_;
  HeatStatistics s = w.counts;
  s.linear = w.systems->statistics();
  const std::size_t numbers = 5 * w.n * w.s + 2 * w.m * w.s + 2 * w.n;
  s.bytes = s.linear.bytes + numbers * sizeof(double) + w.links.size() * sizeof(Work::Link);
  return s;
}

HeatContraction heat_contraction(const HeatProblem& problem, ConstSpan theta_1, ConstSpan theta_2,
                                 const HeatContractionOptions& options) {
  require_positive("h", options.h);
  HeatStepper one(problem, options.method), two(problem, options.method);
  Vector a = consistent_state(problem, theta_1), b = consistent_state(problem, theta_2);
  const Vector capacity = capacities(problem);
  const auto distance = [&] {
    Vector d(problem.cells());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = a[i] - b[i];
    return heat_norm(capacity, d);
  };
  HeatContraction result;
  result.times = {0.0};
  result.distance = {distance()};
  result.contractive = true;
  for (std::size_t n = 0; n < options.steps; ++n) {
    const double t = options.h * static_cast<double>(n);
    for (auto* side : {&one, &two})
      if (auto failure = side->step(t, options.h, side == &one ? a : b)) throw FailedRun(std::move(*failure));
    result.times.push_back(t + options.h);
    result.distance.push_back(distance());
    const double before = result.distance[n], after = result.distance[n + 1];
    if (before > 0.0) result.largest_quotient = std::max(result.largest_quotient, after / before);
    result.contractive = result.contractive && after <= before;
  }
  result.first = one.statistics();
  result.second = two.statistics();
  return result;
}

}  // namespace driftless
