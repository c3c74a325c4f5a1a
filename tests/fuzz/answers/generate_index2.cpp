// Gamma(u, t) u' = f(u, t) + F(u) lambda, g(u, t) = 0, with chosen u(t) and lambda(t): g' = 0 gives lambda if G
// Gamma^-1 F is regular.
#include <algorithm>

#include "constraints.h"
#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

struct Problem {
  std::vector<Unknown*> u, lambda;
  Formulas g;
  FormulaMatrix gradient, force, gamma;  // force: one row for each u
};

Formula constraint(const std::vector<Unknown*>& u, std::size_t k, Random& random) {
  Formula g = random.sign() * random.real(0.8, 1.5) * Formula(*u[k]);
  for (const Unknown* other : u)
    if (other != u[k] && random.chance(0.6)) g = g + random.real(-0.5, 0.5) * mild(*other, random);
  return random.chance(0.5) ? g + 0.2 * power(*u[k], 2) * random.sign() : g;
}

void choose_matrices(Problem& problem, Random& random, bool symmetric) {
  const std::size_t n = problem.u.size(), m = problem.lambda.size();
  problem.force.assign(n, Formulas(m));
  problem.gamma.assign(n, Formulas(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < m; ++k) {
      if (symmetric)
        problem.force[i][k] = problem.gradient[k][i];
      else if (i == k || random.chance(0.6))
        problem.force[i][k] =
            random.real(-1.0, 1.0) * (random.chance(0.3) ? 1.0 + 0.2 * sin(*random.one_of(problem.u)) : 1.0);
    }
    problem.gamma[i][i] = 1.0;
  }
  if (random.chance(0.3)) {
    const auto i = static_cast<std::size_t>(random.integer(0, static_cast<int>(n) - 1)), j = (i + 1) % n;
    problem.gamma[i][j] =
        random.chance(0.5) ? Formula(random.real(0.1, 0.4)) : random.real(0.1, 0.4) * sin(*problem.u[i]);
  }
}

bool well_conditioned(const Problem& problem, double end) {
  return conditioning(end,
                      [&](double t) -> Eigen::MatrixXd {
                        return value(problem.gradient, t) * value(problem.gamma, t).lu().solve(value(problem.force, t));
                      })
      .good();
}

}  // namespace

void generate_index2(Model& model, Random& random, int size) {
  const int n = std::max(size, 2), m = random.chance(0.1) ? n : random.integer(1, std::min(n - 1, 2));
  Problem problem;
  for (int i = 0; i < n; ++i) problem.u.push_back(&model.add("u", Role::state, signal(model, random)));
  for (int k = 0; k < m; ++k) {
    problem.lambda.push_back(&model.add("l", Role::multiplier, random.sign() * signal(model, random)));
    problem.lambda.back()->start = model.start_of_determined(random);
    problem.lambda.back()->nearby = random.real(0.8, 1.2);
  }
  const bool nonlinear = random.chance(0.2);
  for (int attempt = 0;; ++attempt) {
    problem.g.clear();
    for (std::size_t k = 0; k < problem.lambda.size(); ++k) problem.g.push_back(constraint(problem.u, k, random));
    problem.gradient = jacobian(problem.g, problem.u);
    choose_matrices(problem, random, attempt > 50 || random.chance(0.4));
    if (well_conditioned(problem, model.end()) || attempt > 500) break;
  }
  for (const Formula& g : problem.g) model.manufacture(g, 0.0, Coupling::free_states, random);
  for (std::size_t i = 0; i < problem.u.size(); ++i) {
    Formula left = 0.0, law = -random.real(0.2, 2.0) * Formula(*problem.u[i]);
    for (std::size_t j = 0; j < problem.u.size(); ++j) left = left + problem.gamma[i][j] * der(*problem.u[j]);
    law = law + random.real(-0.3, 0.3) * mild(*random.one_of(problem.u), random);
    for (std::size_t k = 0; k < problem.lambda.size(); ++k) {
      const Formula l = *problem.lambda[k];
      law = law + problem.force[i][k] * (nonlinear ? l + 0.1 * power(l, 3) : l);
    }
    model.manufacture(left, law, Coupling::anything, random);
  }
  state_start(model, random, problem.u, value(problem.gradient, 0.0));
}

}  // namespace driftless::fuzz
