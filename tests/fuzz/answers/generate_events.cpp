// Events at known times, by the clock or by a state that crosses a known level, and what they change: discrete
// variables, states by reinit, branches. The solution goes on in closed form: y = E(t) + d(t), where d' = -k d + c with
// a constant c between two events.
#include <fmt/format.h>

#include <algorithm>

#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

Formula decaying(double begin, double value, double k, double drive) {
  return drive / k + (value - drive / k) * exp(-k * (the_time() - begin));
}

// Not on a row of the output.
double some_moment(const Model& model, Random& random, double from, double to) {
  return random.real(from * model.end(), to * model.end()) + 0.00037;
}

// The condition that becomes true at `moment`.
std::string condition_at(Model& model, Random& random, double moment, bool by_state) {
  model.changes.push_back(moment);
  if (!by_state) return fmt::format("time {} {}", random.chance(0.5) ? ">" : ">=", moment);
  const double way = random.sign(), slope = random.real(0.5, 2.0);
  Unknown& x = model.add("x", Role::state,
                         random.real(0.5, 2.0) + way * (slope * the_time() + 0.2 * slope * sin(2.0 * the_time())));
  x.start = model.start_of_state();
  x.named_in_text = true;
  model.manufacture(der(x), -random.real(0.2, 1.5) * Formula(x), Coupling::anything, random);
  return fmt::format("{} {} {}", x.name, way > 0 ? ">" : "<", value(x.exact, moment));
}

Unknown& add_discrete(Model& model, const std::string& type, const Formula& exact) {
  Unknown& unknown = model.add("d", Role::discrete, exact);
  unknown.type = type;
  unknown.start = Start::fixed;
  unknown.smooth = false;
  unknown.named_in_text = true;
  return unknown;
}

// der(y) = -k (y - E) + E' + drive.
Unknown& add_driven(Model& model, Random& random, double k, const Formula& around, const Formula& deviation,
                    const Formula& drive) {
  Unknown& y = model.add("y", Role::state, around + deviation);
  y.start = model.start_of_state();
  y.smooth = false;
  y.named_in_text = true;
  const Formula path = k * around + rate(around);
  model.equate(der(y), -k * Formula(y) + drive + (random.chance(0.5) ? path : of_time(path)), Coupling::anything);
  return y;
}

// A discrete variable with two changes by one when with elsewhen.
void add_steps(Model& model, Random& random, double first, double second) {
  const double begin = random.real(-2.0, 2.0), middle = random.real(-2.0, 2.0), end = random.real(-2.0, 2.0);
  const Unknown& d = add_discrete(model, "Real", switched(first, begin, switched(second, middle, end)));
  model.raw_equations.push_back(fmt::format("when time > {} then {} = {}; elsewhen time > {} then {} = {}; end when;",
                                            first, d.name, middle, second, d.name, end));
}

// Two moments: the first changes a discrete variable that drives y, the second y itself.
void generate_events(Model& model, Random& random, bool by_state) {
  const double k = random.real(0.5, 3.0), before = random.real(-2.0, 2.0), after = random.real(-2.0, 2.0);
  const double first = some_moment(model, random, 0.1, 0.45), second = some_moment(model, random, 0.5, 0.9);
  const Formula around = signal(model, random);
  const Formula start = decaying(0.0, random.real(-0.5, 0.5), k, before);
  const Formula middle = decaying(first, value(start, first), k, after);
  const double kept = value(around + middle, second);
  const int way = random.integer(0, 2);
  const double jump = random.real(0.5, 2.0), landing = way == 0 ? jump : way == 1 ? kept + jump : -0.7 * kept;
  const Formula end = decaying(second, landing - value(around, second), k, after);
  Unknown& d = add_discrete(model, "Real", switched(first, before, after));
  Unknown& n = add_discrete(model, "Integer", switched(second, 0.0, 1.0));
  Unknown& y = add_driven(model, random, k, around, switched(first, start, switched(second, middle, end)), d);
  model.raw_equations.push_back(
      fmt::format("when {} then {} = {}; end when;", condition_at(model, random, first, by_state), d.name, after));
  if (!by_state) add_steps(model, random, first, second);
  const std::string target = way == 0   ? fmt::format("{}", jump)
                             : way == 1 ? fmt::format("pre({}) + {}", y.name, jump)
                                        : fmt::format("-0.7 * pre({})", y.name);
  model.raw_equations.push_back(fmt::format("when {} then reinit({}, {}); {} = pre({}) + 1; end when;",
                                            condition_at(model, random, second, by_state), y.name, target, n.name,
                                            n.name));
}

}  // namespace

void generate_time_events(Model& model, Random& random, int) { generate_events(model, random, false); }
void generate_state_events(Model& model, Random& random, int) { generate_events(model, random, true); }

// z = if ... then a else b, as an expression, as an equation or by a Boolean variable, and a state that is driven by
// it.
void generate_branches(Model& model, Random& random, int) {
  const double k = random.real(0.5, 3.0), moment = some_moment(model, random, 0.2, 0.8);
  const double before = random.real(-2.0, 2.0), after = random.real(-2.0, 2.0);
  const Formula start = decaying(0.0, random.real(-0.5, 0.5), k, before);
  const Formula deviation = switched(moment, start, decaying(moment, value(start, moment), k, after));
  Unknown& z = model.add("z", Role::algebraic, switched(moment, before, after));
  z.smooth = false;
  z.named_in_text = true;
  add_driven(model, random, k, signal(model, random), deviation, z);
  const std::string condition = condition_at(model, random, moment, random.chance(0.6));
  switch (random.integer(0, 2)) {
    case 0:
      model.raw_equations.push_back(fmt::format("{} = if {} then {} else {};", z.name, condition, after, before));
      break;
    case 1:
      model.raw_equations.push_back(
          fmt::format("if {} then {} = {}; else {} = {}; end if;", condition, z.name, after, z.name, before));
      break;
    default: {
      Unknown& b = add_discrete(model, "Boolean", switched(moment, 0.0, 1.0));
      b.start = Start::none;
      model.raw_equations.push_back(fmt::format("{} = {};", b.name, condition));
      model.raw_equations.push_back(fmt::format("{} = if {} then {} else {};", z.name, b.name, after, before));
    }
  }
}

// A ramp that starts again at each level, and its count: x = r t - n level.
void generate_sawtooth(Model& model, Random& random, int) {
  const double speed = random.real(1.0, 2.0) / model.end(), level = random.real(0.3, 0.7) + 0.00037;
  const auto count = [=](double t) { return std::floor(speed * t / level); };
  Unknown& x = model.add("x", Role::state, computed([=](double t) { return speed * t - count(t) * level; }));
  Unknown& n = add_discrete(model, "Integer", computed(count));
  x.start = model.start_of_state();
  x.smooth = false;
  x.named_in_text = true;
  model.equate(der(x), speed);
  model.raw_equations.push_back(
      fmt::format("when {} > {} then reinit({}, {}); {} = pre({}) + 1; end when;", x.name, level, x.name,
                  random.chance(0.5) ? fmt::format("pre({}) - {}", x.name, level) : "0", n.name, n.name));
  for (double t = level / speed; t < model.end(); t += level / speed) model.changes.push_back(t);
}

}  // namespace driftless::fuzz
