// Mechanics as engineers write it: velocities need not be derivatives of coordinates, constraints may be stated on
// velocities alone, and inertia is needed only where the constraints leave freedom:
//     q' = T(q, t) v + k(q, t),   M(q, t) v' = F(q, v, s, t) - (G T)^T lambda - A^T nu,   s' = r(q, v, s, t),
//     0 = g(q, t),   0 = A(q, t) v + b(q, t),   G = dg/dq,   M symmetric, positive definite on the kernel of [G T; A].
// Beside them invariants: 0 = i(q, t) and 0 = j(q, v, t), which the equations keep by themselves and no force acts for.
//
// All constraints on velocities, w(q, v, t) = (G q' + g_t, A v + b) = 0, have the Jacobian C = dw/dv = [G T; A], and
// their derivative along the motion is C v' + c(q, v, t). With (lambda, nu) as one vector, M v' = F - C^T (lambda, nu).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "driftless/equations/layout.h"

namespace driftless {

class WideMechanical {
 public:
  // Jacobians have one column per argument in the order given, time last.
  class Functions {
   public:
    virtual ~Functions() = default;
    // False: M is the identity and mass(), momentum_jacobian() are never called.
    virtual bool has_mass() const = 0;
    virtual void mass(ConstSpan q, double t, MatrixView out) const = 0;
    virtual void rates(ConstSpan q, ConstSpan v, double t, Span out) const = 0;  // T v + k
    virtual void force(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const = 0;
    virtual void states(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const = 0;
    virtual void constraint(ConstSpan q, double t, Span out) const = 0;                                   // g
    virtual void velocity_rows(ConstSpan q, ConstSpan v, double t, Span out) const = 0;                   // w
    virtual void acceleration_rows(ConstSpan q, ConstSpan v, ConstSpan a, double t, Span out) const = 0;  // C a + c
    virtual void directions(ConstSpan q, double t, MatrixView c) const = 0;                               // C
    virtual void position_invariants(ConstSpan q, double t, Span out) const = 0;
    virtual void velocity_invariants(ConstSpan q, ConstSpan v, double t, Span out) const = 0;

    virtual void rates_jacobian(ConstSpan q, ConstSpan v, double t, MatrixView j) const = 0;  // (q, v, t)
    virtual void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t,
                                MatrixView j) const = 0;  // (q, v, s, t)
    virtual void states_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t,
                                 MatrixView j) const = 0;                                        // (q, v, s, t)
    virtual void constraint_jacobian(ConstSpan q, double t, MatrixView j) const = 0;             // (q, t)
    virtual void velocity_jacobian(ConstSpan q, ConstSpan v, double t, MatrixView j) const = 0;  // (q, v, t)
    virtual void position_invariants_jacobian(ConstSpan q, double t, MatrixView j) const = 0;    // (q, t)
    virtual void velocity_invariants_jacobian(ConstSpan q, ConstSpan v, double t, MatrixView j) const = 0;  // (q, v, t)
    // d/d(q, v, t) of C a + c at fixed a;  d/d(q, t) of M w and of C^T (lambda, nu) at fixed w, lambda and nu.
    virtual void acceleration_jacobian(ConstSpan q, ConstSpan v, ConstSpan a, double t, MatrixView j) const = 0;
    virtual void momentum_jacobian(ConstSpan q, double t, ConstSpan w, MatrixView j) const = 0;
    virtual void reaction_jacobian(ConstSpan q, double t, ConstSpan multipliers, MatrixView j) const = 0;

    // What accelerations are made of: M (left alone if there is none), F, C, c and q'.
    virtual void dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView mass, Span force, MatrixView c,
                          Span curvature, Span rate) const;

    // The conserved (or at least meaningful) total energy, where the model states one.
    virtual std::optional<double> energy(ConstSpan, ConstSpan, double) const { return std::nullopt; }
  };

  static constexpr std::size_t as_many_as_q = SIZE_MAX;
  struct Shape {
    std::size_t q = 0, v = as_many_as_q, s = 0, lambda = 0, nu = 0;  // 0: as many as there are names
    std::size_t position_invariants = 0, velocity_invariants = 0;
    Names q_names = {}, v_names = {}, s_names = {}, lambda_names = {}, nu_names = {};
    Names constraint_names = {}, velocity_constraint_names = {};
    Names position_invariant_names = {}, velocity_invariant_names = {};

    Shape resolved() const;  // with every size a number
  };

  WideMechanical(const Shape& shape, std::shared_ptr<const Functions> functions);

  // The same form with other functions of the same structure.
  WideMechanical with_functions(std::shared_ptr<const Functions> functions) const;

  const Functions& functions() const { return *functions_; }
  const Functions& automatic() const { return *functions_; }
  std::shared_ptr<const Functions> share() const { return functions_; }
  std::size_t q_size() const { return shape_.q; }
  std::size_t v_size() const { return shape_.v; }
  std::size_t s_size() const { return shape_.s; }
  std::size_t holonomic() const { return shape_.lambda; }         // of the multipliers those of g,
  std::size_t rows() const { return shape_.lambda + shape_.nu; }  // with those of A v + b
  std::size_t position_invariants() const { return shape_.position_invariants; }
  std::size_t velocity_invariants() const { return shape_.velocity_invariants; }
  // Multipliers and rows of the certificate: (lambda, nu), then for each invariant the drift that was removed last.
  std::size_t lambda_size() const { return rows() + position_invariants() + velocity_invariants(); }
  const Shape& shape() const { return shape_; }     // with every name
  const Layout& layout() const { return layout_; }  // q, v, s, lambda
  void set_sizes(ConstSpan sizes) { layout_.set_sizes(sizes); }
  const Names& constraint_names() const { return constraints_; }

 private:
  Shape shape_;
  Layout layout_;
  Names constraints_;
  std::shared_ptr<const Functions> functions_;
};

}  // namespace driftless
