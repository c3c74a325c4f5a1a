// driftless analyse: manifolds, attractors, minima of models, and what is said about those that have none.
#include <cmath>

#include "tests/cli/program.h"

namespace driftless::cli_test::analyse_test {
namespace {

const std::string models = DRIFTLESS_SOURCE_DIR "/examples/models/";

Json analysed(const std::string& arguments) {
  const Outcome outcome = driftless("analyse " + arguments + " --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return Json::parse(outcome.out);
}

TEST(Analyse, IsAGroup) {
  const Outcome help = driftless("analyse --help");
  EXPECT_EQ(help.exit_code, 0);
  for (const char* name : {"analyse manifold", "analyse attractor", "analyse minimise"}) {
    EXPECT_TRUE(contains(help.out, name)) << help.out;
    EXPECT_TRUE(contains(driftless("--help").out, name));
    EXPECT_TRUE(contains(driftless(std::string(name) + " --help").out, "Usage: driftless " + std::string(name)));
  }
  EXPECT_EQ(driftless("help analyse").out, help.out);
  const Outcome alone = driftless("analyse");
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_TRUE(contains(alone.err, "driftless: analyse: a sub-command is missing\n")) << alone.err;
  EXPECT_EQ(driftless("analyse atractor x.mo").err,
            "driftless: there is no sub-command 'analyse atractor'; did you mean 'analyse attractor'?\n"
            "  try:   driftless --help\n");
  EXPECT_EQ(driftless("complete -- analyse mi").out, "minimise\n");
  EXPECT_EQ(driftless("complete -- anal").out, "analyse\n");
  EXPECT_EQ(driftless("complete -- analyse minimise --obj").out, "--objective\n");
}

struct Promise {
  const char* method;
  double r_infinity, order;
};

// A model file gives what its C++ version gives (tests/unit/analysis/manifold_test.cpp).
TEST(AnalyseManifold, MeasuresWhatTheTheoremPromises) {
  const Json all = analysed("manifold " + models + "mms_index2_gamma.mo --points 2 --t-end 1");
  const Promise table[] = {{"radau-iia-2", 0.0, 2.0},    {"radau-iia-3", 0.0, 3.0},  {"radau-ia-2", 0.0, 1.0},
                           {"lobatto-iiic-3", 0.0, 2.0}, {"sdirk-2-half", 0.5, 1.0}, {"hem3", 0.0, 2.0},
                           {"hem4", 0.0, 2.0},           {"hem5", 0.0, 3.0}};
  ASSERT_EQ(all["methods"].size(), std::size(table));
  for (std::size_t i = 0; i < std::size(table); ++i) {
    const Json& one = all["methods"][i];
    SCOPED_TRACE(table[i].method);
    EXPECT_EQ(one["method"], table[i].method);
    EXPECT_NEAR(one["r_infinity"].get<double>(), table[i].r_infinity, 1e-14);
    EXPECT_EQ(one["promised"]["order"], table[i].order);
    EXPECT_NEAR(one["closeness_order"].get<double>(), table[i].order, 0.1);
    for (const Json& row : one["rows"]) {
      EXPECT_EQ(row["infinite_attractivity"], table[i].r_infinity == 0.0);
      EXPECT_NEAR(row["chi"].get<double>(), table[i].r_infinity, 1e-6);
    }
  }
}

TEST(AnalyseManifold, PrintsATable) {
  const Outcome outcome = driftless("analyse manifold problem:hlr_index2 --method sdirk-2-half,hem3 --points 1");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "\n  method        |R(inf)|     chi_h  promised  order  u rate  lambda rate\n"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n  hem3                 0         0     r = 2")) << outcome.out;
}

TEST(AnalyseAttractor, LimitCycleConvergesWithTheConstraintAndIsLostWithoutIt) {
  const std::string common = "attractor " + models + "warped_cycle.mo --box 0.1 --starts 2 ";
  const std::string section = "--section y=0 --direction rising --samples 4 --transient 25 ";
  const Json with = analysed(common + section + "--method sdirk-2-half --step-sizes 0.02,0.01,0.005");
  EXPECT_EQ(with["attractor"]["kind"], "periodic orbit");
  EXPECT_LT(std::abs(with["attractor"]["periodic"]["multipliers"][0]["re"].get<double>()), 1.0);
  EXPECT_NEAR(with["distances"]["rate"].get<double>(), 2.0, 0.15);
  EXPECT_EQ(with["distances"]["rate_from"], 3);
  const Json without = analysed(common +
                                "--underlying-ode --no-kind --method hem3 --step-sizes 0.1,0.07 "
                                "--transient 150 --samples 60");
  for (const Json& row : without["distances"]["rows"]) {
    EXPECT_GT(row["distance"].get<double>(), 0.5);
    EXPECT_GT(row["residual"].get<double>(), 0.5);
  }
}

TEST(AnalyseAttractor, EquilibriumHasTheExponentsOfItsAngle) {
  const Json found = analysed("attractor " + models + "damped_pendulum.mo --no-distances --method hem3");
  const Json& exponent = found["attractor"]["equilibrium"]["exponents"][0];
  EXPECT_EQ(found["attractor"]["kind"], "equilibrium");
  EXPECT_NEAR(exponent["re"].get<double>(), -0.15, 1e-10);
  EXPECT_NEAR(std::abs(exponent["im"].get<double>()), std::sqrt(9.81 - 0.0225), 1e-10);
  EXPECT_EQ(found["attractor_of_method"]["equilibrium"]["step_multipliers"].size(), 2u);
  EXPECT_FALSE(found.contains("distances"));
}

// Across the orbit both sets are points. The equator is the limit cycle of every method, so that they agree there.
TEST(AnalyseAttractor, LooksAcrossAnOrbitByDefault) {
  const std::string sphere = "attractor problem:limit_cycle_sphere --starts 4 --samples 40";
  const std::string words = driftless("analyse " + sphere).out;
  for (const char* part : {"attracts like exp(-1 t)", "  on planes across the orbit, where it is one point:\n",
                           "no rate to be seen: the sets agree to within"})
    EXPECT_TRUE(contains(words, part)) << part << words;
  EXPECT_FALSE(contains(words, "--section show more")) << words;
  const Json equator = analysed(sphere);
  EXPECT_LT(equator["distances_across"]["agree_within"], 1e-8);
  EXPECT_EQ(equator["distances_across"]["leaves_out_inside"], false);
  const Json warped =
      analysed("attractor " + models + "warped_cycle.mo --starts 6 --samples 40 --step-sizes 0.02,0.01,0.005");
  EXPECT_TRUE(warped["distances"]["rate"].is_null());
  EXPECT_NEAR(warped["distances_across"]["rate"], 3.0, 0.2);  // p = 3 of radau-iia-2
  EXPECT_EQ(warped["distances_across"]["rate_from"], 3);
}

// What a beginner tries first has no attractor, and is told so.
TEST(AnalyseAttractor, ConservativeModelHasNone) {
  const Outcome outcome = driftless("analyse attractor " + models + "pendulum_schropp.mo --no-distances");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "  attractor   none: a periodic orbit that neither attracts nor repels"))
      << outcome.out;
}

class AnalyseInFolder : public InFolder {};

TEST_F(AnalyseInFolder, PointsForPictures) {
  analysed(
      "attractor problem:limit_cycle_sphere --no-kind --starts 3 --samples 5 --transient 5 --step-sizes 0.1,0.05 "
      "--multipliers --output points.csv");
  const auto rows = lines(file_text("points.csv"));
  ASSERT_EQ(rows.size(), 1u + 3u * 15u);
  EXPECT_EQ(rows[0], "h,x,y,z,lambda");
  EXPECT_EQ(rows[1].substr(0, 2), "0,");
  EXPECT_EQ(rows[16].substr(0, 4), "0.1,");
  EXPECT_EQ(rows[45].substr(0, 5), "0.05,");
  EXPECT_EQ(Json::parse(file_text("points.csv-metadata.json"))["method"], "radau-iia-2");
}

TEST(AnalyseAttractor, IsTheSameForEveryNumberOfThreads) {
  const std::string call = "attractor problem:lorenz_lifted --no-kind --starts 4 --samples 20 --transient 2 --threads ";
  EXPECT_EQ(analysed(call + "1"), analysed(call + "3"));
}

TEST(AnalyseAttractor, ProgressIsShownIfAskedFor) {
  const std::string call = "analyse attractor problem:limit_cycle_sphere --no-kind --starts 2 --samples 5 ";
  EXPECT_TRUE(contains(driftless(call + "--progress=always").err, "\033[Kstarts: 1 of 2"));
  EXPECT_EQ(driftless(call).err, "");
}

// --foreground: else timeout sends the signal a second time, to its group, and a second Ctrl-C ends at once.
TEST(AnalyseAttractor, CanBeInterrupted) {
  for (const std::string kind : {"", " --no-kind"}) {
    const Outcome outcome = run_program("timeout", "--foreground --preserve-status -s INT 1.5 '" DRIFTLESS_PROGRAM
                                                   "' analyse attractor problem:lorenz_lifted --transient 1e8" +
                                                       kind);
    EXPECT_EQ(outcome.exit_code, 130) << kind;
    EXPECT_TRUE(contains(outcome.err, "a signal asked to stop")) << outcome.err;
  }
}

struct Textbook {
  const char *call, *objective;
  double value, multiplier;
};

TEST(AnalyseMinimise, TextbookProblems) {
  const double pi = std::acos(-1.0), r = std::cbrt(330.0 / (2.0 * pi));
  const Textbook table[] = {
      {"box_in_ellipsoid.mo --maximise", "volume", 16.0 / std::sqrt(3.0), -8.0 * std::sqrt(3.0)},
      {"tin_can.mo", "area", 6.0 * pi * r * r, -2.0 / r},
      {"hock_schittkowski_40.mo", "objective", -0.25, 0.5},
  };
  for (const Textbook& row : table) {
    SCOPED_TRACE(row.call);
    const Json found =
        analysed("minimise " + models + "minimise/" + row.call + " --objective " + std::string(row.objective));
    EXPECT_NEAR(found["value"].get<double>(), row.value, 1e-11 * std::abs(row.value));
    EXPECT_NEAR(found["values"][row.objective].get<double>(), row.value, 1e-11 * std::abs(row.value));
    EXPECT_NEAR(found["constraints"][0]["multiplier"].get<double>(), row.multiplier, 1e-9);
    EXPECT_EQ(found["kind"].get<std::string>().substr(0, 7), "strict ");
  }
}

// Statics: the horizontal force is the same in every link, and the hooks carry all of the weight.
TEST(AnalyseMinimise, MultipliersOfAChainAreItsForces) {
  const Json found = analysed("minimise " + models + "minimise/hanging_chain.mo --objective energy --set n=6");
  EXPECT_NEAR(found["constraints"][1]["multiplier"].get<double>(), -7.0 / 12.0, 1e-9);
  const double horizontal = found["constraints"][0]["multiplier"].get<double>();
  for (int i = 1; i <= 6; ++i) {
    const auto x = [&](int k) { return found["values"]["x[" + std::to_string(k) + "]"].get<double>(); };
    const double lambda = found["constraints"][static_cast<std::size_t>(3 + i)]["multiplier"].get<double>();
    EXPECT_NEAR(2.0 * lambda * (x(i + 1) - x(i)), horizontal, 1e-9) << i;
  }
}

TEST(AnalyseMinimise, FixedStepsFindTheSame) {
  const std::string call = "minimise " + models + "minimise/tin_can.mo --objective area ";
  const double adaptive = analysed(call)["value"].get<double>();
  EXPECT_NEAR(analysed(call + "--method hem3 --step-size 0.02")["value"].get<double>(), adaptive, 1e-10);
}

struct Trouble {
  const char *model, *call;
  int exit_code;
  const char* words;
};

class AnalyseTrouble : public InFolder {};

// Exit code and words for everything that cannot be analysed.
TEST_F(AnalyseTrouble, IsToldInWords) {
  std::ofstream("away.mo") << "model away\n Real x(start=1), y, height(start=0.2), l;\nequation\n"
                              " der(x) = -y - l*x; der(y) = x - l*y; der(height) = height;\n x^2 + y^2 = 1;\nend away;";
  std::ofstream("log.mo") << "model log\n Real x(start=0.5), y(start=0.7), l;\nequation\n"
                             " der(x) = -x + l; der(y) = -y - l;\n Modelica.Math.log(x) + y = 0;\nend log;";
  std::ofstream("bounce.mo") << "model bounce\n Real h(start=1), v(start=0);\nequation\n der(h) = v; der(v) = -9.81;\n"
                                " when h < 0 then reinit(v, -v); end when;\nend bounce;";
  std::ofstream("slope.mo")
      << "model slope\n Real x(start=1), y(start=2), f;\nequation\n f = x + y; x = y;\nend slope;";
  std::ofstream("bound.mo") << "model bound\n Real x(start=1, min=0), f;\nequation\n f = (x + 1)^2;\n"
                               " assert(x > 0, \"x is negative\");\nend bound;";
  const Trouble table[] = {
      {"away.mo", "attractor away.mo --no-kind --bound 1e4", 19, "is beyond the bound of 1e+04"},
      {"away.mo", "attractor away.mo --bound 1e4", 19, "there is no attractor where this run goes"},
      {"log.mo", "attractor log.mo --no-kind --box 2", 14, "starts of the cloud cannot be brought onto the constraint"},
      {"", "attractor problem:mms_index2_gamma", 20, "the equations depend on time explicitly"},
      {"", "attractor problem:limit_cycle_sphere --no-kind --section z=0.95 --longest-time 20 --transient 5", 17,
       "only 0 of 200 samples in a time of 20"},
      {"", "attractor problem:limit_cycle_sphere --section v=1", 2, "v"},
      {"", "attractor problem:limit_cycle_sphere --method gauss-2", 2, "(B2)"},
      {"", "attractor problem:limit_cycle_sphere --step-sizes 0.1,x", 2,
       "--step-sizes wants numbers, separated by commas, not '0.1,x'"},
      {"", "attractor problem:limit_cycle_sphere --step-sizes 0.1,-1", 2, "a step size is positive, and -1 is not"},
      {"", "manifold problem:limit_cycle_sphere --method radu-iia-2", 2, "did you mean 'radau-iia-2'?"},
      {"", "manifold problem:hlr_index3", 2, "but this problem is stated with index 3"},
      {"", "manifold problem:limit_cycle_sphere --report nowhere/page.html", 3, "nowhere/page.html"},
      {"", "attractor problem:limit_cycle_sphere --report nowhere/page.html", 3, "nowhere/page.html"},
      {"", "stability problem:lognorm_linear --along --report nowhere/page.html", 3, "nowhere/page.html"},
      {"slope.mo", "minimise slope.mo --objective f --report nowhere/page.html", 3, "nowhere/page.html"},
      {"bounce.mo", "attractor bounce.mo", 5, "bounce has events"},
      {"", "minimise problem:car_axis", 2, "reference problems have no objective: minimise wants a model file"},
      {"slope.mo", "minimise slope.mo --objective f --bound 1e5", 19, "the gradient flow runs away: x = -"},
      {"slope.mo", "minimise slope.mo --objective g", 5, "the model has no variable 'g' that could be the objective"},
      {"slope.mo", "minimise slope.mo --objective f --step-size 0.1", 2, "fixed steps need both --method and --step"},
      {"bound.mo", "minimise bound.mo --objective f", 18, "x = -1 is below its min of 0"},
      {"bound.mo", "minimise bound.mo --objective f", 18, "x is negative"},
  };
  for (const Trouble& row : table) {
    SCOPED_TRACE(row.call);
    const Outcome outcome = driftless("analyse " + std::string(row.call));
    EXPECT_EQ(outcome.exit_code, row.exit_code);
    EXPECT_TRUE(contains(outcome.err, row.words)) << outcome.err;
  }
}

}  // namespace
}  // namespace driftless::cli_test::analyse_test
