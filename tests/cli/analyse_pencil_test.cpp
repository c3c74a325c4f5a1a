// driftless analyse pencil: structure against closed forms, and what is said about files that are not right.
#include <cmath>

#include "tests/cli/program.h"

namespace driftless::cli_test::analyse_pencil_test {
namespace {

class AnalysePencil : public InFolder {
 protected:
  static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  static Json analysed(const std::string& arguments) {
    const Outcome outcome = driftless("analyse pencil " + arguments + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

// A resistor and a capacitor: C v' = -i, 0 = v - R i, with C = 1e-6 and R = 1e3: v' = -1000 v.
TEST_F(AnalysePencil, CircuitHasIndexOneAndItsTimeConstant) {
  write("A.csv", "v,i\n1e-6,0\n0,0\n");
  write("B.csv", "v,i\n0,-1\n1,-1000\n");
  const Json found = analysed("A.csv B.csv");
  EXPECT_EQ(found["regular"], true);
  EXPECT_EQ(found["index"], 1);
  EXPECT_EQ(found["unknowns"], Json({"v", "i"}));
  ASSERT_EQ(found["eigenvalues"].size(), 1u);
  EXPECT_NEAR(found["eigenvalues"][0]["re"], -1000.0, 1e-8);
  EXPECT_EQ(found["eigenvalues"][0]["im"], 0.0);
  EXPECT_EQ(found["infinite_blocks"], Json({1}));
  EXPECT_NEAR(found["growth"]["upper"], -1000.0, 1e-8);
  EXPECT_NEAR(found["growth"]["lower"], -1000.0, 1e-8);
  EXPECT_EQ(found["ranks"]["clear"], true);
  // v = 1000 i
  EXPECT_NEAR(found["solution_space"][0][0].get<double>() / found["solution_space"][0][1].get<double>(), 1e3, 1e-6);
}

// x1' = v1, v1' = -x1 - l, 0 = x1 - x2, x2' = v2, v2' = -4 x2 + l: two oscillators, glued together. Index 3, and
// 2 v' = -5 x, eigenvalues +- i sqrt(2.5).
TEST_F(AnalysePencil, MechanismHasIndexThree) {
  write("A.csv", "1 0 0 0 0\n0 1 0 0 0\n0 0 1 0 0\n0 0 0 1 0\n0 0 0 0 0\n");
  write("B.csv", "0 1 0 0 0  # x1\n-1 0 0 0 -1\n0 0 0 1 0\n0 0 -4 0 1\n1 0 -1 0 0\n");
  const Json found = analysed("A.csv B.csv");
  EXPECT_EQ(found["index"], 3);
  EXPECT_EQ(found["infinite_blocks"], Json({3}));
  ASSERT_EQ(found["eigenvalues"].size(), 2u);
  EXPECT_NEAR(found["eigenvalues"][0]["re"], 0.0, 1e-12);
  EXPECT_NEAR(found["eigenvalues"][0]["im"], std::sqrt(2.5), 1e-12);
  const std::string text = driftless("analyse pencil A.csv B.csv").out;
  for (const char* part :
       {"A x' = B x: A = A.csv, B = B.csv, 5 equations, 5 unknowns\n", "\n  index         3\n",
        "\n  eigenvalues   0 + 1.5811388i, 0 - 1.5811388i\n", "\n  at infinity   1 block of size 3\n",
        "\n  solutions     in a space of dimension 2 of 5;"})
    EXPECT_TRUE(contains(text, part)) << part << text;
}

// mu of [[-1, 10], [0, -2]]: -1.5 + sqrt(25.25) in the 2-norm, 9 in the maximum norm, -1 in that of its eigenvectors.
TEST_F(AnalysePencil, GrowthIsTheLogarithmicNorm) {
  write("A.csv", "1,0\n0,1\n");
  write("B.csv", "-1,10\n0,-2\n");
  write("G.csv", "1,10\n10,101\n");
  EXPECT_NEAR(analysed("A.csv B.csv")["growth"]["upper"], -1.5 + std::sqrt(25.25), 1e-12);
  EXPECT_NEAR(analysed("A.csv B.csv")["growth"]["lower"], -1.5 - std::sqrt(25.25), 1e-12);
  EXPECT_NEAR(analysed("A.csv B.csv --norm inf")["growth"]["upper"], 9.0, 1e-12);
  EXPECT_NEAR(analysed("A.csv B.csv --norm G.csv")["growth"]["upper"], -1.0, 1e-11);
  EXPECT_NEAR(analysed("A.csv B.csv --norm G.csv")["growth"]["lower"], -2.0, 1e-11);
  EXPECT_EQ(analysed("A.csv B.csv")["index"], 0);
}

TEST_F(AnalysePencil, SingularOnesHaveNoIndex) {
  write("A.csv", "1,0\n0,0\n");
  write("B.csv", "1,1\n0,0\n");
  const Json found = analysed("A.csv B.csv");
  EXPECT_EQ(found["regular"], false);
  EXPECT_TRUE(found["index"].is_null());
  EXPECT_FALSE(found.contains("eigenvalues"));
  EXPECT_TRUE(
      contains(driftless("analyse pencil A.csv B.csv").out, "\n  regular       no: det(s A - B) = 0 for all s."));
  write("A.csv", "1,0\n");
  write("B.csv", "1,1\n");
  EXPECT_EQ(analysed("A.csv B.csv")["regular"], false);
  EXPECT_TRUE(contains(driftless("analyse pencil A.csv B.csv").out, "no: 1 equation for 2 unknowns\n"));
}

struct Refusal {
  const char* a;
  const char* b;
  const char* options;
  int code;
  const char* message;
};

TEST_F(AnalysePencil, SaysWhatIsWrongWithAFile) {
  for (const Refusal& refusal :
       {Refusal{"1,0\n0,1\n", "1\n", "", 3, "A and B must have the same size, but A.csv is 2 x 2 and B.csv is 1 x 1"},
        Refusal{"1,0\n0,x\n", "1\n", "", 3, "A.csv:2: field 2, 'x', is not a finite number"},
        Refusal{"1,0\n\n0\n", "1\n", "", 3, "A.csv:3: the line has 1 fields, but the ones before have 2"},
        Refusal{"1,nan\n0,1\n", "1\n", "", 3, "A.csv:1: field 2, 'nan', is not a finite number"},
        Refusal{"# nothing\n", "1\n", "", 3, "A.csv: there are no numbers in it"},
        Refusal{"p,q\n1,0\n0,1\n", "q,p\n1,0\n0,1\n", "", 3, "the columns of A.csv and B.csv have different names"},
        Refusal{"1\n", "1\n", "--norm 3", 2, "--norm is one of 1, 2, inf, or a file G.csv"},
        Refusal{"1\n", "1\n", "--tolerance 2", 2, "--tolerance is between 0 and 1"},
        Refusal{"1,0\n0,1\n", "1,0\n0,1\n", "--norm A1.csv", 3, "there is no file 'A1.csv' that can be read"}}) {
    write("A.csv", refusal.a);
    write("B.csv", refusal.b);
    const Outcome outcome = driftless(std::string("analyse pencil A.csv B.csv --json ") + refusal.options);
    EXPECT_EQ(outcome.exit_code, refusal.code) << refusal.message << outcome.err;
    EXPECT_TRUE(contains(outcome.err, refusal.message)) << outcome.err;
    EXPECT_TRUE(contains(Json::parse(outcome.out)["message"], refusal.message));
  }
  EXPECT_TRUE(contains(driftless("analyse pencil A.csv").err, "analyse pencil: B is missing"));
  EXPECT_EQ(driftless("complete -- analyse pencil A").out, "A.csv\n");
}

}  // namespace
}  // namespace driftless::cli_test::analyse_pencil_test
