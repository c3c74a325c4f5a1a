// Which form a model gets, and that its solution is the known one.
#include <numbers>

#include "flat_builder.h"
#include "run_model.h"
#include "testset/problem.h"

namespace driftless::testing_models::structure_forms_test {
namespace {

std::string form_of(const CompiledModel& model) {
  const ModelStart start = model.start();
  if (!start.ok()) return text_of(start.errors);
  struct Visitor {
    std::string operator()(const Index1&) const { return "index1"; }
    std::string operator()(const Index2&) const { return "index2"; }
    std::string operator()(const Index3&) const { return "index3"; }
    std::string operator()(const Mechanical&) const { return "mechanical"; }
    std::string operator()(const WideMechanical&) const { return "wide"; }
  };
  return std::visit(Visitor{}, model.equations(start.held));
}

TEST(Forms, OrdinaryDifferentialEquation) {
  FlatBuilder m;
  const auto x = m.variable("x", {.start = 1.0, .fixed = true}), v = m.variable("v");
  m.equation(m.der("x"), v, "der(x) = v");
  m.equation(m.der("v") + 4.0 * x, 0.0, "der(v) + 4*x = 0");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 0);
  EXPECT_EQ(form_of(model), "index1");
  const RunResult r = run(model, 1.0);
  EXPECT_NEAR(r.values.at("x"), std::cos(2.0), 1e-9);
  EXPECT_NEAR(r.values.at("v"), -2.0 * std::sin(2.0), 1e-9);
}

TEST(Forms, NothingToSolveForStillRuns) {
  FlatBuilder m;
  const auto y = m.variable("y"), z = m.variable("z");
  m.equation(y, sin(m.time()), "y = sin(time)");
  m.equation(z, 2.0 * y, "z = 2*y");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 0);
  EXPECT_EQ(model.form(), "nothing to solve for: functions of time, and what events change");
  const RunResult r = run(model, 2.0);
  EXPECT_NEAR(r.values.at("y"), std::sin(2.0), 1e-12);
  EXPECT_NEAR(r.values.at("z"), 2.0 * std::sin(2.0), 1e-12);
}

FlatModel transistor_amplifier() {
  FlatBuilder m;
  std::vector<Formula> y, d;
  const double start[] = {0.0, 3.0, 3.0, 6.0, 3.0, 3.0, 6.0, 0.0};
  for (int k = 0; k < 8; ++k) y.push_back(m.variable(fmt::format("y{}", k + 1), {.start = start[k]}));
  for (int k = 0; k < 8; ++k) d.push_back(m.der(fmt::format("y{}", k + 1)));
  const double C1 = 1e-6, C2 = 2e-6, C3 = 3e-6, C4 = 4e-6, C5 = 5e-6, R0 = 1000.0, R = 9000.0, alpha = 0.99, Ub = 6.0;
  const Formula in = 0.1 * sin(200.0 * std::numbers::pi * m.time());
  const auto diode = [](Formula v) { return 1e-6 * (exp(v / 0.026) - 1.0); };
  const Formula f = diode(y[1] - y[2]), g = diode(y[4] - y[5]);
  m.equation(C1 * (d[1] - d[0]), (y[0] - in) / R0, "node 1");
  m.equation(-C1 * (d[1] - d[0]), y[1] / R + (y[1] - Ub) / R + (1.0 - alpha) * f, "node 2");
  m.equation(-C2 * d[2], y[2] / R - f, "node 3");
  m.equation(C3 * (d[4] - d[3]), (y[3] - Ub) / R + alpha * f, "node 4");
  m.equation(-C3 * (d[4] - d[3]), y[4] / R + (y[4] - Ub) / R + (1.0 - alpha) * g, "node 5");
  m.equation(-C4 * d[5], y[5] / R - g, "node 6");
  m.equation(C5 * (d[7] - d[6]), (y[6] - Ub) / R + alpha * g, "node 7");
  m.equation(-C5 * (d[7] - d[6]), y[7] / R, "node 8");
  return m.finish();
}

TEST(Forms, TransistorAmplifierIsOfIndex1) {
  const CompiledModel model = compiled(transistor_amplifier());
  EXPECT_EQ(model.index(), 1);
  EXPECT_EQ(form_of(model), "index1");
  const auto problem = testset::problem("transistor_amplifier");
  const RunResult r = run(model, 0.1, 1e-9);
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_NEAR(r.values.at(fmt::format("y{}", k + 1)), problem.references[0].state[k], 1e-6) << k;
}

TEST(Forms, ThreeCapacitorsInALoopAreOfIndex1) {
  // v1 + v2 + v3 = 0, C1 v1' - C3 v3' = -v1, C2 v2' - C3 v3' = sin(t).
  FlatBuilder m;
  const auto v1 = m.variable("v1", {.start = 1.0}), v2 = m.variable("v2", {.start = -0.5}), v3 = m.variable("v3");

  m.equation(v1 + v2 + v3, 0.0, "v1 + v2 + v3 = 0");
  m.equation(m.der("v1") - 3.0 * m.der("v3"), -v1, "row 1");
  m.equation(2.0 * m.der("v2") - 3.0 * m.der("v3"), sin(m.time()), "row 2");

  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 1);
  EXPECT_EQ(form_of(model), "index1");
  const RunResult r = run(model, 1.0);
  EXPECT_NEAR(r.values.at("v1") + r.values.at("v2") + r.values.at("v3"), 0.0, 1e-12);
  // v1' = (-5 v1 - 3 s) / 11 ... from the three rows differentiated: 4 v1' + 3 v2' = -v1, 3 v1' + 5 v2' = sin t.
  double a = 1.0, b = -0.5;
  const int n = 20000;
  for (int k = 0; k < n; ++k) {  // midpoint rule as an independent check
    const auto slope = [](double v, double t) {
      const double p = -v, q = std::sin(t);
      return std::pair((5.0 * p - 3.0 * q) / 11.0, (4.0 * q - 3.0 * p) / 11.0);
    };
    const double h = 1.0 / n, t = k * h;
    const auto [a1, b1] = slope(a, t);
    const auto [a2, b2] = slope(a + 0.5 * h * a1, t + 0.5 * h);
    a += h * a2;
    b += h * b2;
  }
  EXPECT_NEAR(r.values.at("v1"), a, 1e-8);
  EXPECT_NEAR(r.values.at("v2"), b, 1e-8);
}

TEST(Forms, ImplicitEquationsOfIndex1StayUnknowns) {
  // lognorm_nonlinear of the test set, with some equations multiplied and the derivative on the right.
  FlatBuilder m;
  const auto y1 = m.variable("y1", {.start = 1.0, .fixed = true}), y2 = m.variable("y2", {.start = 2.0, .fixed = true});
  const auto z1 = m.variable("z1"), z2 = m.variable("z2");
  const auto atan = [](Formula a) { return apply(Op::atan, a); };
  m.equation(-3.0 * y1 + sin(y1) + 0.6 * sin(z1) + 0.8 * sin(z2), m.der("y1"), "F1");
  m.equation(2.0 * m.der("y2"), 2.0 * (-3.0 * y2 + sin(y2) - 0.8 * sin(z1) + 0.6 * sin(z2)), "F2");
  m.equation(0.3 * atan(y1) + 0.4 * atan(y2), 2.0 * z1 + z1 * square(z1), "G1");
  m.equation(-2.0 * z2 - z2 * square(z2) - 0.4 * atan(y1) + 0.3 * atan(y2), 0.0, "G2");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 1);
  EXPECT_EQ(form_of(model), "index1");
  const auto problem = testset::problem("lognorm_nonlinear");
  const RunResult r = run(model, 1.0, 1e-11);
  EXPECT_NEAR(r.values.at("y1"), problem.references[0].state[0], 1e-9);
  EXPECT_NEAR(r.values.at("z2"), problem.references[0].state[3], 1e-9);

  // On boxes as at points.
  const Index1 form = std::get<Index1>(model.equations(model.start().held));
  ASSERT_TRUE(form.functions().encloses());
  const std::vector<Interval> box = {Interval(0.5, 1.0), Interval(-1.0, 2.0), Interval(-0.5, 0.5), Interval(0.1, 0.2)};
  std::vector<Interval> f(4), derivatives(20);
  form.functions().enclose(box, Interval(0.0, 1.0), f, {derivatives.data(), 4, 5, 4});
  Matrix j(4, 5);
  Vector value(4);
  for (int k = 0; k < 20; ++k) {
    Vector point;
    for (const Interval& side : box)
      point.push_back(side.lower() + side.width() * std::abs(std::sin(7.0 * k + side.lower())));
    form.functions().f(point, 0.0, value);
    form.functions().f_jacobian(point, 0.0, j);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(f[i].contains(value[i]));
    for (std::size_t i = 0; i < 20; ++i) EXPECT_TRUE(derivatives[i].contains(j.data()[i]));
  }
  // der(y1) by y1 is -3 + cos y1, monotone on this box.
  EXPECT_NEAR(derivatives[0].lower(), -3.0 + std::cos(1.0), 1e-14);
  EXPECT_NEAR(derivatives[0].upper(), -3.0 + std::cos(0.5), 1e-14);
}

TEST(Forms, MatrixThatDependsOnTheStateWithAlgebraicUnknowns) {
  // (1 + x^2) x' + x y' = -x, x x' + (2 + x y) y' = z, z + z^3 = y.
  FlatBuilder m;
  const auto x = m.variable("x", {.start = 0.8, .fixed = true}), y = m.variable("y", {.start = 0.4, .fixed = true});
  const auto z = m.variable("z"), power = m.variable("power");
  m.equation((1.0 + square(x)) * m.der("x") + x * m.der("y"), -x, "row 1");
  m.equation(x * m.der("x") + (2.0 + x * y) * m.der("y"), z, "row 2");
  m.equation(z + z * square(z), y, "z + z^3 = y");
  m.equation(power, m.der("x") * m.der("y"), "power = der(x)*der(y)");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 1);
  EXPECT_EQ(form_of(model), "index1");
  EXPECT_FALSE(std::get<Index1>(model.equations(model.start().held)).functions().encloses());
  const RunResult r = run(model, 1.0, 1e-11);
  double a = 0.8, b = 0.4, c = 0.3;
  const auto slope = [&c](double u, double v) {
    for (int i = 0; i < 50; ++i) c -= (c + c * c * c - v) / (1.0 + 3.0 * c * c);
    const double p = 1.0 + u * u, q = u, s = 2.0 + u * v, det = p * s - q * q;
    return std::pair((-u * s - c * q) / det, (p * c + q * u) / det);
  };
  const int n = 2000;
  for (int k = 0; k < n; ++k) {  // the classical Runge-Kutta method
    const double h = 1.0 / n;
    const auto [a1, b1] = slope(a, b);
    const auto [a2, b2] = slope(a + 0.5 * h * a1, b + 0.5 * h * b1);
    const auto [a3, b3] = slope(a + 0.5 * h * a2, b + 0.5 * h * b2);
    const auto [a4, b4] = slope(a + h * a3, b + h * b3);
    a += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    b += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
  }
  EXPECT_NEAR(r.values.at("x"), a, 1e-9);
  EXPECT_NEAR(r.values.at("y"), b, 1e-9);
  const auto [da, db] = slope(a, b);
  EXPECT_NEAR(r.values.at("power"), da * db, 1e-8);
}

TEST(Forms, NonlinearDerivativesBecomeUnknowns) {
  // p + p^3 = -x for p = x': with p as parameter, t = 3/2 (p0^2 - p^2) + log(p0/p).
  FlatBuilder m;
  const auto x = m.variable("x", {.start = 2.0, .fixed = true});
  m.equation(m.der("x") + m.der("x") * square(m.der("x")), -x, "der(x) + der(x)^3 = -x");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 1);
  const RunResult r = run(model, 1.0, 1e-11);
  double p = -0.5;  // root of 3/2 (1 - p^2) - log(-p) = 1, from p0 = -1
  for (int i = 0; i < 100; ++i) p -= (1.5 * (1.0 - p * p) - std::log(-p) - 1.0) / (-3.0 * p - 1.0 / p);
  EXPECT_NEAR(r.values.at("x"), -(p + p * p * p), 1e-9);
}

TEST(Forms, MatrixThatDependsOnTheStateWithoutAlgebraicUnknowns) {
  FlatBuilder m;
  const auto x = m.variable("x", {.start = 0.8}), y = m.variable("y", {.start = 0.4});
  m.equation((1.0 + square(x)) * m.der("x") + y * m.der("y"), -x, "row 1");
  m.equation(y * m.der("x") + 2.0 * m.der("y"), x, "row 2");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 0);
  EXPECT_EQ(form_of(model), "index2");
  EXPECT_EQ(model.form(), "ordinary differential equations Gamma(u, t) u' = f(u, t) with 2 states");
  EXPECT_NO_THROW(run(model, 1.0));
}

TEST(Forms, MassMatrixWithoutConstraintsIsMechanical) {
  // A double pendulum in angles; energy is conserved.
  FlatBuilder m;
  const auto a = m.variable("a", {.start = 1.0}), b = m.variable("b", {.start = 2.0});
  const auto u = m.variable("u"), w = m.variable("w"), energy = m.variable("energy");
  m.equation(m.der("a"), u, "der(a) = u");
  m.equation(m.der("b"), w, "der(b) = w");
  const Formula c = cos(a - b), s = sin(a - b);
  m.equation(2.0 * m.der("u") + c * m.der("w"), -s * square(w) - 2.0 * 9.81 * sin(a), "row 1");
  m.equation(c * m.der("u") + m.der("w"), s * square(u) - 9.81 * sin(b), "row 2");
  m.equation(energy, square(u) + 0.5 * square(w) + c * u * w - 9.81 * (2.0 * cos(a) + cos(b)), "energy");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 0);
  EXPECT_EQ(form_of(model), "mechanical");
  const double before = run(model, 0.0).values.at("energy"), after = run(model, 3.0, 1e-11).values.at("energy");
  EXPECT_NEAR(after, before, 1e-8);
}

TEST(Forms, Index2) {
  // hlr_index2 of the test set: quadratic in the multiplier.
  FlatBuilder m;
  const auto u1 = m.variable("u1", {.start = 1.0}), u2 = m.variable("u2", {.start = 1.0}),
             l = m.variable("l", {.start = 1.0});
  m.equation(m.der("u1"), u1 * square(u2) * square(l), "der(u1) = u1*u2^2*l^2");
  m.equation(m.der("u2"), square(u1) * square(u2) - 3.0 * square(u2) * l, "der(u2) = u1^2*u2^2 - 3*u2^2*l");
  m.equation(square(u1) * u2, 1.0, "u1^2*u2 = 1");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 2);
  EXPECT_EQ(form_of(model), "index2");
  const RunResult r = run(model, 1.0, 1e-11);
  EXPECT_NEAR(r.values.at("u1"), std::exp(1.0), 1e-8);
  EXPECT_NEAR(r.values.at("l"), std::exp(2.0), 1e-7);
  ASSERT_EQ(model.constraints().size(), 1u);
  EXPECT_EQ(model.constraints()[0].text, "u1^2*u2 = 1");
  EXPECT_EQ(model.constraints()[0].level, 2);
}

TEST(Forms, Index2WithMatrix) {
  const auto problem = testset::problem("mms_index2_gamma");
  FlatBuilder m;
  const auto u1 = m.variable("u1", {.start = 1.0}), u2 = m.variable("u2"), u3 = m.variable("u3", {.start = 1.0}),
             l = m.variable("l", {.start = 1.0});
  const Formula t = m.time(), g12 = 0.3 * u1 * u2, g23 = 0.2 * cos(t);
  const Formula rows[3][3] = {
      {2.0 + sin(t), g12, m.number(0.0)}, {g12, 2.0 + square(u1), g23}, {m.number(0.0), g23, 1.0 + square(u3)}};
  const Formula flow[] = {-u2, u1, -u3}, normal[] = {2.0 * u1, 2.0 * u2, u3},
                rate[] = {m.der("u1"), m.der("u2"), m.der("u3")};
  const Formula target = 1.0 + 0.5 * sin(3.0 * t);
  const Formula kappa = (l - target) + 0.25 * (square(l) - square(target));
  for (int i = 0; i < 3; ++i) {
    Formula left = m.number(0.0), right = -kappa * normal[i];
    for (int j = 0; j < 3; ++j) {
      left = left + rows[i][j] * rate[j];
      right = right + rows[i][j] * flow[j];
    }
    m.equation(left, right, fmt::format("row {}", i + 1));
  }
  m.equation(square(u1) + square(u2) + 0.5 * square(u3), 1.0 + 0.5 * exp(-2.0 * t), "ellipsoid");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 2);
  EXPECT_EQ(form_of(model), "index2");
  EXPECT_TRUE(std::get<Index2>(model.equations({})).functions().has_gamma());
  const RunResult r = run(model, 2.0, 1e-10);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(r.state[k], problem.references[0].state[k], 1e-7) << k;
}

TEST(Forms, ChargePumpAsPublishedIsOfIndex2) {
  // y1' = -y9, (y2 + y3)' = 0, (y4 + y5)' = 0 and six algebraic equations, in one region of the transistor.
  FlatBuilder m;
  std::vector<Formula> y;
  for (int k = 1; k <= 9; ++k) y.push_back(m.variable(fmt::format("y{}", k)));
  m.equation(m.der("y1"), -y[8], "der(y1) = -y9");
  m.equation(m.der("y2") + m.der("y3"), 0.0, "der(y2) + der(y3) = 0");
  m.equation(m.der("y4") + m.der("y5"), 0.0, "der(y4) + der(y5) = 0");
  m.equation(y[5], 5.0 + sin(m.time()), "y6 = input");
  m.equation(y[0], 0.5 * (y[5] + 0.1 * square(y[6])) + 0.2 * square(y[7]), "gate charge");
  m.equation(y[1], 1.6 * y[6], "source capacitor");
  m.equation(y[2], 0.3 * y[5] + 0.2 * sin(y[6]), "source charge");
  m.equation(y[3], 0.4 * y[7], "drain capacitor");
  m.equation(y[4], 0.1 * y[5] + 0.3 * sin(y[7]), "drain charge");
  const CompiledModel model = compiled(m.finish());
  const RunResult r = run(model, 1.0, 1e-10);
  EXPECT_EQ(model.index(), 2);
  const double s = std::sin(1.0), y6 = 5.0 + s;
  const auto solve = [](double a, double c, double rhs) {  // c z + a sin z = rhs
    double z = 0.0;
    for (int i = 0; i < 100; ++i) z -= (c * z + a * std::sin(z) - rhs) / (c + a * std::cos(z));
    return z;
  };
  const double y7 = solve(0.2, 1.6, -0.3 * s + 1.6 * solve(0.2, 1.6, 0.0) * 0.0), y8 = solve(0.3, 0.4, -0.1 * s);
  const ModelStart start = model.start();
  Vector at(9);
  model.results(start.held)(0.0, start.state, at);
  const double sum1 = at[1] + at[2], sum2 = at[3] + at[4];
  EXPECT_NEAR(r.values.at("y2") + r.values.at("y3"), sum1, 1e-9);
  EXPECT_NEAR(r.values.at("y4") + r.values.at("y5"), sum2, 1e-9);
  EXPECT_NEAR(r.values.at("y6"), y6, 1e-12);
  (void)y7, (void)y8;
  const double z7 = r.values.at("y7"), z8 = r.values.at("y8");
  EXPECT_NEAR(1.6 * z7 + 0.3 * y6 + 0.2 * std::sin(z7), sum1, 1e-9);
  const double dz7 = -0.3 * std::cos(1.0) / (1.6 + 0.2 * std::cos(z7)),
               dz8 = -0.1 * std::cos(1.0) / (0.4 + 0.3 * std::cos(z8));
  EXPECT_NEAR(r.values.at("y9"), -(0.5 * (std::cos(1.0) + 0.2 * z7 * dz7) + 0.4 * z8 * dz8), 1e-8);
}

TEST(Forms, Index3ThatIsNotMechanical) {
  const auto problem = testset::problem("hlr_index3");
  FlatBuilder m;
  const auto y1 = m.variable("y1", {.start = 1.0}), y2 = m.variable("y2", {.start = 1.0}),
             z1 = m.variable("z1", {.start = 1.0}), z2 = m.variable("z2", {.start = 1.0}), l = m.variable("l");
  m.equation(m.der("y1"), 2.0 * y1 * y2 * z1 * z2, "1");
  m.equation(m.der("y2"), -y1 * y2 * square(z2), "2");
  m.equation(m.der("z1"), (y1 * y2 + z1 * z2) * l, "3");
  m.equation(m.der("z2"), -y1 * square(y2) * square(z2) * l, "4");
  m.equation(y1 * square(y2), 1.0, "y1*y2^2 = 1");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 3);
  EXPECT_EQ(form_of(model), "index3");
  const RunResult r = run(model, 1.0, 1e-11);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(r.state[k], problem.references[0].state[k], 1e-8) << k;
}

TEST(Forms, PrescribedMotionKeepsItsConstraint) {
  FlatBuilder m;
  const auto x = m.variable("x"), v = m.variable("v"), f = m.variable("F");
  m.equation(x, sin(m.time()), "x = sin(time)");
  m.equation(v, m.der("x"), "v = der(x)");
  m.equation(2.0 * m.der("v"), f - 3.0 * v, "2*der(v) = F - 3*v");
  const CompiledModel model = compiled(m.finish());
  EXPECT_EQ(model.index(), 3);
  EXPECT_EQ(form_of(model), "mechanical");
  const RunResult r = run(model, 1.0);
  EXPECT_NEAR(r.values.at("F"), 3.0 * std::cos(1.0) - 2.0 * std::sin(1.0), 1e-9);
  EXPECT_NEAR(r.values.at("x"), std::sin(1.0), 1e-13);
}

}  // namespace
}  // namespace driftless::testing_models::structure_forms_test
