// nominal is the unit of absolute tolerances, for every component of the state.
#include <gtest/gtest.h>

#include <cmath>

#include "text_model.h"

namespace driftless::testing_models::nominal_test {
namespace {

std::map<std::string, double> nominals(const CompiledModel& model) {
  const ModelStart start = model.start();
  if (!start.ok()) throw std::runtime_error(text_of(start.errors));
  const Equations equations = model.equations(start.held);
  const Layout& layout = layout_of(equations);
  std::map<std::string, double> result;
  EXPECT_EQ(model.nominals().size(), layout.size());
  for (std::size_t i = 0; i < layout.size(); ++i) result[layout.name(i)] = model.nominals()[i];
  return result;
}

using Nominals = std::map<std::string, double>;

TEST(Nominal, ReachesEveryBlock) {
  const char* pendulum =
      "der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - 9.81; x^2 + y^2 = 1; der(s) = -s + x; w = 3*s;";
  EXPECT_EQ(nominals(compiled(flat("Real x(start = 0.6, nominal = 1e-3), y(start = -0.8), u, v(nominal = -20), s, "
                                   "w(nominal = 60), F(nominal = 1e4);",
                                   pendulum))),
            (Nominals{{"x", 1e-3}, {"y", 1}, {"u", 1}, {"v", 20}, {"s", 20}, {"F", 1e4}}));
}

TEST(Nominal, OfAVelocityInOtherUnits) {
  // x' = 1000 k: the component is der(x), a thousand times k.
  const Nominals found =
      nominals(compiled(flat("Real x(start = 0.6), y(start = -0.8), k(nominal = 3), v, F;",
                             "der(x) = 1000*k; der(y) = v; 1000*der(k) = -F*x; der(v) = -F*y - 9.81; x^2 + y^2 = 1;")));
  EXPECT_EQ(found.at("der(x)"), 3000.0);
  EXPECT_EQ(found.at("v"), 1.0);
}

TEST(Nominal, ItsOwnBeatsThatOfAnAlias) {
  EXPECT_EQ(nominals(compiled(
                flat("Real a(nominal = 7), x(nominal = 2), b(nominal = 5);", "a = 10*x; der(x) = -x; b = -x;"))),
            (Nominals{{"x", 2}}));
}

// x'' = -x of the size 1e-20: with an absolute tolerance of 1e-9 nothing is right, with 1e-9 nominal values all is.
TEST(Nominal, TinyUnknownsAreIntegratedAsWellAsOthers) {
  for (const AdaptiveMethod method : {AdaptiveMethod::automatic, AdaptiveMethod::radau}) {
    const CompiledModel model = compiled(
        flat("Real x(start = 1e-20, nominal = 1e-20), y(start = 0, nominal = 1e-20);", "der(x) = y; der(y) = -x;"));
    const ModelStart start = model.start();
    SolveOptions options{.span = {0.0, 10.0}, .adaptive = method};
    for (const double nominal : model.nominals())
      options.tolerance.absolute_by_component.push_back(options.tolerance.absolute * nominal);
    const Solution solution = solve(model.equations(start.held), start.state, options);
    ASSERT_TRUE(solution.ok());
    EXPECT_NEAR(solution.final("x") / 1e-20, std::cos(10.0), 1e-4);
    EXPECT_TRUE(solution.warnings().empty());
  }
}

}  // namespace
}  // namespace driftless::testing_models::nominal_test
