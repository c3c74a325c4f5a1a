// driftless analyse stability: constants of a model file against their closed forms, words, JSON, CSV and refusals.
#include <cmath>

#include "tests/cli/program.h"

namespace driftless::cli_test::analyse_stability_test {
namespace {

class AnalyseStability : public InFolder {};

// The program solves the constraint itself: what is left is y' = -2.5 y.
const char* const linear = R"(model linear
  Real y(start = 1, fixed = true), z(start = 0);
equation
  der(y) = -3 * y + z;
  0 = y - 2 * z;
end linear;
)";

// z^2 = y, y' = -1: index 1 ends at t = 1, where z = 0.
const char* const fold = R"(model fold
  Real y(start = 1, fixed = true), z(start = 1);
equation
  der(y) = -1;
  y = z^2;
  annotation(experiment(StopTime = 2));
end fold;
)";

const char* const nonlinear = R"(model nonlinear "with known constants"
  Real y1(start = 1, fixed = true), y2(start = 2, fixed = true);
  Real z1, z2;
equation
  der(y1) = -3 * y1 + sin(y1) + 0.6 * sin(z1) + 0.8 * sin(z2);
  der(y2) = -3 * y2 + sin(y2) - 0.8 * sin(z1) + 0.6 * sin(z2);
  0 = -2 * z1 - z1^3 + 0.3 * atan(y1) + 0.4 * atan(y2);
  0 = -2 * z2 - z2^3 - 0.4 * atan(y1) + 0.3 * atan(y2);
  annotation(experiment(StopTime = 1));
end nonlinear;
)";

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

Json constant(const Json& report, const std::string& symbol) {
  for (const Json& one : report["constants"])
    if (one["symbol"] == symbol) return one;
  ADD_FAILURE() << "no constant " << symbol;
  return {};
}

TEST_F(AnalyseStability, HasTheClosedFormsOfALinearModel) {
  write("linear.mo", linear);
  const Json report = Json::parse(driftless("analyse stability linear.mo --box -1:1 --json").out);
  EXPECT_EQ(report["status"], "ok");
  EXPECT_EQ(report["norm"], "2-norm");
  EXPECT_EQ(report["differential"], Json({"y"}));
  EXPECT_NEAR(constant(report, "M_P+[Pf]")["upper"], -2.5, 1e-10);
  EXPECT_NEAR(constant(report, "M_P+[Pf]")["lower"], -2.5, 1e-10);
  EXPECT_EQ(constant(report, "M_P+[Pf]")["proved"], true);
  EXPECT_NEAR(report["rate"], -2.5, 1e-10);
  EXPECT_NEAR(report["schur"], -2.5, 1e-10);
  EXPECT_EQ(report["index_1"], "yes");
  EXPECT_EQ(report["exponentially_stable"], "yes");
  EXPECT_TRUE(report["euler_step_limit"].is_null());
}

TEST_F(AnalyseStability, EnclosesTheClosedFormsOfANonlinearModel) {
  write("nonlinear.mo", nonlinear);
  for (const auto& [norm, lq, lp] : {std::tuple{"2", 1.0, 0.5}, std::tuple{"inf", 1.4, 0.7}}) {
    const Json report = Json::parse(
        driftless(std::string("analyse stability nonlinear.mo --box -2.5:2.5 --json --boxes 500 --norm ") + norm).out);
    for (const auto& [symbol, exact] :
         {std::pair{"L_Q[Pf]", lq}, std::pair{"L_P[Qf]", lp}, std::pair{"M_P+[Pf]", -2.0}}) {
      const Json one = constant(report, symbol);
      EXPECT_LE(one["lower"], exact + 1e-12) << norm << symbol;
      EXPECT_GE(one["upper"], exact - 1e-12) << norm << symbol;
      EXPECT_LT(one["upper"].get<double>() - one["lower"].get<double>(), 0.05) << norm << symbol;
    }
  }
  const std::string words = driftless("analyse stability nonlinear.mo --box -2.5:2.5,y1=-1:1 --boxes 500").out;
  for (const char* part : {"nonlinear: with known constants\n", "y1 in [-1, 1], y2 in [-2.5, 2.5]", "proved at most",
                           "The index is 1 on the whole box", "Exponentially stable"})
    EXPECT_TRUE(contains(words, part)) << part << words;
}

TEST_F(AnalyseStability, WeightsChangeTheNorm) {
  write("nonlinear.mo", nonlinear);
  const Json report = Json::parse(
      driftless("analyse stability nonlinear.mo --box -1:1 --norm inf --boxes 200 --weight z1=4,z2=4 --json").out);
  EXPECT_EQ(report["norm"], "weighted maximum norm");
  EXPECT_NEAR(constant(report, "L_Q[Pf]")["upper"], 1.4 / 4.0, 1e-6);
  EXPECT_NEAR(constant(report, "M_P+[Pf]")["upper"], -2.0, 1e-6);
}

TEST_F(AnalyseStability, BoundsPerturbationsOverTime) {
  write("linear.mo", linear);
  const Outcome outcome = driftless(
      "analyse stability linear.mo --box -1:1 --perturb-start 0.1 --perturb-differential 0.05 --csv bound.csv --json");
  const Json report = Json::parse(outcome.out);
  const Json last = report["perturbation"]["bounds"].back();
  EXPECT_NEAR(last["p"], 0.1 * std::exp(-2.5) + 0.05 * (1.0 - std::exp(-2.5)) / 2.5, 1e-7);
  EXPECT_EQ(last["q"], 0.0);  // no algebraic part is left
  EXPECT_NEAR(report["perturbation"]["p_for_ever"], 0.1, 1e-9);
  const auto csv = lines(file_text("bound.csv"));
  EXPECT_EQ(csv.size(), 102u);
  EXPECT_EQ(csv[0], "time,p_bound,q_bound");
}

TEST_F(AnalyseStability, FollowsASolution) {
  write("nonlinear.mo", nonlinear);
  const Json report = Json::parse(
      driftless("analyse stability nonlinear.mo --along --json --perturb-constraint 0.001 --csv along.csv").out);
  EXPECT_EQ(report["proved"], true);
  EXPECT_EQ(report["index"]["lost"], false);
  EXPECT_LT(report["largest_rate"]["value"], -1.75);
  EXPECT_LT(report["growth"], std::exp(-1.75));
  EXPECT_EQ(report["error"]["valid"], true);
  EXPECT_EQ(report["error"]["dominant"], "differential");
  EXPECT_LT(report["error"]["bounds"].back()["p"], 1e-5);
  EXPECT_EQ(report["perturbation"]["valid"], true);
  EXPECT_EQ(lines(file_text("along.csv"))[0], "time,rate,m_q,error_p,error_q,deviation_p,deviation_q");
  EXPECT_EQ(lines(file_text("along.csv")).size(), report["error"]["bounds"].size() + 1);
  const std::string words = driftless("analyse stability nonlinear.mo --along").out;
  for (const char* part :
       {"Index 1 all along", "Deviations that stay within 0.001 of this solution", "the error at t = 1"})
    EXPECT_TRUE(contains(words, part)) << part << words;
}

TEST_F(AnalyseStability, SeesWhereIndexOneIsLost) {
  write("fold.mo", fold);
  const Json report = Json::parse(driftless("analyse stability fold.mo --along --json").out);
  EXPECT_EQ(report["index"]["lost"], true);
  EXPECT_EQ(report["index"]["singular"], true);
  EXPECT_NEAR(report["index"]["time"], 1.0, 1e-4);
  EXPECT_TRUE(contains(driftless("analyse stability fold.mo --along").out, "the problem is no longer of index"));
}

TEST_F(AnalyseStability, KnowsReferenceProblems) {
  const Json report = Json::parse(driftless("analyse stability problem:lognorm_linear --box -1:1 --json").out);
  EXPECT_NEAR(report["schur"], -17.0 / 6.0, 1e-10);
}

// [[-1, 10], [0, -2]]: -1.5 + sqrt(25.25) in the 2-norm, -1 in the norms of its eigenvectors, W = V^-1, G = W^T W.
TEST_F(AnalyseStability, TakesNormsGivenByAMatrix) {
  write("shear.mo",
        "model shear\n  Real x(start = 1, fixed = true), y(start = 1, fixed = true);\nequation\n"
        "  der(x) = -x + 10 * y;\n  der(y) = -2 * y;\nend shear;\n");
  write("G.csv", "1,10\n10,101\n");
  write("turned.csv", "y,x\n101,10\n10,1\n");
  write("W.csv", "1,10\n0,1\n");
  const auto report = [](const std::string& options) {
    return Json::parse(driftless("analyse stability shear.mo --box -1:1 --json " + options).out);
  };
  EXPECT_NEAR(report("")["rate"], -1.5 + std::sqrt(25.25), 1e-9);
  for (const char* options : {"--norm G.csv", "--norm turned.csv", "--transform W.csv", "--transform W.csv --norm inf",
                              "--transform W.csv --norm 1"}) {
    SCOPED_TRACE(options);
    const Json found = report(options);
    EXPECT_NEAR(found["rate"], -1.0, 1e-9);
    EXPECT_EQ(found["exponentially_stable"], "yes");
    EXPECT_EQ(found["proved"], true);
    EXPECT_TRUE(contains(found["norm_source"], "x = (x, y)")) << found["norm_source"];
  }
  EXPECT_EQ(report("--norm G.csv")["norm"], "inner-product norm");
  EXPECT_FALSE(report("").contains("norm_source"));
  const std::string text = driftless("analyse stability shear.mo --along --norm G.csv").out;
  EXPECT_TRUE(contains(text, "\n  norm        inner-product norm: sqrt(x^T G x), G from G.csv, x = (x, y)\n")) << text;
}

TEST_F(AnalyseStability, RefusesMatricesThatMakeNoNorm) {
  write("linear.mo", linear);
  write("nonlinear.mo", nonlinear);
  const std::pair<const char*, const char*> files[] = {
      {"0\n", "bad.csv: sqrt(x^T G x) is a norm if G is positive definite, but x^T G x = 0 for x = (1)"},
      {"-2\n", "x^T G x = -2 for x = (1)"},
      {"1,0\n0,1\n", "bad.csv: the matrix of the norm is 2 x 2, but there are 1 components: y"},
      {"q\n1\n", "bad.csv: no column is called y"}};
  for (const auto& [text, message] : files) {
    write("bad.csv", text);
    const Outcome outcome = driftless("analyse stability linear.mo --along --norm bad.csv --json");
    EXPECT_EQ(outcome.exit_code, 3) << message;
    EXPECT_TRUE(contains(outcome.err, message)) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out)["status"], "file");
  }
  write("bad.csv", "1,2,0,0\n3,1,0,0\n0,0,1,0\n0,0,0,1\n");
  EXPECT_TRUE(
      contains(driftless("analyse stability nonlinear.mo --along --norm bad.csv").err,
               "is symmetric, but row 2, column 1 is 3 and row 1, column 2 is 2\n  try:   --transform bad.csv"));
  write("bad.csv", "1,2,0,0\n2,4,0,0\n0,0,1,0\n0,0,0,1\n");
  EXPECT_TRUE(contains(driftless("analyse stability nonlinear.mo --along --norm bad.csv").err,
                       "positive definite, but x^T G x = 0 for x = ("));
  EXPECT_TRUE(contains(driftless("analyse stability nonlinear.mo --along --transform bad.csv").err,
                       "|W x| is a norm if W is regular"));
  write("good.csv", "1\n");
  EXPECT_TRUE(contains(driftless("analyse stability linear.mo --along --norm good.csv --weight y=2").err,
                       "a norm by a matrix has weights of its own"));
  EXPECT_TRUE(contains(driftless("analyse stability linear.mo --along --norm good.csv --transform good.csv").err,
                       "--transform goes with --norm 1, 2 or inf"));
}

// y = 3 and y = -3 stay in the box for ever, while z between them leaves it.
TEST_F(AnalyseStability, DoesNotProveWhatTheConstraintOutsideOfTheBoxRefutes) {
  write("hill.mo",
        "model hill\n  Real y(start = 3, fixed = true), z(start = 0);\nequation\n  der(y) = -y + 3*tanh(20*y);\n"
        "  0 = 5*exp(-y^2) - z - 0.1*z^3;\nend hill;\n");
  const std::string command = "analyse stability hill.mo --box y=-4:4,z=-0.5:1";
  const Json report = Json::parse(driftless(command + " --json").out);
  EXPECT_EQ(report["proved"], false);
  EXPECT_EQ(report["theorem_3_5"]["proved"], false);
  EXPECT_EQ(report["exponentially_stable"], "open");
  EXPECT_EQ(report["constraint_in_box"]["solved"], "no");
  EXPECT_EQ(report["euler_unique"], "below the limit");
  EXPECT_LT(report["euler_step_limit"], 10.0);
  EXPECT_GT(report["rate"], 0.0);
  const std::string words = driftless(command).out;
  EXPECT_FALSE(contains(words, "shrink")) << words;
  EXPECT_FALSE(contains(words, "every step size")) << words;
  for (const char* part : {"The constraint leaves the box: over", "larger sides for z, or smaller"})
    EXPECT_TRUE(contains(words, part)) << part << words;
  // On one side of the hill, and with room for z, it is true.
  const Json right = Json::parse(driftless("analyse stability hill.mo --box y=1:4,z=-0.5:2 --json").out);
  EXPECT_EQ(right["proved"], true);
  EXPECT_EQ(right["constraint_in_box"]["solved"], "yes");
  EXPECT_NEAR(right["rate"], -1.0, 1e-9);
  EXPECT_EQ(right["euler_unique"], "every step size");
}

TEST_F(AnalyseStability, DoesNotCallSamplesProved) {
  const Json report = Json::parse(driftless("analyse stability problem:lognorm_nonlinear --box -2.5:2.5 --json").out);
  EXPECT_EQ(report["proved"], true);
  const Json reduced = constant(report, "M_P+[Pfg]");
  EXPECT_EQ(reduced["proved"], true);
  EXPECT_GT(reduced["boxes"], 100);
  EXPECT_NEAR(reduced["sampled"], -2.06185, 1e-4);
  EXPECT_EQ(report["rate"], reduced["upper"]);
  EXPECT_GT(report["rate"], reduced["sampled"].get<double>() + 1e-3);  // a bound by intervals, not the sample
  EXPECT_LT(report["rate"], -1.9);
  // With one box nothing is enclosed, and samples are called samples.
  const std::string one = "analyse stability problem:lognorm_nonlinear --box -2.5:2.5 --boxes 1 --perturb-start 0.1";
  const Json rough = Json::parse(driftless(one + " --json").out);
  EXPECT_EQ(rough["proved"], false);
  EXPECT_EQ(rough["rate_proved"], false);
  EXPECT_EQ(rough["theorem_3_5"]["proved"], false);
  EXPECT_EQ(rough["perturbation"]["proved"], false);
  EXPECT_EQ(rough["exponentially_stable"], "open");
  const std::string words = driftless(one).out;
  for (const char* part : {"No bound for the growth of deviations was found", "No bound for what perturbations do",
                           "Nothing is proved about the steps"})
    EXPECT_TRUE(contains(words, part)) << part << words;
}

TEST_F(AnalyseStability, ReportsOnBoxesWithBranchesAndSingularMiddles) {
  write("branches.mo",
        "model branches\n  Real y(start = 1, fixed = true), z(start = 1);\nequation\n  der(y) = -y + z;\n"
        "  0 = z^2 - 1 - 0.01*y^2;\nend branches;\n");
  for (const char* top : {"2", "1.9"})
    for (const char* constraint : {"auto", "as-written", "scaled"}) {
      const std::string command = std::string("analyse stability branches.mo --box y=-2:2,z=-1.9:") + top +
                                  " --constraint " + constraint + " --perturb-start 0.1 --csv bound.csv";
      const Outcome outcome = driftless(command);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      const Json report = Json::parse(driftless(command + " --json").out);
      EXPECT_EQ(report["proved"], false);
      EXPECT_EQ(report["rate_proved"], false);
      EXPECT_EQ(report["index_1"], "no");
      EXPECT_TRUE(contains(outcome.out, "No bound for")) << outcome.out;
      for (const std::string& text : {outcome.out, file_text("bound.csv"), report.dump()})
        for (const char* bad : {"inf,", "nan", " inf ", "inf\n", "shrink", "every step size"})
          EXPECT_FALSE(contains(text, bad)) << bad << text;
    }
  EXPECT_TRUE(contains(driftless("analyse stability branches.mo --box y=-2:2,z=-1.9:1.9").out,
                       "it is singular at y = 0, z = 0"));
  // One branch is enough for a proof.
  const Json upper = Json::parse(driftless("analyse stability branches.mo --box y=-2:2,z=0.5:2 --json").out);
  EXPECT_EQ(upper["proved"], true);
  EXPECT_NEAR(upper["rate"], -1.0 + 0.02 / std::sqrt(1.04), 1e-3);
}

TEST_F(AnalyseStability, CallsHeatConductionContractive) {
  const std::string command = "analyse stability problem:heat_flux_mol_10 --box -2:2";
  const Json report = Json::parse(driftless(command + " --json").out);
  EXPECT_EQ(report["rate"], 0.0);
  EXPECT_EQ(report["rate_proved"], true);
  EXPECT_EQ(report["euler_unique"], "every step size");
  const std::string words = driftless(command).out;
  EXPECT_TRUE(contains(words, "Contractive: deviations between solutions in the box never grow")) << words;
  EXPECT_FALSE(contains(words, "e-299")) << words;
}

struct Refusal {
  const char* arguments;
  int code;
  const char* message;
};

TEST_F(AnalyseStability, RefusesWhatItCannotDo) {
  write("linear.mo", linear);
  write("nonlinear.mo", nonlinear);
  for (const Refusal& refusal :
       {Refusal{"linear.mo", 2, "say where: either --box NAME=LOW:HIGH or --along the solution"},
        Refusal{"linear.mo --along --box 0:1", 2, "say where"},
        Refusal{"nonlinear.mo --box y1=0:1,z1=0:1", 2, "--box says nothing about y2, z2\n"},
        Refusal{"linear.mo --box y=1:0", 2, "--box: 1 is above 0"},
        Refusal{"linear.mo --box y=1", 2, "'1' is no interval; write LOW:HIGH"},
        Refusal{"linear.mo --box x=0:1", 2, "'x' is not one of the unknowns that the solver sees"},
        Refusal{"linear.mo --box a:b", 2, "'a' is not a number"},
        Refusal{"linear.mo --box 0:1 --csv x.csv", 2, "--csv writes bounds over time"},
        Refusal{"linear.mo --box 0:1 --norm 3", 2, "--norm"},
        Refusal{"linear.mo --along --tube 0", 2, "--tube must be positive"},
        Refusal{"problem:pendulum_schropp --along", 5, "has index 3"}}) {
    const Outcome outcome = driftless(std::string("analyse stability ") + refusal.arguments);
    EXPECT_EQ(outcome.exit_code, refusal.code) << refusal.arguments << outcome.err;
    EXPECT_TRUE(contains(outcome.err, refusal.message)) << refusal.arguments << outcome.err;
  }
}

}  // namespace
}  // namespace driftless::cli_test::analyse_stability_test
