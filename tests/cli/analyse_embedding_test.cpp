// driftless analyse embedding: residuals and rates against closed forms.
#include <cmath>

#include "tests/cli/program.h"

namespace driftless::cli_test::analyse_embedding_test {
namespace {

class AnalyseEmbedding : public InFolder {
 protected:
  static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  static Json analysed(const std::string& arguments) {
    const Outcome outcome = driftless("analyse embedding " + arguments + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

const std::string sphere = "problem:limit_cycle_sphere --start x=0.7,y=0.2,z=0.6 ";  // |u|^2 - 1 = -0.11

// v' = -v by steps of 0.05: implicit Euler divides by 1.05, HEM3 has the polynomial of order 3.
TEST_F(AnalyseEmbedding, ResidualsFallAsTheStabilityFunctionSays) {
  const Json found = analysed(sphere + "--method implicit-euler,hem3 --step-size 0.05 --t-end 4");
  EXPECT_EQ(found["eta"], 1.0);
  const double h = 0.05, factors[] = {1.0 / (1.0 + h), 1.0 - h + h * h / 2.0 - h * h * h / 6.0};
  ASSERT_EQ(found["methods"].size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    const Json& one = found["methods"][k];
    ASSERT_EQ(one["residuals"].size(), 81u);
    for (std::size_t n = 0; n <= 80; ++n) {
      EXPECT_NEAR(one["residuals"][n], 0.11 * std::pow(factors[k], n), 1e-13);
      EXPECT_NEAR(one["predicted"][n], 0.11 * std::pow(factors[k], n), 1e-13);
    }
    EXPECT_NEAR(one["rate"], -std::log(factors[k]) / h, 1e-9);
    EXPECT_NEAR(one["predicted_rate"], -std::log(factors[k]) / h, 1e-9);
    EXPECT_LT(one["largest_difference"], 1e-12);
    EXPECT_NEAR(one["t"].back(), 4.0, 1e-12);
  }
}

// Index 3 by Gear, Gupta and Leimkuhler: two constraints, and a B of its own. The symmetric part of B has the
// eigenvalues 2.5 -+ sqrt(0.5).
TEST_F(AnalyseEmbedding, TakesAMatrix) {
  write("B.csv", "2,1\n0,3\n");
  const Json found = analysed("problem:pendulum_schropp --decay B.csv --off 0.01 --step-size 0.01");
  EXPECT_NEAR(found["eta"], 2.5 - std::sqrt(0.5), 1e-12);
  EXPECT_EQ(found["constraints"].size(), 2u);
  ASSERT_EQ(found["methods"].size(), 4u);
  for (const Json& one : found["methods"]) {
    EXPECT_NEAR(one["residuals"][0], 0.01, 1e-3);
    EXPECT_LT(one["largest_difference"], 1e-8) << one["method"];
    EXPECT_GT(one["rate"], 2.5 - std::sqrt(0.5));
    EXPECT_LT(one["rate"], 2.5 + std::sqrt(0.5));
    EXPECT_NEAR(one["rate"], one["predicted_rate"], 1e-3);
  }
}

TEST_F(AnalyseEmbedding, PrintsATableAndAPage) {
  const Outcome outcome = driftless("analyse embedding " + sphere + "--rate 2 --method radau-iia-3 --report page.html");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* part :
       {"\n  B           2 I: |g(u)| falls at least like exp(-2 t)\n", "\n  start       |g(u)| = 0.11 at t = 0\n",
        "\n  radau-iia-3     2              2", "\nwritten: page.html\n"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << outcome.out;
  EXPECT_TRUE(contains(file_text("page.html"), "Back to the constraint"));
  EXPECT_TRUE(contains(driftless("analyse embedding --help").out, "Usage: driftless analyse embedding MODEL"));
  EXPECT_EQ(driftless("complete -- analyse em").out, "embedding\n");
}

struct Refusal {
  const char* arguments;
  int code;
  const char* message;
};

TEST_F(AnalyseEmbedding, RefusesWhatCannotBeRight) {
  write("unstable.csv", "-1\n");
  write("large.csv", "1,0\n0,1\n");
  write("events.mo",
        "model events\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -1;\n  when x < 0 then reinit(x, 1); "
        "end when;\nend events;\n");
  const std::string problem = "problem:limit_cycle_sphere ";
  for (const Refusal& refusal :
       {Refusal{"--rate -1", 2, "--rate must be positive"}, Refusal{"--rate 1 --decay large.csv", 2, "choose one"},
        Refusal{"--decay unstable.csv", 2, "B is not stable: the logarithmic norm of -B is 1"},
        Refusal{"--decay large.csv", 3, "large.csv: B is 2 x 2, but there is 1 constraint"},
        Refusal{"--start x=1 --off 0.1", 2, "--start and --off both say where to begin"},
        Refusal{"--start w=1", 2, "--start: 'w' is not one of the states"},
        Refusal{"--start x", 2, "--start wants name=value, not 'x'"},
        Refusal{"--start x=a", 2, "--start wants numbers"}, Refusal{"--step-size 0", 2, "--step-size must be positive"},
        Refusal{"--t-end -1", 2, "--t-end -1 leaves no step"},
        Refusal{"--step-size 1e-9", 2, "choose a larger --step-size"},
        Refusal{"--method gaus-2", 2, "there is no tableau 'gaus-2'"}, Refusal{"--method gauss-2", 2, "(B2) fails"}}) {
    const Outcome outcome = driftless("analyse embedding " + problem + refusal.arguments + " --json");
    EXPECT_EQ(outcome.exit_code, refusal.code) << refusal.arguments << outcome.err;
    EXPECT_TRUE(contains(outcome.err, refusal.message)) << refusal.arguments << outcome.err;
    EXPECT_FALSE(Json::parse(outcome.out)["message"].empty());
  }
  EXPECT_TRUE(contains(driftless("analyse embedding events.mo").err, "has events"));
  EXPECT_TRUE(contains(driftless("analyse embedding problem:lognorm_linear").err, "is stated with index 1"));
}

}  // namespace
}  // namespace driftless::cli_test::analyse_embedding_test
