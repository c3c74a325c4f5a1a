// Thousands of random graphs: algebra against no algebra, the engines against each other, derivatives against the
// automatic ones of the library.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "driftless/expression/differentiate.h"
#include "driftless/expression/engine.h"
#include "driftless/expression/program.h"
#include "effort.h"
#include "recipe.h"

namespace driftless::random_test {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

TEST(Random, AlgebraChangesFiniteResultsByRoundingOnly) {
  std::mt19937_64 random(1);
  std::size_t compared = 0, all = 0;
  for (int round = 0; round < 2000 / effort_divisor; ++round) {
    const Recipe recipe = random_recipe(random, 3, 30, false);
    const std::vector<double> inputs = random_inputs(random, 3);
    Graph graph;
    const std::vector<Expr> exprs = build(graph, recipe);
    const auto meant = carry_out<Bounded>(recipe, std::vector<Bounded>(inputs.begin(), inputs.end()), compute_bounded);
    for (std::size_t k = 0; k < exprs.size(); ++k) {
      ++all;
      if (!(meant[k].error < 1e-3 * (1.0 + std::abs(meant[k].value)))) continue;
      ++compared;
      ASSERT_NEAR(evaluate(graph, exprs[k], inputs), meant[k].value, meant[k].error)
          << "round " << round << " item " << k;
    }
  }
  EXPECT_GT(compared, all / 2);
}

// Inputs that make infinities, NaN and zeros of both signs, too.
std::vector<double> nasty_inputs(std::mt19937_64& random, std::size_t count) {
  constexpr double nasty[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 1e300, -1e-300, 5e-324};
  std::vector<double> inputs = random_inputs(random, count);
  for (double& x : inputs)
    if (random() % 3 == 0) x = nasty[random() % std::size(nasty)];
  return inputs;
}

TEST(Random, EnginesAgreeToTheLastBit) {
  std::mt19937_64 random(2);
  std::size_t different_from_nan = 0;
  for (int round = 0; round < 2000 / effort_divisor; ++round) {
    const std::size_t size = round % 40 > 0 ? 40 : 2000;
    const Recipe recipe = random_recipe(random, 4, size, false);
    Graph graph;
    std::vector<Expr> exprs = build(graph, recipe);
    if (round % 2 == 1) exprs.erase(exprs.begin(), exprs.end() - 10);
    const Tape tape(graph, exprs);
    const auto interpreter = make_interpreter(tape);
    const std::unique_ptr<ExecutionEngine> compiled[] = {make_machine_code(tape),
                                                         make_machine_code(tape, InstructionSet::sse2)};
    std::vector<double> expected(exprs.size()), found(exprs.size());
    for (int trial = 0; trial < 3; ++trial) {
      const std::vector<double> inputs = nasty_inputs(random, 4);
      interpreter->run(inputs.data(), expected.data());
      for (std::size_t k = exprs.size(); k-- > 0 && k + 10 > exprs.size();)
        ASSERT_TRUE(same(evaluate(graph, exprs[k], inputs), expected[k])) << "round " << round << " output " << k;
      for (const auto& code : compiled) {
        if (code == nullptr) continue;
        code->run(inputs.data(), found.data());
        for (std::size_t k = 0; k < exprs.size(); ++k) {
          different_from_nan += std::isnan(expected[k]) ? 0 : 1;
          ASSERT_TRUE(same(found[k], expected[k]))
              << "round " << round << " output " << k << ": " << found[k] << " " << expected[k];
        }
      }
    }
  }
  if (machine_code_available()) {
    EXPECT_GT(different_from_nan, 300000u / effort_divisor);
  }
}

// Where a small change of the inputs changes the derivatives a lot, so does rounding: not compared.
struct Conditioned {
  double value, difference;
};
template <class X, class F>
std::vector<Conditioned> with_condition(const Recipe& recipe, std::vector<X> inputs, F component) {
  const auto step = [](Op op, const X& a, const X& b, const X&) { return compute_smooth(op, a, b); };
  const auto at = carry_out<X>(recipe, inputs, step);
  for (X& x : inputs) x.value *= 1.0 + 1e-13;
  const auto beside = carry_out<X>(recipe, inputs, step);
  std::vector<Conditioned> result;
  for (std::size_t k = 0; k < at.size(); ++k)
    result.push_back({component(at[k]), std::abs(component(beside[k]) - component(at[k]))});
  return result;
}

class DerivativeCount {
 public:
  void compare(double found, Conditioned meant, const std::string& where) {
    ++all_;
    const double scale = 1.0 + std::abs(meant.value);
    if (!(meant.difference < 1e-9 * scale)) return;  // NaN included
    ++compared_;
    EXPECT_NEAR(found, meant.value, 1e-7 * scale) << where;
  }
  bool most_were_compared() const { return compared_ > all_ / 2; }

 private:
  std::size_t all_ = 0, compared_ = 0;
};

TEST(Random, GradientsAreThoseOfAutomaticDifferentiation) {
  constexpr int n = 3;
  using X = Dual<double, n>;
  std::mt19937_64 random(3);
  DerivativeCount count;
  for (int round = 0; round < 1500 / effort_divisor && !testing::Test::HasFailure(); ++round) {
    const Recipe recipe = random_recipe(random, n, 20, true);
    const std::vector<double> inputs = random_inputs(random, n);
    std::vector<X> seeded(inputs.begin(), inputs.end());
    for (int i = 0; i < n; ++i) seeded[static_cast<std::size_t>(i)].d.set(i, 1.0);
    Graph graph;
    const std::vector<Expr> exprs = build(graph, recipe);
    const auto rows = jacobian(graph, exprs);
    for (std::uint32_t slot = 0; slot < n; ++slot) {
      const auto meant = with_condition(recipe, seeded, [=](const X& x) { return x.d.get(static_cast<int>(slot)); });
      for (std::size_t k = 0; k < exprs.size(); ++k) {
        const auto where = [&](const char* what) {
          return fmt::format("{} round {} item {} slot {}", what, round, k, slot);
        };
        const auto pick = [&](const std::vector<Partial>& partials) {
          Expr derivative{};
          for (const Partial& p : partials)
            if (p.slot == slot) derivative = p.derivative;
          return evaluate(graph, derivative, inputs);
        };
        count.compare(pick(gradient(graph, exprs[k])), meant[k], where("gradient"));
        count.compare(pick(rows[k]), meant[k], where("jacobian"));
        count.compare(evaluate(graph, differentiate(graph, exprs[k], slot), inputs), meant[k], where("differentiate"));
      }
    }
  }
  EXPECT_TRUE(count.most_were_compared());
}

TEST(Random, SecondDerivativesAlongACurve) {
  using X = Taylor<double>;
  std::mt19937_64 random(4);
  DerivativeCount count;
  for (int round = 0; round < 1500 / effort_divisor && !testing::Test::HasFailure(); ++round) {
    const Recipe recipe = random_recipe(random, 2, 15, true);
    // x = inputs 0 and 1, their speeds are inputs 2 and 3, and constant
    const std::vector<double> inputs = random_inputs(random, 4);
    Graph graph;
    const std::vector<Expr> exprs = build(graph, recipe);
    const std::unordered_map<std::uint32_t, Expr> direction = {{0, graph.input(2)}, {1, graph.input(3)}};
    const auto second = derivative_along(graph, derivative_along(graph, exprs, direction), direction);
    const std::vector<X> curve = {X(inputs[0], inputs[2], 0.0), X(inputs[1], inputs[3], 0.0)};
    const auto meant = with_condition(recipe, curve, [](const X& x) { return x.second; });
    for (std::size_t k = 0; k < exprs.size(); ++k)
      count.compare(evaluate(graph, second[k], inputs), meant[k], fmt::format("round {} item {}", round, k));
  }
  EXPECT_TRUE(count.most_were_compared());
}

}  // namespace
}  // namespace driftless::random_test
