// A transistor amplifier of two stages, A y' = g(y, t) with constant singular A of rank 5.
// Source: CWI/Bari test set for initial value problems. Digits trusted to 19 places; the published ones are right
// to 13.
#include <cmath>
#include <numbers>

#include "driftless/equations/index1_enclosed.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct TransistorAmplifier {
  static constexpr double Ub = 6.0, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000.0, R = 9000.0;

  template <class T>
  static T diode(const T& v) {
    using std::exp;
    return beta * (exp(v / UF) - 1.0);
  }

  void g(auto y, auto t, auto out) const {
    using std::sin;
    using T = typename decltype(out)::value_type;
    const T input = 0.1 * sin(200.0 * std::numbers::pi * t);
    const T first = diode<T>(y[1] - y[2]), second = diode<T>(y[4] - y[5]);
    out[0] = (y[0] - input) / R0;
    out[1] = y[1] / R + (y[1] - Ub) / R + (1.0 - alpha) * first;
    out[2] = y[2] / R - first;
    out[3] = (y[3] - Ub) / R + alpha * first;
    out[4] = y[4] / R + (y[4] - Ub) / R + (1.0 - alpha) * second;
    out[5] = y[5] / R - second;
    out[6] = (y[6] - Ub) / R + alpha * second;
    out[7] = y[7] / R;
  }
};

Matrix capacitors() {
  Matrix a(8, 8);
  const auto between = [&](std::size_t i, double c) {
    a(i, i) = a(i + 1, i + 1) = -c;
    a(i, i + 1) = a(i + 1, i) = c;
  };
  between(0, 1e-6);
  a(2, 2) = -2e-6;
  between(3, 3e-6);
  a(5, 5) = -4e-6;
  between(6, 5e-6);
  return a;
}

}  // namespace

Problem transistor_amplifier_problem() {
  return {
      .title = "Transistor amplifier",
      .source = "CWI/Bari test set for initial value problems",
      .notes = "Components are node voltages; y8 is the output. Exponentials of y / 0.026 make it stiff and nonlinear.",
      .equations = enclosed_implicit_index1(TransistorAmplifier{}, capacitors(),
                                            {"y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"}),
      .start = {0.0, 3.0, 3.0, 6.0, 3.0, 3.0, 6.0, 0.0},
      .references = {{0.1,
                      {-5.5621449868673754589e-3, 3.0065224717874493630e+0, 2.8499587884906905288e+0,
                       3.0740785427784559876e+0, 2.6307900442666289433e+0, 2.6889811390427134717e+0,
                       5.1361521922896074102e+0, 8.7180747657197425479e-1}},
                     {0.2,
                      {-5.5621450122622744445e-3, 3.0065224719030426673e+0, 2.8499587886081285074e+0,
                       2.9264225362062415090e+0, 2.7046178650105545907e+0, 2.7618377783931440545e+0,
                       4.7709276316167721558e+0, 1.2369958680915475497e+0}}},
      .trusted_digits = 19};
}

}  // namespace driftless::testset
