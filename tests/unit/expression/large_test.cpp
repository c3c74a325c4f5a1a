// Graphs as large as a large model: nothing may recurse, and nothing may cost more than what it looks at.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/expression/differentiate.h"
#include "driftless/expression/program.h"
#include "effort.h"

namespace driftless::large_test {
namespace {

constexpr std::uint32_t deep = 1000000 / effort_divisor;

// x_{k+1} = x_k y + c_k, so deep that recursion would overflow the stack.
Expr deep_chain(Graph& g, std::uint32_t length) {
  Expr e = g.input(0);
  const Expr y = g.input(1);
  for (std::uint32_t k = 0; 2 * k < length; ++k) e = g.add(g.multiply(e, y), g.constant(1.0 + k % 17));
  return e;
}

double deep_value(std::uint32_t length, double x, double y) {
  for (std::uint32_t k = 0; 2 * k < length; ++k) x = x * y + (1.0 + k % 17);
  return x;
}

TEST(Large, DeepChainsDoNotOverflowTheStack) {
  Graph g;
  const Expr e = deep_chain(g, deep);
  EXPECT_GE(g.size(), std::size_t{deep});
  const std::vector<double> inputs = {0.5, 0.75};
  EXPECT_EQ(evaluate(g, e, inputs), deep_value(deep, 0.5, 0.75));
  EXPECT_EQ(inputs_of(g, e), (std::vector<std::uint32_t>{0, 1}));
  const Expr other = substitute(g, e, {{1, g.input(2)}});
  EXPECT_EQ(evaluate(g, other, {{0.5, 0, 0.75}}), deep_value(deep, 0.5, 0.75));
}

TEST(Large, DeepChainsAreDifferentiatedAndCompiled) {
  Graph g;
  const std::uint32_t length = deep / 5;
  const Expr e = deep_chain(g, length);
  const auto partials = gradient(g, e);
  ASSERT_EQ(partials.size(), 2u);
  const std::vector<double> inputs = {0.5, 0.75};
  const double h = 1e-6;
  const double slope = (deep_value(length, 0.5, 0.75 + h) - deep_value(length, 0.5, 0.75 - h)) / (2 * h);
  const Expr outputs[] = {e, partials[1].derivative, differentiate(g, e, 1)};
  for (const Engine engine : {Engine::interpreter, Engine::automatic}) {
    const Program program(g, outputs, engine);
    double found[3];
    program.run(inputs.data(), found);
    EXPECT_EQ(found[0], deep_value(length, 0.5, 0.75));
    EXPECT_NEAR(found[1], slope, 1e-4 * std::abs(slope));
    EXPECT_NEAR(found[2], found[1], 1e-12 * std::abs(slope));
  }
}

// The gradient of a product of n factors needs a multiple of n operations, not of n^2.
TEST(Large, GradientsAreLinearInTheSize) {
  for (const std::uint32_t n : {1000u, 10000u}) {
    Graph g;
    Expr product = g.constant(1);
    for (std::uint32_t k = 0; k < n; ++k) product = g.multiply(product, g.apply(Op::sin, g.input(k)));
    std::vector<Expr> outputs = {product};
    for (const Partial& p : gradient(g, product)) outputs.push_back(p.derivative);
    EXPECT_EQ(outputs.size(), n + 1);
    EXPECT_LT(operations_in(g, outputs), 6 * n);
    EXPECT_GT(operations_in(g, outputs), 3 * n);
  }
}

// Were each of these calls to look at the whole graph, this would take hours.
TEST(Large, SmallExpressionsInALargeGraphStayCheap) {
  Graph g;
  deep_chain(g, deep);
  double sum = 0.0;
  constexpr std::uint32_t calls = 20000 / effort_divisor;
  for (std::uint32_t k = 0; k < calls; ++k) {
    const Expr e = g.multiply(g.apply(Op::sin, g.input(k + 2)), g.input(k + 3));
    sum += static_cast<double>(gradient(g, e).size() + inputs_of(g, e).size());
    const Expr changed = substitute(g, e, {{k + 2, {}}});
    sum += g.is_constant(changed) ? 1 : 0;
    sum += g.is_constant(derivative_along(g, e, {{1, g.constant(1.0)}})) ? 1 : 0;
  }
  EXPECT_EQ(sum, 6.0 * calls);
}

}  // namespace
}  // namespace driftless::large_test
