// Numbers that remember how they were computed, and decisions that were made on them.
#include "driftless/expression/parameter_trace.h"

#include <gtest/gtest.h>

#include "driftless/expression/program.h"

namespace driftless::parameter_trace_test {
namespace {

class Trace : public testing::Test {
 protected:
  std::shared_ptr<ParameterTrace> trace = std::make_shared<ParameterTrace>();
  Tracing tracing{trace.get()};
  Number p = trace->parameter(3.0), q = trace->parameter(2.0 * p);

  ParameterValues with(std::optional<double> p_value, std::optional<double> q_value = {}) {
    return ParameterValues(trace, {p_value, q_value});
  }
};

TEST_F(Trace, NumbersAreComputedAgain) {
  const Number sum = sqrt(p * p + q * q) / 2.0;
  EXPECT_EQ(with(1.0).of(sum), std::sqrt(1.0 + 4.0) / 2.0);
  EXPECT_EQ(with(1.0, 7.0).of(sum), std::sqrt(1.0 + 49.0) / 2.0);
  EXPECT_EQ(with({}).of(sum), sum.at_compilation());
  EXPECT_EQ(with(1.0).of(Number(5.0)), 5.0);
}

TEST_F(Trace, DecisionsAreGuarded) {
  EXPECT_TRUE(with(-1.0).fit());
  EXPECT_TRUE(p > 2.0);
  EXPECT_TRUE(with(2.5).fit());
  EXPECT_FALSE(with(2.0).fit());
  EXPECT_EQ(q.pinned(), 6.0);
  EXPECT_FALSE(with(2.5).fit());
  EXPECT_TRUE(with(2.5, 6.0).fit());
}

// A size that was needed to read a model stays, and what follows from it is a plain number; what is pinned later is
// still computed on record.
TEST_F(Trace, WhatIsPinnedWhileReadingIsComputedOnce) {
  EXPECT_EQ(p.pinned(), 3.0);
  const std::size_t before = trace->size();
  const Number third = 1.0 / p;
  EXPECT_FALSE(third.depends());
  EXPECT_EQ(third.at_compilation(), 1.0 / 3.0);
  EXPECT_TRUE(p > 2.0);
  EXPECT_EQ(trace->size(), before);
  EXPECT_FALSE(with(4.0).fit());
  trace->reading_is_done();
  EXPECT_EQ(q.pinned(), 6.0);
  EXPECT_TRUE((1.0 / q).depends());
  EXPECT_GT(trace->size(), before);
}

TEST_F(Trace, ProgramsLoadWhatDependsOnParameters) {
  Graph graph;
  graph.set_trace(trace);
  const Expr product = graph.multiply(graph.constant(p), graph.multiply(graph.constant(q), graph.input(0)));
  const Expr outputs[] = {product, graph.negate(product), graph.constant(q)};
  for (const Engine engine : {Engine::interpreter, Engine::automatic}) {
    const Program program(graph, outputs, engine);
    const double x = 0.5;
    double out[3];
    EXPECT_THROW(program.run(&x, out), std::logic_error);
    const ParameterValues values = with(4.0);
    program.run(&x, out, &values);
    EXPECT_EQ(out[0], 16.0);
    EXPECT_EQ(out[1], -16.0);
    EXPECT_EQ(out[2], 8.0);
    const ParameterValues none = with(0.0);  // the product of the factors is a normal number
    EXPECT_THROW(program.run(&x, out, &none), OtherDecision);
  }
}

TEST_F(Trace, OneAndSignsAreNoSpecialCases) {
  Graph graph;
  graph.set_trace(trace);
  const Number one = p - 2.0;
  EXPECT_EQ(graph.op(graph.multiply(graph.constant(one), graph.input(0))), Op::multiply);
  EXPECT_TRUE(with(1.0).fit());   // -1
  EXPECT_FALSE(with(2.0).fit());  // 0
}

TEST_F(Trace, ForgettingLeavesTheGraphAsItWas) {
  Graph graph;
  graph.set_trace(trace);
  const Expr x = graph.input(0), y = graph.input(1), product = graph.multiply(x, y);
  const std::size_t size = graph.size();
  for (int k = 0; k < 1000; ++k) graph.add(product, graph.constant(k + 0.5));
  graph.truncate(size);
  EXPECT_EQ(graph.size(), size);
  EXPECT_EQ(graph.multiply(y, x), product);
  EXPECT_EQ(graph.add(x, y).id, size);
}

}  // namespace
}  // namespace driftless::parameter_trace_test
