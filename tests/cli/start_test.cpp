// What solve, check and init say about the start, tolerances that follow nominal values, and certificates against rows.
#include <cmath>
#include <fstream>

#include "tests/cli/program.h"

namespace driftless::cli_test::start_test {
namespace {

class StartOfModels : public InFolder {
 protected:
  static void write(const std::string& declarations, const std::string& equations) {
    std::ofstream("m.mo") << "model m\n" << declarations << "\nequation\n" << equations << "\nend m;\n";
  }
  static Json json(const std::string& arguments) {
    const Outcome outcome = driftless(arguments + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  static bool says(const std::string& arguments, const std::string& words) {
    const Outcome outcome = driftless(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const bool found = outcome.out.find(words) != std::string::npos;
    EXPECT_TRUE(found) << outcome.out;
    return found;
  }
};

TEST_F(StartOfModels, StatedValuesCountEvenIfEliminated) {
  write("Real a(start = 0.1), b, c, T(start = 1);", "c = a + b; der(c) = -c; der(T) = -T; b = 5*exp(-T)*a;");
  const double c = 0.1 * (1.0 + 5.0 * std::exp(-1.0));
  EXPECT_NEAR(json("init m.mo")["start"]["c"].get<double>(), c, 1e-14);
  EXPECT_NEAR(json("solve m.mo")["final"]["c"].get<double>(), c * std::exp(-1.0), 1e-6);
  EXPECT_TRUE(says("solve m.mo", "consistent as given"));
}

TEST_F(StartOfModels, WhatWasChosenIsSaid) {
  write("Real x(start = 0.6), y(start = -0.8), u, v, lambda;",
        "der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 9.81; x^2 + y^2 = 1;");
  for (const char* command : {"solve m.mo", "check m.mo"}) {
    EXPECT_TRUE(says(command, "u = 0, v = 0, not stated")) << command;
    const Json start = json(command)["start"];
    EXPECT_EQ(start["chosen"], (Json{{"u", 0.0}, {"v", 0.0}})) << command;
    EXPECT_EQ(start["moves"], Json::object()) << command;
  }
  EXPECT_EQ(json("init m.mo")["chosen"], (Json{{"u", 0.0}, {"v", 0.0}}));
  EXPECT_TRUE(says("init m.mo", "not stated"));
}

TEST_F(StartOfModels, WhatMovedIsSaidEvenIfEliminated) {
  write("Real a(start = 0.1), b, c(start = 3, fixed = true);", "c = a + b; der(c) = -c; b = 2*a;");
  EXPECT_TRUE(says("solve m.mo", "made consistent: a 0.1 -> 1"));
  const Json moves = json("check m.mo")["start"]["moves"];
  ASSERT_TRUE(moves.contains("a")) << moves;
  EXPECT_EQ(moves["a"]["from"], 0.1);
  EXPECT_NEAR(moves["a"]["to"].get<double>(), 1.0, 1e-14);
  EXPECT_EQ(moves.size(), 1u);
}

TEST_F(StartOfModels, ARootNearTheStart) {
  write("Real x(start = 0.01);", "cos(x) = time;");
  EXPECT_NEAR(json("init m.mo")["start"]["x"].get<double>(), std::acos(0.0), 1e-12);
  EXPECT_NEAR(json("solve m.mo --t-end 0.9")["final"]["x"].get<double>(), std::acos(0.9), 1e-6);
}

TEST_F(StartOfModels, AbsoluteTolerancesFollowNominalValues) {
  const std::string equations = "der(x) = y; der(y) = -x;";
  write("Real x(start = 1e-20, nominal = 1e-20), y(start = 0, nominal = 1e-20);", equations);
  for (const char* method : {"auto", "radau", "dopri5"}) {
    const Json result = json("solve m.mo --t-end 10 --method " + std::string(method));
    EXPECT_NEAR(result["final"]["x"].get<double>() / 1e-20, std::cos(10.0), 1e-4) << method;
    EXPECT_EQ(result["warnings"], Json::array()) << method;
  }
  EXPECT_TRUE(says("solve m.mo", "absolute 1e-09 times nominal"));
  // What the user gives is in the same units.
  EXPECT_GT(json("solve m.mo --t-end 10 --atol 1e-12")["statistics"]["steps"].get<int>(),
            json("solve m.mo --t-end 10 --atol 1e-2 --rtol 1e-2")["statistics"]["steps"].get<int>());
  // Sizes that are counted as they are follow nominal, too: 800 allows larger errors than 1.
  const auto steps_with = [&](const std::string& nominal) {
    write("Real x(start = 1" + nominal + "), y(start = 0" + nominal + ");", equations);
    return json("solve m.mo --t-end 10 --rtol 1e-12 --atol 1e-10 --method dopri5")["statistics"]["steps"].get<int>();
  };
  EXPECT_LT(2 * steps_with(", nominal = 800"), steps_with(""));
  // Without nominal values nothing can be right, and the run says so.
  write("Real x(start = 1e-20), y(start = 0);", equations);
  EXPECT_TRUE(says("solve m.mo --t-end 10", "all unknowns stay below their absolute"));
  const Json warnings = json("solve m.mo --t-end 10")["warnings"];
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].get<std::string>().starts_with("all unknowns stay below their absolute tolerance"));
  // 0 is 0, and 1 is well above.
  for (const char* start : {"0", "1"}) {
    write("Real x(start = " + std::string(start) + "), y(start = 0);", equations);
    EXPECT_EQ(json("solve m.mo --t-end 10")["warnings"], Json::array());
  }
}

// A warning is about the whole run: after an event the unknown is large.
TEST_F(StartOfModels, AWarningIsAboutTheWholeRun) {
  write("Real x(start = 1e-20);", "der(x) = -x; when time > 0.5 then reinit(x, 1); end when;");
  EXPECT_EQ(json("solve m.mo")["warnings"], Json::array());
  write("Real x(start = 1e-20);", "der(x) = -x; when time > 0.5 then reinit(x, 1e-21); end when;");
  EXPECT_EQ(json("solve m.mo")["warnings"].size(), 1u);
}

// Rolling is a constraint on velocities beside one on positions: the program works with its integral, which the user
// does not have.
TEST_F(StartOfModels, NoCertificateIsBetterThanTheRows) {
  write(R"(Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0.5), th(start = 0.3, fixed = true);
    Real phi(start = 0, fixed = true), vx, vy, vz, w(start = 0.7, fixed = true), om(start = 2, fixed = true);
    Real l1, l2, N;)",
        R"(der(x) = vx; der(y) = vy; der(z) = vz; der(th) = w; der(phi) = om;
    2*der(vx) = l1; 2*der(vy) = l2; 2*der(vz) = N - 2*9.81;
    0.3*der(om) = -0.5*(l1*cos(th) + l2*sin(th)); 0.2*der(w) = 0;
    vx = 0.5*om*cos(th); vy = 0.5*om*sin(th); z + 0.1*x^2 = 0.5;)");
  // Steps that are not projected are off by far more than rounding, and rows between them are not.
  for (const char* options : {"", " --project off", " --every-step --project off --rtol 1e-3"}) {
    const Json result = json("solve m.mo --t-end 10 -o m.csv" + std::string(options));
    const Outcome rows = python(
        "import pandas, numpy\nt = pandas.read_csv('m.csv', float_precision='round_trip')\nv = 0.5*t.om\n"
        "print(max(abs(t.vx - v*numpy.cos(t.th)).max(), abs(t.vy - v*numpy.sin(t.th)).max(), "
        "abs(t.z + 0.1*t.x**2 - 0.5).max()))");
    ASSERT_EQ(rows.exit_code, 0) << rows.err;
    const double worst = std::stod(rows.out), certified = result["constraints"]["position"];
    EXPECT_GE(certified, worst - 4e-16) << options;
    if (std::string(options).find("--every-step") == std::string::npos) continue;
    EXPECT_GT(worst, 1e-9);
    EXPECT_LE(certified, 1.000001 * worst);
  }
}

}  // namespace
}  // namespace driftless::cli_test::start_test
