// A NAND gate of three MOS transistors (Shichman and Hodges), as C(y) y' = f(y, t) with regular C: no multipliers.
// Source: CWI/Bari test set for initial value problems. The source has 1.748e-4 for the enhancement transistors at
// negative voltage and 1.748e-3 at positive, perhaps by mistake; the published reference was computed so, and so is
// this one. Digits trusted to 13 places (components 6, 10, 12) or more.
#include <cmath>

#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

// 0 .. 5 V, linear on the edges; times are multiples of 5.
struct Pulse {
  double delay, rise, high, fall, period;
  static constexpr double top = 5.0;

  template <class T>
  T voltage(const T& t) const {
    const T tau = t - std::floor(value_of(t) / period) * period;
    if (tau < delay) return T(0.0);
    if (tau < delay + rise) return (tau - delay) * (top / rise);
    if (tau < delay + rise + high) return T(top);
    return (period - tau) * (top / fall);
  }
  double slope(double t) const {
    const double tau = t - std::floor(t / period) * period;
    if (tau < delay) return 0.0;
    if (tau < delay + rise) return top / rise;
    if (tau < delay + rise + high) return 0.0;
    return -top / fall;
  }
};

struct Transistor {
  double threshold, body, phi, forward, backward;  // the last two: beta for positive and negative voltage
  static constexpr double delta = 0.02;

  // Current between drain and source, negative for positive voltage.
  template <class T>
  T current(const T& vds, const T& vgs, const T& vbs, const T& vgd, const T& vbd) const {
    if (vds > 0.0) return -1.0 * channel(vds, vgs, vbs, forward);
    if (vds < 0.0) return channel<T>(-vds, vgd, vbd, backward);
    return T(0.0);
  }

 private:
  template <class T>
  T channel(const T& v, const T& gate, const T& bulk, double beta) const {
    using std::sqrt;
    const T drive = gate - (threshold + body * (sqrt(phi - bulk) - std::sqrt(phi)));
    const T gain = beta * (1.0 + delta * v);
    if (drive <= 0.0) return T(0.0);
    if (drive <= v) return gain * drive * drive;
    return gain * v * (2.0 * drive - v);
  }
};

struct NandGate {
  static constexpr double RGS = 4.0, RGD = 4.0, RBS = 10.0, RBD = 10.0, CGS = 0.6e-4, CGD = 0.6e-4, CBD = 2.4e-5,
                          C9 = 0.5e-4, CURIS = 1e-14, VTH = 25.85, VDD = 5.0, VBB = -2.5, PHIB = 0.87;
  static constexpr Transistor depletion{-2.43, 0.2, 1.28, 5.35e-4, 5.35e-4};
  static constexpr Transistor enhancement{0.2, 0.035, 1.01, 1.748e-3, 1.748e-4};
  static constexpr Pulse pulse1{5.0, 5.0, 5.0, 5.0, 20.0}, pulse2{15.0, 5.0, 15.0, 5.0, 40.0};

  // pn junctions between bulk and source or drain: current and capacitance.
  template <class T>
  static T junction(const T& v) {
    using std::exp;
    return v <= 0.0 ? -CURIS * (exp(v / VTH) - 1.0) : T(0.0);
  }
  template <class T>
  static T capacitance(const T& v) {
    using std::sqrt;
    return v <= 0.0 ? CBD / sqrt(1.0 - v / PHIB) : CBD * (1.0 + v / (2.0 * PHIB));
  }

  // A capacitor between nodes i and j.
  static void couple(auto c, std::size_t i, std::size_t j, const auto& value) {
    c(i, i) += value;
    c(j, j) += value;
    c(i, j) -= value;
    c(j, i) -= value;
  }
  // The gates' capacitors to nodes 1 and 2 and all junctions are between two nodes, or between a node and a given
  // voltage.
  void gamma(auto y, auto, auto c) const {
    using T = typename decltype(c)::value_type;
    couple(c, 0, 4, CGS);
    couple(c, 1, 4, CGD);
    couple(c, 2, 4, capacitance<T>(y[2] - y[4]));
    couple(c, 8, 4, capacitance<T>(y[8] - y[4]));
    couple(c, 7, 9, capacitance<T>(y[7] - y[9]));
    couple(c, 13, 9, capacitance<T>(y[13] - y[9]));
    c(3, 3) += capacitance<T>(y[3] - VDD);
    c(12, 12) += capacitance<T>(y[12]);
    c(4, 4) += C9;
    c(9, 9) += C9;
    c(5, 5) += CGS;
    c(6, 6) += CGD;
    c(10, 10) += CGS;
    c(11, 11) += CGD;
  }

  void f(auto y, auto, auto t, auto out) const {
    using T = typename decltype(out)::value_type;
    const T v1 = pulse1.voltage<T>(t), v2 = pulse2.voltage<T>(t);
    const double slope1 = pulse1.slope(value_of(t)), slope2 = pulse2.slope(value_of(t));
    const T i1 = depletion.current<T>(y[1] - y[0], y[4] - y[0], y[2] - y[4], y[4] - y[1], y[3] - VDD);
    const T i2 = enhancement.current<T>(y[6] - y[5], v1 - y[5], y[7] - y[9], v1 - y[6], y[8] - y[4]);
    const T i3 = enhancement.current<T>(y[11] - y[10], v2 - y[10], y[12], v2 - y[11], y[13] - y[9]);
    const T bs1 = junction<T>(y[2] - y[4]), bd1 = junction<T>(y[3] - VDD), bs2 = junction<T>(y[7] - y[9]),
            bd2 = junction<T>(y[8] - y[4]), bs3 = junction<T>(y[12]), bd3 = junction<T>(y[13] - y[9]);
    out[0] = -(y[0] - y[4]) / RGS - i1;
    out[1] = -(y[1] - VDD) / RGD + i1;
    out[2] = -(y[2] - VBB) / RBS + bs1;
    out[3] = -(y[3] - VBB) / RBD + bd1;
    out[4] = -(y[4] - y[0]) / RGS - bs1 - (y[4] - y[6]) / RGD - bd2;
    out[5] = CGS * slope1 - (y[5] - y[9]) / RGS - i2;
    out[6] = CGD * slope1 - (y[6] - y[4]) / RGD + i2;
    out[7] = -(y[7] - VBB) / RBS + bs2;
    out[8] = -(y[8] - VBB) / RBD + bd2;
    out[9] = -(y[9] - y[5]) / RGS - bs2 - (y[9] - y[11]) / RGD - bd3;
    out[10] = CGS * slope2 - y[10] / RGS - i3;
    out[11] = CGD * slope2 - (y[11] - y[9]) / RGD + i3;
    out[12] = -(y[12] - VBB) / RBS + bs3;
    out[13] = -(y[13] - VBB) / RBD + bd3;
  }
  void g(auto, auto, auto) const {}
};

std::vector<double> gate_corners() {
  std::vector<double> times;
  for (int k = 1; k <= 16; ++k) times.push_back(5.0 * k);
  return times;
}

}  // namespace

Problem nand_gate_problem() {
  return {.title = "NAND gate",
          .source = "CWI/Bari test set for initial value problems",
          .notes =
              "An implicit differential equation without constraints. The right-hand side has jumps in its second "
              "derivatives "
              "where transistors change their region, and corners in time at multiples of 5.",
          .equations = index2(NandGate{}, {.u = 14, .u_names = numbered("y{}", 1, 14)}),
          .start = {5.0, 5.0, -2.5, -2.5, 5.0, 3.62385, 5.0, -2.5, -2.5, 3.62385, 0.0, 3.62385, -2.5, -2.5},
          .references = {{80.0,
                          {4.9710886993857784e+0, 4.999752103929311321e+0, -2.499998781491227123e+0,
                           -2.4999999999999748162e+0, 4.9708370232967252e+0, -2.091214032074e-1, 4.9705932432783607e+0,
                           -2.500077409198803360e+0, -2.499998781491227123e+0, -2.090289583878e-1,
                           -2.4000000000000000000e-4, -2.091214032074e-1, -2.4999999999999907818e+0,
                           -2.500077409198803360e+0}}},
          .trusted_digits = 13,
          .corners = gate_corners()};
}

}  // namespace driftless::testset
