#include "wording.h"

#include <fmt/format.h>

#include <cctype>

namespace driftless::fuzz {

namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The name as a whole, not inside der(): that stays what it is.
std::string replaced(const std::string& text, const std::string& name, const std::string& by) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool here = text.compare(at, name.size(), name) == 0 && (at == 0 || !in_name(text[at - 1])) &&
                      (at + name.size() >= text.size() || !in_name(text[at + name.size()])) &&
                      (at < 4 || text.compare(at - 4, 4, "der(") != 0);
    out += here ? by : text.substr(at, 1);
    at += here ? name.size() : 1;
  }
  return out;
}

}  // namespace

void Wording::declare(const std::string& name, std::optional<double> start, bool fixed) {
  const std::string attributes =
      start ? fmt::format("(start = {}{})", *start, fixed ? ", fixed = true" : "") : std::string();
  variables_.push_back({name, attributes});
}

void Wording::rename_some(Random& random, int count) {
  const std::vector<Variable> before = variables_;
  const std::vector<double> factors{1.0, -1.0, 2.0, -0.25, 10.0};
  for (int k = 0; k < count; ++k) {
    const std::string name = random.one_of(before).name, other = fmt::format("{}_n{}", name, k);
    const double factor = random.one_of(factors);  // other = factor*name
    for (auto& [left, right] : equations_)
      for (std::string* side : {&left, &right})
        if (random.chance(0.5)) *side = replaced(*side, name, fmt::format("({}*{})", 1.0 / factor, other));
    declare(other);
    equate(factor == -1.0 ? fmt::format("{} + {}", other, name) : other,
           factor == -1.0 ? "0" : fmt::format("{}*{}", factor, name));
  }
}

void Wording::scale_and_turn(Random& random) {
  const std::vector<double> factors{-1.0, 3.0, -7.0, 0.125};
  for (auto& [left, right] : equations_) {
    if (random.chance(0.3)) {
      const double factor = random.one_of(factors);
      left = fmt::format("{}*({})", factor, left);
      right = fmt::format("{}*({})", factor, right);
    }
    if (random.chance(0.3)) std::swap(left, right);
    if (random.chance(0.2)) {
      left = fmt::format("{} - ({})", left, right);
      right = "0";
    }
  }
}

void Wording::shuffle(Random& random) {
  random.shuffle(variables_);
  random.shuffle(equations_);
}

std::string Wording::text() const {
  std::string text = "model M\n";
  for (const Variable& v : variables_) text += fmt::format("  Real {}{};\n", v.name, v.attributes);
  text += "equation\n";
  for (const Equation& e : equations_) text += fmt::format("  {} = {};\n", e.left, e.right);
  if (!initial_.empty()) text += "initial equation\n";
  for (const Equation& e : initial_) text += fmt::format("  {} = {};\n", e.left, e.right);
  return text + "end M;\n";
}

}  // namespace driftless::fuzz
