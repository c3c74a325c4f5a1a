// Runs that go wrong, and ranges that are left: what is said about them.
#include "tests/cli/program.h"

namespace driftless::cli_test::trouble_test {
namespace {

class Trouble : public InFolder {
 protected:
  static Outcome solve(const std::string& declarations, const std::string& equations, const std::string& options = "") {
    std::ofstream("m.mo") << "model m\n" << declarations << "\nequation\n" << equations << "\nend m;\n";
    return driftless("solve m.mo " + options);
  }
};

TEST_F(Trouble, AnalysesOfModelsWithoutMultipliersAreRefused) {
  std::ofstream("m.mo") << "model m\n  Real y(start = 1, fixed = true);\nequation\n  (2 + time)*der(y) = -y;\nend m;\n";
  const Outcome manifold = driftless("analyse manifold m.mo");
  EXPECT_EQ(manifold.exit_code, 2) << manifold.err;
  EXPECT_TRUE(contains(manifold.err, "no multipliers")) << manifold.err;
  for (const char* command : {"attractor", "embedding", "errors", "minimise", "stability --along"}) {
    const Outcome outcome = driftless(std::string("analyse ") + command + " m.mo");
    EXPECT_GE(outcome.exit_code, 2) << command << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "driftless: ")) << command;
  }
}

TEST_F(Trouble, NumbersThatAreNone) {
  std::ofstream("m.mo") << "model m\n  Real x(start = 1);\nequation\n  der(x) = -x;\nend m;\n";
  for (const char* option :
       {"--t-end", "--rtol", "--atol", "--first-step", "--largest-step", "--step-size", "--interval"})
    for (const char* value : {"nan", "inf", "-inf", "-nan"}) {
      const Outcome outcome = driftless(std::string("solve m.mo ") + option + "=" + value);
      EXPECT_EQ(outcome.exit_code, 2) << option << value;
      EXPECT_TRUE(contains(outcome.err, "wants a number")) << outcome.err;
    }
  for (const char* option : {"--rtol", "--atol", "--first-step", "--largest-step", "--step-size", "--interval"})
    for (const char* value : {"-1", "0"})
      EXPECT_EQ(driftless(std::string("solve m.mo ") + option + "=" + value).exit_code, 2) << option << value;
}

TEST_F(Trouble, GrowthBeyondDoublesIsSaid) {
  for (const char* method : {"", "--method dopri5", "--steps 1000"}) {
    const Outcome outcome =
        solve("Real x(start = 1, fixed = true);", "der(x) = x;", std::string("--t-end 1000 ") + method);
    EXPECT_EQ(outcome.exit_code, 19) << method << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "grew beyond what numbers of double precision hold, x most of all"))
        << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "discontinuity")) << outcome.err;
  }
}

// As far as numbers go, by every method, and not in millions of steps.
TEST_F(Trouble, GrowthBeyondNumbersEndsSoon) {
  for (const char* method : {"auto", "radau", "dop853"}) {
    const Outcome outcome = solve("Real x(start = 1, fixed = true);", "der(x) = x;",
                                  std::string("--t-end 1000 --json --step-limit 20000 --method ") + method);
    const Json result = Json::parse(outcome.out);
    EXPECT_EQ(result["status"], "diverged") << method << outcome.out;
    EXPECT_GT(result["t"], 700.0) << method;
  }
}

// 1/(1 - t) has no discontinuity before its end; sqrt(1 - t) ends as steeply, but does not grow.
TEST_F(Trouble, APoleIsCalledOne) {
  for (const char* method : {"auto", "radau"}) {
    const Outcome pole =
        solve("Real x(start = 1, fixed = true);", "der(x) = x^2;", std::string("--t-end 2 --method ") + method);
    EXPECT_EQ(pole.exit_code, 16) << pole.err;
    EXPECT_TRUE(contains(pole.err, "(1) a pole: x grows without bound; end the run before it, or state 1/x instead"))
        << pole.err;
  }
  const Outcome edge = solve("Real x(start = 1, fixed = true);", "der(x) = -0.5/x;", "--t-end 2 --method radau");
  EXPECT_EQ(edge.exit_code, 16) << edge.err;
  EXPECT_FALSE(contains(edge.err, "a pole: ")) << edge.err;
}

TEST_F(Trouble, RangesThatAreLeftAreMentioned) {
  const std::string declarations =
      "Real x(start = 1, fixed = true, min = 0, max = 1.5);\nReal y(max = 0.5) = x^2;\nReal z(min = -10, max = 10) = "
      "x;";
  const Outcome text = solve(declarations, "der(x) = cos(time);", "--t-end 6");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "x leaves its range: ")) << text.out;
  EXPECT_FALSE(contains(text.out, "z leaves")) << text.out;
  const Outcome outcome = solve(declarations, "der(x) = cos(time);", "--t-end 6 --json --grid 1000 -o a.csv");
  const Json all = Json::parse(outcome.out)["out_of_range"];
  ASSERT_EQ(all.size(), 2u) << outcome.out;
  EXPECT_EQ(all[0]["name"], "x");  // 1 + sin t: largest at pi/2, never below 0
  EXPECT_EQ(all[0]["bound"], "max");
  EXPECT_EQ(all[0]["limit"], 1.5);
  EXPECT_NEAR(all[0]["value"], 2.0, 1e-5);
  EXPECT_NEAR(all[0]["t"], 1.5708, 1e-2);
  EXPECT_NEAR(all[0]["first"], 0.5236, 7e-3);
  EXPECT_EQ(all[1]["name"], "y");
  EXPECT_EQ(all[1]["first"], 0.0);
  EXPECT_EQ(Json::parse(outcome.out)["warnings"].size(), 2u);
}

TEST_F(Trouble, RangesAreInTheUnitsOfTheModel) {
  const Outcome outcome =
      solve("Real x(start = 1e-9, fixed = true, nominal = 1e-9, min = 0.5e-9);", "der(x) = -x;", "--t-end 2 --json");
  const Json all = Json::parse(outcome.out)["out_of_range"];
  ASSERT_EQ(all.size(), 1u) << outcome.out;
  EXPECT_NEAR(all[0]["limit"], 0.5e-9, 1e-20);
  EXPECT_NEAR(all[0]["value"], 1e-9 * std::exp(-2.0), 1e-14);
}

TEST_F(Trouble, RangesThatAreKeptAreNot) {
  const Outcome outcome =
      solve("Real x(start = 1, fixed = true, min = 0, max = 1);", "der(x) = -x;", "--t-end 20 --json");
  EXPECT_FALSE(Json::parse(outcome.out).contains("out_of_range")) << outcome.out;
}

// Conditions that are not numbers for a while: no event is lost.
TEST_F(Trouble, ConditionsThatAreNotNumbers) {
  const Outcome low = solve("Real x(start = 1, fixed = true);",
                            "der(x) = -1;\nwhen sqrt(x) < 0.1 then terminate(\"low\"); end when;", "--t-end 3");
  EXPECT_EQ(low.exit_code, 0) << low.err;
  EXPECT_TRUE(contains(low.out, "t = 0 to 0.99, ended by the model: low")) << low.out;
  const Outcome high = solve("Real x(start = -1, fixed = true);",
                             "der(x) = 1;\nwhen sqrt(x) > 0.5 then terminate(\"high\"); end when;", "--t-end 3");
  EXPECT_TRUE(contains(high.out, "t = 0 to 1.25, ended by the model: high")) << high.out;
}

TEST_F(Trouble, KnownFunctionsOfTimeSayWhatTheirStartsBecame) {
  const Outcome outcome = solve("Real z(start = 3), v(start = 1e-300), a, j;",
                                "z = tanh(time - 0.5);\nv = der(z);\na = der(v);\nj = der(a);", "--json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json result = Json::parse(outcome.out);
  EXPECT_NEAR(result["final"]["z"], std::tanh(0.5), 1e-14);
  EXPECT_NEAR(result["final"]["j"], 2.0 * (3.0 * std::pow(std::tanh(0.5), 2) - 1.0) / std::pow(std::cosh(0.5), 2),
              1e-13);
  EXPECT_NEAR(result["start"]["moves"]["z"]["from"], 3.0, 0.0);
  EXPECT_NEAR(result["start"]["moves"]["z"]["to"], std::tanh(-0.5), 1e-14);
}

TEST_F(Trouble, AFixedStartThatIsKnownOtherwiseIsToldByHowMuch) {
  for (const auto& [start, difference] : {std::pair("7", "5 smaller"), std::pair("-1", "3 larger")}) {
    const Outcome outcome = solve(fmt::format("Real z(start = {}, fixed = true);", start), "z = sin(time) + 2;", "");
    EXPECT_EQ(outcome.exit_code, 14);
    EXPECT_TRUE(contains(outcome.err, fmt::format("gives a value that is {}\n", difference))) << outcome.err;
  }
}

}  // namespace
}  // namespace driftless::cli_test::trouble_test
