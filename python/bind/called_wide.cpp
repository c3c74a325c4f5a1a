// Mechanisms with constraints on velocities from functions of Python.
#include <algorithm>

#include "called_forms.h"
#include "differences.h"
#include "driftless/linalg/dense.h"

namespace driftless::python {

namespace {

class WideFunctions final : public WideMechanical::Functions {
 public:
  WideFunctions(const CalledMechanical& given, const CalledFunction& velocity_constraint)
      : given_(given), g_(given_.constraint), h_(velocity_constraint), m_(given_.lambda_names.size()) {}

  bool has_mass() const override { return given_.mass.has_value(); }
  void mass(ConstSpan q, double t, MatrixView out) const override { given_.mass->matrix(joined({q}, t), out); }
  void rates(ConstSpan, ConstSpan v, double, Span out) const override { std::ranges::copy(v, out.begin()); }
  void force(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    given_.force(joined({q, v, s}, t), out);
  }
  void states(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    if (given_.states) (*given_.states)(joined({q, v, s}, t), out);
  }
  void constraint(ConstSpan q, double t, Span out) const override {
    if (m_ > 0) g_(joined({q}, t), out);
  }
  void position_invariants(ConstSpan, double, Span) const override {}
  void velocity_invariants(ConstSpan, ConstSpan, double, Span) const override {}

  // (G v + g_t, h)
  void velocity_rows(ConstSpan q, ConstSpan v, double t, Span out) const override {
    if (m_ > 0) slope_along(g_, joined({q}, t), joined({v}, 1.0), Needed::for_equations, out.first(m_));
    h_(joined({q, v}, t), out.subspan(m_));
  }
  // Its derivative along the motion.
  void acceleration_rows(ConstSpan q, ConstSpan v, ConstSpan a, double t, Span out) const override {
    if (m_ > 0) {
      const Vector x = joined({q}, t);
      Matrix g(m_, q.size());
      by_q(x, g);
      curvature_along(g_, x, joined({v}, 1.0), out.first(m_));
      const Vector turned = product(g, a);
      for (std::size_t i = 0; i < m_; ++i) out[i] += turned[i];
    }
    slope_along(h_, joined({q, v}, t), joined({v, a}, 1.0), Needed::for_equations, out.subspan(m_));
  }
  // h is linear in v, so that differences of its values are what they shall be.
  void directions(ConstSpan q, double t, MatrixView c) const override {
    const std::size_t n = q.size(), k = c.rows - m_;
    if (m_ > 0) by_q(joined({q}, t), c.block(0, 0, m_, n));
    Vector v(n, 0.0), at_rest(k), moving(k);
    h_(joined({q, v}, t), at_rest);
    for (std::size_t j = 0; j < n; ++j) {
      v[j] = 1.0;
      h_(joined({q, v}, t), moving);
      v[j] = 0.0;
      for (std::size_t i = 0; i < k; ++i) c(m_ + i, j) = moving[i] - at_rest[i];
    }
  }

  // For Newton's iteration.
  void rates_jacobian(ConstSpan q, ConstSpan v, double, MatrixView j) const override {
    j.fill(0.0);
    for (std::size_t i = 0; i < v.size(); ++i) j(i, q.size() + i) = 1.0;
  }
  void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    difference_jacobian(given_.force, joined({q, v, s}, t), 0, Needed::for_newton, j);
  }
  void states_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    if (given_.states) difference_jacobian(*given_.states, joined({q, v, s}, t), 0, Needed::for_newton, j);
  }
  void constraint_jacobian(ConstSpan q, double t, MatrixView j) const override {
    if (m_ == 0) return;
    const std::size_t n = q.size();
    const Vector x = joined({q}, t);
    by_q(x, j.block(0, 0, m_, n));
    difference_jacobian(g_, x, n, Needed::for_equations, j.block(0, n, m_, 1));
  }
  void velocity_jacobian(ConstSpan q, ConstSpan v, double t, MatrixView j) const override {
    const std::size_t n = q.size();
    const auto rows = [&](ConstSpan x, Span out) { velocity_rows(x.first(n), x.subspan(n, n), x.back(), out); };
    difference_jacobian(rows, joined({q, v}, t), 0, Needed::for_newton, j);
  }
  void position_invariants_jacobian(ConstSpan, double, MatrixView) const override {}
  void velocity_invariants_jacobian(ConstSpan, ConstSpan, double, MatrixView) const override {}
  void acceleration_jacobian(ConstSpan q, ConstSpan v, ConstSpan a, double t, MatrixView j) const override {
    const std::size_t n = q.size();
    const auto rows = [&](ConstSpan x, Span out) { acceleration_rows(x.first(n), x.subspan(n, n), a, x.back(), out); };
    difference_jacobian(rows, joined({q, v}, t), 0, Needed::for_newton, j);
  }
  void momentum_jacobian(ConstSpan q, double t, ConstSpan w, MatrixView j) const override {
    const std::size_t n = q.size();
    const auto momentum = [&](ConstSpan x, Span out) {
      Matrix m(n, n);
      given_.mass->matrix(x, m);
      std::ranges::copy(product(m, w), out.begin());
    };
    difference_jacobian(momentum, joined({q}, t), 0, Needed::for_newton, j);
  }
  void reaction_jacobian(ConstSpan q, double t, ConstSpan multipliers, MatrixView j) const override {
    const std::size_t n = q.size();
    const auto reaction = [&](ConstSpan x, Span out) {
      Matrix c(multipliers.size(), n);
      directions(x.first(n), x.back(), c);
      std::ranges::copy(product(transpose_of(c), multipliers), out.begin());
    };
    difference_jacobian(reaction, joined({q}, t), 0, Needed::for_newton, j);
  }

 private:
  void by_q(ConstSpan x, MatrixView g) const {
    if (given_.constraint_jacobian)
      given_.constraint_jacobian->matrix(x, g);
    else
      difference_jacobian(g_, x, 0, Needed::for_equations, g);
  }

  CalledMechanical given_;
  Formula g_, h_;
  std::size_t m_;
};

}  // namespace

Equations equations_of(const CalledMechanical& given, const CalledFunction& velocity_constraint,
                       const Names& nu_names) {
  return WideMechanical({.q = given.q_names.size(),
                         .v = given.v_names.size(),
                         .s = given.s_names.size(),
                         .lambda = given.lambda_names.size(),
                         .nu = nu_names.size(),
                         .q_names = given.q_names,
                         .v_names = given.v_names,
                         .s_names = given.s_names,
                         .lambda_names = given.lambda_names,
                         .nu_names = nu_names},
                        std::make_shared<const WideFunctions>(given, velocity_constraint));
}

}  // namespace driftless::python
