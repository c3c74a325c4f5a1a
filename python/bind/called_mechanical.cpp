// Mechanisms from functions of Python.
#include <algorithm>

#include "called_forms.h"
#include "differences.h"

namespace driftless::python {

namespace {

class MechanicalFunctions final : public Mechanical::Functions {
 public:
  explicit MechanicalFunctions(const CalledMechanical& given)
      : given_(given), constraint_(given_.constraint), force_(given_.force) {}

  bool has_mass() const override { return given_.mass.has_value(); }
  void mass(ConstSpan q, double t, MatrixView out) const override { given_.mass->matrix(joined({q}, t), out); }
  void force(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    given_.force(joined({q, v, s}, t), out);
  }
  void states(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    if (given_.states) (*given_.states)(joined({q, v, s}, t), out);
  }
  void constraint(ConstSpan q, double t, Span out) const override {
    if (!out.empty()) given_.constraint(joined({q}, t), out);
  }

  void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    difference_jacobian(force_, joined({q, v, s}, t), 0, Needed::for_newton, j);
  }
  void states_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    if (given_.states) difference_jacobian(*given_.states, joined({q, v, s}, t), 0, Needed::for_newton, j);
  }
  void constraint_jacobian(ConstSpan q, double t, MatrixView j) const override {
    if (j.rows == 0) return;
    const std::size_t n = q.size();
    const Vector x = joined({q}, t);
    by_q(x, j.block(0, 0, j.rows, n));
    j.block(0, n, j.rows, 1).fill(0.0);
    if (given_.moving) difference_jacobian(constraint_, x, n, Needed::for_equations, j.block(0, n, j.rows, 1));
  }
  void constraint_curvature(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const override {
    curvature_along(constraint_, joined({q}, t), joined({dq}, dt), out);
  }
  // What accelerations are made of needs no derivative by time alone.
  void constraint_curving(ConstSpan q, double t, ConstSpan v, MatrixView g, Span curvature) const override {
    if (g.rows == 0) return;
    const Vector x = joined({q}, t);
    by_q(x, g);
    curvature_along(constraint_, x, joined({v}, 1.0), curvature);
  }

  // For Newton's iteration.
  void mass_jacobian(ConstSpan q, double t, ConstSpan w, MatrixView j) const override {
    const std::size_t n = q.size();
    const auto momentum = [&](ConstSpan x, Span out) {
      Matrix m(n, n);
      given_.mass->matrix(x, m);
      std::ranges::fill(out, 0.0);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i) out[i] += m(i, k) * w[k];
    };
    difference_jacobian(momentum, joined({q}, t), 0, Needed::for_newton, j);
  }
  // The Hessian of lambda . g.
  void reaction_jacobian(ConstSpan q, double t, ConstSpan lambda, MatrixView j) const override {
    const std::size_t n = q.size(), m = lambda.size();
    const auto reaction = [&](ConstSpan x, Span out) {
      Matrix g(m, n);
      by_q(x, g);
      for (std::size_t i = 0; i < n; ++i) {
        out[i] = 0.0;
        for (std::size_t k = 0; k < m; ++k) out[i] += g(k, i) * lambda[k];
      }
    };
    difference_jacobian(reaction, joined({q}, t), 0, Needed::for_newton, j);
  }
  void constraint_tangent_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const override {
    const Vector direction = joined({dq}, dt);
    const auto rate = [&](ConstSpan x, Span out) {
      slope_along(constraint_, x, direction, Needed::for_equations, out);
    };
    difference_jacobian(rate, joined({q}, t), 0, Needed::for_newton, j);
  }
  void constraint_curvature_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const override {
    const Vector direction = joined({dq}, dt);
    const auto curvature = [&](ConstSpan x, Span out) { curvature_along(constraint_, x, direction, out); };
    difference_jacobian(curvature, joined({q}, t), 0, Needed::for_newton, j);
  }

 private:
  void by_q(ConstSpan x, MatrixView g) const {
    if (given_.constraint_jacobian)
      given_.constraint_jacobian->matrix(x, g);
    else
      difference_jacobian(constraint_, x, 0, Needed::for_equations, g);
  }

  CalledMechanical given_;
  Formula constraint_, force_;
};

}  // namespace

Equations equations_of(const CalledMechanical& given) {
  return Mechanical({.q = given.q_names.size(),
                     .s = given.s_names.size(),
                     .lambda = given.lambda_names.size(),
                     .q_names = given.q_names,
                     .v_names = given.v_names,
                     .s_names = given.s_names,
                     .lambda_names = given.lambda_names},
                    std::make_shared<const MechanicalFunctions>(given));
}

}  // namespace driftless::python
