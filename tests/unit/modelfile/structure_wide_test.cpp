// Mechanics with generalised speeds and constraints on velocities is found in text, in many disguises, and solved
// alike.
#include <unistd.h>

#include <cmath>
#include <cstdlib>

#include "run_model.h"
#include "text_model.h"

namespace driftless::testing_models::structure_wide_test {
namespace {

bool is_wide(const CompiledModel& model) {
  const ModelStart start = model.start();
  return start.ok() && std::holds_alternative<WideMechanical>(model.equations(start.held));
}

// A pendulum with velocities in a turned and stretched frame, x' = c u1, y' = u2 + b x u1 with c = 1 + a y^2.
const char* const kane_declarations =
    "parameter Real L = 1, m = 2, g = 9.81, a = 0.1, b = 0.3;"
    "Real x(start = 0.8, fixed = true), y(start = -0.6), u1(start = 0.5, fixed = true), u2, F;";
const char* const kane_equations =
    "der(x) = (1 + a*y^2)*u1; der(y) = u2 + b*x*u1;"
    "m*(1 + a*y^2)*((1 + a*y^2)*der(u1) + 2*a*y*der(y)*u1) + b*m*x*(der(u2) + b*x*der(u1) + b*der(x)*u1)"
    "  = -F*(x*(1 + a*y^2) + y*b*x) - b*x*m*g;"
    "m*(der(u2) + b*x*der(u1) + b*der(x)*u1) = -F*y - m*g;"
    "x^2 + y^2 = L^2;";
const char* const twin_declarations =
    "parameter Real m = 2, g = 9.81; Real x(start = 0.8, fixed = true), y(start = -0.6), vx(start = 0.518, fixed = "
    "true), vy, F;";
const char* const twin_equations = "der(x) = vx; der(y) = vy; m*der(vx) = -F*x; m*der(vy) = -F*y - m*g; x^2 + y^2 = 1;";

void expect_same(const RunResult& a, const RunResult& b, std::initializer_list<const char*> names, double tolerance) {
  for (const char* name : names) EXPECT_NEAR(a.values.at(name), b.values.at(name), tolerance) << name;
}

TEST(Wide, KanesPendulumIsItsTwin) {
  const CompiledModel kane = compiled(flat(kane_declarations, kane_equations));
  EXPECT_TRUE(is_wide(kane)) << kane.form();
  EXPECT_EQ(kane.index(), 3);
  expect_same(run(kane, 3.0), run(compiled(flat(twin_declarations, twin_equations)), 3.0), {"x", "y", "F"}, 1e-7);
}

// Rows scaled, turned around, in another order, multipliers in other units, parts of forces under names of their own.
TEST(Wide, DisguisesAreRecognised) {
  const RunResult plain = run(compiled(flat(kane_declarations, kane_equations)), 2.0);
  const std::string disguised =
      "-3*(x^2 + y^2) = -3*L^2;"
      "0 = 7*(m*(der(u2) + b*x*der(u1) + b*der(x)*u1) + F*y - weight);"
      "weight = -m*g;"
      "pull = -F*(x*(1 + a*y^2) + y*b*x);"
      "pull + b*x*weight = m*(1 + a*y^2)*((1 + a*y^2)*der(u1) + 2*a*y*der(y)*u1)"
      "  + b*m*x*(der(u2) + b*x*der(u1) + b*der(x)*u1);"
      "F = -5*N; height = y;"
      "0 = der(height) - u2 - b*x*u1; 2*der(x) = 2*(1 + a*y^2)*u1;";
  const CompiledModel model =
      compiled(flat(std::string(kane_declarations) + "Real weight, pull, N, height;", disguised));
  EXPECT_TRUE(is_wide(model)) << model.form();
  expect_same(run(model, 2.0), plain, {"x", "y", "u1", "u2", "F"}, 1e-9);
}

// A skate on a slope: the closed form is in tests/unit/integrate/rolling_test.cpp.
TEST(Wide, ASkateOnASlopeIsNonholonomic) {
  const CompiledModel model = compiled(flat(
      "parameter Real m = 2, J = 0.5, a = 3; Real x(start = 0, fixed = true), y(start = 0, fixed = true), phi(start = "
      "0, "
      "fixed = true), vx, vy, w(start = 1.5, fixed = true), N;",
      "der(x) = vx; der(y) = vy; der(phi) = w; m*der(vx) = m*a + N*sin(phi); m*der(vy) = -N*cos(phi); J*der(w) = 0;"
      "vx*sin(phi) = vy*cos(phi);"));
  EXPECT_TRUE(is_wide(model)) << model.form();
  EXPECT_NE(model.form().find("nonholonomic"), std::string::npos);
  const double w = 1.5, t = 4.0, s = std::sin(w * t), c = std::cos(w * t);
  const RunResult r = run(model, t);
  EXPECT_NEAR(r.values.at("x"), 3.0 / (2.0 * w * w) * s * s, 1e-8);
  EXPECT_NEAR(r.values.at("y"), 3.0 / (2.0 * w * w) * (w * t - s * c), 1e-8);
  EXPECT_NEAR(r.values.at("N"), -2.0 * 2.0 * 3.0 * s, 1e-8);
}

// A rod and a blade at once.
TEST(Wide, ConstraintsOnPositionsAndVelocities) {
  const char* const declarations =
      "Real x(start = 1), y(start = 0, fixed = true), z(start = 0, fixed = true), phi(start = 0.2, fixed = true), vx, "
      "vy(start = 0.5, fixed = true), vz, w(start = 1, fixed = true), F, N;";
  const char* const equations =
      "der(x) = vx; der(y) = vy; der(z) = vz; der(phi) = w; 2*der(vx) = -2*N*x; 2*der(vy) = -2*N*y + F*sin(phi);"
      "2*der(vz) = -1 - F*cos(phi); 0.5*der(w) = 0; x^2 + y^2 = 1; vy*sin(phi) - vz*cos(phi) = 0;";
  const CompiledModel model = compiled(flat(declarations, equations));
  EXPECT_TRUE(is_wide(model)) << model.form();
  // by the general form of index 3, with the integral of the blade's equation as a constraint, to 12 digits
  const RunResult r = run(model, 1.0);
  const std::map<std::string, double> expected{{"x", 0.954289642605},  {"y", 0.298883385313},  {"z", 0.218496030353},
                                               {"phi", 1.2},           {"vy", 0.073591250093}, {"vz", 0.189287853301},
                                               {"F", -0.829603259243}, {"N", -0.109604785765}};
  for (const auto& [name, value] : expected) EXPECT_NEAR(r.values.at(name), value, 1e-8) << name;
}

// A coordinate that no velocity moves: its second derivative, with the square of its rate, is in the multiplier.
TEST(Wide, ACoordinateMayMoveByItself) {
  const CompiledModel model = compiled(flat(
      "Real x(start = 0, fixed = true), z(start = 1, fixed = true), y(start = 1), u(start = 1, fixed = true), w, F;",
      "der(x) = u; der(z) = w; der(y) = cos(2*time) - 100*(y - 1 - 0.5*sin(2*time));"
      "der(u) = -F; der(w) = -z - 0.6*z*F;"
      "x + 0.3*z^2 + 0.2*y = sin(time) + 0.3 + 0.2*(1 + 0.5*sin(2*time));"));
  EXPECT_TRUE(is_wide(model)) << model.form();
  // with y = 1 + sin(2t)/2 put in, and with the constraint differentiated by hand
  const CompiledModel twin = compiled(
      flat("Real z(start = 1, fixed = true), w(start = 0, fixed = true), F, x;",
           "der(z) = w; der(w) = -z - 0.6*z*F; F = sin(time) + 0.6*(w^2 + z*der(w)); x = sin(time) + 0.3*(1 - z^2);"));
  expect_same(run(model, 2.0, 1e-8), run(twin, 2.0), {"x", "z", "w", "F"}, 1e-5);
}

// A link without mass: the balance of forces on it has no acceleration, and its velocity is what the constraints leave.
// With x = sin t, y = cos t / 2, z = 1 and u = 2 + t the forces of the constraints are F = 1 + t/2 and N = -1.
const char* const massless_equations =
    "der(x) = (1 + 0.2*y)*u + (cos(time) - (1 + 0.1*cos(time))*(2 + time)); der(y) = w; der(z) = s;"
    "x + 0.2*x^3 + y = sin(time) + 0.2*sin(time)^3 + 0.5*cos(time); z - 0.3*x = 1 - 0.3*sin(time);"
    "0 = -3*(x - sin(time)) - (u - 2 - time) - (1 + 0.2*y)*((1 + 0.6*x^2)*F - 0.3*N)"
    "    + (1 + 0.1*cos(time))*((1 + 0.6*sin(time)^2)*(1 + time/2) + 0.3);"
    "2*der(w) = -(y - 0.5*cos(time)) - F + 1 + time/2 - cos(time); der(s) = -(z - 1) - N - 1;";

void expect_massless(const CompiledModel& model, double tolerance) {
  for (const double t : {0.0, 1.0}) {
    const RunResult r = run(model, t);
    const std::map<std::string, double> expected{
        {"x", std::sin(t)}, {"y", 0.5 * std::cos(t)}, {"z", 1.0}, {"w", -0.5 * std::sin(t)}, {"u", 2.0 + t},
        {"s", 0.0},         {"F", 1.0 + 0.5 * t},     {"N", -1.0}};
    for (const auto& [name, value] : expected) EXPECT_NEAR(r.values.at(name), value, tolerance) << name << " at " << t;
  }
}

// The start had u' = 0 as a condition, which moved everything; and values that were fixed moved when the run began, as
// x' was taken for 0.
TEST(Wide, AMasslessLinkStartsWhereItIsStated) {
  const char* const stated =
      "Real x(start = 0), y(start = 0.5), z(start = 1), u(start = 2), w(start = 0), s(start = 0), F(start = 1), N;";
  const char* const fixed =
      "Real x, y(start = 0.5), z(start = 1, fixed = true), u(start = 1.9), w(start = 0), s(start = 0, fixed = true), "
      "F, N;";
  expect_massless(compiled(flat(stated, massless_equations)), 1e-7);
  expect_massless(compiled(flat(fixed, massless_equations)), 1e-7);
}

// Two rows with the same derivative are constraints: both get it as one unknown. With one for each, the rows that name
// them are constraints in turn, and so on.
TEST(Wide, OneDerivativeInTwoConstraintsEnds) {
  const auto model = [] {
    return compiled(flat("Real x, y, a(start = 0.5, fixed = true), da, vx, vy, l, nu;",
                         "x = cos(a); y = sin(a); der(a) = da; vx = -y*da; vy = x*da; der(vx) = nu*y - l*x;"
                         "der(vy) = -nu*x - l*y - 1; vx*y - vy*x = 0.3;"));
  };
  ASSERT_EXIT(
      {
        alarm(20);
        model();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  const RunResult r = run(model(), 2.0);  // x'^2 + y'^2 = 0.09
  const double a = 0.5 - 0.6;
  const std::map<std::string, double> expected{
      {"a", a}, {"da", -0.3}, {"x", std::cos(a)}, {"nu", -std::cos(a)}, {"l", 0.09 - std::sin(a)}};
  for (const auto& [name, value] : expected) EXPECT_NEAR(r.values.at(name), value, 1e-8) << name;
}

// Forces that are not along the gradients are no forces of constraints: the general form has to do.
TEST(Wide, OtherForcesAreNotTakenForThoseOfConstraints) {
  const CompiledModel model = compiled(
      flat("Real x(start = 0.8, fixed = true), y(start = -0.6), u(start = 0.5, fixed = true), v, F;",
           "der(x) = (1 + y^2)*u; der(y) = v + x*u; der(u) = -F*x; der(v) = -F*y*(2 + x) - 9.81; x^2 + y^2 = 1;"));
  EXPECT_FALSE(is_wide(model));
  EXPECT_NE(model.not_mechanical().find("what F acts along is not the gradient"), std::string::npos);
}

std::string said_of(const std::string& declarations, const std::string& equations) {
  try {
    const ModelStart start = compiled(flat(declarations, equations)).start();
    return start.ok() ? "" : text_of(start.errors);
  } catch (const std::exception& refused) {
    return refused.what();
  }
}

TEST(Wide, RowsThatContradictAreNamed) {
  const char* const declarations = "Real x(start = 0, fixed = true), y, u, v, F, N;";
  const char* const dynamics = "der(x) = u; der(y) = v; der(u) = -F - N; der(v) = -2*F - 2*N - x; x + 2*y = 0;";
  const std::string said = said_of(declarations, std::string(dynamics) + "u + 2*v = 0.1;");
  EXPECT_NE(said.find("'u + 2*v = 0.1' (line 4) contradicts"), std::string::npos) << said;
}

// The same row twice, on positions and as its derivative: each force has half of what one would have.
TEST(Wide, VelocityRowsMayRepeatPositions) {
  const CompiledModel model = compiled(
      flat("Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0.5, fixed = true), v, F, N;",
           "der(x) = u; der(y) = v; 2*der(u) = -2*F*x - 2*N*x; 2*der(v) = -2*F*y - 2*N*y - 19.62; x^2 + y^2 = 1;"
           "2*x*u + 2*y*v = 0;"));
  EXPECT_TRUE(is_wide(model)) << model.form();
  const CompiledModel once =
      compiled(flat("Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0.5, fixed = true), v, F;",
                    "der(x) = u; der(y) = v; 2*der(u) = -2*F*x; 2*der(v) = -2*F*y - 19.62; x^2 + y^2 = 1;"));
  const RunResult twice = run(model, 1.0), plain = run(once, 1.0);
  expect_same(twice, plain, {"x", "y", "u"}, 1e-9);
  EXPECT_NEAR(twice.values.at("F") + twice.values.at("N"), plain.values.at("F"), 1e-8);
  EXPECT_NEAR(twice.values.at("F"), twice.values.at("N"), 1e-8);
}

// The velocity va is linear in its row beside forces, whose factors are states. Computed from them, va would bring them
// into a' and c', and the two constraints would be of different index. The twin has a small mass there.
TEST(Wide, TheVelocityOfAMasslessLinkIsNotComputedFromForces) {
  const std::string declarations =
      "Real a(start = 0.6), b(start = 0.5), c(start = 0.9, fixed = true), va, vb, vc(start = 0.1, fixed = true), l, m;";
  const std::string before = "der(a) = va; der(b) = vb; der(c) = vc + 0.08*c*va;";
  const std::string forces = " = -va - a - (1 + 0.3*a + 0.08*c*sin(c))*l - a*m;";
  const std::string after =
      "der(vb) = -b - (1 + 0.2*b)*m; der(vc) = 0.1*va^2 - c - sin(c)*l;"
      "a + 0.15*a^2 = cos(c); a^2/2 + b + 0.1*b^2 = 0.7;";
  const RunResult massless = run(compiled(flat(declarations, before + "0" + forces + after)), 1.0);
  const RunResult twin = run(compiled(flat(declarations, before + "1e-8*der(va)" + forces + after)), 1.0);
  expect_same(massless, twin, {"a", "b", "c", "va", "vc", "l", "m"}, 1e-6);
}

TEST(Wide, AnIndefiniteMassIsNone) {
  const CompiledModel model = compiled(
      flat("Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0.5, fixed = true), v, F;",
           "der(x) = u; der(y) = v; 2*der(u) + 3*der(v) = -F*x; 3*der(u) + 2*der(v) = -F*y - 9.81; x^2 + y^2 = 1;"));
  EXPECT_NE(model.not_mechanical(), "");
}

TEST(Wide, GimbalLockIsNamedWithItsEquation) {
  const std::string said = said_of(
      "Real a(start = 0, fixed = true), b(start = 0, fixed = true), u(start = 1, fixed = true), w(start = 0), N;",
      "der(a) = u/sin(b); der(b) = w; der(u) = -N*b; der(w) = -b - N*0.5; u*b + 0.5*w = 0;");
  EXPECT_NE(said.find("division by sin(b), which is 0"), std::string::npos) << said;
}

}  // namespace
}  // namespace driftless::testing_models::structure_wide_test
