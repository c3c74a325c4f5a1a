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

// Without `begin`, an initial equation says it.
std::string declaration(const Unknown& unknown, bool with_begin) {
  std::string attributes;
  const auto attribute = [&](const std::string& one) { attributes += (attributes.empty() ? "" : ", ") + one; };
  const double begin = unknown.unit * value(unknown.exact, 0.0);
  if (with_begin && unknown.start != Start::none) {
    if (unknown.type == "Boolean")
      attribute(begin > 0.5 ? "start = true" : "start = false");
    else
      attribute(fmt::format("start = {}", unknown.start == Start::nearby ? begin * unknown.nearby : begin));
    if (unknown.start == Start::fixed) attribute("fixed = true");
  }
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
  std::vector<std::string> declarations = model.declarations, equations = model.raw_equations, initial;
  for (const auto& unknown : model.unknowns) {
    if (unknown->name.ends_with(']')) continue;
    const bool fixed = unknown->start == Start::fixed && unknown->role != Role::discrete;
    const bool by_equation = varied && fixed && random.chance(0.15);
    declarations.push_back(declaration(*unknown, !by_equation));
    if (by_equation)
      initial.push_back(fmt::format("{} = {};", unknown->name, unknown->unit * value(unknown->exact, 0.0)));
  }
  for (const Equation& equation : model.equations) equations.push_back(equation_text(equation, random, varied));
  if (varied) {
    random.shuffle(declarations);
    random.shuffle(equations);
  }
  std::string result = "model Made\n";
  const auto section = [&](const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    result += title;
    for (const std::string& line : lines) result += "  " + line + "\n";
  };
  section("", declarations);
  section("initial equation\n", initial);
  section("equation\n", equations);
  return result + fmt::format("  annotation(experiment(StopTime = {}));\nend Made;\n", model.end());
}

}  // namespace driftless::fuzz
