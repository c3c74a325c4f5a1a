// Random expressions as a list of operations, which can be made into a graph or carried out directly, without algebra.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "driftless/autodiff/functions.h"
#include "driftless/expression/graph.h"
#include "driftless/expression/operations.h"

namespace driftless {

struct Recipe {
  struct Item {
    Op op;
    std::size_t a, b, c;
    double constant;
  };
  std::size_t inputs;
  std::vector<Item> items;  // the inputs come first
};

constexpr Op smooth_ops[] = {Op::negate, Op::sin,      Op::cos,      Op::tanh,     Op::atan,     Op::exp,
                             Op::add,    Op::add,      Op::add,      Op::subtract, Op::subtract, Op::divide,
                             Op::power,  Op::multiply, Op::multiply, Op::multiply, Op::sqrt,     Op::atan2,
                             Op::sinh,   Op::cosh,     Op::log,      Op::log10,    Op::tan,      Op::asin,
                             Op::acos,   Op::min,      Op::max,      Op::abs};

inline Op random_op(std::mt19937_64& random, bool smooth) {
  if (smooth) return smooth_ops[random() % std::size(smooth_ops)];
  const auto first = static_cast<std::uint64_t>(Op::negate), last = static_cast<std::uint64_t>(Op::select);
  return static_cast<Op>(first + random() % (last - first + 1));
}

// Every other one is a constant that the algebra treats specially.
inline double random_constant(std::mt19937_64& random) {
  constexpr double special[] = {0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, -0.5, 4.0, 1.5};
  if (random() % 2 == 0) return special[random() % std::size(special)];
  return std::uniform_real_distribution<>(-2.0, 2.0)(random);
}

inline Recipe random_recipe(std::mt19937_64& random, std::size_t inputs, std::size_t count, bool smooth) {
  Recipe recipe{inputs, {}};
  for (std::size_t k = 0; k < inputs; ++k) recipe.items.push_back({Op::input, k, 0, 0, 0.0});
  // Mostly recent ones, so that expressions become deep.
  const auto pick = [&] {
    const std::size_t n = recipe.items.size();
    return random() % 3 == 0 ? random() % n : n - 1 - random() % std::min<std::size_t>(n, 8);
  };
  while (recipe.items.size() < inputs + count) {
    if (random() % 5 == 0)
      recipe.items.push_back({Op::constant, 0, 0, 0, random_constant(random)});
    else
      recipe.items.push_back({random_op(random, smooth), pick(), pick(), pick(), 0.0});
  }
  return recipe;
}

inline std::vector<double> random_inputs(std::mt19937_64& random, std::size_t count) {
  std::vector<double> inputs(count);
  for (double& x : inputs) x = std::uniform_real_distribution<>(-2.0, 2.0)(random);
  return inputs;
}

inline std::vector<Expr> build(Graph& graph, const Recipe& recipe) {
  std::vector<Expr> made;
  for (const auto& [op, a, b, c, constant] : recipe.items) {
    if (op == Op::constant)
      made.push_back(graph.constant(constant));
    else if (op == Op::input)
      made.push_back(graph.input(static_cast<std::uint32_t>(a)));
    else if (arity(op) == 1)
      made.push_back(graph.apply(op, made[a]));
    else if (arity(op) == 2)
      made.push_back(graph.apply(op, made[a], made[b]));
    else
      made.push_back(graph.select(made[a], made[b], made[c]));
  }
  return made;
}

// Carries the operations out with `f(op, a, b, c)` on values of type T.
template <class T, class F>
std::vector<T> carry_out(const Recipe& recipe, const std::vector<T>& inputs, F f) {
  std::vector<T> values;
  values.reserve(recipe.items.size());
  for (const auto& [op, a, b, c, constant] : recipe.items) {
    if (op == Op::constant)
      values.push_back(T(constant));
    else if (op == Op::input)
      values.push_back(inputs[a]);
    else
      values.push_back(f(op, values[a], values[b], values[c]));
  }
  return values;
}

// A number with a bound of what rounding may have done to it; infinite if it might be anything.
struct Bounded {
  Bounded(double x = 0.0) : value(x) { settle(); }
  Bounded(double x, double error_) : value(x), error(error_) { settle(); }
  void settle() {
    if (!std::isfinite(value) || !std::isfinite(error)) error = std::numeric_limits<double>::infinity();
  }
  double value, error = 0.0;
};

// The bound of a result is what moving the operands within their bounds does to it, and some roundings of its own.
inline Bounded compute_bounded(Op op, const Bounded& a, const Bounded& b, const Bounded& c) {
  const Bounded* operands[] = {&a, &b, &c};
  const double value = compute(op, a.value, b.value, c.value);
  double error = 40.0 * std::numeric_limits<double>::epsilon() * std::abs(value) + 1e-300;
  for (int k = 0; k < arity(op); ++k) {
    for (const double shift : {-2.0, 2.0}) {
      double moved[] = {a.value, b.value, c.value};
      moved[k] += shift * operands[k]->error;
      const double difference = std::abs(compute(op, moved[0], moved[1], moved[2]) - value);
      error = difference == difference && std::isfinite(operands[k]->error) ? std::max(error, error + difference)
                                                                            : std::numeric_limits<double>::infinity();
    }
  }
  return {value, error};
}

// Derivative types of the library know the smooth operations. At a kink, or without a value, nothing is promised: NaN.
template <class X>
X compute_smooth(Op op, const X& a, const X& b) {
  const bool kink = (op == Op::abs && a.value == 0.0) || ((op == Op::min || op == Op::max) && a.value == b.value);
  if (kink || !std::isfinite(a.value) || !std::isfinite(b.value)) return a * std::numeric_limits<double>::quiet_NaN();
  switch (op) {
    case Op::negate: return -a;
    case Op::abs: return abs(a);
    case Op::sqrt: return sqrt(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::log10: return log10(a);
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return tan(a);
    case Op::asin: return asin(a);
    case Op::acos: return acos(a);
    case Op::atan: return atan(a);
    case Op::sinh: return sinh(a);
    case Op::cosh: return cosh(a);
    case Op::tanh: return tanh(a);
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return pow(a, b);
    case Op::atan2: return atan2(a, b);
    case Op::min: return min(a, b);
    case Op::max: return max(a, b);
    default: return a;
  }
}

}  // namespace driftless
