// What is taken out of a model, what stays, and that everything is still reported.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/modelfile/structure/reduction.h"
#include "text_model.h"

namespace driftless::testing_models::structure_reduction_test {
namespace {

std::vector<std::string> left(const FlatModel& model) {
  std::vector<std::string> names;
  for (const Unknown& u : reduce(model).unknowns) names.push_back(u.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Reduction, AliasesAndConstants) {
  EXPECT_EQ(
      left(flat("Real x(start = 1), a, b, c, d, k;", "der(x) = -a; a = x; b = -a; c + b = 0; d = 2*c - 1; k = 3;")),
      (Names{"x"}));
}

TEST(Reduction, StatesThatAreAliasesOfEachOther) {
  const FlatModel model = flat("Real x, y(start = 2, fixed = true), u, v;",
                               "der(x) = u; der(y) = v; y = -2*x + 1; der(u) = -x; v = v + 0*u + (v + 2*u);");
  // der(y) = -2 der(x), so v = -2 u follows from the derivatives: the last equation would say nothing new.
  EXPECT_THROW(reduce(model), Refusal);
  EXPECT_EQ(
      left(flat("Real x, y(start = 2, fixed = true), u, v;", "der(x) = u; der(y) = v; y = -2*x + 1; der(u) = -x;")),
      (Names{"y", "u"}));
}

TEST(Reduction, AliasPrefersStatesAndStartValues) {
  EXPECT_EQ(left(flat("Real a, b(start = 1), c;", "der(c) = -a; a = b; b = c;")), (Names{"c"}));
  EXPECT_EQ(left(flat("Real a, b(start = 1, fixed = true), c, d;", "der(c) = -a; der(b) = d; a = b; a = c;")),
            (Names{"b"}));
}

TEST(Reduction, ExplicitVariablesInAnyOrder) {
  EXPECT_EQ(left(flat("Real x(start = 1), a, b, c;", "c = a*b; der(x) = -c; b = sin(a); a = x^2 + time;")),
            (Names{"x"}));
}

TEST(Reduction, FactorsThatCannotVanish) {
  EXPECT_EQ(left(flat("Real x(start = 1), f;", "(1 + x^2)*f = 2; der(x) = -f;")), (Names{"x"}));
  EXPECT_EQ(left(flat("Real x(start = 1), f;", "x*f = 2; der(x) = -f^3;")), (Names{"x", "f"}));
}

TEST(Reduction, LinearLoopsAreSolved) {
  const FlatModel bridge = flat("Real x(start = 1, fixed = true), a, b, c;",
                                "4*a + b - c = x; a + 5*b + c = 1; a - b + 6*c = time; der(x) = a + b + c;");
  EXPECT_EQ(left(bridge), (Names{"x"}));
  const RunResult r = run(compiled(bridge), 0.5);
  const double a = r.values.at("a"), b = r.values.at("b"), c = r.values.at("c");
  EXPECT_NEAR(4.0 * a + b - c, r.values.at("x"), 1e-13);
  EXPECT_NEAR(a + 5.0 * b + c, 1.0, 1e-13);
  EXPECT_NEAR(a - b + 6.0 * c, 0.5, 1e-13);
}

TEST(Reduction, NonlinearLoopsKeepOneUnknown) {
  // a = f(b), b = g(c), c = h(a): one of the three is left to the solver.
  const FlatModel loop =
      flat("Real x(start = 1), a, b, c;", "a = 0.3*sin(b) + x; b = cos(c); c = 0.5*exp(-a); der(x) = -a;");
  EXPECT_EQ(left(loop).size(), 2u);
  const RunResult r = run(compiled(loop), 0.5);
  EXPECT_NEAR(r.values.at("a"), 0.3 * std::sin(r.values.at("b")) + r.values.at("x"), 1e-12);
  EXPECT_NEAR(r.values.at("b"), std::cos(r.values.at("c")), 1e-12);
  EXPECT_NEAR(r.values.at("c"), 0.5 * std::exp(-r.values.at("a")), 1e-12);
}

TEST(Reduction, AccelerationsAreDerivatives) {
  // A coupled mass matrix stays as it is; a and b are results.
  const FlatModel model = flat("Real x(start = 1), y, u, v, a, b;", R"(
    der(x) = u; der(y) = v; a = der(u); b = der(v);
    2*a + cos(x)*b = -x;
    cos(x)*a + 3*b = -y;)");
  EXPECT_EQ(left(model), (Names{"x", "y", "u", "v"}));
  const RunResult r = run(compiled(model), 0.7);
  const double x = r.values.at("x"), a = r.values.at("a"), b = r.values.at("b");
  EXPECT_NEAR(2.0 * a + std::cos(x) * b, -x, 1e-12);
  EXPECT_NEAR(std::cos(x) * a + 3.0 * b, -r.values.at("y"), 1e-12);
}

TEST(Reduction, ForcesBetweenBodiesStay) {
  // m1 v1' = F and m2 v2' = -F with x1^2 + x2^2 = 1: F is the multiplier, not m1 v1'.
  EXPECT_EQ(left(flat("Real x1(start = 0.6), x2(start = 0.8), v1, v2, F;",
                      "der(x1) = v1; der(x2) = v2; 2*der(v1) = F; 3*der(v2) = -F; x1^2 + x2^2 = 1;")),
            (Names{"x1", "x2", "v1", "v2", "F"}));
}

TEST(Reduction, ResultsFromDerivativesAreReported) {
  const FlatModel model = flat("Real x(start = 1), y, p, r, w;",
                               "der(x) = y; der(y) = -x; p = der(x)*der(y); r = sqrt(x^2 + 3*y^2); w = der(r);");
  EXPECT_EQ(left(model), (Names{"x", "y"}));
  const RunResult run_result = run(compiled(model), 1.0);
  const double x = std::cos(1.0), y = -std::sin(1.0), r = std::sqrt(x * x + 3.0 * y * y);
  EXPECT_NEAR(run_result.values.at("p"), -x * y, 1e-9);
  EXPECT_NEAR(run_result.values.at("r"), r, 1e-9);
  EXPECT_NEAR(run_result.values.at("w"), (x * y - 3.0 * y * x) / r, 1e-9);
}

TEST(Reduction, DriveOfAPrescribedMotionKeepsItsRow) {
  // The torque occurs in one row only; it is the multiplier of the prescribed angle, not a result.
  const FlatModel model = flat("Real phi, w, x(start = 1), v, T;", R"(
    der(phi) = w; der(x) = v;
    (2 + cos(x))*der(w) + der(v) = T;
    der(w) + der(v) = -x;
    phi = 3*time;)");
  const CompiledModel compiled_model = compiled(model);
  EXPECT_EQ(compiled_model.index(), 3);
  EXPECT_EQ(left(model).size(), 5u);
  const RunResult r = run(compiled_model, 1.0);
  EXPECT_NEAR(r.values.at("x"), std::cos(1.0), 1e-8);
  EXPECT_NEAR(r.values.at("T"), -std::cos(1.0), 1e-7);
}

// The derivative of what is a function of time is known, too: no constraint, no higher index.
TEST(Reduction, SourcesThatFeedCapacitorsAreKnown) {
  const FlatModel circuit = flat("Real V, W, x(start = 1, fixed = true), y(start = 0, fixed = true);",
                                 "V = sin(3*time); 2*W - V = 1; der(x) - der(V) = -x; 2*der(y) + der(W) = y - x;");
  EXPECT_EQ(left(circuit), (Names{"x", "y"}));
  const CompiledModel model = compiled(circuit);
  EXPECT_EQ(index_of(model.equations({})), 0);
  const RunResult r = run(model, 0.5);
  EXPECT_NEAR(r.values.at("V"), std::sin(1.5), 1e-14);
  EXPECT_NEAR(r.values.at("W"), 0.5 + 0.5 * std::sin(1.5), 1e-14);
  // x' + x = 3 cos 3t
  const double exact = 0.7 * std::exp(-0.5) + 0.3 * std::cos(1.5) + 0.9 * std::sin(1.5);
  EXPECT_NEAR(r.values.at("x"), exact, 1e-9);
}

// Its motion may be what the model is about, and the multiplier its force.
TEST(Reduction, PrescribedMotionsStayConstraints) {
  EXPECT_EQ(left(flat("Real x, v, F, y(start = 1, fixed = true);",
                      "der(x) = v; der(v) = F - y; x = sin(time); der(y) = -y + F;"))
                .size(),
            4u);
}

TEST(Reduction, MassesOnARigidRodMoveAsOne) {
  const CompiledModel model = compiled(flat("Real x1(start = 0.5), x2, v1, v2, F, a;", R"(
    der(x1) = v1; der(x2) = v2; x1 = x2 + 1;
    2*a = F - x1; a = der(v1); 3*der(v2) = -F;)"));
  EXPECT_EQ(model.index(), 0);
  const RunResult r = run(model, 1.0);
  const double w = std::sqrt(0.2);  // 5 x'' = -x
  EXPECT_NEAR(r.values.at("x1"), 0.5 * std::cos(w), 1e-9);
  EXPECT_NEAR(r.values.at("v2"), -0.5 * w * std::sin(w), 1e-9);
  EXPECT_NEAR(r.values.at("F"), 0.6 * 0.5 * std::cos(w), 1e-9);
}

TEST(Reduction, RolesInWords) {
  const CompiledModel model = compiled(flat("Real x(start = 1), y, u, v, lambda, a, k, e; Boolean b;", R"(
    der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 1; x^2 + y^2 = 1;
    a = -3*x; k = 7; e = u^2 + v^2; b = x > 2;)"));
  std::vector<std::string> roles;
  for (const ModelVariable& v : model.variables())
    roles.push_back(fmt::format("{} {}{}{}", v.name, name_of(v.role), v.of.empty() ? "" : " ", v.of));
  EXPECT_EQ(roles, (Names{"x position", "y position", "u velocity x", "v velocity y", "lambda multiplier",
                          "a alias -3*x", "k constant 7", "e computed", "b discrete"}));
  EXPECT_EQ(model.form(), "mechanical system of index 3 with 2 coordinates, 0 other states and 1 multipliers");
  ASSERT_EQ(model.constraints().size(), 1u);
  EXPECT_EQ(model.constraints()[0].text, "x^2 + y^2 = 1");
  EXPECT_EQ(model.constraints()[0].level, 3);
  EXPECT_EQ(model.constraints()[0].scale, 0.5);
  EXPECT_EQ(model.eliminated(), 3u);
}

TEST(Reduction, ChainOfAliasesInLinearTime) {
  const int n = 20000;
  std::string text = "model M\n  Real x[" + std::to_string(n) + "];\nequation\n  der(x[1]) = -x[" + std::to_string(n) +
                     "];\n  for k in 2:" + std::to_string(n) + " loop\n    x[k] = -x[k-1];\n  end for;\nend M;";
  EXPECT_EQ(left(flat(text)), (Names{"x[1]"}));
}

// z = f(t) with its derivatives by name, as many as one likes, whatever start values are stated.
TEST(Reduction, KnownFunctionsOfTimeWithTheirDerivatives) {
  for (const char* start : {"", "start = 3", "start = 1e-300", "start = -1e300"}) {
    const std::string declared = std::string("Real z(") + start + "), v(" + start + "), a(" + start + "), j;";
    const FlatModel model = flat(declared, "z = tanh(time - 0.5); v = der(z); a = der(v); j = der(a);");
    const CompiledModel compiled_model = compiled(model);
    EXPECT_LE(compiled_model.index(), 1);
    const RunResult r = run(compiled_model, 1.0);
    const double z = std::tanh(0.5), v = 1.0 - z * z;
    EXPECT_NEAR(r.values.at("z"), z, 1e-15);
    EXPECT_NEAR(r.values.at("v"), v, 1e-15);
    EXPECT_NEAR(r.values.at("a"), -2.0 * z * v, 1e-15);
    EXPECT_NEAR(r.values.at("j"), -2.0 * v * v + 4.0 * z * z * v, 1e-15);
  }
}

TEST(Reduction, KnownFunctionsThatAct) {
  const FlatModel model =
      flat("Real z, v, a, x(start = 0, fixed = true);", "z = sin(2*time); der(z) = v; der(v) = a; der(x) = a + v;");
  EXPECT_EQ(left(model), (Names{"x"}));
  // x = v - v(0) + z
  EXPECT_NEAR(run(compiled(model), 1.0).values.at("x"), 2.0 * std::cos(2.0) - 2.0 + std::sin(2.0), 1e-9);
}

// Derivatives of constants, and of what is found to be one, by whatever way.
TEST(Reduction, DerivativesOfConstantsAreZero) {
  for (const char* equations :
       {"z = 2; v = der(z); a = der(v); der(x) = a - x;", "a = der(v); v = der(z); z = 1 + 0.1*z; der(x) = a - x;",
        "v = 0; a = der(v); z = v; der(x) = a - x;", "z = 3*v; v = 5; a = der(z) + der(v); der(x) = a - x;"}) {
    const RunResult r = run(compiled(flat("Real z, v, a, x(start = 1, fixed = true);", equations)), 1.0);
    EXPECT_EQ(r.values.at("a"), 0.0) << equations;
    EXPECT_NEAR(r.values.at("x"), std::exp(-1.0), 1e-9) << equations;
  }
}

TEST(Reduction, FixedStartThatContradictsAKnownFunctionNamesTheEquation) {
  const CompiledModel model = compiled(flat("Real z(start = 3, fixed = true), v;", "z = sin(time); v = der(z);"));
  const ModelStart start = model.start();
  ASSERT_FALSE(start.ok());
  EXPECT_NE(text_of(start.errors).find("z = sin(time)"), std::string::npos) << text_of(start.errors);
}

}  // namespace
}  // namespace driftless::testing_models::structure_reduction_test
