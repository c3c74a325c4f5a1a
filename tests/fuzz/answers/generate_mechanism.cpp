// q' = v, M(q) v' = f(q, v, t) + H(q) lambda, g(q, t) = 0 with chosen q(t) and lambda(t): H is the transposed gradient,
// or, for what is no mechanism, another matrix with G M^-1 H regular; q' = A(q) v besides.
#include "constraints.h"
#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

struct Mechanism {
  std::vector<Unknown*> q, v, lambda;
  Formulas g, speed;  // speed: what multiplies v in q' = speed v
  FormulaMatrix gradient, mass, force;
};

void add_motion(Model& model, Random& random, Mechanism& made, int n, bool circle) {
  for (int i = 0; i < n; ++i) made.q.push_back(&model.add("q", Role::state, signal(model, random)));
  if (circle) {
    const Formula angle = signal(model, random, -2.0, 2.0);
    const double radius = random.real(0.7, 1.5);
    made.q[0]->exact = radius * cos(angle);
    made.q[1]->exact = radius * sin(angle);
    made.g = {power(*made.q[0], 2) + power(*made.q[1], 2)};
    model.equate(made.g[0], radius * radius, Coupling::none);
  }
}

// Full: with all positions in it.
Formula constraint(const std::vector<Unknown*>& q, std::size_t k, Random& random, bool full) {
  Formula g = random.real(0.8, 1.5) * Formula(*q[k]) + 0.2 * random.sign() * power(*q[k], 2);
  for (const Unknown* other : q)
    if (other != q[k] && (full || random.chance(0.6))) g = g + random.real(-0.5, 0.5) * mild(*other, random);
  return g;
}

void choose_mass(Mechanism& made, Random& random) {
  const std::size_t n = made.q.size();
  made.mass.assign(n, Formulas(n));
  for (std::size_t i = 0; i < n; ++i) made.mass[i][i] = random.real(0.8, 3.0);
  if (n > 1 && random.chance(0.5)) {
    const Formula across = random.real(0.1, 0.4) * (random.chance(0.5) ? Formula(1.0) : cos(*made.q[0]));
    made.mass[0][1] = made.mass[1][0] = across;
  }
}

void choose_force(Mechanism& made, Random& random, bool mechanical) {
  made.force.assign(made.q.size(), Formulas(made.g.size()));
  for (std::size_t i = 0; i < made.q.size(); ++i)
    for (std::size_t k = 0; k < made.g.size(); ++k) {
      if (mechanical)
        made.force[i][k] = -made.gradient[k][i];
      else if (i == k || random.chance(0.5))
        made.force[i][k] = random.real(-1.2, 1.2);
    }
}

bool well_conditioned(const Mechanism& made, double end) {
  return conditioning(end,
                      [&](double t) -> Eigen::MatrixXd {
                        Eigen::MatrixXd gradient = value(made.gradient, t);
                        for (std::size_t i = 0; i < made.speed.size(); ++i)
                          gradient.col(static_cast<Eigen::Index>(i)) *= value(made.speed[i], t);
                        return gradient * value(made.mass, t).ldlt().solve(value(made.force, t));
                      })
      .good();
}

// Velocities are q' / speed; v is stated like q, on the hidden constraint.
void add_velocities(Model& model, Random& random, Mechanism& made) {
  for (std::size_t i = 0; i < made.q.size(); ++i) {
    Unknown& v = model.add("v", Role::state, rate(made.q[i]->exact) / made.speed[i]);
    made.v.push_back(&v);
    model.equate(der(*made.q[i]), made.speed[i] * Formula(v),
                 random.chance(0.3) ? Coupling::free_states : Coupling::none);
  }
}

// M v' = f + H lambda, with accelerations as unknowns of their own in some models.
void add_balance(Model& model, Random& random, const Mechanism& made, const Formulas& multipliers) {
  const std::size_t n = made.q.size();
  Formulas acceleration;
  const bool named = random.chance(0.2);
  for (Unknown* v : made.v) {
    acceleration.push_back(der(*v));
    if (!named) continue;
    Unknown& a = model.add("a", Role::algebraic, rate(v->exact));
    model.equate(der(*v), a);
    acceleration.back() = a;
  }
  for (std::size_t i = 0; i < n; ++i) {
    Formula left = 0.0,
            law = -random.real(0.2, 2.0) * Formula(*made.q[i]) - random.real(0.1, 1.0) * Formula(*made.v[i]);
    for (std::size_t j = 0; j < n; ++j) left = left + made.mass[i][j] * acceleration[j];
    if (random.chance(0.5)) law = law + random.real(-0.3, 0.3) * mild(*random.one_of(made.v), random);
    for (std::size_t k = 0; k < multipliers.size(); ++k) law = law + made.force[i][k] * multipliers[k];
    model.manufacture(left, law, Coupling::anything, random);
  }
}

// A constraint that says the same again: only the sum of the two forces is determined.
Formula doubled(Model& model, Random& random, Unknown& first) {
  Unknown& second = model.add("l", Role::multiplier, signal(model, random));
  first.compared = second.compared = false;
  const Formula sum = Formula(first) + 2.0 * Formula(second);
  Unknown& total = model.add("w", Role::algebraic, sum);
  model.equate(total, sum);
  return sum;
}

}  // namespace

void generate_mechanism(Model& model, Random& random, int size) {
  const bool mechanical = random.chance(0.7), circle = random.chance(0.3);
  // Redundant constraints need as many positions: otherwise already the structure is singular, and that is refused.
  const bool redundant = mechanical && !circle && random.chance(0.15);
  const int n = std::max(size, redundant ? 3 : 2), m = circle || redundant ? 1 : random.integer(1, std::min(n - 1, 2));
  Mechanism made;
  add_motion(model, random, made, n, circle);
  for (int attempt = 0;; ++attempt) {
    if (!circle) {
      made.g.clear();
      for (int k = 0; k < m; ++k) made.g.push_back(constraint(made.q, static_cast<std::size_t>(k), random, redundant));
    }
    made.gradient = jacobian(made.g, made.q);
    choose_mass(made, random);
    made.speed.assign(made.q.size(), 1.0);
    if (!mechanical && random.chance(0.5)) made.speed[0] = 1.0 + 0.2 * sin(*made.q[0]);
    choose_force(made, random, mechanical || circle || attempt > 100);
    if (well_conditioned(made, model.end()) || attempt > 200) break;
  }
  add_velocities(model, random, made);
  Formulas multipliers;
  for (std::size_t k = 0; k < made.g.size(); ++k) {
    made.lambda.push_back(&model.add("l", Role::multiplier, random.sign() * signal(model, random)));
    made.lambda.back()->start = model.start_of_determined(random);
    multipliers.push_back(redundant && k == 0 ? doubled(model, random, *made.lambda[k]) : Formula(*made.lambda[k]));
    if (circle) continue;
    const Formula given = model.missing(made.g[k], 0.0, random);
    model.equate(made.g[k], given, redundant ? Coupling::none : Coupling::free_states);
    if (redundant) model.equate(2.0 * made.g[k], 2.0 * given);
  }
  add_balance(model, random, made, multipliers);
  state_start(model, random, made.q, value(made.gradient, 0.0));
  state_start(model, random, made.v, value(made.gradient, 0.0));
}

}  // namespace driftless::fuzz
