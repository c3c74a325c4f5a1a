#include "formula.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "model.h"

namespace driftless::fuzz {

namespace {

enum class Kind { number, time, unknown, derivative, computed, switched, add, subtract, multiply, divide, power, call };

struct Function {
  const char* name;
  double (*value)(double);
  Formula (*slope)(const Formula&);
};

}  // namespace

struct Node {
  Kind kind;
  double number = 0.0;    // also the time of a change, and an exponent
  std::string name = {};  // of a parameter
  const Unknown* unknown = nullptr;
  const Function* called = nullptr;
  std::function<double(double)> function = {};
  Formula left{std::shared_ptr<const Node>()}, right{std::shared_ptr<const Node>()};
};

namespace {

const std::array<Function, 4> functions = {{
    {"sin", std::sin, [](const Formula& a) { return cos(a); }},
    {"cos", std::cos, [](const Formula& a) { return -sin(a); }},
    {"exp", std::exp, [](const Formula& a) { return exp(a); }},
    {"tanh", std::tanh, [](const Formula& a) { return 1.0 - power(tanh(a), 2); }},
}};

Formula made(Node node) { return Formula(std::make_shared<const Node>(std::move(node))); }

Formula binary(Kind kind, const Formula& a, const Formula& b) { return made({.kind = kind, .left = a, .right = b}); }

Formula call(std::size_t which, const Formula& a) {
  return made({.kind = Kind::call, .called = &functions[which], .left = a});
}

// A plain number, no parameter.
bool is_number(const Formula& a) { return a.node().kind == Kind::number && a.node().name.empty(); }
bool is_number(const Formula& a, double x) { return is_number(a) && a.node().number == x; }

}  // namespace

Formula::Formula(double number) : node_(std::make_shared<const Node>(Node{.kind = Kind::number, .number = number})) {}
Formula::Formula(const Unknown& unknown)
    : node_(std::make_shared<const Node>(Node{.kind = Kind::unknown, .unknown = &unknown})) {}

Formula operator+(const Formula& a, const Formula& b) {
  if (is_number(a) && is_number(b)) return a.node().number + b.node().number;
  if (is_zero(a)) return b;
  return is_zero(b) ? a : binary(Kind::add, a, b);
}
Formula operator-(const Formula& a, const Formula& b) {
  if (is_number(a) && is_number(b)) return a.node().number - b.node().number;
  return is_zero(b) ? a : binary(Kind::subtract, a, b);
}
Formula operator*(const Formula& a, const Formula& b) {
  if (is_number(a) && is_number(b)) return a.node().number * b.node().number;
  if (is_zero(a) || is_zero(b)) return 0.0;
  if (is_number(a, 1.0)) return b;
  return is_number(b, 1.0) ? a : binary(Kind::multiply, a, b);
}
Formula operator/(const Formula& a, const Formula& b) {
  if (is_zero(a)) return 0.0;
  return is_number(b, 1.0) ? a : binary(Kind::divide, a, b);
}
Formula operator-(const Formula& a) { return is_number(a) ? Formula(-a.node().number) : Formula(-1.0) * a; }
Formula power(const Formula& a, int exponent) {
  if (exponent == 0) return 1.0;
  return exponent == 1 ? a : made({.kind = Kind::power, .number = static_cast<double>(exponent), .left = a});
}
Formula sin(const Formula& a) { return call(0, a); }
Formula cos(const Formula& a) { return call(1, a); }
Formula exp(const Formula& a) { return call(2, a); }
Formula tanh(const Formula& a) { return call(3, a); }

Formula the_time() { return made({.kind = Kind::time}); }
Formula der(const Unknown& unknown) { return made({.kind = Kind::derivative, .unknown = &unknown}); }
Formula parameter(const std::string& name, double value) {
  return made({.kind = Kind::number, .number = value, .name = name});
}
Formula switched(double change, const Formula& first, const Formula& second) {
  return made({.kind = Kind::switched, .number = change, .left = first, .right = second});
}
Formula computed(std::function<double(double)> function) {
  return made({.kind = Kind::computed, .function = std::move(function)});
}

bool is_zero(const Formula& formula) { return is_number(formula, 0.0); }

namespace {

std::string in_unit(const std::string& name, double unit) {
  return unit == 1.0 ? name : fmt::format("({} / {})", name, unit);
}

// Weak operators are put in parentheses inside strong ones.
std::string text_within(const Formula& formula, int strength) {
  const Node& node = formula.node();
  const auto joined = [&](const char* sign, int own, int right) {
    const std::string inner = text_within(node.left, own) + sign + text_within(node.right, right);
    return own < strength ? "(" + inner + ")" : inner;
  };
  switch (node.kind) {
    case Kind::number:
      if (!node.name.empty()) return node.name;
      return node.number < 0.0 && strength > 0 ? fmt::format("({})", node.number) : fmt::format("{}", node.number);
    case Kind::time: return "time";
    case Kind::unknown: return in_unit(node.unknown->name, node.unknown->unit);
    case Kind::derivative: return in_unit("der(" + node.unknown->name + ")", node.unknown->unit);
    case Kind::computed: return "this_has_no_text";
    case Kind::switched:
      return fmt::format("(if time < {} then {} else {})", node.number, text(node.left), text(node.right));
    case Kind::add: return joined(" + ", 1, 1);
    case Kind::subtract: return joined(" - ", 1, 2);
    case Kind::multiply: return joined(" * ", 2, 2);
    case Kind::divide: return joined(" / ", 2, 3);
    case Kind::power: {
      const std::string inner = fmt::format("{}^{}", text_within(node.left, 4), node.number);
      return strength > 3 ? "(" + inner + ")" : inner;  // powers do not chain
    }
    case Kind::call: return fmt::format("{}({})", node.called->name, text(node.left));
  }
  return {};
}

// Every leaf through `leaf`, which answers with the formula itself where it wants no change.
template <class Leaf>
Formula with_leaves(const Formula& formula, const Leaf& leaf) {
  const Node& node = formula.node();
  const auto again = [&](const Formula& part) { return with_leaves(part, leaf); };
  switch (node.kind) {
    case Kind::number:
    case Kind::time:
    case Kind::computed: return formula;
    case Kind::unknown:
    case Kind::derivative: return leaf(formula);
    case Kind::switched: return switched(node.number, again(node.left), again(node.right));
    case Kind::add: return again(node.left) + again(node.right);
    case Kind::subtract: return again(node.left) - again(node.right);
    case Kind::multiply: return again(node.left) * again(node.right);
    case Kind::divide: return again(node.left) / again(node.right);
    case Kind::power: return power(again(node.left), static_cast<int>(node.number));
    case Kind::call: return made({.kind = Kind::call, .called = node.called, .left = again(node.left)});
  }
  return formula;
}

// The chain rule, with the derivative of leaves by `leaf`.
template <class Leaf>
Formula derivative(const Formula& formula, const Leaf& leaf) {
  const Node& node = formula.node();
  const auto of = [&](const Formula& part) { return derivative(part, leaf); };
  switch (node.kind) {
    case Kind::number: return 0.0;
    case Kind::time:
    case Kind::unknown:
    case Kind::derivative:
    case Kind::computed: return leaf(formula);
    case Kind::switched: return switched(node.number, of(node.left), of(node.right));
    case Kind::add: return of(node.left) + of(node.right);
    case Kind::subtract: return of(node.left) - of(node.right);
    case Kind::multiply: return of(node.left) * node.right + node.left * of(node.right);
    case Kind::divide: return of(node.left) / node.right - node.left * of(node.right) / power(node.right, 2);
    case Kind::power: return node.number * power(node.left, static_cast<int>(node.number) - 1) * of(node.left);
    case Kind::call: return node.called->slope(node.left) * of(node.left);
  }
  return 0.0;
}

}  // namespace

std::string text(const Formula& formula) { return text_within(formula, 0); }

double value(const Formula& formula, double t) {
  const Node& node = formula.node();
  switch (node.kind) {
    case Kind::number: return node.number;
    case Kind::time: return t;
    case Kind::unknown: return value(node.unknown->exact, t);
    case Kind::derivative: return value(rate(node.unknown->exact), t);
    case Kind::computed: return node.function(t);
    case Kind::switched: return value(t < node.number ? node.left : node.right, t);
    case Kind::add: return value(node.left, t) + value(node.right, t);
    case Kind::subtract: return value(node.left, t) - value(node.right, t);
    case Kind::multiply: return value(node.left, t) * value(node.right, t);
    case Kind::divide: return value(node.left, t) / value(node.right, t);
    case Kind::power: return std::pow(value(node.left, t), node.number);
    case Kind::call: return node.called->value(value(node.left, t));
  }
  return 0.0;
}

Formula rate(const Formula& formula) {
  return derivative(formula, [](const Formula& leaf) -> Formula {
    const Node& node = leaf.node();
    if (node.kind == Kind::time) return 1.0;
    if (node.kind == Kind::unknown) return node.unknown->slope ? *node.unknown->slope : der(*node.unknown);
    if (node.kind == Kind::derivative) return rate(rate(node.unknown->exact));
    return computed([function = node.function](double t) {
      constexpr double h = 1e-5;
      return (function(t + h) - function(t - h)) / (2.0 * h);
    });
  });
}

Formula partial(const Formula& formula, const Unknown& unknown) {
  return derivative(formula, [&](const Formula& leaf) -> Formula {
    return leaf.node().kind == Kind::unknown && leaf.node().unknown == &unknown ? 1.0 : 0.0;
  });
}

namespace {

Formula solution(const Formula& formula, bool keep_clocks, bool outermost) {
  return with_leaves(formula, [&](const Formula& leaf) {
    const Unknown& unknown = *leaf.node().unknown;
    if (keep_clocks && unknown.slope && !outermost) return leaf;
    const Formula exact = solution(unknown.exact, keep_clocks, false);
    return leaf.node().kind == Kind::unknown ? exact : rate(exact);
  });
}

}  // namespace

Formula of_clocks(const Formula& formula) { return solution(formula, true, true); }
Formula of_time(const Formula& formula) { return solution(formula, false, true); }

Formula replaced(const Formula& formula, const Unknown& unknown, const Formula& by) {
  return with_leaves(formula, [&](const Formula& leaf) {
    if (leaf.node().unknown != &unknown) return leaf;
    return leaf.node().kind == Kind::unknown ? by : rate(by);
  });
}

}  // namespace driftless::fuzz
