#include "generate.h"

#include "signal.h"

namespace driftless::fuzz {

const Unknown* some_state(const Model& model, Random& random) {
  std::vector<const Unknown*> states;
  for (const auto& unknown : model.unknowns)
    if (unknown->role == Role::state && unknown->smooth) states.push_back(unknown.get());
  return states.empty() ? nullptr : random.one_of(states);
}

Formula mild(const Formula& x, Random& random) {
  switch (random.integer(0, 4)) {
    case 0: return sin(x);
    case 1: return tanh(x);
    case 2: return 0.5 * power(x, 2);
    case 3: return cos(x);
    default: return x;
  }
}

Formula slow(const Formula& x, Random& random) {
  switch (random.integer(0, 3)) {
    case 0: return sin(x);
    case 1: return tanh(x);
    default: return x;
  }
}

void generate_ode(Model& model, Random& random, int size) {
  std::vector<Unknown*> states;
  for (int i = 0; i < size; ++i) {
    states.push_back(&model.add("x", Role::state, signal(model, random)));
    states.back()->free = true;
    states.back()->start = model.start_of_state();
  }
  const bool with_matrix = size > 1 && random.chance(0.2);
  for (Unknown* x : states) {
    const double damping = random.chance(0.15) ? std::pow(10.0, random.integer(2, 5)) : random.real(0.3, 3.0);
    const Formula rate_constant = random.chance(0.3) ? model.new_parameter(damping) : Formula(damping);
    Formula law = -rate_constant * Formula(*x);
    for (int k = 0; k < std::min(size - 1, 2); ++k)
      law = law + random.sign() * random.real(0.05, 0.3) * mild(*random.one_of(states), random);
    if (random.chance(0.3)) law = law - 0.1 * power(*x, 3);
    const Unknown* other = random.one_of(states);
    const bool twice = with_matrix && other != x && damping < 10.0;
    const Formula left = twice ? der(*x) + random.real(0.1, 0.4) * der(*other) : der(*x);
    model.manufacture(left, law, Coupling::anything, random);
  }
}

}  // namespace driftless::fuzz
