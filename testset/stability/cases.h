// Index-1 problems for the tables of bounds: a start, an interval of time, a box that contains all that happens, and
// perturbations of three kinds.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "driftless/analysis/stability/altered_form.h"
#include "driftless/analysis/stability/box.h"
#include "driftless/analysis/stability/stability_report.h"
#include "driftless/equations/index1_enclosed.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace driftless::stability {

// C v' = (u(t) - v)/R - w: a diode w = e^(z) - 1 with its voltage z as algebraic unknown, in series with a resistor.
struct DiodeCircuit {
  void F(auto v, auto z, auto t, auto out) const {
    using std::exp, std::sin;
    out[0] = (sin(6.0 * t) - v[0]) - 0.2 * (exp(z[0]) - 1.0);
    out[1] = 0.2 * (exp(z[0]) - 1.0) - v[1];
  }
  // What the capacitors and the diode share: v1 - v2 = z + current.
  void G(auto v, auto z, auto, auto out) const {
    using std::exp;
    out[0] = v[0] - v[1] - z[0] - 0.2 * (exp(z[0]) - 1.0);
  }
};

// A <-> B slowly, B <-> 2 C at once: the fast equilibrium is the constraint.
struct Reactor {
  void F(auto y, auto z, auto t, auto out) const {
    using std::cos;
    out[0] = -2.0 * y[0] + 0.5 * z[0] + 0.3 * cos(2.0 * t);
    out[1] = 1.5 * y[0] - 3.0 * y[1] + 0.2 * z[1];
  }
  void G(auto y, auto z, auto, auto out) const {
    out[0] = y[0] - 2.0 * z[0] - z[0] * z[0] * z[0] + 0.25 * z[1];
    out[1] = 0.5 * y[1] - 1.5 * z[1] - 0.25 * z[0];
  }
};

// testset/heat_flux_mol.cpp on 6 cells; pow(q, 3) has a tighter enclosure than q q q.
struct Heat {
  static constexpr std::size_t cells = 6;
  void F(auto, auto q, auto, auto out) const {
    for (std::size_t j = 0; j + 1 < cells; ++j) {
      out[j] -= 6.0 * q[j];
      out[j + 1] += 6.0 * q[j];
    }
  }
  void G(auto theta, auto q, auto, auto out) const {
    using std::pow;
    for (std::size_t j = 0; j + 1 < cells; ++j) out[j] = -(q[j] + pow(q[j], 3)) - 6.0 * (theta[j + 1] - theta[j]);
  }
};

// Coefficients that change with time; unstable for a while (M_P reaches 0.5), then stable.
struct Nonautonomous {
  void F(auto y, auto z, auto t, auto out) const {
    using std::cos, std::sin;
    out[0] = (-0.5 + cos(2.0 * t)) * y[0] + 0.3 * sin(z[0]) + sin(t);
  }
  void G(auto y, auto z, auto t, auto out) const {
    using std::atan, std::sin;
    out[0] = -3.0 * z[0] - atan(z[0]) + sin(t) * y[0] + t;
  }
};

struct Case {
  std::string name;
  Index1 form;
  Vector start;
  double end;
  Box box;
  ConstraintScaling scaling = ConstraintScaling::as_given;
};

inline Box sides(std::vector<Interval> x, double end) { return {.x = std::move(x), .t = Interval(0.0, end)}; }

inline std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add_known = [&](const std::string& name, double end, double radius) {
    const auto problem = testset::problem(name);
    all.push_back({name, std::get<Index1>(problem.equations), problem.start, end,
                   sides(std::vector<Interval>(problem.start.size(), Interval(-radius, radius)), end)});
  };
  add_known("lognorm_linear", 2.0, 2.0);
  add_known("lognorm_nonlinear", 2.0, 2.2);
  all.push_back({"heat, 6 cells", enclosed_partitioned(Heat{}, {.y = 6, .z = 5}), testset::heat_flux_mol_start(6), 0.2,
                 sides(std::vector<Interval>(11, Interval(-2.5, 2.5)), 0.2)});
  all.push_back({"diode circuit",
                 enclosed_partitioned(DiodeCircuit{}, {.y = 2, .z = 1}),
                 {0.0, 0.0, 0.0},
                 2.0,
                 sides({Interval(-1.2, 1.2), Interval(-0.4, 0.6), Interval(-1.8, 1.3)}, 2.0)});  // z follows all v
  all.push_back({"reactor",
                 enclosed_partitioned(Reactor{}, {.y = 2, .z = 2}),
                 {1.0, 0.2, 0.4, 0.0},
                 2.0,
                 sides({Interval(-0.5, 1.3), Interval(-0.3, 0.8), Interval(-0.3, 0.7), Interval(-0.3, 0.4)}, 2.0)});
  all.push_back({"nonautonomous",
                 enclosed_partitioned(Nonautonomous{}, {.y = 1, .z = 1}),
                 {0.5, 0.0},
                 3.0,
                 sides({Interval(-1.0, 2.5), Interval(-0.5, 1.8)}, 3.0)});
  return all;
}

struct Kind {
  std::string name;
  PerturbationFunction (*make)(const Index1& form, double size);
};

// In the differential equations only: constant. In the constraint only: a wave. In both: a pulse at the beginning.
inline std::vector<Kind> kinds() {
  return {{"constant in P",
           [](const Index1& form, double size) -> PerturbationFunction {
             const Matrix p = form.projector();
             return [p, size](double, Span out) {
               for (std::size_t i = 0; i < out.size(); ++i) {
                 out[i] = 0.0;
                 for (std::size_t j = 0; j < out.size(); ++j) out[i] += size * p(i, j);
               }
             };
           }},
          {"wave in Q",
           [](const Index1& form, double size) -> PerturbationFunction {
             const Matrix q = form.complement();
             return [q, size](double t, Span out) {
               for (std::size_t i = 0; i < out.size(); ++i) {
                 out[i] = 0.0;
                 for (std::size_t j = 0; j < out.size(); ++j) out[i] += size * q(i, j) * std::cos(3.0 * t);
               }
             };
           }},
          {"pulse in both", [](const Index1&, double size) -> PerturbationFunction {
             return [size](double t, Span out) {
               for (std::size_t i = 0; i < out.size(); ++i)
                 out[i] = size * std::exp(-10.0 * t) * (i % 2 == 0 ? 1.0 : -0.5);
             };
           }}};
}

}  // namespace driftless::stability
