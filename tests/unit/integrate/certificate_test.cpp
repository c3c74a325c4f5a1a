// A certificate speaks of everything that the user gets, in the user's own equations.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/integrate/certificate_keeper.h"

namespace driftless::certificate_test {
namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

Equations pendulum() { return mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}); }

double largest(const Solution& solution, int level) {
  double worst = 0.0;
  for (std::size_t i = 0; i < solution.size(); ++i) worst = std::max(worst, solution.residuals(i).largest(level));
  return worst;
}

Vector many_times(double end, int count) {
  Vector times;
  for (int i = 0; i <= count; ++i) times.push_back(end * i / count);
  return times;
}

// Values between steps that are not projected are off by the tolerance, and the certificate says so.
TEST(Certificate, CoversEveryStateThatIsKept) {
  for (const bool projected : {false, true}) {
    const Solution solution = solve(pendulum(), {1.0, 0.0},
                                    {.span = {0.0, 10.0},
                                     .tolerance = {1e-6, 1e-6},
                                     .output_times = many_times(10.0, 777),
                                     .project_output = projected});
    ASSERT_TRUE(solution.ok());
    const Certificate& c = solution.certificate();
    EXPECT_GE(c.position, largest(solution, 1)) << projected;
    EXPECT_GE(c.velocity, largest(solution, 2)) << projected;
    EXPECT_GE(c.acceleration, largest(solution, 3)) << projected;
    if (projected)
      EXPECT_LT(c.position, 1e-14);
    else
      EXPECT_GT(c.position, 1e-10);
  }
}

// States at events that do not end a step are kept, too.
TEST(Certificate, CoversEvents) {
  SolveOptions options{.span = {0.0, 10.0}, .tolerance = {1e-6, 1e-6}, .project_output = false};
  options.events.push_back({.name = "down", .root = [](double, ConstSpan x) { return x[0]; }});
  const Solution solution = solve(pendulum(), {1.0, 0.0}, options);
  ASSERT_TRUE(solution.ok());
  ASSERT_GE(solution.events().size(), 2u);
  double worst = 0.0;
  for (const EventRecord& record : solution.events())
    worst = std::max(worst, constraint_residuals(solution.equations(), record.time, record.state).largest(1));
  EXPECT_GT(worst, 1e-13);
  EXPECT_GE(solution.certificate().position, worst);
}

// x' = lambda, z' = x - t^2, 0 = z: what the user wrote is x = t^2, the first derivative of the constraint.
struct Integrated {
  void f(auto u, auto lambda, auto t, auto out) const {
    out[0] = lambda[0];
    out[1] = u[0] - t * t;
  }
  void g(auto u, auto, auto out) const { out[0] = u[1]; }
};

TEST(Certificate, MeasuresTheEquationAsWritten) {
  const Equations equations = index2(Integrated{}, {.u = 2, .lambda = 1});
  // t = 1: z = 1e-3 is the program's own; x - t^2 = 0.5 is the user's.
  const Vector state{1.5, 1e-3, 7.0};
  const std::vector<WrittenConstraint> integrated{{.integrated = 1}}, scaled{{.scale = -4.0}};
  CertificateKeeper own(equations), written(equations, integrated), divided(equations, scaled);
  for (CertificateKeeper* keeper : {&own, &written, &divided}) keeper->see(1.0, state);
  EXPECT_DOUBLE_EQ(own.certificate().position, 1e-3);
  EXPECT_DOUBLE_EQ(own.certificate().velocity, 0.5);
  EXPECT_DOUBLE_EQ(written.certificate().position, 0.5);
  EXPECT_DOUBLE_EQ(written.certificate().velocity, 0.0);
  EXPECT_DOUBLE_EQ(written.latest()[0], 0.5);
  EXPECT_DOUBLE_EQ(divided.certificate().position, 0.25e-3);
  EXPECT_DOUBLE_EQ(divided.certificate().velocity, 0.125);
  EXPECT_THROW(CertificateKeeper(equations, std::vector<WrittenConstraint>(2)), Misuse);
}

}  // namespace
}  // namespace driftless::certificate_test
