#include "driftless/analysis/geometric/invariant_manifold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/analysis/geometric/distance.h"
#include "driftless/analysis/geometric/step_back.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/lu.h"
#include "driftless/tableau/index2_order.h"
#include "driftless/tableau/properties.h"

namespace driftless {

namespace {

constexpr std::size_t longest_history = 1000;
constexpr double history_tolerance = 1e-14;
constexpr int most_sweeps = 8;

// Steps back until |R(infinity)|^k is of the order of rounding.
std::size_t history_for(double damping) {
  if (damping < 1e-14) return 1;
  const double steps = std::ceil(std::log(history_tolerance) / std::log(damping));
  return steps < static_cast<double>(longest_history) ? std::max<std::size_t>(1, static_cast<std::size_t>(steps))
                                                      : longest_history;
}

// Multipliers are Lambda = A^-1 (difference quotients of u), resp. with A~ of (2.9): the largest row sum of the
// inverse.
double rounding_amplification(const Tableau& tableau) {
  const std::size_t s = tableau.stages();
  const bool half_explicit = shape_of(tableau).explicit_method;
  RealLu lu(s);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j)
      lu.matrix()(i, j) = half_explicit ? (i + 1 < s ? tableau.a(i + 1, j) : tableau.b[j]) : tableau.a(i, j);
  if (!lu.factorise()) return 1.0;
  Vector row_sums(s, 0.0), column(s);
  for (std::size_t j = 0; j < s; ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    column[j] = 1.0;
    lu.solve(column);
    for (std::size_t i = 0; i < s; ++i) row_sums[i] += std::abs(column[i]);
  }
  return std::max(1.0, *std::max_element(row_sums.begin(), row_sums.end()));
}

}  // namespace

double multiplier_damping(const Method& method) {
  const Properties properties = properties_of(method.tableau);
  if (properties.explicit_method || method.multiplier == MultiplierRule::hidden_constraint) return 0.0;
  return std::abs(properties.r_infinity);
}

PromisedCloseness promised_closeness(const Method& method) {
  if (method.multiplier == MultiplierRule::hidden_constraint) return {};
  const Properties properties = properties_of(method.tableau);
  if (properties.explicit_method) {
    // Trees of high order are many; they are looked at only where the others do not decide.
    HalfExplicitOrders orders = half_explicit_orders(method.tableau, 4);
    if (orders.lambda >= orders.searched) orders = half_explicit_orders(method.tableau);
    return {orders.lambda, "r"};
  }
  return {properties.stage_order, "q"};
}

struct DiscreteManifold::Memory {
  Memory(const Index2& form, const Method& method, double step, std::size_t step_limit)
      : equations(form),
        h(step),
        damping(multiplier_damping(method)),
        amplification(rounding_amplification(method.tableau)),
        back(form, method, step_limit) {}

  Index2 equations;
  double h, damping;
  double amplification;  // of rounding in u to that in lambda
  StepBack back;
  std::size_t followed = 0;  // steps back in the last orbit, beyond those asked for

  double sensitivity(double t, ConstSpan state) const;

  // Fills orbit[k] with the state at t - k h, as far as there is one; sets the failure that ended it.
  std::vector<Vector> follow_back(const ManifoldPoint& point, std::size_t steps, std::optional<Failure>& failure);
  double settle_multipliers(double t, std::vector<Vector>& orbit, std::size_t steps);
  // The points again, with the multipliers as they are now; the orbit is cut where that fails.
  std::optional<Failure> correct_points(double t, std::vector<Vector>& orbit);
};

DiscreteManifold::DiscreteManifold(const Index2& equations, const Method& method, double step_size,
                                   std::size_t step_limit) {
  if (!(step_size > 0.0) || !std::isfinite(step_size))
    throw Misuse(fmt::format("the step size must be positive, but is {}", step_size));
  if (equations.lambda_size() == 0)
    throw Misuse("these equations have no multipliers, and so no manifold lambda = psi(u, t) to look at");
  const double damping = multiplier_damping(method);
  if (!(damping < 1.0))
    throw Misuse(
        fmt::format("{} has no attractive invariant manifold: |R(infinity)| = {:.6g} is not below 1, condition (B2). "
                    "Choose MultiplierRule::hidden_constraint or another method",
                    title_of(method.tableau), damping));
  memory_ = std::make_unique<Memory>(equations, method, step_size, step_limit);
}

DiscreteManifold::~DiscreteManifold() = default;

double DiscreteManifold::step_size() const { return memory_->h; }
std::size_t DiscreteManifold::u_size() const { return memory_->equations.u_size(); }
std::size_t DiscreteManifold::memory_length() const { return history_for(memory_->damping); }

std::optional<Failure> DiscreteManifold::step(double t, Span state) {
  return memory_->back.forward(t, state, memory_->h);
}

// g(u) is known to g_u times the rounding of u, and lambda follows a difference quotient of it by
// (g_u Gamma^-1 f_lambda)^-1: the largest row sum of that inverse times g_u times |u|.
double DiscreteManifold::Memory::sensitivity(double t, ConstSpan state) const {
  const std::size_t n = equations.u_size(), m = equations.lambda_size();
  Matrix decisive(m, m), g(m, n + 1);
  if (make_manifold(equations)->decisive_matrix(t, state, decisive) != ManifoldStatus::ok) return 0.0;
  equations.functions().g_jacobian(state.subspan(0, n), t, g);
  RealLu lu(m);
  lu.matrix() = decisive;
  if (!lu.factorise()) return 0.0;
  Vector row_sums(m, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    lu.solve(g.view().column(j));
    for (std::size_t k = 0; k < m; ++k) row_sums[k] += std::abs(g(k, j)) * std::fmax(1.0, std::abs(state[j]));
  }
  return *std::ranges::max_element(row_sums);
}

double DiscreteManifold::rounding(double t, ConstSpan state) const {
  const std::size_t n = memory_->equations.u_size();
  double u = 1.0, lambda = 1.0;
  for (std::size_t i = 0; i < n; ++i) u = std::fmax(u, std::abs(state[i]));
  for (std::size_t i = n; i < state.size(); ++i) lambda = std::fmax(lambda, std::abs(state[i]));
  // Row sums add what in fact cancels, and so need no factor for a few roundings in a row.
  const double by_u = std::fmax(10.0 * u, 2.0 * memory_->sensitivity(t, state));
  return std::numeric_limits<double>::epsilon() * (memory_->amplification * by_u / memory_->h + 10.0 * lambda);
}

std::vector<Vector> DiscreteManifold::Memory::follow_back(const ManifoldPoint& point, std::size_t steps,
                                                          std::optional<Failure>& failure) {
  std::vector<Vector> orbit;
  auto start = on_continuous_manifold(equations, point.t, point.state);
  if (!start) {
    failure = start.failure();
    return orbit;
  }
  orbit.push_back(std::move(*start));
  for (std::size_t k = 1; k <= steps; ++k) {
    auto before = back.solve(point.t - static_cast<double>(k - 1) * h, orbit.back(), h);
    if (!before) {
      failure = before.failure();
      break;
    }
    orbit.push_back(std::move(*before));
  }
  return orbit;
}

// The oldest state keeps psi_0; from there on each lambda is what the method makes of the one before. Returns by how
// much the steps miss the points of the orbit (they depend on lambda where f is nonlinear in it), those further back
// than `steps` as far as they still matter.
double DiscreteManifold::Memory::settle_multipliers(double t, std::vector<Vector>& orbit, std::size_t steps) {
  const std::size_t n = equations.u_size();
  double miss = 0.0;
  for (std::size_t k = orbit.size() - 1; k > 0; --k) {
    Vector state = orbit[k];
    if (back.forward(t - static_cast<double>(k) * h, state, h)) {
      orbit.resize(k);  // begins one step later
      continue;
    }
    const double weight = k > steps ? std::pow(damping, static_cast<double>(k - steps)) : 1.0;
    miss = std::max(miss, weight * euclidean_distance(point_of(equations, state), point_of(equations, orbit[k - 1])));
    std::copy(state.begin() + static_cast<std::ptrdiff_t>(n), state.end(),
              orbit[k - 1].begin() + static_cast<std::ptrdiff_t>(n));
  }
  return miss;
}

std::optional<Failure> DiscreteManifold::Memory::correct_points(double t, std::vector<Vector>& orbit) {
  for (std::size_t k = 1; k < orbit.size(); ++k) {
    auto state = back.solve(t - static_cast<double>(k - 1) * h, orbit[k - 1], h, orbit[k]);
    if (!state) {
      orbit.resize(k);
      return state.failure();
    }
    orbit[k] = std::move(*state);
  }
  return std::nullopt;
}

Result<std::vector<Vector>> DiscreteManifold::orbit_to(const ManifoldPoint& point, std::size_t steps) {
  Memory& m = *memory_;
  const double t = point.t;
  std::optional<Failure> failure;
  std::vector<Vector> orbit = m.follow_back(point, steps + history_for(m.damping), failure);
  if (orbit.size() < steps + 2) return *failure;
  // A step depends on lambda by |R(infinity)| O(h^{q+1}) only, so few sweeps suffice.
  double miss = m.settle_multipliers(t, orbit, steps), before = std::numeric_limits<double>::infinity();
  for (int sweep = 1; sweep < most_sweeps && orbit.size() > 1 && miss > 1e-15 && miss < 0.5 * before; ++sweep) {
    before = miss;
    if (auto trouble = m.correct_points(t, orbit); orbit.size() < steps + 2) return *trouble;
    miss = m.settle_multipliers(t, orbit, steps);
  }
  if (orbit.size() < steps + 2 || !(miss <= 1e-9 * (1.0 + std::sqrt(static_cast<double>(point.state.size())))))
    return Failure{.kind = FailureKind::newton_did_not_converge,
                   .time = t,
                   .what_happened = fmt::format("the graph transform for step size {:.6g} does not contract", m.h),
                   .what_to_try = "take smaller steps",
                   .where = "the multipliers"};
  m.followed = orbit.size() - 1 - steps;
  orbit.erase(orbit.begin() + static_cast<std::ptrdiff_t>(steps) + 1, orbit.end());
  std::reverse(orbit.begin(), orbit.end());
  return orbit;
}

Result<DiscreteManifold::Value> DiscreteManifold::at(const ManifoldPoint& point) {
  Memory& m = *memory_;
  auto continuous = on_continuous_manifold(m.equations, point.t, point.state);
  if (!continuous) return continuous.failure();
  auto orbit = orbit_to(point, 0);
  if (!orbit) return orbit.failure();
  Value value{.state = std::move(orbit->back()), .continuous = std::move(*continuous), .history = m.followed};
  value.uncertainty =
      std::pow(m.damping, static_cast<double>(value.history)) * euclidean_distance(value.state, value.continuous);
  return value;
}

}  // namespace driftless
