// Solutions that end before the run does.
#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

// x' = a - 2 x l, y' = b - 2 y l, x^2 - y^2 = c^2 (e - t)^2: the product that decides the index, 4 (x^2 - y^2), is zero
// at the time e, where l has a pole.
void add_pole(Model& model, Random& random, double end) {
  const double c = random.real(0.4, 0.8);
  const Formula distance = end - the_time();
  Unknown& x = model.add("u", Role::state, c * distance);
  Unknown& y = model.add("u", Role::state, 0.0);
  const Unknown& l = model.add("l", Role::multiplier, 0.0);
  x.start = model.start_of_determined(random);
  y.start = model.start_of_state();
  if (x.start == Start::none) x.start = Start::stated;
  model.equate(der(x), random.real(0.5, 1.5) - 2.0 * Formula(x) * Formula(l));
  model.equate(der(y), random.real(0.05, 0.3) - 2.0 * Formula(y) * Formula(l));
  model.equate(power(x, 2) - power(y, 2), c * c * power(distance, 2));
}

// Two roots of an equation meet at the time e, and there is none afterwards.
void add_fold(Model& model, Random& random, double end) {
  const double size = random.real(0.5, 2.0), other = random.real(0.5, 1.5);
  Unknown& x = model.add("x", Role::state, 1.0);
  x.start = model.start_of_state();
  Unknown& z = model.add("z", Role::algebraic, std::sqrt(size * end) + other);
  z.start = Start::stated;
  model.equate(der(x), Formula(z) - Formula(x));
  model.equate(power(Formula(z) - other, 2), size * (end - the_time()));
}

}  // namespace

void generate_dead_end(Model& model, Random& random, int) {
  const double end = random.real(0.3, 0.9) * model.end();
  model.ends = true;
  if (random.chance(0.5)) return add_pole(model, random, end);
  add_fold(model, random, end);
}

}  // namespace driftless::fuzz
