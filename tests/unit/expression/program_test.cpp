#include "driftless/expression/program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "../count_allocations.h"
#include "driftless/core/failure.h"
#include "driftless/expression/differentiate.h"

namespace driftless::program_test {
namespace {

std::vector<Engine> engines() {
  if (machine_code_available()) return {Engine::interpreter, Engine::machine_code};
  return {Engine::interpreter};
}

std::vector<double> run(const Program& program, const std::vector<double>& inputs) {
  std::vector<double> outputs(program.outputs(), -77.0);
  program.run(inputs.data(), outputs.data());
  return outputs;
}

#if defined(__x86_64__) && defined(__linux__) && !defined(DRIFTLESS_NO_MACHINE_CODE)
TEST(Program, IsMachineCodeHere) {
  EXPECT_TRUE(machine_code_available());
  EXPECT_EQ(Program(Graph(), {}).engine(), Engine::machine_code);
}
#endif

TEST(Program, WithoutOutputsDoesNothing) {
  const Program none;
  none.run(nullptr, nullptr);
  EXPECT_EQ(none.outputs(), 0u);
  EXPECT_EQ(none.operations(), 0u);
  const Graph graph;
  for (const Engine engine : engines()) Program(graph, {}, engine).run(nullptr, nullptr);
}

TEST(Program, OutputsMayBeInputsConstantsOrRepeated) {
  Graph g;
  const Expr x = g.input(3), s = g.apply(Op::sin, x);
  const Expr outputs[] = {x, g.constant(2.5), s, s, g.apply(Op::cos, x), {}, x, g.negate(s)};
  for (const Engine engine : engines()) {
    const Program program(g, outputs, engine);
    EXPECT_EQ(program.engine(), engine);
    EXPECT_EQ(program.outputs(), 8u);
    EXPECT_EQ(program.inputs(), 4u);
    EXPECT_EQ(program.operations(), 3u);
    const double sine = std::sin(0.7), cosine = std::cos(0.7);
    EXPECT_EQ(run(program, {0, 0, 0, 0.7}), (std::vector<double>{0.7, 2.5, sine, sine, cosine, 0, 0.7, -sine}));
  }
}

TEST(Program, OutputsGoToSeveralArrays) {
  Graph g;
  const Expr x = g.input(0), y = g.input(1), s = g.apply(Op::sin, x), c = g.apply(Op::cos, x);
  const Expr outputs[] = {x, s, {}, g.add(c, y), c, g.apply(Op::exp, g.add(s, y)), g.multiply(s, c), g.constant(2.5),
                          s};
  for (const Engine engine : engines())
    for (const std::vector<std::size_t>& sizes :
         std::vector<std::vector<std::size_t>>{{9}, {2, 7}, {0, 3, 0, 4, 2, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
      const double inputs[] = {0.7, -0.2};
      const std::vector<double> expected = run(Program(g, outputs, engine), {0.7, -0.2});
      std::vector<std::vector<double>> parts;
      std::vector<double*> addresses;
      for (const std::size_t size : sizes) parts.emplace_back(size + 1, -77.0);
      for (auto& part : parts) addresses.push_back(part.data());
      Program(g, outputs, engine, sizes).run_into(inputs, addresses.data());
      std::vector<double> found;
      for (const auto& part : parts) {
        found.insert(found.end(), part.begin(), part.end() - 1);
        EXPECT_EQ(part.back(), -77.0);
      }
      EXPECT_EQ(found, expected);
    }
  const std::size_t wrong[] = {4, 4};
  EXPECT_THROW(Program(g, outputs, Engine::interpreter, wrong), Misuse);
}

TEST(Program, LeavesOutWhatNoOutputNeeds) {
  Graph g;
  const Expr x = g.input(0);
  const Expr used = g.add(x, g.constant(1));
  g.apply(Op::exp, used);
  EXPECT_EQ(Program(g, std::span(&used, 1)).operations(), 1u);
}

TEST(Program, NegativeConstantFactorsCostNothing) {
  Graph g;
  const Expr x = g.input(0), e = g.multiply(g.constant(-3), x), q = g.divide(g.constant(-5), x);
  const Expr outputs[] = {e, q};
  for (const Engine engine : engines()) {
    const Program program(g, outputs, engine);
    EXPECT_EQ(program.operations(), 2u);
    EXPECT_EQ(run(program, {4}), (std::vector<double>{-12, -1.25}));
  }
}

TEST(Program, SelectPicksEvenBesideNaN) {
  Graph g;
  const Expr x = g.input(0), positive = g.apply(Op::less, {}, x);
  const Expr outputs[] = {g.select(positive, g.apply(Op::log, x), g.constant(-1)),
                          g.select(positive, g.constant(5), g.apply(Op::log, x)), g.select(x, x, g.constant(3))};
  for (const Engine engine : engines()) {
    const Program program(g, outputs, engine);
    EXPECT_EQ(run(program, {1})[0], 0.0);
    EXPECT_EQ(run(program, {-1})[0], -1.0);
    EXPECT_EQ(run(program, {1})[1], 5.0);
    EXPECT_TRUE(std::isnan(run(program, {-1})[1]));
    EXPECT_EQ(run(program, {0})[2], 3.0);
    EXPECT_TRUE(std::isnan(run(program, {NAN})[2]));
  }
}

// A sum of many products, with its gradient: more values at once than there are registers.
TEST(Program, MoreValuesThanRegisters) {
  Graph g;
  constexpr std::uint32_t n = 200;
  std::vector<double> inputs;
  std::vector<Expr> terms;
  for (std::uint32_t k = 0; k < n; ++k) {
    terms.push_back(g.apply(Op::exp, g.multiply(g.input(k), g.input((k + 7) % n))));
    inputs.push_back(0.01 * k - 1);
  }
  Expr forward{}, backward{};
  for (std::uint32_t k = 0; k < n; ++k) forward = g.add(forward, g.multiply(g.constant(k), terms[k]));
  for (std::uint32_t k = n; k-- > 0;) backward = g.add(g.multiply(backward, g.constant(0.5)), terms[k]);
  std::vector<Expr> outputs = {g.multiply(forward, backward)};
  for (const Partial& p : gradient(g, outputs[0])) outputs.push_back(p.derivative);
  ASSERT_EQ(outputs.size(), n + 1);
  for (const Engine engine : engines()) {
    const auto found = run(Program(g, outputs, engine), inputs);
    for (std::size_t k = 0; k < outputs.size(); k += 10) EXPECT_EQ(found[k], evaluate(g, outputs[k], inputs)) << k;
  }
}

TEST(Program, CopiesShareTheCodeAndOutliveTheGraph) {
  Program copy;
  {
    Graph g;
    const Expr e = g.multiply(g.input(0), g.constant(3));
    const Program original(g, std::span(&e, 1));
    copy = original;
  }
  EXPECT_EQ(run(copy, {2})[0], 6.0);
}

TEST(Program, RefusesForeignExpressions) {
  const Graph g;
  const Expr e{5};
  EXPECT_THROW(Program(g, std::span(&e, 1)), Misuse);
}

// Long enough to need memory for intermediate values.
std::vector<Expr> busy_outputs(Graph& g, std::uint32_t n) {
  std::vector<Expr> values;
  for (std::uint32_t k = 0; k < n; ++k)
    values.push_back(g.apply(Op::sin, g.multiply(g.constant(k + 1), g.input(k % 3))));
  std::vector<Expr> outputs;
  for (std::uint32_t k = 0; k < n; ++k) outputs.push_back(g.multiply(values[k], values[(k * 7 + 1) % n]));
  Expr sum{};
  for (const Expr e : outputs) sum = g.add(sum, e);
  outputs.push_back(sum);
  return outputs;
}

TEST(Program, RunsInManyThreadsAtOnce) {
  Graph g;
  const auto outputs = busy_outputs(g, 500);
  for (const Engine engine : engines()) {
    const Program program(g, outputs, engine);
    std::vector<std::thread> threads;
    std::vector<int> wrong(8, 0);
    for (std::size_t id = 0; id < wrong.size(); ++id)
      threads.emplace_back([&, id] {
        const std::vector<double> inputs = {0.1 * static_cast<double>(id), 0.5, -0.25};
        const auto expected = run(program, inputs);
        for (int k = 0; k < 200; ++k) wrong[id] += run(program, inputs) == expected ? 0 : 1;
        wrong[id] += expected.back() == evaluate(g, outputs.back(), inputs) ? 0 : 1;
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(8, 0));
  }
}

TEST(Program, AllocatesNothingAfterTheFirstRun) {
  Graph g;
  const auto outputs = busy_outputs(g, 500);
  const double inputs[] = {0.1, 0.2, 0.3};
  std::vector<double> found(outputs.size());
  for (const Engine engine : engines()) {
    const Program program(g, outputs, engine);
    program.run(inputs, found.data());
    const std::size_t before = allocation_count;
    for (int k = 0; k < 10; ++k) program.run(inputs, found.data());
    EXPECT_EQ(allocation_count, before);
  }
}

}  // namespace
}  // namespace driftless::program_test
