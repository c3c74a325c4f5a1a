// Fixed steps on models with events, and rows between them.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/cli/program.h"

namespace driftless::cli_test::fixed_steps_test {
namespace {

class FixedSteps : public InFolder {
 protected:
  static void write(const std::string& name, const std::string& text) { std::ofstream(name) << text; }
};

constexpr const char* ball = R"(model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  when h < 0 then reinit(v, -0.5*pre(v)); end when;
end Ball;
)";

// Parabolas are exact with every method of order 2: from height 1 the ball is down at T = sqrt(0.2), 2 T, 2.5 T.
TEST_F(FixedSteps, FollowEvents) {
  write("ball.mo", ball);
  const double fall = std::sqrt(0.2), end = 0.98, since = end - 2.0 * fall, up = 2.5 * fall;
  for (const char* steps : {"--steps 7", "--step-size 0.031"}) {
    const Outcome outcome = driftless("solve ball.mo --json --t-end 0.98 " + std::string(steps));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json run = Json::parse(outcome.out);
    EXPECT_NEAR(run["final"]["h"].get<double>(), up * since - 5.0 * since * since, 1e-12) << steps;
    EXPECT_NEAR(run["final"]["v"].get<double>(), up - 10.0 * since, 1e-12) << steps;
    EXPECT_EQ(run["statistics"]["events"].get<int>(), 4) << outcome.out;
  }
}

TEST_F(FixedSteps, WriteRowsBetweenThem) {
  write("decay.mo", "model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;\n");
  const Outcome outcome = driftless("solve decay.mo --steps 10 --grid 3 -o -");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  int rows = 0;
  for (; std::getline(lines, line); ++rows) {
    const double t = std::stod(line), x = std::stod(line.substr(line.find(',') + 1));
    EXPECT_NEAR(t, rows / 3.0, 1e-12);
    EXPECT_NEAR(x, std::exp(-t), 1e-6);
  }
  EXPECT_EQ(rows, 4);
}

}  // namespace
}  // namespace driftless::cli_test::fixed_steps_test
