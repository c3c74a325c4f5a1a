// Nothing is allocated in a step after the first ones, whatever the form, the level and the kind of matrices.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/integrate/integrator.h"
#include "tests/unit/count_allocations.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace driftless::allocations_test {
namespace {

std::size_t allocations_after_three_steps(Integrator& run) {
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(run.step());
  const std::size_t before = allocation_count;
  while (!run.finished())
    if (run.step()) break;
  EXPECT_TRUE(run.finished());
  return allocation_count - before;
}

TEST(Allocations, NoneInCoupledSteps) {
  const auto run = make_integrator(testset::stiff_double_pendulum(1e6, 1e3),
                                   {.method = AdaptiveMethod::radau, .tolerance = {1e-6, 1e-6}}, 0.0, 10.0,
                                   testset::stiff_double_pendulum_start());
  EXPECT_EQ(allocations_after_three_steps(*run), 0u);
}

TEST(Allocations, NoneInSparseSteps) {
  const auto run =
      make_integrator(testset::reaction_diffusion(100), {.method = AdaptiveMethod::radau, .radau = {.most_stages = 3}},
                      0.0, 10.0, testset::reaction_diffusion_start(100));
  EXPECT_EQ(allocations_after_three_steps(*run), 0u);
}

TEST(Allocations, NoneInSparseStepsOfMechanics) {
  for (const ConstraintLevel level :
       {ConstraintLevel::acceleration, ConstraintLevel::position, ConstraintLevel::position_with_accelerations,
        ConstraintLevel::velocity, ConstraintLevel::ggl}) {
    const auto run = make_integrator(testset::rod_net(6),
                                     {.method = AdaptiveMethod::radau, .radau = {.most_stages = 3, .level = level}},
                                     0.0, 0.5, testset::rod_net_start(6));
    EXPECT_EQ(allocations_after_three_steps(*run), 0u);
  }
}

// Pairs of capacitors in a row, tied to each other by elements whose currents are multipliers: sparse, of index 2.
struct TiedPairs {
  std::size_t n;
  void f(auto u, auto current, auto t, auto out) const {
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = -u[i] + (i > 0 ? 0.5 * u[i - 1] : std::sin(t)) - current[i];
      out[n + i] = current[i] - (i + 1 < n ? 0.1 * u[n + i + 1] : 0.0 * u[0]);
    }
  }
  void g(auto u, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = u[n + i] + 0.01 * u[n + i] * u[n + i] * u[n + i] - u[i];
  }
};

TEST(Allocations, NoneInSparseStepsOfIndex2) {
  const std::size_t n = 40;
  const Equations equations = index2(TiedPairs{n}, {.u = 2 * n, .lambda = n});
  ASSERT_NE(std::get<Index2>(equations).functions().patterns(), nullptr);
  for (const AdaptiveMethod method : {AdaptiveMethod::radau, AdaptiveMethod::dop853, AdaptiveMethod::hem4}) {
    const auto run =
        make_integrator(equations, {.method = method, .radau = {.most_stages = 3}}, 0.0, 10.0, Vector(3 * n, 0.0));
    EXPECT_EQ(allocations_after_three_steps(*run), 0u) << static_cast<int>(method);
  }
}

// Pendulums in a row, held together by springs, in a medium that turns their reactions: sparse, of index 3.
struct HeldPendulums {
  std::size_t n;
  void f(auto, auto v, auto, auto out) const {
    for (std::size_t i = 0; i < 2 * n; ++i) out[i] = v[i];
  }
  void k(auto u, auto v, auto lambda, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) {
      out[2 * i] = -lambda[i] * u[2 * i] * (1.0 + 0.1 * v[2 * i] * v[2 * i]);
      out[2 * i + 1] = -lambda[i] * u[2 * i + 1] - 1.0;
      if (i > 0) out[2 * i] += 0.1 * (u[2 * i - 2] - u[2 * i]);
    }
  }
  void g(auto u, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = u[2 * i] * u[2 * i] + u[2 * i + 1] * u[2 * i + 1] - 1.0;
  }
  Vector start() const {
    Vector x(5 * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) x[2 * i] = 1.0;
    return x;
  }
};

TEST(Allocations, NoneInSparseStepsOfIndex3) {
  const HeldPendulums held{20};
  const Equations equations = index3(held, {.u = 40, .v = 40, .lambda = 20});
  ASSERT_NE(std::get<Index3>(equations).functions().patterns(), nullptr);
  for (const AdaptiveMethod method : {AdaptiveMethod::radau, AdaptiveMethod::dop853}) {
    const auto run =
        make_integrator(equations, {.method = method, .radau = {.most_stages = 3}}, 0.0, 1.0, held.start());
    EXPECT_EQ(allocations_after_three_steps(*run), 0u) << static_cast<int>(method);
  }
}

// One whole matrix of 6000 unknowns would be 288 MB.
TEST(Allocations, ManyUnknownsTakeNoWholeMatrix) {
  const std::size_t n = 2000, before = allocated_bytes;
  const auto run = make_integrator(index2(TiedPairs{n}, {.u = 2 * n, .lambda = n}), {.method = AdaptiveMethod::radau},
                                   0.0, 10.0, Vector(3 * n, 0.0));
  ASSERT_FALSE(run->step());
  EXPECT_LT(allocated_bytes - before, 60e6);
}

TEST(Allocations, NoneInAStep) {
  for (const char* name :
       {"pendulum_schropp", "andrews_squeezer", "hlr_index3", "mms_index2_gamma", "transistor_amplifier"}) {
    const auto problem = testset::problem(name);
    for (const auto method : {AdaptiveMethod::radau, AdaptiveMethod::dop853, AdaptiveMethod::dopri5,
                              AdaptiveMethod::hem4, AdaptiveMethod::automatic}) {
      if (method == AdaptiveMethod::hem4 && index_of(problem.equations) != 2 &&
          !std::holds_alternative<Mechanical>(problem.equations))
        continue;
      const auto run = make_integrator(problem.equations, {.method = method, .tolerance = {1e-6, 1e-6}}, problem.begin,
                                       problem.begin + (problem.begin == 0.0 ? 0.02 : 0.5), problem.start);
      for (int i = 0; i < 3 && !run->finished(); ++i) ASSERT_FALSE(run->step()) << name;
      const std::size_t before = allocation_count;
      for (int i = 0; i < 20 && !run->finished(); ++i)
        if (run->step()) break;
      EXPECT_EQ(allocation_count, before) << name << ", " << static_cast<int>(method);
    }
  }
}

}  // namespace
}  // namespace driftless::allocations_test
