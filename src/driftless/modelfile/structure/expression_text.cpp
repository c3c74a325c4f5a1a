#include "driftless/modelfile/structure/expression_text.h"

#include <fmt/format.h>

#include <cmath>

#include "driftless/expression/subgraph.h"

namespace driftless {

namespace {

constexpr int deepest = 6;

// Binding strength of what is printed: sums, products, powers, atoms.
enum Strength { logical = 0, comparison = 1, sum = 2, product = 3, unary = 4, atom = 6 };

struct Printed {
  std::string text;
  int strength;
};

class Printer {
 public:
  Printer(const Graph& graph, const SlotName& name_of) : graph_(graph), name_of_(name_of) {}

  Printed print(Expr e, int depth) const {
    const auto child = [&](int k) { return graph_.child(e, k); };
    const auto at = [&](int k, int strength) { return inside(child(k), strength, depth + 1); };
    switch (const Op op = graph_.op(e)) {
      case Op::constant: {
        const double value = graph_.number(e).at_compilation();
        return {fmt::format("{:.6g}", value), value < 0.0 ? unary : atom};
      }
      case Op::input: return {name_of_(graph_.slot(e)), atom};
      default:
        if (depth >= deepest) return {"...", atom};
        if (op == Op::multiply && child(0) == child(1)) return {fmt::format("{}^2", at(0, atom)), unary};
        if (const auto [sign, strength] = infix(op); sign)
          return {fmt::format("{}{}{}", at(0, strength), sign, at(1, strength + (commutes(op) ? 0 : 1))), strength};
        if (op == Op::negate) return {fmt::format("-{}", at(0, product)), sum};
        if (op == Op::select)
          return {fmt::format("(if {} then {} else {})", at(0, logical), at(1, logical), at(2, logical)), atom};
        if (op == Op::logical_not) return {fmt::format("not {}", at(0, atom)), comparison};
        return {arity(op) == 1 ? fmt::format("{}({})", name(op), at(0, logical))
                               : fmt::format("{}({}, {})", name(op), at(0, logical), at(1, logical)),
                atom};
    }
  }

 private:
  struct Infix {
    const char* sign;
    int strength;
  };
  static Infix infix(Op op) {
    switch (op) {
      case Op::add: return {" + ", sum};
      case Op::subtract: return {" - ", sum};
      case Op::multiply: return {"*", product};
      case Op::divide: return {"/", product};
      case Op::power: return {"^", unary + 1};
      case Op::less: return {" < ", comparison};
      case Op::less_equal: return {" <= ", comparison};
      case Op::equal: return {" == ", comparison};
      case Op::not_equal: return {" <> ", comparison};
      case Op::logical_and: return {" and ", logical};
      case Op::logical_or: return {" or ", logical};
      default: return {nullptr, 0};
    }
  }
  static bool commutes(Op op) { return op == Op::add || op == Op::multiply; }

  std::string inside(Expr e, int strength, int depth) const {
    const Printed text = print(e, depth);
    return text.strength < strength ? fmt::format("({})", text.text) : text.text;
  }

  const Graph& graph_;
  const SlotName& name_of_;
};

}  // namespace

std::string expression_text(const Graph& graph, Expr e, const SlotName& name_of) {
  return Printer(graph, name_of).print(e, 0).text;
}

std::string explain_not_finite(const Graph& graph, Expr e, std::span<const double> inputs, const SlotName& name_of) {
  if (std::isfinite(evaluate(graph, e, inputs))) return {};
  const auto text = [&](Expr x) { return expression_text(graph, x, name_of); };
  // The first in the order of evaluation that is not finite although its arguments are, and that matters: the value of
  // a branch that is not taken does not.
  std::vector<Expr> open{e};
  while (!open.empty()) {
    const Expr node = open.back();
    open.pop_back();
    const Op op = graph.op(node);
    if (op == Op::constant) continue;
    if (op == Op::input) return fmt::format("{} is {}", text(node), inputs[graph.slot(node)]);
    std::vector<Expr> guilty;
    const int first = op == Op::select ? 1 : 0;
    for (int k = first; k < arity(op); ++k) {
      if (op == Op::select && (evaluate(graph, graph.child(node, 0), inputs) != 0.0) != (k == 1)) continue;
      if (!std::isfinite(evaluate(graph, graph.child(node, k), inputs))) guilty.push_back(graph.child(node, k));
    }
    if (!guilty.empty()) {
      open.assign(1, guilty.front());
      continue;
    }
    const Expr a = graph.child(node, 0);
    const double x = evaluate(graph, a, inputs);
    if (op == Op::divide)
      return fmt::format("division by {}, which is {:.6g}", text(graph.child(node, 1)),
                         evaluate(graph, graph.child(node, 1), inputs));
    if (arity(op) == 1) return fmt::format("{}({}) has the argument {:.6g}", name(op), text(a), x);
    if (op == Op::power)
      return fmt::format("the power {} has the base {:.6g} and the exponent {:.6g}", text(node), x,
                         evaluate(graph, graph.child(node, 1), inputs));
    return fmt::format("{} is too large", text(node));
  }
  return "a constant is not finite";
}

}  // namespace driftless
