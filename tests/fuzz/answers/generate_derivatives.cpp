// der() of expressions, and of unknowns that are given by others: the start is stated for those others, or for it.
#include <fmt/format.h>

#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

// der(x + c y^2) = law, beside der(y) = law.
void add_expression(Model& model, Random& random) {
  Unknown &x = model.add("x", Role::state, signal(model, random)),
          &y = model.add("x", Role::state, signal(model, random));
  x.start = y.start = model.start_of_state();
  x.named_in_text = y.named_in_text = true;
  model.manufacture(der(y), -random.real(0.3, 2.0) * Formula(y), Coupling::anything, random);
  const Formula inside = Formula(x) + random.real(0.1, 0.5) * power(y, 2);
  const Formula law = -random.real(0.3, 2.0) * Formula(x);
  const Formula right = law + of_time(rate(inside) - law);
  model.raw_equations.push_back(fmt::format("der({}) = {};", text(inside), text(right)));
}

// c = a + b, b = k(t) a, der(c) = law: one of the three has a start, or c and another one.
void add_sum(Model& model, Random& random) {
  Unknown& factor = model.add("x", Role::state, signal(model, random));
  factor.start = model.start_of_state();
  model.manufacture(der(factor), -random.real(0.3, 2.0) * Formula(factor), Coupling::anything, random);
  Unknown& a = model.add("a", Role::algebraic, signal(model, random));
  const Formula ratio = random.real(0.5, 4.0) * exp(-Formula(factor));
  Unknown& b = model.add("b", Role::algebraic, ratio * Formula(a));
  Unknown& c = model.add("x", Role::state, a + b);
  model.equate(c, a + b);
  model.equate(b, ratio * Formula(a));
  model.manufacture(der(c), -random.real(0.3, 2.0) * Formula(c), Coupling::anything, random);
  const std::vector<Unknown*> group = {&a, &b, &c};
  random.one_of(group)->start = model.start_of_state();
}

// z = x y, 2 x + y = given, der(z) = law: two solutions, of which the start chooses one.
void add_product(Model& model, Random& random) {
  Unknown& x = model.add("a", Role::algebraic, signal(model, random, 0.4, 0.7));
  Unknown& y = model.add("b", Role::algebraic, signal(model, random, 2.0, 3.0));
  Unknown& z = model.add("x", Role::state, Formula(x) * Formula(y));
  model.equate(z, Formula(x) * Formula(y));
  model.manufacture(2.0 * Formula(x) + Formula(y), 0.0, Coupling::free_states, random);
  model.manufacture(der(z), -random.real(0.3, 2.0) * Formula(z), Coupling::anything, random);
  x.start = y.start = Start::stated;
  if (random.chance(0.5)) {
    z.start = model.start_of_state();
  } else if (model.all_fixed()) {
    x.start = Start::fixed;
  }
}

}  // namespace

void generate_derivatives(Model& model, Random& random, int) {
  switch (random.integer(0, 2)) {
    case 0: return add_expression(model, random);
    case 1: return add_sum(model, random);
    default: return add_product(model, random);
  }
}

}  // namespace driftless::fuzz
