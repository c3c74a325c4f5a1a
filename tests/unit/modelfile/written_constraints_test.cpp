// Certificates of compiled models are about the equations in the file, whatever the analysis made of them.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/integrate/certificate_keeper.h"
#include "text_model.h"

namespace driftless::testing_models::written_constraints_test {
namespace {

struct Certified {
  Solution solution;
  std::vector<std::map<std::string, double>> rows;  // every state that is kept, by name
};

Certified certified(const CompiledModel& model, SolveOptions options) {
  const ModelStart start = model.start();
  if (!start.ok()) throw std::runtime_error(text_of(start.errors));
  options.written = model.written();
  Certified result{solve(model.equations(start.held), start.state, options), {}};
  if (!result.solution.ok()) throw std::runtime_error(result.solution.failure().message());
  const auto results = model.results(start.held);
  Vector all(model.variables().size());
  for (std::size_t i = 0; i < result.solution.size(); ++i) {
    results(result.solution.time(i), result.solution.state(i), all);
    auto& row = result.rows.emplace_back();
    for (std::size_t k = 0; k < all.size(); ++k) row[model.variables()[k].name] = all[k];
  }
  return result;
}

// A disc that rolls without slipping along a slope that bends: the slope is a constraint on positions, rolling is one
// on velocities, which the analysis integrates: its components are integrals of the equations, and these vanish far
// better than the equations do.
CompiledModel rolling_disc() {
  return compiled(flat(R"(
    Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0.5), th(start = 0.3, fixed = true);
    Real phi(start = 0, fixed = true), vx, vy, vz, w(start = 0.7, fixed = true), om(start = 2, fixed = true);
    Real l1, l2, N;)",
                       R"(
    der(x) = vx; der(y) = vy; der(z) = vz; der(th) = w; der(phi) = om;
    2*der(vx) = l1;
    2*der(vy) = l2;
    2*der(vz) = N - 2*9.81;
    0.3*der(om) = -0.5*(l1*cos(th) + l2*sin(th));
    0.2*der(w) = 0;
    vx = 0.5*om*cos(th);
    vy = 0.5*om*sin(th);
    z + 0.1*x^2 = 0.5;)"));
}

double slip(const std::map<std::string, double>& at) {
  const double v = 0.5 * at.at("om");
  return std::max(std::abs(at.at("vx") - v * std::cos(at.at("th"))), std::abs(at.at("vy") - v * std::sin(at.at("th"))));
}
double above_slope(const std::map<std::string, double>& at) {
  return std::abs(at.at("z") + 0.1 * at.at("x") * at.at("x") - 0.5);
}

TEST(WrittenConstraints, ARollingDiscIsNotCertifiedBetterThanItsRows) {
  const CompiledModel model = rolling_disc();
  ASSERT_EQ(model.index(), 3);
  // Projected and not: the rows are off by rounding, or by far more, and the certificate says by how much.
  for (const Projection projection : {Projection::full, Projection::none}) {
    const auto [solution, rows] = certified(model, {.span = {0.0, 10.0},
                                                    .adaptive = AdaptiveMethod::radau,
                                                    .tolerance = {1e-4, 1e-4},
                                                    .radau = {.projection = projection}});
    double worst = 0.0;
    for (const auto& row : rows) worst = std::max({worst, slip(row), above_slope(row)});
    EXPECT_GE(solution.certificate().position, worst - 4e-16);
    if (projection == Projection::full) continue;
    EXPECT_GT(worst, 1e-9);
    EXPECT_NEAR(solution.certificate().position, worst, 1e-12);
  }
}

// The mechanical form scales constraints so that multipliers are the user's own: here by 500.
TEST(WrittenConstraints, ResidualsAreInTheUnitsOfTheFile) {
  const CompiledModel model = compiled(flat("Real x(start = 0.6), y(start = -0.8), u(start = 0), v(start = 0), F;", R"(
    der(x) = u; der(y) = v; der(u) = -1000*F*x; der(v) = -1000*F*y - 9.81; x^2 + y^2 = 1;)"));
  const auto [solution, rows] = certified(model, {.span = {0.0, 2.0},
                                                  .adaptive = AdaptiveMethod::radau,
                                                  .tolerance = {1e-4, 1e-4},
                                                  .radau = {.projection = Projection::none}});
  double worst = 0.0;
  for (const auto& row : rows)
    worst = std::max(worst, std::abs(row.at("x") * row.at("x") + row.at("y") * row.at("y") - 1.0));
  EXPECT_GT(worst, 1e-10);
  EXPECT_NEAR(solution.certificate().position, worst, 1e-12 + 1e-6 * worst);
}

// Index 1 brings A x' = g to the form P x' = T g, whose constraints are mixtures in other units.
TEST(WrittenConstraints, ReachIndexOne) {
  struct Case {
    const char* equations;
    double most;  // how much too large the certificate may be
  };
  for (const auto& [equations, most] :
       {Case{"der(a) + 3*der(b) = -a; a - 1000*b + sin(b) = 1; c + c^3 = a;", 1.0 + 1e-9},
        Case{"1e-6*der(a) - 1e-6*der(b) = -1e-6*a; a + 4*b + sin(b) = 1; c + c^3 = a;", 1.0 + 1e-9},
        Case{"der(a) + 3*der(b) - 2*der(c) = -a; a - 1000*b + sin(b) = 1; c + c^3 = 5*b + a;", 2.0}}) {
    const CompiledModel model = compiled(flat("Real a(start = 1), b, c;", equations));
    const ModelStart start = model.start();
    ASSERT_TRUE(start.ok()) << text_of(start.errors);
    ASSERT_EQ(model.index(), 1);
    // Away from the solution, so that there is something to measure.
    Vector state = start.state, all(model.variables().size());
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += 0.01 * static_cast<double>(i + 1);
    model.results(start.held)(0.0, state, all);
    const double a = all[0], b = all[1], c = all[2];
    const std::string text = equations;
    const double first =
        text.find("1000*b") != std::string::npos ? a - 1000 * b + std::sin(b) - 1 : a + 4 * b + std::sin(b) - 1;
    const double second = text.find("5*b") != std::string::npos ? c + c * c * c - 5 * b - a : c + c * c * c - a;
    const double worst = std::max(std::abs(first), std::abs(second));
    const Equations form = model.equations(start.held);
    CertificateKeeper keeper(form, model.written());
    keeper.see(0.0, state);
    EXPECT_GE(keeper.certificate().position, worst * (1.0 - 1e-12)) << equations;
    EXPECT_LE(keeper.certificate().position, worst * most) << equations;
  }
}

}  // namespace
}  // namespace driftless::testing_models::written_constraints_test
