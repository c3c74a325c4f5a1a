// driftless solve on reference problems: what it reports, and what the options do.
#include <cmath>

#include "tests/cli/program.h"

namespace driftless::cli_test::solve_test {
namespace {

Json solved(const std::string& arguments) {
  const Outcome outcome = driftless("solve " + arguments + " --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return Json::parse(outcome.out);
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

TEST(Solve, JsonHasWhatItPromisesInThisOrder) {
  const Json object = solved("problem:pendulum_schropp --t-end 2.5");
  EXPECT_EQ(keys(object), (std::vector<std::string>{"status", "index", "method", "t", "final", "statistics",
                                                    "constraints", "start", "warnings"}));
  EXPECT_EQ(object["status"], "ok");
  EXPECT_EQ(object["index"], 3);
  EXPECT_EQ(object["method"], "auto");
  EXPECT_EQ(object["t"], 2.5);
  EXPECT_EQ(keys(object["final"]), (std::vector<std::string>{"u1", "u2", "v1", "v2", "lambda"}));
  const double u1 = object["final"]["u1"], u2 = object["final"]["u2"];
  EXPECT_NEAR(u1 * u1 + u2 * u2, 1.0, 1e-14);
  EXPECT_EQ(keys(object["constraints"]),
            (std::vector<std::string>{"position", "velocity", "acceleration", "condition", "condition_time",
                                      "energy_at_start", "energy_change"}));
  EXPECT_LT(object["constraints"]["velocity"], 1e-14);
  EXPECT_GE(object["statistics"]["steps"], 5);
  EXPECT_EQ(object["statistics"].size(), 17u);
}

TEST(Solve, ComparesReferenceProblemsWithTheirDigits) {
  const Json object = solved("problem:andrews_squeezer --rtol 1e-9");
  EXPECT_EQ(object["t"], 0.03);
  EXPECT_EQ(keys(object["statistics"]["error"]), (std::vector<std::string>{"q", "v", "lambda"}));
  EXPECT_LT(object["statistics"]["error"]["q"], 1e-9);
  EXPECT_GT(object["statistics"]["error"]["q"], 1e-15);
  // Another start is another solution: nothing to compare with.
  EXPECT_FALSE(solved("problem:limit_cycle_sphere --set z=0.5 --t-end 1")["statistics"].contains("error"));
}

struct Row {
  const char* options;
  const char* method;
  double largest_error, smallest_error;  // of u
  friend std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.options; }
};

class Methods : public testing::TestWithParam<Row> {};

TEST_P(Methods, DoWhatTheirNamesSay) {
  const Json object = solved("problem:pendulum_schropp --t-end 10 " + std::string(GetParam().options));
  EXPECT_EQ(object["method"], GetParam().method);
  const double error = object["statistics"]["error"]["q"];
  EXPECT_LT(error, GetParam().largest_error);
  EXPECT_GT(error, GetParam().smallest_error);
}

const Row rows[] = {{"", "auto", 1e-5, 1e-11},
                    {"--method radau", "radau", 1e-5, 1e-11},
                    {"--method radau5 --rtol 1e-8", "radau5", 1e-6, 1e-9},
                    {"--method RADAU13 --rtol=1e-8", "radau13", 1e-8, 1e-13},
                    {"--method dop853 --rtol 1e-8", "dop853", 1e-7, 1e-12},
                    {"--method dopri5 --rtol 1e-6", "dopri5", 1e-3, 1e-9},
                    {"--method classic-radau5 --first-step 1e-4", "classic-radau5", 1e-2, 1e-6},
                    {"--level position", "radau", 1e-2, 1e-9},
                    {"--steps 1000", "radau-iia-3", 1e-9, 1e-12},
                    {"--method hem5 --step-size 0.01", "hem5", 1e-8, 1e-13},
                    {"--method hem3 --step-size 0.01", "hem3", 1e-4, 1e-8},
                    {"--method gauss_2 --steps 1000 --multiplier hidden", "gauss-2", 1e-3, 1e-8}};

INSTANTIATE_TEST_SUITE_P(Solve, Methods, testing::ValuesIn(rows));

TEST(Solve, WithoutProjectionTheVelocityConstraintDrifts) {
  const auto velocity = [](const std::string& options) {
    return solved("problem:pendulum_schropp --t-end 20 --method classic-radau5 --first-step 1e-4 " +
                  options)["constraints"]["velocity"]
        .get<double>();
  };
  EXPECT_LT(velocity(""), 1e-14);
  EXPECT_GT(velocity("--project off"), 1e-9);
}

TEST(Solve, PageForPeople) {
  const Outcome outcome =
      driftless("solve problem:pendulum_schropp --method hem5 --steps 100 --set u1=0.8 --set u2=-0.5");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const auto text = lines(outcome.out);
  ASSERT_GT(text.size(), 10u);
  EXPECT_EQ(text[0], "pendulum_schropp: Planar pendulum");
  EXPECT_EQ(text[2], "  equations   index 3, q' = v, M v' = F - G^T lambda, 0 = g(q, t): 2 positions,");
  EXPECT_EQ(text[3], "              2 velocities, 1 multiplier");
  EXPECT_EQ(text[4], "  method      hem5, fixed steps");
  EXPECT_TRUE(contains(text[5], "  start       made consistent: u1 0.8 -> 0.8")) << text[5];
  EXPECT_TRUE(contains(outcome.out, "  steps       100 steps")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n  lambda  ")) << outcome.out;
  EXPECT_EQ(driftless("solve problem:pendulum_schropp --quiet").out, "");
}

// The pendulum cannot be started off the circle if nothing may be moved far enough: NaN at the start.
TEST(Solve, FailuresHaveTheirExitCodeAndAnObject) {
  const Outcome outcome = driftless("solve problem:pendulum_schropp --set u1=0 --json");
  EXPECT_EQ(outcome.exit_code, 14) << outcome.err;
  const Json object = Json::parse(outcome.out);
  EXPECT_EQ(object["status"], "inconsistent-start");
  EXPECT_TRUE(contains(object["message"], "inconsistent start at t = 0: ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "driftless: inconsistent start at t = 0: ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "\n  more:  driftless explain inconsistent-start\n")) << outcome.err;
}

// The matrix that decides the index is -(1 - t)^2: states pass t = 1 smoothly, and mean nothing beyond.
class SolveInFolder : public InFolder {};

TEST_F(SolveInFolder, EndsWhereTheIndexIsLost) {
  std::ofstream("pole.mo")
      << "model Pole Real x(start = 0.5, fixed = true); Real y(start = 0, fixed = true); Real l; equation "
         "der(x) = 1 - 2*x*l; der(y) = 0.1 - 2*y*l; x^2 - y^2 = 0.25*(1 - time)^2; end Pole;";
  for (const char* method :
       {"auto", "radau", "dop853", "dopri5", "hem5", "radau-iia-2 --steps 40", "hem5 --steps 500"}) {
    const Outcome outcome = driftless(std::string("solve pole.mo --t-end 2 --json --method ") + method);
    EXPECT_EQ(outcome.exit_code, 21) << method << outcome.out;
    const Json object = Json::parse(outcome.out);
    EXPECT_EQ(object["status"], "index-lost") << method;
    EXPECT_NEAR(object["statistics"]["failure"]["t"].get<double>(), 1.0, 1e-3) << method;
    EXPECT_GT(object["constraints"]["condition"].get<double>(), 50.0) << method;
    EXPECT_NEAR(object["constraints"]["condition_time"].get<double>(), 1.0, 0.15) << method;
    EXPECT_GT(object["statistics"]["evaluations"], object["statistics"]["steps"]) << method;
  }
}

// Beside a mechanism with a redundant constraint, which has no determinant to lose.
TEST_F(SolveInFolder, SeesALossOfIndexBesideRedundantConstraints) {
  std::ofstream("beside.mo") << R"(model Beside
  Real x(start = 0.616656), y(start = 0), l;
  Real p(start = 1), q(start = 0), vp(start = 0), vq(start = 1), a, k, m;
equation
  der(x) = 0.712 - 2*x*l;
  der(y) = 0.192 - 2*y*l;
  x^2 - y^2 = 0.484416*(0.886 - time)^2;
  der(p) = vp; der(q) = vq; a = der(vq);
  der(vp) = -2*p*(k + 2*m);
  a = -2*q*(k + 2*m) - 9.81 + 0.001*y;
  p^2 + q^2 = 1;
  2*p^2 + 2*q^2 = 2;
end Beside;
)";
  const Outcome outcome = driftless("solve beside.mo --json");
  EXPECT_EQ(outcome.exit_code, 21) << outcome.out << outcome.err;
  EXPECT_NEAR(Json::parse(outcome.out)["statistics"]["failure"]["t"].get<double>(), 0.886, 1e-3);
}

// Stiff, with a smooth solution: the steps are long, and rows are read between them.
TEST_F(SolveInFolder, RowsBetweenTheStepsAreAsGoodAsTheTolerance) {
  std::ofstream("smooth.mo")
      << "model Smooth Real x(start = 0.775, fixed = true), error; equation der(x) = -10000*(x - (1.1 - "
         "0.325*cos(1.835*time))) + 0.325*1.835*sin(1.835*time); error = x - (1.1 - 0.325*cos(1.835*time)); "
         "annotation(experiment(StopTime = 2)); end Smooth;";
  for (const char* tolerance : {"1e-4", "1e-6", "1e-8"}) {
    ASSERT_EQ(driftless(std::string("solve smooth.mo -o rows.csv --rtol ") + tolerance).exit_code, 0);
    double worst = 0.0;
    const auto table = lines(file_text("rows.csv"));
    for (std::size_t k = 1; k < table.size(); ++k)
      worst = std::max(worst, std::abs(std::stod(table[k].substr(table[k].rfind(',') + 1))));
    EXPECT_GT(table.size(), 400U);
    EXPECT_LT(worst, 100.0 * std::stod(tolerance)) << tolerance;
  }
}

TEST(Solve, RunsBackward) {
  const Json there = solved("problem:limit_cycle_sphere --t-end 1 --rtol 1e-10");
  std::string start;
  for (const auto& [name, value] : there["final"].items()) start += " --set " + name + "=" + value.dump();
  const Json back = solved("problem:limit_cycle_sphere --t-begin 1 --t-end 0 --rtol 1e-10" + start);
  EXPECT_EQ(back["t"], 0.0);
  EXPECT_NEAR(back["final"]["z"], 0.9, 1e-8);
}

}  // namespace
}  // namespace driftless::cli_test::solve_test
