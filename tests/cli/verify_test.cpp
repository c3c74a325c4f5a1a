// The program checks itself: results are put back into the equations of the model as written.
#include "tests/cli/program.h"

namespace driftless::cli_test::verify_test {
namespace {

using Verify = InFolder;

std::vector<std::string> shipped_models() {
  std::vector<std::string> files;
  for (const char* folder : {"", "base/"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(DRIFTLESS_SOURCE_DIR) + "/examples/models/" + folder))
      if (entry.path().extension() == ".mo") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST_F(Verify, EveryShippedModelSatisfiesItsEquationsInEveryRow) {
  const auto files = shipped_models();
  EXPECT_GT(files.size(), 30U);
  for (const std::string& file : files) {
    const Outcome outcome = driftless("solve '" + file + "' --verify --json -o rows.csv");
    ASSERT_EQ(outcome.exit_code, 0) << file << outcome.err;
    const Json verification = Json::parse(outcome.out)["verification"];
    EXPECT_GT(verification["rows"], 50) << file;
    EXPECT_EQ(verification["not_evaluated"], 0) << file;
    EXPECT_LT(verification["ratio_to_tolerance"], 1e-3) << file << verification.dump(1);
  }
}

TEST_F(Verify, SaysHowWellTheEquationsHold) {
  std::ofstream("decay.mo") << "model decay Real x(start = 1), y; equation der(x) = -y; y = 2*x; end decay;";
  const Outcome outcome = driftless("solve decay.mo --verify");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.out, "verified    all equations hold to rounding in ")) << outcome.out;
}

TEST_F(Verify, IsRefusedWhereThereAreNoEquationsToPutResultsIn) {
  const Outcome outcome = driftless("solve problem:pendulum_schropp --verify");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "--verify")) << outcome.err;
}

// Rounding in x[1] grows by a factor of 3.7 from each x[i] to the next, and the last equation is missed by far: no
// answer is better than a wrong one.
TEST_F(Verify, ResultsThatRoundingHasSpoiltAreNoSuccess) {
  std::ofstream("spoilt.mo") << R"(model spoilt
  parameter Integer n = 40;
  Real x[n](each start = 1), u;
equation
  der(x[1]) = u;
  x[2] = 4*x[1] - 1;
  for i in 2:n-1 loop x[i+1] = 4*x[i] - x[i-1] - i - 0.1*time; end for;
  4*x[n] - x[n-1] = n + time;
end spoilt;
)";
  const Outcome outcome = driftless("solve spoilt.mo --json");
  EXPECT_EQ(outcome.exit_code, 22);
  EXPECT_EQ(Json::parse(outcome.out)["status"], "equation-violated");
  EXPECT_TRUE(contains(outcome.err, "'4*x[n] - x[n-1] = n + time' (line 8)")) << outcome.err;
}

}  // namespace
}  // namespace driftless::cli_test::verify_test
