#include "model.h"

#include <fmt/format.h>

namespace driftless::fuzz {

Unknown& Model::add(const std::string& letter, Role role, const Formula& exact) {
  unknowns.push_back(std::make_unique<Unknown>(Unknown{.name = fresh(letter), .role = role, .exact = exact}));
  return *unknowns.back();
}

void Model::equate(const Formula& left, const Formula& right, Coupling coupling) {
  equations.push_back({left, right, coupling, others_});
}

Formula Model::missing(const Formula& left, const Formula& law, Random& random) const {
  const Formula rest = left - law;
  return random.chance(0.5) ? of_time(rest) : of_clocks(rest);
}

void Model::manufacture(const Formula& left, const Formula& law, Coupling coupling, Random& random) {
  equate(left, law + missing(left, law, random), coupling);
}

Formula Model::new_parameter(double value) {
  const std::string name = fresh("p");
  declarations.push_back(fmt::format("parameter Real {} = {};", name, value));
  return parameter(name, value);
}

std::string Model::raw_text(const Formula& formula) {
  for (Unknown* clock : clocks) clock->named_in_text = true;
  return text(formula);
}

Start Model::start_of_determined(Random& random) const {
  if (random.chance(0.4)) return Start::none;
  return all_fixed_ && random.chance(0.5) ? Start::nearby : Start::stated;
}

namespace {

std::string declaration(const Unknown& unknown) {
  std::string attributes;
  const auto attribute = [&](const std::string& one) { attributes += (attributes.empty() ? "" : ", ") + one; };
  const double begin = unknown.unit * value(unknown.exact, 0.0);
  if (unknown.type == "Boolean") {
    if (unknown.start != Start::none) attribute(begin > 0.5 ? "start = true" : "start = false");
  } else if (unknown.start != Start::none) {
    attribute(fmt::format("start = {}", unknown.start == Start::nearby ? begin * unknown.nearby : begin));
  }
  if (unknown.start == Start::fixed) attribute("fixed = true");
  if (unknown.nominal) attribute(fmt::format("nominal = {}", unknown.unit));
  const std::string prefix = unknown.role == Role::discrete && unknown.type == "Real" ? "discrete " : "";
  return fmt::format("{}{} {}{};", prefix, unknown.type, unknown.name,
                     attributes.empty() ? "" : "(" + attributes + ")");
}

std::string equation_text(const Equation& equation, Random& random, bool varied) {
  const std::string left = text(equation.left), right = text(equation.right);
  if (!varied || random.chance(0.4)) return fmt::format("{} = {};", left, right);
  switch (random.integer(0, 4)) {
    case 0: return fmt::format("{} = {};", right, left);
    case 1: return fmt::format("0 = {} - ({});", left, right);
    case 2: return fmt::format("{} - ({}) = 0;", left, right);
    default: {
      const double factor = random.sign() * std::pow(10.0, random.integer(-6, 6));
      return fmt::format("{} * ({}) = {} * ({});", factor, left, factor, right);
    }
  }
}

}  // namespace

std::string modelica(const Model& model, Random& random, bool varied) {
  std::vector<std::string> declarations = model.declarations, equations = model.raw_equations;
  for (const auto& unknown : model.unknowns)
    if (!unknown->name.ends_with(']')) declarations.push_back(declaration(*unknown));
  for (const Equation& equation : model.equations) equations.push_back(equation_text(equation, random, varied));
  if (varied) {
    random.shuffle(declarations);
    random.shuffle(equations);
  }
  std::string result = "model Made\n";
  for (const std::string& one : declarations) result += "  " + one + "\n";
  result += "equation\n";
  for (const std::string& one : equations) result += "  " + one + "\n";
  return result + fmt::format("  annotation(experiment(StopTime = {}));\nend Made;\n", model.end());
}

}  // namespace driftless::fuzz
