// The chain of CMOS inverters, a model file of any size of index 2 with four relations for each inverter, against an
// integration of its own: the equations solved for the derivatives by hand, and the classical Runge-Kutta method.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::cmos_chain_test {
namespace {

constexpr double vdd = 5.0, threshold = 1.0, output_capacity = 0.1, gate_capacity = 0.05;

// g + 0.01 g^3 = v
double gate(double v) {
  double g = v;
  for (int i = 0; i < 30; ++i) g -= (g + 0.01 * g * g * g - v) / (1.0 + 0.03 * g * g);
  return g;
}

double transistor(double open, double across) {
  if (open <= 0.0) return 0.0;
  return across >= open ? 0.5 * open * open : (open - 0.5 * across) * across;
}

// Of the input and of n outputs. The gate behind a node is a capacitor that its derivative charges as well.
Vector slopes(const Vector& v) {
  Vector out(v.size());
  const auto gate_effect = [](double g) { return gate_capacity / (1.0 + 0.03 * g * g); };
  double g = gate(v[0]);
  out[0] = (vdd - v[0]) / (1.0 + gate_effect(g));
  for (std::size_t k = 1; k < v.size(); ++k) {
    const double current = transistor(vdd - g - threshold, vdd - v[k]) - transistor(g - threshold, v[k]);
    const bool is_last = k + 1 == v.size();
    g = gate(v[k]);
    out[k] = current / (output_capacity + (is_last ? 0.0 : gate_effect(g)));
  }
  return out;
}

Vector by_hand(std::size_t n, double end, std::size_t steps) {
  Vector v(n + 1, 0.0);
  for (std::size_t k = 1; k <= n; k += 2) v[k] = vdd;
  const double h = end / static_cast<double>(steps);
  const auto moved = [&](const Vector& slope, double by) {
    Vector x = v;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += by * slope[i];
    return x;
  };
  for (std::size_t step = 0; step < steps; ++step) {
    const Vector a = slopes(v), b = slopes(moved(a, 0.5 * h)), c = slopes(moved(b, 0.5 * h)), d = slopes(moved(c, h));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]);
  }
  return v;
}

TextModel chain(std::size_t n) {
  std::ostringstream all;
  all << std::ifstream(std::string(DRIFTLESS_SOURCE_DIR) + "/examples/models/large/cmos_chain.mo").rdbuf();
  return TextModel({"cmos_chain.mo", all.str()}, {{"n", std::to_string(n)}});
}

Simulation run(const TextModel& model, double end, double tolerance) {
  SimulateOptions options = usual_options(model);
  options.solve.output_times.clear();
  options.solve.span.end = end;
  options.solve.tolerance = Tolerance{.relative = tolerance, .absolute = 1e-3 * tolerance};
  return simulate(model, options);
}

double error_of(const Simulation& run, const Vector& reference) {
  double worst = std::abs(run.final("vin") - reference[0]);
  for (std::size_t k = 1; k < reference.size(); ++k)
    worst = std::max(worst, std::abs(run.final("v[" + std::to_string(k) + "]") - reference[k]));
  return worst;
}

// Twenty inverters, while the signal is on its way through them.
TEST(CmosChain, AgreesWithAnIntegrationByHand) {
  constexpr std::size_t n = 20;
  constexpr double end = 2.5;
  const Vector coarse = by_hand(n, end, 10'000), reference = by_hand(n, end, 20'000);
  double apart = 0.0;
  for (std::size_t i = 0; i <= n; ++i) apart = std::max(apart, std::abs(coarse[i] - reference[i]));
  ASSERT_LT(apart, 1e-8);
  const TextModel model = chain(n);
  const double loose = error_of(run(model, end, 1e-4), reference), tight = error_of(run(model, end, 1e-7), reference);
  EXPECT_GT(loose, 1e-8);
  EXPECT_LT(loose, 5e-3);
  EXPECT_LT(tight, 1e-5);
  EXPECT_LT(tight, 0.5 * loose);
}

// Most of a long chain is at rest: steps behind an event are no longer rejected for what a mean over all of it says,
// and their number does not depend on its length.
TEST(CmosChain, StepsBehindEventsAreAccepted) {
  std::size_t attempts[2] = {};
  for (const int k : {0, 1}) {
    const Simulation found = run(chain(k == 0 ? 30 : 120), 2.5, 1e-4);
    ASSERT_TRUE(found.ok());
    EXPECT_GT(found.events, 50u);
    EXPECT_LT(found.events, 120u);
    attempts[k] = found.statistics.steps + found.statistics.rejected_by_error;
    EXPECT_LT(found.statistics.rejected_by_error, found.statistics.steps / 2);
    EXPECT_GE(found.statistics.steps, found.events);
  }
  EXPECT_NEAR(static_cast<double>(attempts[0]), static_cast<double>(attempts[1]), 0.1 * attempts[0]);
}

}  // namespace
}  // namespace driftless::cmos_chain_test
