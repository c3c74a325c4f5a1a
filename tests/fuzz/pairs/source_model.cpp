#include "source_model.h"

#include <fmt/format.h>

namespace driftless::fuzz {

namespace {

std::string at(const std::string& name) { return "@" + name + "@"; }

std::string number(double value) { return value < 0.0 ? fmt::format("({})", value) : fmt::format("{}", value); }

// Bounded, so that no solution runs away.
std::string term(Random& random, const std::vector<std::string>& known) {
  const std::string x = at(random.one_of(known)), y = at(random.one_of(known));
  switch (random.integer(0, 5)) {
    case 0: return fmt::format("sin({} + {})", x, y);
    case 1: return fmt::format("cos({})*exp(-{}^2)", x, y);
    case 2: return fmt::format("(if {} > {} then {} else {})", x, number(random.real(-0.5, 0.5)), x, number(0.5));
    case 3: return fmt::format("{}/(1 + {}^2)", x, y);
    case 4: return fmt::format("tanh({} - {})", x, y);
    default: return fmt::format("sin({}*time)", number(random.real(0.5, 3.0)));
  }
}

}  // namespace

SourceModel random_model(Random& random) {
  SourceModel model;
  std::vector<std::string> known;
  for (int k = random.integer(1, 4); k > 0; --k)
    model.parameters.push_back({fmt::format("p{}", k), random.real(-1.5, 1.5)});
  for (int k = random.integer(1, 5); k > 0; --k)
    model.states.push_back({fmt::format("x{}", model.states.size()), random.real(-1.0, 1.0)});
  for (const auto& state : model.states) known.push_back(state.name);
  for (int k = random.integer(0, 3); k > 0; --k) {
    const std::string name = fmt::format("y{}", model.computed.size());
    model.equations.push_back(fmt::format("{} = {} + {}*{}", at(name), term(random, known),
                                          at(random.one_of(model.parameters).name), term(random, known)));
    model.computed.push_back(name);
    known.push_back(name);
  }
  for (const auto& state : model.states)
    model.equations.push_back(fmt::format("der({0}) = -{0} + {1}*{2}", at(state.name),
                                          at(random.one_of(model.parameters).name), term(random, known)));
  for (int k = random.integer(0, 2); k > 0; --k) {
    const std::string name = fmt::format("n{}", model.counters.size());
    const std::string when = random.chance(0.5)
                                 ? fmt::format("sample({}, {})", random.real(0.0, 0.5), random.real(0.1, 0.7))
                                 : fmt::format("sin({}*time) > {}", random.real(2.0, 9.0), random.real(0.1, 0.8));
    model.whens.push_back(fmt::format("when {0} then\n    {1} = pre({1}) + 1;\n  end when", when, at(name)));
    model.counters.push_back(name);
  }
  return model;
}

}  // namespace driftless::fuzz
