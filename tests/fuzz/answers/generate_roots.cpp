// Equations with several roots: the stated start says which one, and the solution stays away from where two of them
// meet.
#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

Unknown& add_near(Model& model, Random& random, double low, double high) {
  Unknown& z = model.add("r", Role::algebraic, signal(model, random, low, high));
  z.start = model.all_fixed() && random.chance(0.5) ? Start::nearby : Start::stated;
  z.nearby = random.real(0.97, 1.03);
  return z;
}

void add_scalar(Model& model, Random& random) {
  switch (random.integer(0, 5)) {
    case 0: {
      const Unknown& z = add_near(model, random, 0.5, 2.5);
      return model.manufacture(cos(z), 0.0, Coupling::anything, random);
    }
    case 1: {
      const Unknown& z = add_near(model, random, -2.0, -0.8);
      return model.manufacture(power(z, 2), 0.0, Coupling::anything, random);
    }
    case 2: {
      const Unknown& z = add_near(model, random, 1.5, 2.5);
      return model.manufacture(power(z, 3) - 3.0 * Formula(z), 0.0, Coupling::anything, random);
    }
    case 3: {
      const Unknown& z = add_near(model, random, -0.6, 0.6);
      return model.manufacture(power(z, 3) - 3.0 * Formula(z), 0.0, Coupling::anything, random);
    }
    case 4: {
      const Unknown& z = add_near(model, random, -2.5, -1.6);
      return model.manufacture(Formula(z) * exp(z), 0.0, Coupling::anything, random);
    }
    default: {
      const Unknown &x = add_near(model, random, 0.4, 0.8), &y = add_near(model, random, 1.3, 2.0);
      model.manufacture(power(x, 2) + power(y, 2), 0.0, Coupling::anything, random);
      return model.manufacture(Formula(x) * Formula(y), 0.0, Coupling::anything, random);
    }
  }
}

// Broyden's tridiagonal function: dominant where all unknowns are negative.
void add_tridiagonal(Model& model, Random& random, int size) {
  std::vector<const Unknown*> x;
  for (int i = 0; i < size; ++i) x.push_back(&add_near(model, random, -1.1, -0.5));
  for (int i = 0; i < size; ++i) {
    Formula row = (3.0 - 2.0 * Formula(*x[i])) * Formula(*x[i]) + 1.0;
    if (i > 0) row = row - Formula(*x[i - 1]);
    if (i + 1 < size) row = row - 2.0 * Formula(*x[i + 1]);
    model.manufacture(row, 0.0, Coupling::anything, random);
  }
}

}  // namespace

void generate_roots(Model& model, Random& random, int size) {
  if (size > 2 && random.chance(0.5)) return add_tridiagonal(model, random, size);
  for (int i = 0; i < std::min(size, 3); ++i) add_scalar(model, random);
}

}  // namespace driftless::fuzz
