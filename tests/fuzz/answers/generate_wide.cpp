// q' = T(q) v + k(t), M(q) v' = f(q, v, s, t) - C^T (lambda, nu), 0 = g(q, t), 0 = A(q) v + b(q, t), C = [G T; A], with
// chosen q, v, s and multipliers: generalised speeds, constraints on velocities, masses that vanish where constraints
// leave no freedom, rows that say again what others say, coordinates that move by themselves, and fast.
#include "constraints.h"
#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

struct Wide {
  std::vector<Unknown*> q, v, s;
  Formulas g, h;                    // left sides of the constraints
  FormulaMatrix speed, mass, rows;  // T, M, C
  std::size_t holonomic = 0, nonholonomic = 0;
  bool redundant = false, massless = false;
};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void choose_speed(Wide& made, Random& random) {
  const std::size_t n = made.q.size(), p = made.v.size();
  made.speed.assign(n, Formulas(p));
  for (std::size_t i = 0; i < n; ++i) {
    made.speed[i][i % p] = i >= p               ? Formula(random.sign() * random.real(0.3, 0.8))
                           : random.chance(0.4) ? 1.0 + 0.2 * sin(*random.one_of(made.q))
                                                : Formula(1.0);
    if (p > 1 && random.chance(0.4))
      made.speed[i][(i + 1) % p] = random.real(-0.3, 0.3) * (random.chance(0.6) ? Formula(*made.q[i]) : Formula(1.0));
  }
}

Formula constraint(const std::vector<Unknown*>& x, std::size_t k, Random& random, bool full) {
  Formula g = random.real(0.8, 1.5) * Formula(*x[k]) + 0.2 * random.sign() * power(*x[k], 2);
  for (const Unknown* other : x)
    if (other != x[k] && (full || random.chance(0.5))) g = g + random.real(-0.5, 0.5) * mild(*other, random);
  return g;
}

// Coefficients of velocities read positions.
Formula skate(const Wide& made, std::size_t k, Random& random, bool full) {
  Formula h = random.real(0.8, 1.4) * Formula(*made.v[k]);
  for (const Unknown* other : made.v) {
    if (other == made.v[k] || !(full || random.chance(0.6))) continue;
    const Formula factor = random.chance(0.5) ? random.real(0.2, 0.5) * sin(*random.one_of(made.q))
                                              : Formula(random.sign() * random.real(0.1, 0.5));
    h = h + factor * Formula(*other);
  }
  return random.chance(0.3) ? h + random.real(-0.4, 0.4) * mild(*random.one_of(made.q), random) : h;
}

void choose_mass(Wide& made, Random& random) {
  const std::size_t p = made.v.size();
  made.mass.assign(p, Formulas(p));
  for (std::size_t i = 0; i < p; ++i) {
    made.mass[i][i] = random.real(0.8, 3.0);
    if (random.chance(0.3)) made.mass[i][i] = made.mass[i][i] + 0.2 * sin(*random.one_of(made.q));
  }
  if (made.massless)
    made.mass[0][0] = 0.0;
  else if (p > 1 && random.chance(0.5))
    made.mass[0][1] = made.mass[1][0] = random.real(0.1, 0.4) * (random.chance(0.5) ? Formula(1.0) : cos(*made.q[0]));
}

// C, rows of g first.
void find_rows(Wide& made) {
  const std::size_t p = made.v.size();
  made.rows.clear();
  for (const Formulas& gradient : jacobian(made.g, made.q)) {
    Formulas row(p);
    for (std::size_t j = 0; j < p; ++j)
      for (std::size_t i = 0; i < made.q.size(); ++i)
        if (!is_zero(gradient[i]) && !is_zero(made.speed[i][j])) row[j] = row[j] + gradient[i] * made.speed[i][j];
    made.rows.push_back(row);
  }
  for (const Formulas& row : jacobian(made.h, made.v)) made.rows.push_back(row);
}

// [M C^T; C 0], which is regular even where M is not.
bool well_conditioned(const Wide& made, double end) {
  const auto p = static_cast<Eigen::Index>(made.v.size()), m = static_cast<Eigen::Index>(made.rows.size());
  return conditioning(end,
                      [&](double t) -> Eigen::MatrixXd {
                        Eigen::MatrixXd k = Eigen::MatrixXd::Zero(p + m, p + m);
                        const Eigen::MatrixXd c = value(made.rows, t);
                        k.topLeftCorner(p, p) = value(made.mass, t);
                        k.topRightCorner(p, m) = c.transpose();
                        k.bottomLeftCorner(m, p) = c;
                        return k;
                      })
      .good();
}

void choose_constraints(Model& model, Random& random, Wide& made) {
  for (int attempt = 0; attempt <= 300; ++attempt) {
    if (attempt > 100) made.massless = false;
    made.g.clear();
    made.h.clear();
    choose_speed(made, random);
    for (std::size_t k = 0; k < made.holonomic; ++k) made.g.push_back(constraint(made.q, k, random, made.redundant));
    for (std::size_t k = 0; k < made.nonholonomic; ++k)
      made.h.push_back(skate(made, made.holonomic + k, random, made.redundant));
    choose_mass(made, random);
    find_rows(made);
    if (well_conditioned(made, model.end())) return;
  }
}

// A coordinate that follows a signal, and is read by the first constraint on positions.
void add_follower(Model& model, Random& random, Wide& made) {
  Unknown& y = model.add("y", Role::state, signal(model, random));
  y.start = model.start_of_state();
  const double rate = random.one_of<double>({1.0, 10.0, 100.0});
  model.manufacture(der(y), -rate * Formula(y), Coupling::none, random);
  made.g[0] = made.g[0] + random.real(0.05, 0.2) * Formula(y);
}

void add_kinematics(Model& model, Random& random, const Wide& made) {
  for (std::size_t i = 0; i < made.q.size(); ++i) {
    Formula law = 0.0;
    for (std::size_t j = 0; j < made.v.size(); ++j)
      if (!is_zero(made.speed[i][j])) law = law + made.speed[i][j] * Formula(*made.v[j]);
    model.manufacture(der(*made.q[i]), law, random.chance(0.2) ? Coupling::free_states : Coupling::none, random);
  }
  for (const Unknown* s : made.s)
    model.manufacture(der(*s),
                      random.real(-1.5, -0.3) * Formula(*s) + random.real(-0.5, 0.5) * Formula(*random.one_of(made.v)),
                      Coupling::anything, random);
}

void add_balance(Model& model, Random& random, const Wide& made, const Formulas& multipliers) {
  const std::size_t p = made.v.size();
  for (std::size_t i = 0; i < p; ++i) {
    Formula left = 0.0,
            law = -random.real(0.2, 2.0) * Formula(*made.q[i]) - random.real(0.1, 1.0) * Formula(*made.v[i]);
    for (std::size_t j = 0; j < p; ++j)
      if (!is_zero(made.mass[i][j])) left = left + made.mass[i][j] * der(*made.v[j]);
    if (random.chance(0.5)) law = law + random.real(-0.3, 0.3) * mild(*random.one_of(made.v), random);
    if (!made.s.empty()) law = law + random.real(-0.5, 0.5) * Formula(*random.one_of(made.s));
    for (std::size_t k = 0; k < multipliers.size(); ++k)
      if (!is_zero(made.rows[k][i])) law = law - made.rows[k][i] * multipliers[k];
    model.manufacture(left, law, Coupling::anything, random);
  }
}

// The multipliers of constraint k, and the constraint again if it is redundant: only the sum of forces is determined.
Formula force_of(Model& model, Random& random, const Formula& constraint, bool again) {
  Unknown& first = model.add("l", Role::multiplier, random.sign() * signal(model, random));
  first.start = model.start_of_determined(random);
  const Formula given = model.missing(constraint, 0.0, random);
  model.equate(constraint, given, again ? Coupling::none : Coupling::free_states);
  if (!again) return first;
  model.equate(2.0 * constraint, 2.0 * given);
  Unknown& second = model.add("l", Role::multiplier, signal(model, random));
  first.compared = second.compared = false;
  const Formula sum = Formula(first) + 2.0 * Formula(second);
  Unknown& total = model.add("w", Role::algebraic, sum);
  model.equate(total, sum);
  return sum;
}

}  // namespace

void generate_wide(Model& model, Random& random, int size) {
  Wide made;
  const int p = std::max(size, 2), extra = random.chance(0.3) ? 1 : 0;
  made.redundant = p > 2 && random.chance(0.15);
  const int most = made.redundant ? 1 : std::max(1, std::min(p - 1, 3)), constraints = random.integer(1, most);
  made.holonomic = at(random.integer(0, constraints));
  made.nonholonomic = at(constraints) - made.holonomic;
  made.massless = random.chance(0.2);
  for (int i = 0; i < p + extra; ++i) made.q.push_back(&model.add("q", Role::state, signal(model, random)));
  for (int i = 0; i < p; ++i) made.v.push_back(&model.add("v", Role::state, random.sign() * signal(model, random)));
  if (random.chance(0.2)) {
    made.s.push_back(&model.add("s", Role::state, signal(model, random)));
    made.s[0]->start = model.start_of_state();
  }
  choose_constraints(model, random, made);
  if (made.holonomic > 0 && random.chance(0.25)) add_follower(model, random, made);
  add_kinematics(model, random, made);
  Formulas multipliers;
  for (std::size_t k = 0; k < made.rows.size(); ++k)
    multipliers.push_back(
        force_of(model, random, k < made.holonomic ? made.g[k] : made.h[k - made.holonomic], made.redundant && k == 0));
  add_balance(model, random, made, multipliers);
  for (Unknown* q : made.q) q->start = model.start_of_state();
  if (made.holonomic > 0) state_start(model, random, made.q, value(jacobian(made.g, made.q), 0.0));
  state_start(model, random, made.v, value(made.rows, 0.0));
}

}  // namespace driftless::fuzz
