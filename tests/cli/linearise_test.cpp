// driftless linearise, as a user meets it.
#include "tests/cli/program.h"

namespace driftless::cli_test::linearise_test {
namespace {

class Linearise : public InFolder {
 protected:
  Linearise() {
    std::ofstream("filter.mo")
        << "model Filter parameter Real R = 1e3, C = 1e-6, U = 0; Real u(start = 0, fixed = true), "
           "i; equation R*i = U - u; C*der(u) = i; end Filter;";
    std::ofstream("fall.mo") << "model Fall Real x(start = 1, fixed = true); equation der(x) = -x^2; end Fall;";
  }
};

TEST_F(Linearise, ModesMatricesAndAPage) {
  const Outcome done =
      driftless("linearise filter.mo --steady --input U --output u --matrices f --report f.html --json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const Json found = Json::parse(done.out);
  EXPECT_EQ(found["equilibrium"], true);
  EXPECT_NEAR(found["modes"][0]["real"].get<double>(), -1000.0, 1e-6);
  EXPECT_NEAR(std::stod(lines(file_text("f.A.csv"))[1]), -1000.0, 1e-6);
  EXPECT_EQ(files(),
            (std::vector<std::string>{"f.A.csv", "f.B.csv", "f.C.csv", "f.D.csv", "f.html", "fall.mo", "filter.mo"}));
  EXPECT_TRUE(contains(file_text("f.html"), "Bode plot"));
}

TEST_F(Linearise, SaysWhatItIs) {
  const Outcome stable = driftless("linearise filter.mo --steady");
  EXPECT_TRUE(contains(stable.out, "an equilibrium, stable")) << stable.out;
  EXPECT_TRUE(contains(stable.out, "1 degree of freedom")) << stable.out;
  const Outcome moving = driftless("linearise fall.mo --at 1");
  EXPECT_TRUE(contains(moving.out, "no equilibrium")) << moving.out;
  const Outcome flat = driftless("linearise fall.mo --steady");
  EXPECT_TRUE(contains(flat.out, "does not decide")) << flat.out;
}

TEST_F(Linearise, WrongNamesAreRefused) {
  EXPECT_EQ(driftless("linearise filter.mo --input V").exit_code, 2);
  EXPECT_EQ(driftless("linearise filter.mo --output V").exit_code, 2);
  EXPECT_EQ(driftless("linearise problem:car_axis").exit_code, 2);
}

}  // namespace
}  // namespace driftless::cli_test::linearise_test
