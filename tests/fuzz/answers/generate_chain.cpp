// Unknowns that follow from others one after the other, those that jump included.
#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

// The root of w + c w^3 = y.
double monotone_root(double c, double y) {
  double w = 0.0;
  for (int i = 0; i < 200; ++i) {
    const double step = (w + c * w * w * w - y) / (1.0 + 3.0 * c * w * w);
    w -= step;
    if (std::abs(step) < 1e-15 * (1.0 + std::abs(w))) break;
  }
  return w;
}

}  // namespace

void generate_chain(Model& model, Random& random, int size) {
  for (int i = 0; i < size; ++i) {
    Formula law = random.real(0.2, 1.0) * signal(model, random);
    bool smooth = true;
    for (int k = 0; k < 2; ++k) {
      if (model.unknowns.empty()) break;
      const Unknown& other =
          *model.unknowns[static_cast<std::size_t>(random.integer(0, static_cast<int>(model.unknowns.size()) - 1))];
      if (other.type != "Real" || !other.compared) continue;
      law = law + random.sign() * random.real(0.2, 1.0) * mild(other, random);
      smooth = smooth && other.smooth;
    }
    Unknown& w = model.add("w", Role::algebraic, law);
    w.smooth = smooth;
    if (random.chance(0.3)) {
      const double cubic = random.real(0.2, 1.0);
      model.equate(w + cubic * power(w, 3), law, Coupling::anything);
      w.exact = computed([cubic, law](double t) { return monotone_root(cubic, value(law, t)); });
      w.smooth = false;
    } else {
      model.equate(w, law, Coupling::anything);
    }
    w.start = smooth ? model.start_of_determined(random) : Start::none;
    w.nearby = random.real(0.9, 1.1);
  }
}

}  // namespace driftless::fuzz
