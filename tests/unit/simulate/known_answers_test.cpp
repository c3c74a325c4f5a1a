// Small models whose solution is known in closed form: what comes out, at every step, in tolerances.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::known_answers_test {
namespace {

struct KnownAnswer {
  const char *name, *declarations, *equations;
  double end;
  const char* unknown;
  std::function<double(double)> solution;
  AdaptiveMethod method;
  double tolerance, bound;  // of the error at each step, in tolerances of the largest value

  friend std::ostream& operator<<(std::ostream& out, const KnownAnswer& one) { return out << one.name; }
};

// The error of an unknown at the steps, in units of the relative tolerance and its largest value.
double largest_error(const Simulation& run, const KnownAnswer& known) {
  const Vector times = run.column("time"), values = run.column(known.unknown);
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    error = std::fmax(error, std::abs(values[i] - known.solution(times[i])));
    size = std::fmax(size, std::abs(values[i]));
  }
  return error / (known.tolerance * size);
}

class KnownAnswers : public testing::TestWithParam<KnownAnswer> {};

TEST_P(KnownAnswers, AreFound) {
  const KnownAnswer& known = GetParam();
  const TextModel model(
      {"test.mo", std::string("model M\n") + known.declarations + "\nequation\n" + known.equations + "\nend M;\n"}, {});
  SimulateOptions options = usual_options(model);
  options.solve.span.end = known.end;
  options.solve.output_times.clear();
  options.solve.adaptive = known.method;
  options.solve.tolerance = {.relative = known.tolerance, .absolute = 1e-3 * known.tolerance};
  const Simulation run = simulate(model, options);
  ASSERT_TRUE(run.ok());
  EXPECT_LT(largest_error(run, known), known.bound);
}

constexpr auto automatic = AdaptiveMethod::automatic, radau = AdaptiveMethod::radau;

// In the first four a step of Newton's iteration was taken for enough, because an earlier one had contracted well: the
// errors were 140, 435, 1600 and 38 tolerances, from a single step each.
const KnownAnswer known_answers[] = {
    {"ProductOfMultipliers", "Real x(start = 0), y(start = 1), z(start = 0, fixed = true), l, k;",
     "der(x) = l + k; der(y) = l - k; der(z) = l*k; x = sin(time); y = cos(time);", 3.0, "z",
     [](double t) { return std::sin(2.0 * t) / 8.0; }, automatic, 1e-6, 1.0},
    {"StiffProduct", "Real x(start = 1, fixed = true), y(start = 0, fixed = true), z;",
     R"(der(x) = -1e4*(x - cos(time)) - sin(time); z = sin(time) + (x - cos(time));
        der(y) = -1e5*(y - x*z) + cos(time)^2 - sin(time)^2;)",
     10.0, "y", [](double t) { return std::sin(t) * std::cos(t); }, radau, 1e-3, 5.0},
    {"TurnedBack", "Real x(start = 1), y(start = 0), vx(start = 0), vy(start = 2), l;",
     R"(der(x) = vx; der(y) = vy; der(vx) = -2*x*l; der(vy) = -2*y*l; x^2 + y^2 = 1;
        when time > 1 then reinit(vx, -vx); reinit(vy, -vy); end when;)",
     3.0, "y", [](double t) { return std::sin(t < 1.0 ? 2.0 * t : 4.0 - 2.0 * t); }, radau, 1e-9, 100.0},
};
INSTANTIATE_TEST_SUITE_P(Simulate, KnownAnswers, testing::ValuesIn(known_answers),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace driftless::known_answers_test
