#include "bench/references.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "driftless/integrate/solve.h"
#include "testset/generators.h"

namespace bench {

namespace {

using Real = long double;
using State = std::vector<Real>;
using Slope = std::function<void(const State& y, State& out)>;

// Gragg's method with 2, 4, ..., 16 steps, extrapolated to order 16.
class Extrapolation {
 public:
  explicit Extrapolation(Slope slope) : slope_(std::move(slope)) {}

  State integrate(State y, Real length, long steps) {
    const Real h = length / static_cast<Real>(steps);
    for (long k = 0; k < steps; ++k) y = step(y, h);
    return y;
  }

 private:
  static constexpr int rows = 8;

  State midpoint(const State& y, Real h, int steps) {
    const Real small = h / static_cast<Real>(steps);
    State before = y, now = y, slope(y.size());
    slope_(y, slope);
    for (std::size_t i = 0; i < y.size(); ++i) now[i] += small * slope[i];
    for (int k = 1; k < steps; ++k) {
      slope_(now, slope);
      for (std::size_t i = 0; i < y.size(); ++i) {
        const Real next = before[i] + 2 * small * slope[i];
        before[i] = now[i];
        now[i] = next;
      }
    }
    slope_(now, slope);  // smoothing step
    for (std::size_t i = 0; i < y.size(); ++i) now[i] = (now[i] + before[i] + small * slope[i]) / 2;
    return now;
  }

  State step(const State& y, Real h) {
    std::vector<State> table;
    for (int j = 1; j <= rows; ++j) {
      table.push_back(midpoint(y, h, 2 * j));
      for (int k = j - 1; k >= 1; --k) {  // Aitken and Neville, in h^2
        const Real ratio = static_cast<Real>(j) / static_cast<Real>(k);
        State& older = table[static_cast<std::size_t>(k - 1)];
        const State& newer = table[static_cast<std::size_t>(k)];
        for (std::size_t i = 0; i < y.size(); ++i) older[i] = newer[i] + (newer[i] - older[i]) / (ratio * ratio - 1);
      }
    }
    return table[0];
  }

  Slope slope_;
};

// What a reference is made of: unknowns of its own, their slope, and the way back to (q, v, lambda).
struct Equivalent {
  State start;
  Slope slope;
  std::function<State(const State& y)> state;
  long steps;
};

// The chain between two fixed ends, y = (q, v); multipliers by elimination in the tridiagonal G M^-1 G^T.
class SuspendedChain {
 public:
  explicit SuspendedChain(std::size_t links) : links_(links), nodes_(links - 1) {}

  State multipliers(const State& y) const {
    State diagonal(links_), lambda(links_), beside(links_);
    const Real per_mass = static_cast<Real>(nodes_);
    for (std::size_t k = 0; k < links_; ++k) {
      const Pair e = edge(y, 0, k), rate = edge(y, 2 * nodes_, k);
      const bool begin = k > 0, end = k < nodes_;
      diagonal[k] = static_cast<Real>(begin + end) * per_mass * dot(e, e);
      lambda[k] = dot(rate, rate) - gravity * e.y * static_cast<Real>(end - begin);
      if (k > 0) beside[k] = -per_mass * dot(edge(y, 0, k - 1), e);
    }
    for (std::size_t k = 1; k < links_; ++k) {
      const Real factor = beside[k] / diagonal[k - 1];
      diagonal[k] -= factor * beside[k];
      lambda[k] -= factor * lambda[k - 1];
    }
    for (std::size_t k = links_; k-- > 0;)
      lambda[k] = (lambda[k] - (k + 1 < links_ ? beside[k + 1] * lambda[k + 1] : 0)) / diagonal[k];
    return lambda;
  }

  void slope(const State& y, State& out) const {
    const std::size_t n = 2 * nodes_;
    const State lambda = multipliers(y);
    const Real per_mass = static_cast<Real>(nodes_);
    for (std::size_t i = 0; i < n; ++i) out[i] = y[n + i];
    for (std::size_t k = 0; k < nodes_; ++k) {
      const Pair e = edge(y, 0, k), next = edge(y, 0, k + 1);
      out[n + 2 * k] = -per_mass * (e.x * lambda[k] - next.x * lambda[k + 1]);
      out[n + 2 * k + 1] = -gravity - per_mass * (e.y * lambda[k] - next.y * lambda[k + 1]);
    }
  }

  State start() const {  // the corner of a triangle with sides a, b and the span
    const Real length = 1 / static_cast<Real>(links_), span = testset_span;
    const std::size_t left = (3 * links_ + 4) / 5;
    const Real a = length * static_cast<Real>(left), b = 1 - a;
    const Real x = (a * a - b * b + span * span) / (2 * span), y = -std::sqrt(a * a - x * x);
    State state;
    for (std::size_t k = 1; k < links_; ++k) {
      const Real share = k <= left ? length * static_cast<Real>(k) / a : length * static_cast<Real>(links_ - k) / b;
      state.push_back(k <= left ? share * x : span + share * (x - span));
      state.push_back(share * y);
    }
    state.resize(4 * nodes_, 0);
    return state;
  }

 private:
  struct Pair {
    Real x, y;
  };
  static constexpr Real gravity = 9.81, testset_span = driftless::testset::suspended_chain_span;
  static Real dot(const Pair& a, const Pair& b) { return a.x * b.x + a.y * b.y; }
  // X_(k+1) - X_k, of positions (offset 0) or velocities.
  Pair edge(const State& y, std::size_t offset, std::size_t k) const {
    Pair e = k < nodes_ ? Pair{y[offset + 2 * k], y[offset + 2 * k + 1]} : Pair{offset == 0 ? testset_span : 0, 0};
    if (k > 0) e = {e.x - y[offset + 2 * k - 2], e.y - y[offset + 2 * k - 1]};
    return e;
  }
  std::size_t links_, nodes_;
};

Equivalent suspended_chain(const BenchProblem& problem) {
  const SuspendedChain chain(problem.lambda.count);
  return {chain.start(), [chain](const State& y, State& out) { chain.slope(y, out); },
          [chain](const State& y) {
            State state = y;
            for (const Real lambda : chain.multipliers(y)) state.push_back(lambda);
            return state;
          },
          4000};
}

// The stiff double pendulum, y = (angle of the rod, x2, y2, and their rates).
struct StiffDoublePendulum {
  static constexpr Real stiffness = 1e6, damping = 1e3;
  struct Forces {
    Real x1, y1, vx1, vy1, pull_x, pull_y;
  };
  static Forces forces(const State& y) {
    Forces f{std::cos(y[0]), std::sin(y[0]), 0, 0, 0, 0};
    f.vx1 = -f.y1 * y[3];
    f.vy1 = f.x1 * y[3];
    const Real dx = y[1] - f.x1, dy = y[2] - f.y1, length = std::sqrt(dx * dx + dy * dy);
    const Real rate = (dx * (y[4] - f.vx1) + dy * (y[5] - f.vy1)) / length;
    const Real pull = (stiffness * (length - 1) + damping * rate) / length;
    f.pull_x = pull * dx;
    f.pull_y = pull * dy;
    return f;
  }
  static void slope(const State& y, State& out) {
    const Forces f = forces(y);
    for (std::size_t i = 0; i < 3; ++i) out[i] = y[3 + i];
    out[3] = -f.y1 * f.pull_x + f.x1 * (f.pull_y - 1);
    out[4] = -f.pull_x;
    out[5] = -f.pull_y - 1;
  }
  static State state(const State& y) {  // along the rod: -rate^2 = F_r - lambda
    const Forces f = forces(y);
    const Real radial = f.x1 * f.pull_x + f.y1 * (f.pull_y - 1);
    return {f.x1, f.y1, y[1], y[2], f.vx1, f.vy1, y[4], y[5], radial + y[3] * y[3]};
  }
};

Equivalent equivalent_of(const BenchProblem& problem) {
  if (problem.name.starts_with("suspended_chain_")) return suspended_chain(problem);
  if (problem.name == "stiff_double_pendulum")
    return {{0, 2, 0, 0, 0, 0}, StiffDoublePendulum::slope, StiffDoublePendulum::state, 20000};
  throw std::runtime_error("references are computed for the suspended chains and the stiff double pendulum only");
}

Real difference(const State& a, const State& b) {
  Real worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Real error = std::abs(a[i] - b[i]) / std::max<Real>(1, std::abs(a[i]));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

}  // namespace

std::string compute_reference(const BenchProblem& problem) {
  const Equivalent given = equivalent_of(problem);
  Extrapolation extrapolation(given.slope);
  const Real length = problem.end - problem.begin;
  const State state = given.state(extrapolation.integrate(given.start, length, 2 * given.steps));
  const Real steps = difference(state, given.state(extrapolation.integrate(given.start, length, given.steps)));
  constexpr double tolerance = 1e-9;
  const auto solution =
      solve(problem.equations, problem.start,
            {.span = {problem.begin, problem.end}, .tolerance = {.relative = tolerance, .absolute = tolerance}});
  const auto last = solution.or_throw().state(solution.size() - 1);
  const Real driftless = difference(state, State(last.begin(), last.end()));
  if (!(steps < 1e-10L && driftless < 1e-6L))
    throw std::runtime_error(
        fmt::format("no agreement: {:.1e} between step sizes, {:.1e} with driftless", steps, driftless));
  std::string text = fmt::format(
      "# extrapolation of order 16 in extended precision: {:.0e} between {} and {} steps, {:.0e} to driftless at "
      "{:.0e}\n{}\n",
      steps, given.steps, 2 * given.steps, driftless, tolerance, problem.end);
  for (const Real value : state) text += fmt::format("{:.17g}\n", static_cast<double>(value));
  return text;
}

}  // namespace bench
