// A stop is seen inside the step, the start or the search that it comes in, not after it.
#include "driftless/core/stop.h"

#include <gtest/gtest.h>

#include "driftless/driftless.h"
#include "driftless/linalg/lu.h"

namespace driftless::stop_test {
namespace {

// u' = -u, with a call of f that asks for an end.
struct Stopping {
  std::stop_source source = {};
  int calls = 0, at = 0;
  void count() {
    if (++calls == at) source.request_stop();
  }
};

struct Decay {
  Stopping* stopping;
  template <class T>
  void f(In<T> x, T, Out<T> out) const {
    stopping->count();
    out[0] = -x[0];
  }
};

Equations decay(Stopping& stopping) {
  return index1(Decay{&stopping}, {.projector = Matrix::identity(1), .x_names = {"x"}});
}

Solution run(Stopping& stopping, SolveOptions options) {
  const Equations equations = decay(stopping);
  stopping.calls = 0;
  options.stop = stopping.source.get_token();
  return solve(equations, {1.0}, options);
}

TEST(Stop, IsSeenInsideAnImplicitStep) {
  for (const int at : {3, 6, 9}) {
    Stopping stopping{.at = at};
    const Solution solution = run(stopping, {.adaptive = AdaptiveMethod::radau, .stepping = {.first = 0.5}});
    ASSERT_FALSE(solution.ok());
    EXPECT_EQ(solution.failure().kind, FailureKind::stopped);
    EXPECT_EQ(solution.statistics().steps, 0u) << at;
    EXPECT_EQ(solution.size(), 1u);  // the start is kept
    EXPECT_LE(stopping.calls, at + 8) << "no more than one iteration";
  }
}

TEST(Stop, IsSeenInsideAFixedStep) {
  Stopping stopping{.at = 3};
  const Solution solution = run(stopping, {.steps = 10, .method = {.tableau = gauss(3)}});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().kind, FailureKind::stopped);
  EXPECT_EQ(solution.statistics().steps, 0u);
}

TEST(Stop, IsSeenInTheSearchForAnEvent) {
  Stopping stopping;
  int calls = 0;
  const Event event{.name = "half", .root = [&](double, ConstSpan x) {
                      if (++calls == 15) stopping.source.request_stop();
                      return x[0] - 0.5;
                    }};
  const Solution solution = run(stopping, {.adaptive = AdaptiveMethod::radau, .events = {event}});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().kind, FailureKind::stopped);
  EXPECT_LE(calls, 16);
}

TEST(Stop, BeforeTheStartNothingIsComputed) {
  Stopping stopping{.at = 0};
  stopping.source.request_stop();
  const Solution solution = run(stopping, {});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().kind, FailureKind::stopped);
  EXPECT_EQ(stopping.calls, 0);
}

TEST(Stop, OfTheCallerEndsARunThatHasNoTokenOfItsOwn) {
  Stopping stopping;
  const Equations equations = decay(stopping);
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  EXPECT_EQ(solve(equations, {1.0}, {}).failure().kind, FailureKind::stopped);
}

TEST(Stop, IsSeenInsideADenseFactorisation) {
  std::stop_source source;
  RealLu real(200);
  ComplexLu complex(200);
  for (std::size_t i = 0; i < 200; ++i) real.matrix()(i, i) = complex.real()(i, i) = 2.0;
  EXPECT_TRUE(real.factorise());
  const StopScope scope(source.get_token());
  source.request_stop();
  EXPECT_THROW(real.factorise(), Stopped);
  EXPECT_THROW(complex.factorise(), Stopped);
}

}  // namespace
}  // namespace driftless::stop_test
