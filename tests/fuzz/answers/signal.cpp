#include "signal.h"

namespace driftless::fuzz {

namespace {

// Between -1 and 1 for times from 0 to the end.
Formula wave(const Model& model, Random& random) {
  if (!model.clocks.empty() && random.chance(0.4)) return *random.one_of(model.clocks);
  const Formula t = the_time();
  switch (random.integer(0, 5)) {
    case 0: return sin(random.real(0.3, 3.0) * t + random.real(0.0, 6.0));
    case 1: return cos(random.real(0.3, 3.0) * t);
    case 2: return exp(-random.real(0.2, 2.0) * t);
    case 3: return tanh(t - random.real(0.2, 0.8));
    case 4: return 1.0 / (1.0 + random.real(0.2, 1.0) * t);
    default: return t / std::max(1.0, model.end());
  }
}

}  // namespace

Formula signal(const Model& model, Random& random, double low, double high) {
  const double half = 0.5 * (high - low), middle = low + half;
  const Formula first = std::round(half * random.real(0.2, 0.7) * 1e3) / 1e3 * random.sign() * wave(model, random);
  if (random.chance(0.6)) return middle + first;
  return middle + first + std::round(half * 0.3 * 1e3) / 1e3 * wave(model, random);
}

void add_clocks(Model& model, Random& random) {
  const double frequency = random.real(0.5, 3.0), decay = random.real(0.3, 1.5);
  Unknown& s = model.add("s", Role::state, sin(frequency * the_time()));
  Unknown& c = model.add("c", Role::state, cos(frequency * the_time()));
  Unknown& e = model.add("e", Role::state, exp(-decay * the_time()));
  s.slope = frequency * Formula(c);
  c.slope = -frequency * Formula(s);
  e.slope = -decay * Formula(e);
  for (Unknown* clock : {&s, &c, &e}) {
    clock->free = true;
    clock->start = model.start_of_state();
    model.equate(der(*clock), *clock->slope);
    model.clocks.push_back(clock);
  }
}

}  // namespace driftless::fuzz
