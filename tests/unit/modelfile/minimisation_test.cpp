// Models to minimise: what is chosen, what is computed, what is a constraint; and every word about those that are not.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/geometric/minimise.h"
#include "driftless/modelfile/compiled/compiled_minimisation.h"
#include "driftless/modelfile/flatten/read_model.h"
#include "run_model.h"

namespace driftless::minimisation_test {
namespace {

FlatModel read(const std::string& text) {
  ModelReading reading = read_model(text, "m.mo");
  if (!reading.ok()) throw std::runtime_error(render(reading.diagnostics));
  return *std::move(reading.model);
}

ModelMinimisation made(const std::string& text, const MinimisationRequest& request) {
  MinimisationCompilation result = compile_minimisation(read(text), request);
  if (!result.ok()) throw std::runtime_error(testing_models::text_of(result.errors));
  return *std::move(result.minimisation);
}

std::string refusal(const std::string& text, const std::string& objective) {
  return testing_models::text_of(compile_minimisation(read(text), {.objective = objective}).errors);
}

const char* const box = R"mo(model Box
  Real x(start = 1), y(start = 1, min = 0), z(start = 1) "half edges";
  Real volume(unit = "m3"), edge;
equation
  volume = 8 * edge * y * z;
  edge = x;
  x^2 + y^2 / 4 = 1 - z^2 / 9 "the ellipsoid";
  assert(x > 0, "x = " + String(x) + " is not in the first octant");
end Box;
)mo";

TEST(ModelMinimisation, TellsChoiceFromResultFromConstraint) {
  const ModelMinimisation box_problem = made(box, {.objective = "volume", .maximise = true});
  EXPECT_EQ(box_problem.problem.u_names(), (Names{"x", "y", "z"}));
  EXPECT_EQ(box_problem.start, (Vector{1.0, 1.0, 1.0}));
  EXPECT_EQ(box_problem.problem.constraint_names(), (Names{"'x^2 + y^2 / 4 = 1 - z^2 / 9' (line 7)"}));
  ASSERT_EQ(box_problem.constraints.size(), 1u);
  EXPECT_EQ(box_problem.constraints[0].place.line, 7u);
  ASSERT_EQ(box_problem.variables.size(), 5u);
  EXPECT_EQ(box_problem.objective, 3u);
  EXPECT_EQ(box_problem.variables[3].unit, "m3");
  EXPECT_EQ(box_problem.variables[1].min, 0.0);
  EXPECT_TRUE(box_problem.variables[2].chosen);
  EXPECT_FALSE(box_problem.variables[4].chosen);
  Vector all(5);
  box_problem.values(Vector{2.0, 3.0, 4.0}, all);
  EXPECT_EQ(all, (Vector{2.0, 3.0, 4.0, 192.0, 2.0}));
}

// Derivatives of the machine code against the closed form of -8xyz and the ellipsoid.
TEST(ModelMinimisation, DerivativesAreThoseOfTheFormulas) {
  for (const Engine engine : {Engine::automatic, Engine::interpreter}) {
    const ModelMinimisation made_box = made(box, {.objective = "volume", .maximise = true, .engine = engine});
    const auto& f = made_box.problem.functions();
    const Vector u{2.0, 3.0, 4.0};
    EXPECT_DOUBLE_EQ(f.objective(u), -192.0);
    Vector gradient(3), g(1);
    f.gradient(u, gradient);
    EXPECT_EQ(gradient, (Vector{-96.0, -64.0, -48.0}));
    f.constraint(u, g);
    EXPECT_NEAR(g[0], 4.0 + 9.0 / 4.0 + 16.0 / 9.0 - 1.0, 1e-15);
    Matrix j(1, 3), h(3, 3);
    f.constraint_jacobian(u, j);
    EXPECT_NEAR(j(0, 0), 4.0, 1e-15);
    EXPECT_NEAR(j(0, 1), 1.5, 1e-15);
    EXPECT_NEAR(j(0, 2), 8.0 / 9.0, 1e-15);
    f.lagrangian_hessian(u, Vector{10.0}, h);
    const double expected[3][3] = {{20.0, -32.0, -24.0}, {-32.0, 5.0, -16.0}, {-24.0, -16.0, 20.0 / 9.0}};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(h(i, k), expected[i][k], 1e-14) << i << k;
  }
}

TEST(ModelMinimisation, LargestBoxInAnEllipsoid) {
  const ModelMinimisation problem = made(box, {.objective = "volume", .maximise = true});
  const Minimum found = minimise(problem.problem, problem.start).value();
  const double third = 1.0 / std::sqrt(3.0);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found.u[i], (static_cast<double>(i) + 1.0) * third, 1e-12);
  EXPECT_NEAR(problem.sign * found.objective, 16.0 * third, 1e-12);
  // volume + lambda (left - right) is stationary: 8 y z + 2 lambda x = 0.
  EXPECT_NEAR(problem.sign * found.multipliers[0], -8.0 * std::sqrt(3.0), 1e-10);
  EXPECT_TRUE(problem.failed_asserts(found.u).empty());
  const auto failed = problem.failed_asserts(Vector{-0.5, 1.0, 1.0});
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].message, "x = -0.5 is not in the first octant");
}

// Hock and Schittkowski, problem 40, in vectors; the objective is one of the chosen variables here.
TEST(ModelMinimisation, ObjectiveMayBeChosen) {
  const ModelMinimisation problem = made(R"mo(model Hs40
  Real x[4](each start = 0.8), f(start = -1);
equation
  f = -product(x);
  x[1]^3 + x[2]^2 = 1;
  x[1]^2 * x[4] = x[3];
  x[4]^2 = x[2];
end Hs40;
)mo",
                                         {.objective = "f"});
  EXPECT_EQ(problem.problem.u_size(), 5u);
  EXPECT_EQ(problem.constraints.size(), 4u);
  const Minimum found = minimise(problem.problem, problem.start).value();
  EXPECT_NEAR(found.objective, -0.25, 1e-12);
  EXPECT_NEAR(found.u[0], std::cbrt(0.5), 1e-9);
  EXPECT_NEAR(found.u[3], std::pow(2.0, -0.25), 1e-9);
  const Vector multipliers = {-1.0, 0.5, -std::pow(2.0, -13.0 / 12.0), std::pow(2.0, -1.5)};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(found.multipliers[k], multipliers[k], 1e-9) << k;
}

TEST(ModelMinimisation, NeedsNoConstraint) {
  const ModelMinimisation problem =
      made("model A input Real x(start = 3); Real f = (x - 2)^2; end A;", {.objective = "f"});
  EXPECT_EQ(problem.problem.constraint_count(), 0u);
  EXPECT_NEAR(minimise(problem.problem, problem.start)->u[0], 2.0, 1e-12);
}

struct Refused {
  const char *text, *objective, *words;
};

TEST(ModelMinimisation, SaysWhyAModelIsNone) {
  const Refused table[] = {
      {"model A\n Real x(start=1), cost;\nequation\n cost = x^2;\n end A;", "csot",
       "0: the model has no variable 'csot' that could be the objective; did you mean 'cost'?\n"},
      {"model A\n Real x(start=1), f;\nequation\n f = x^2 + der(x);\n end A;", "f",
       "2: der(x) occurs, but what is minimised does not change with time; state the objective and the constraints "
       "without derivatives\n"},
      {"model A\n Real x(start=1), f;\nequation\n f = x^2 + time;\n end A;", "f",
       "4: time occurs in 'f = x^2 + time'; what is minimised does not change with time: use a parameter\n"},
      {"model A\n Real x(start=1), f;\nequation\n f = if x > 0 then x else -x;\n end A;", "f",
       "4: 'x > 0' would change at an event, and a minimisation has none; put it into noEvent(...), if the formula is "
       "smooth there\n"},
      {"model A\n Real x(start=1), f;\nequation\n f = 3;\n x^2 = 4;\n end A;", "f",
       "2: the objective 'f' is a constant; variables that can be chosen are those with a start value, or that no "
       "equation gives explicitly\n"},
      {"model A\n Real x(start=1), f;\nequation\n f = x;\n x^2 = 4;\n end A;", "f",
       "2: nothing is left to choose: 1 constraints for 1 variables; a model to minimise has fewer equations than "
       "variables; `solve` is for those with as many\n"},
      {"model A\n Real x(start=1), y, f;\nequation\n f = x;\n y = 1;\n y = 2;\n end A;", "f",
       "6: 'y = 2' (line 6) contains nothing that can be chosen: it says 0 = -1; remove it, or give a start value to a "
       "variable in it, which is then chosen\n"},
  };
  for (const Refused& one : table) EXPECT_EQ(refusal(one.text, one.objective), one.words) << one.text;
}

}  // namespace
}  // namespace driftless::minimisation_test
