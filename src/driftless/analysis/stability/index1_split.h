// P x' = f(x) split by its projector: bases of Im P and Im Q, and what Higueras and Soderlind 2003 ask of a Jacobian J
// of f there. Every quantity is the value at one point of a (logarithmic) Lipschitz constant, whose supremum over a
// convex set is the constant of Definition 3.1, since f(u) - f(v) is a mean of Jacobians times u - v.
#pragma once

#include "driftless/analysis/stability/box.h"
#include "driftless/analysis/stability/restricted_norm.h"
#include "driftless/equations/index1.h"

namespace driftless {

enum class Quantity {
  whole,                        // mu[J]: M+[f]
  differential,                 // M_P+[Pf]
  differential_from_algebraic,  // L_Q[Pf]
  algebraic_from_differential,  // L_P[Qf]
  algebraic,                    // M_Q+[Qf]
  // With the algebraic part eliminated, Theorem 3.5: phi solves Q f(u + phi(u, Qp)) = -Qp, g(u, Qp) = u + phi(u, Qp).
  reduced,         // M_P+[Pfg(., Qp)]
  reduced_gain,    // L_Q[Pfg(Px, .)]
  implicit_slope,  // L[phi(., Qp)]
  implicit_gain,   // L[phi(Px, .)]
};

// "M_P+[Pf]", ...
const char* symbol_of(Quantity quantity);
bool is_logarithmic(Quantity quantity);
// Whether the supremum is taken on the manifold Q f = 0 only.
bool lives_on_manifold(Quantity quantity);

class Index1Split {
 public:
  Index1Split(const Matrix& projector, const Norm& norm);
  // For P depending on time: Pf becomes P' + Pf (remark 4).
  Index1Split(const Matrix& projector, const Matrix& projector_derivative, const Norm& norm);

  std::size_t size() const { return p_.rows(); }
  std::size_t differential_size() const { return u_.cols(); }
  std::size_t algebraic_size() const { return v_.cols(); }
  const Norm& norm() const { return norm_; }
  const Matrix& p() const { return p_; }
  const Matrix& q() const { return q_; }
  const Matrix& p_basis() const { return u_; }
  const Matrix& q_basis() const { return v_; }
  const Matrix& p_coordinates() const { return u_left_; }  // x = p_basis a + q_basis b: a and b from x
  const Matrix& q_coordinates() const { return v_left_; }
  // Whether P is diag(0 and 1), so that bases are exact.
  bool by_coordinates() const { return by_coordinates_; }

  double p_norm(ConstSpan x) const;  // |P x|
  double q_norm(ConstSpan x) const;

  // `j` is n x n. Infinity where the algebraic block is singular and the quantity needs its inverse.
  double value(Quantity quantity, const Matrix& j) const;
  // Contains the values for all J in `j`.
  Interval value(Quantity quantity, const IntervalMatrix& j) const;

  // Euclidean norms: |P J Q + tau (Q J P)^*|, what is left of the coupling where it is not skew. A convex function of
  // J.
  Interval coupling(double tau, const IntervalMatrix& j) const;
  // Where Q J dx = 0, (Q dx, Q J dx) = 0 may be added to (P dx, P J dx) with any factor tau > 0, which gives
  //     mu[reduced] <= M_P + coupling(tau)^2 / (4 tau (-M_Q)):
  // with tau = L_Q/L_P that is S[P, f] at most, and much less where the coupling is skew, as in heat conduction.
  static double reduced_bound(double mp, double mq, double coupling, double tau);
  // Factors worth trying: L_Q/L_P and the power of 2 next to it, of which no product is rounded.
  static std::vector<double> coupling_factors(double lq, double lp);

  // Q f_x on Im Q in the basis of Im Q: the matrix that decides the index.
  Matrix algebraic_block(const Matrix& j) const;

 private:
  template <class M>
  auto evaluate(Quantity quantity, const M& j) const;
  double reduced_by_form(const IntervalMatrix& j) const;

  Norm norm_;
  Matrix p_, q_, p_derivative_;
  bool moving_ = false, by_coordinates_ = false;
  Matrix u_, v_, u_left_, v_left_;
  RestrictedNorm on_all_, on_p_, on_q_;
};

}  // namespace driftless
