// Unknowns that nothing else depends on: their errors come from quadratures alone, of the time, of states or of the
// multiplier, and an estimate that compares slopes at the same time does not see them.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"

namespace driftless::quadrature_test {
namespace {

struct Named {
  AdaptiveMethod method;
  const char* name;
};
constexpr Named explicit_methods[] = {{AdaptiveMethod::hem3, "hem3"},
                                      {AdaptiveMethod::hem4, "hem4"},
                                      {AdaptiveMethod::hem5, "hem5"},
                                      {AdaptiveMethod::dopri5, "dopri5"},
                                      {AdaptiveMethod::dop853, "dop853"}};

// a(t) = (t - p)^2 + w^2, and the integral of 2 t/a(t) from 0 to 2: with s = t - p, log(s^2 + w^2) + 2 p atan(s/w)/w.
struct Peak {
  double place, width;
  auto hollow(auto t) const { return (t - place) * (t - place) + width * width; }
  double integral() const {
    const double from = -place, to = 2.0 - place;
    return std::log(hollow(2.0) / hollow(0.0)) +
           2.0 * place / width * (std::atan(to / width) - std::atan(from / width));
  }
};

struct DrivenByMultiplier : Peak {  // x = t^2, so lambda = 2 t/a(t)
  void f(auto, auto lambda, auto t, auto du) const {
    du[0] = hollow(t) * lambda[0];
    du[1] = lambda[0];
  }
  void g(auto u, auto t, auto out) const { out[0] = u[0] - t * t; }
};
struct Autonomous : Peak {  // the same with a clock for the time
  void f(auto u, auto lambda, auto, auto du) const {
    du[0] = hollow(u[2]) * lambda[0];
    du[1] = lambda[0];
    du[2] = 1.0;
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] - u[2] * u[2]; }
};
struct DrivenByTime : Peak {
  void f(auto, auto lambda, auto t, auto du) const {
    du[0] = lambda[0];
    du[1] = 2.0 * t / hollow(t);
  }
  void g(auto u, auto t, auto out) const { out[0] = u[0] - t * t; }
};
struct BesideARotation : Peak {  // what is resolved well must not hide what is not
  void f(auto u, auto lambda, auto t, auto du) const {
    du[0] = hollow(t) * lambda[0];
    du[1] = lambda[0];
    du[2] = -5.0 * u[3];
    du[3] = 5.0 * u[2];
  }
  void g(auto u, auto t, auto out) const { out[0] = u[0] - t * t; }
};
struct DrivenMechanism : Peak {  // a point on the unit circle turned by no force, and a state beside it
  void force(auto, auto, auto, auto, auto out) const { out[0] = out[1] = 0.0; }
  void states(auto, auto, auto, auto t, auto ds) const { ds[0] = 2.0 * t / hollow(t); }
  void constraint(auto q, auto, auto out) const { out[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0); }
};

struct Case {
  const char* name;
  Equations equations;
  Vector start;
  std::size_t integral;  // its place among the unknowns
};
std::vector<Case> cases_of(const Peak& peak) {
  const double lambda = 0.0;  // 2 t/a(t) at 0
  return {{"multiplier", index2(DrivenByMultiplier{peak}, {.u = 2, .lambda = 1}), {0.0, 0.0, lambda}, 1},
          {"autonomous", index2(Autonomous{peak}, {.u = 3, .lambda = 1}), {0.0, 0.0, 0.0, lambda}, 1},
          {"time", index2(DrivenByTime{peak}, {.u = 2, .lambda = 1}), {0.0, 0.0, lambda}, 1},
          {"rotation", index2(BesideARotation{peak}, {.u = 4, .lambda = 1}), {0.0, 0.0, 1.0, 0.0, lambda}, 1},
          {"mechanism",
           mechanical(DrivenMechanism{peak}, {.q = 2, .s = 1, .lambda = 1}),
           {1.0, 0.0, 0.0, 1.0, 0.0, 1.0},
           4}};
}

struct Outcome {
  double error;  // over the tolerance
  std::size_t steps;
};
Outcome run(const Case& tested, AdaptiveMethod method, double tolerance, double exact) {
  const Solution solution =
      solve(tested.equations, tested.start,
            {.span = {0.0, 2.0}, .adaptive = method, .tolerance = {tolerance, tolerance}, .dense = false});
  solution.or_throw();
  const double error = std::abs(solution.state(solution.size() - 1)[tested.integral] - exact);
  return {error / (tolerance * std::fmax(1.0, std::abs(exact))), solution.statistics().steps};
}

TEST(Quadrature, IsRightToTheToleranceWithEveryExplicitMethod) {
  for (const double width : {0.3, 0.0316227766016838})
    for (const Peak peak{1.0, width}; const Case& tested : cases_of(peak))
      for (const auto& [method, name] : explicit_methods)
        for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
          const Outcome outcome = run(tested, method, tolerance, peak.integral());
          EXPECT_LT(outcome.error, 3.0) << tested.name << ", " << name << ", width " << width << ", " << tolerance;
        }
}

// The value that was 512: int_0^2 2 t/((1 - t)^2 + 1e-3) dt = 4 atan(1/w)/w, as log(a(2)/a(0)) = 0.
TEST(Quadrature, ClosedFormOfThePeakInTheMiddle) {
  const double width = std::sqrt(1e-3);
  EXPECT_NEAR((Peak{1.0, width}.integral()), 4.0 / width * std::atan(1.0 / width), 1e-12);
  EXPECT_NEAR((Peak{1.0, width}.integral()), 194.693, 1e-3);
}

// Single differences pass through zero somewhere: no place of the peak may be missed. (With the third difference alone
// the worst is 1.7.)
TEST(Quadrature, IsRightWhereverThePeakIs) {
  for (int i = 0; i < 200; ++i) {
    const Peak peak{0.1 + 0.009 * i, std::pow(10.0, -2.0 + 0.35 * (i % 5))};
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Outcome outcome = run(cases_of(peak)[0], AdaptiveMethod::hem5, tolerance, peak.integral());
      EXPECT_LT(outcome.error, 0.1) << "place " << peak.place << ", width " << peak.width << ", " << tolerance;
    }
  }
}

// The other side: hem5 must not win by steps that are too small.
TEST(Quadrature, TakesAboutAsManyStepsAsAnotherMethodOfItsOrder) {
  const Peak peak{1.0, 0.1};
  for (const Case& tested : cases_of(peak))
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const auto hem5 = run(tested, AdaptiveMethod::hem5, tolerance, peak.integral());
      const auto dopri5 = run(tested, AdaptiveMethod::dopri5, tolerance, peak.integral());
      EXPECT_LT(hem5.steps, 1.6 * static_cast<double>(dopri5.steps)) << tested.name << ", " << tolerance;
      EXPECT_GT(hem5.steps, 0.6 * static_cast<double>(dopri5.steps)) << tested.name << ", " << tolerance;
    }
}

}  // namespace
}  // namespace driftless::quadrature_test
