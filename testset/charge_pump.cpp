// A charge pump: one MOS transistor with two capacitors, driven by a pulse (Guenther, Denk, Feldmann).
// Source: CWI/Bari test set for initial value problems, as M y' = f with y1..y9 and three differential equations only,
//     y1' = -y9,   (y2 + y3)' = 0,   (y4 + y5)' = 0.
// Here it is in Hessenberg form: y1..y8 are the differential unknowns, and what drives them are multipliers,
//     y1' = -y9,  y2' = a,  y3' = -a,  y4' = b,  y5' = -b,  y6' = c,  y7' = d,  y8' = e,
// next to the six algebraic equations as constraints. Those for charges are divided by the oxide capacitance, as
// charges are of the order 1e-12 and voltages of the order 10. Everything is a function of the input voltage, in closed
// form but for two algebraic equations; digits trusted to 28 places. The published values of y9 are right to 7 and 5
// digits only.
#include <cmath>

#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

struct ChargePump {
  static constexpr double vt0 = 0.20, gamma = 0.035, phi = 1.01, cox = 4.0e-12, capd = 0.40e-12, caps = 1.60e-12,
                          vhigh = 20.0;

  // Period 120 ns: low until 50, rising until 60, high until 110, falling until 120.
  template <class T>
  static T input(const T& t) {
    const double period = 120.0, turns = std::floor(value_of(t) * 1e9 / period);
    const T tau = t * 1e9 - turns * period;
    if (tau < 50.0) return T(0.0);
    if (tau < 60.0) return (tau - 50.0) * (vhigh / 10.0);
    if (tau < 110.0) return T(vhigh);
    return (120.0 - tau) * (vhigh / 10.0);
  }

  // Charges in units of cox.
  template <class T>
  struct Charges {
    T gate, source, drain;
  };
  template <class T>
  static Charges<T> charges(const T& vgb, const T& vgs, const T& vgd) {
    using std::sqrt;
    const T zero(0.0);
    const double flat_band = vt0 - gamma * std::sqrt(phi) - phi;
    if (vgb <= flat_band) return {vgb - flat_band, zero, zero};
    const T ugs = vgs > vgd ? vgs : vgd, ugd = vgs > vgd ? vgd : vgs;
    const T bulk = sqrt(phi - (ugs - vgb));
    const T threshold = vt0 + gamma * (bulk - std::sqrt(phi));
    if (ugs <= threshold) return {gamma * (sqrt(0.25 * gamma * gamma + vgb - flat_band) - 0.5 * gamma), zero, zero};
    const T a = ugs - threshold;
    const T b = ugd > threshold ? ugd - threshold : zero;
    const T k = a + b - a * b / (a + b);
    return {2.0 / 3.0 * k + gamma * bulk, -1.0 / 3.0 * k, -1.0 / 3.0 * k};
  }

  void f(auto, auto lambda, auto, auto out) const {
    out[0] = -lambda[0];
    out[1] = lambda[1];
    out[2] = -lambda[1];
    out[3] = lambda[2];
    out[4] = -lambda[2];
    out[5] = lambda[3];
    out[6] = lambda[4];
    out[7] = lambda[5];
  }
  void g(auto y, auto t, auto out) const {
    using T = typename decltype(out)::value_type;
    const auto q = charges<T>(y[5], y[5] - y[6], y[5] - y[7]);
    out[0] = input<T>(t) - y[5];
    out[1] = y[0] / cox - q.gate;
    out[2] = y[1] / cox - caps / cox * y[6];
    out[3] = y[2] / cox - q.source;
    out[4] = y[3] / cox - capd / cox * y[7];
    out[5] = y[4] / cox - q.drain;
  }
};

std::vector<double> corners() {
  std::vector<double> times;
  for (int period = 0; period < 10; ++period)
    for (int corner : {50, 60, 110, 120}) times.push_back((120 * period + corner) / 1e9);
  return times;
}

}  // namespace

Problem charge_pump_problem() {
  Index2 equations = index2(ChargePump{}, {.u_names = {"y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"},
                                           .lambda_names = {"y9", "y2'", "y4'", "y6'", "y7'", "y8'"},
                                           .constraint_names = {"input", "gate charge", "source capacitor",
                                                                "source charge", "drain capacitor", "drain charge"}});

  return {
      .title = "Charge pump",
      .source = "CWI/Bari test set for initial value problems (Guenther, Denk, Feldmann)",
      .notes =
          "Multipliers jump at every corner of the input; at t = 50.1 ns the charges have a conical point. "
          "Integrate with stops at the corners.",
      .equations = std::move(equations),
      .start = {1.26280042987675930755282816499e-13, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
      .references = {{55e-9,
                      {1.45135676142804708580619158634e-11, 7.09346589840434903020604395582e-12,
                       -7.09346589840434903020604395582e-12, 7.09346589840434903020604395582e-12,
                       -7.09346589840434903020604395582e-12, 10.0, 4.43341618650271814387877747239,
                       17.7336647460108725755151098896, -2.9263889439808479277e-3, unknown, unknown, 2e9, unknown,
                       unknown}},
                     {85e-9,
                      {2.91325512560279077196454217005e-11, 1.43451848579050813554678994309e-11,
                       -1.43451848579050813554678994309e-11, 1.43451848579050813554678994309e-11,
                       -1.43451848579050813554678994309e-11, 20.0, 8.96574053619067584716743714433,
                       35.8629621447627033886697485773, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
                     {1.2e-6,
                      {1.26280042987675930755282816499e-13, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
                       1.52256610384853371091850395505e-4, 0.0, 0.0, -2e9, 0.0, 0.0}}},
      .trusted_digits = 28,
      .corners = corners()};
}

}  // namespace driftless::testset
