// The mechanical case of index 3, with a mass matrix used as such and optional first-order states s beside it:
//     q' = v,   M(q, t) v' = F(q, v, s, t) - G(q, t)^T lambda,   s' = r(q, v, s, t),   0 = g(q, t),   G = dg/dq.
#pragma once

#include <memory>
#include <optional>

#include "driftless/equations/layout.h"
#include "driftless/linalg/cut_offs.h"
#include "driftless/linalg/pattern.h"

namespace driftless {

struct SparseKktPlan;

class Mechanical {
 public:
  // Jacobians have one column per argument in the order given, time last.
  class Functions {
   public:
    virtual ~Functions() = default;
    // False: M is the identity and mass(), mass_jacobian() are never called.
    virtual bool has_mass() const = 0;
    virtual void mass(ConstSpan q, double t, MatrixView out) const = 0;
    virtual void force(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const = 0;
    virtual void states(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const = 0;
    virtual void constraint(ConstSpan q, double t, Span out) const = 0;

    virtual void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t,
                                MatrixView j) const = 0;  // (q, v, s, t)
    virtual void states_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t,
                                 MatrixView j) const = 0;                             // (q, v, s, t)
    virtual void constraint_jacobian(ConstSpan q, double t, MatrixView j) const = 0;  // (q, t)
    // d/d(q, t) of M(q, t) w, and of G(q, t)^T lambda, at fixed w and lambda.
    virtual void mass_jacobian(ConstSpan q, double t, ConstSpan w, MatrixView j) const = 0;
    virtual void reaction_jacobian(ConstSpan q, double t, ConstSpan lambda, MatrixView j) const = 0;
    // d/d(q, t) of G dq + g_t dt at fixed direction.
    virtual void constraint_tangent_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const = 0;
    // The second derivative of g along the line (q + s dq, t + s dt), and its derivative with respect to (q, t).
    virtual void constraint_curvature(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const = 0;
    virtual void constraint_curvature_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const = 0;

    // G dq + g_t dt.
    virtual void constraint_rate(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const;

    // What accelerations are made of, overridden where one pass is cheaper than the parts: M (left alone if there is
    // none), F, G (no column for t) and the curvature of g along (v, 1).
    virtual void dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView mass, Span force, MatrixView g,
                          Span curvature) const;
    // Which entries of M (0 x 0 if there is none) and G can differ from zero, where that is known; then the same
    // dynamics, and M, G and g_t alone, with values in the order of the patterns.
    struct Structure {
      Pattern mass, jacobian;
    };
    virtual const Structure* structure() const { return nullptr; }
    virtual void sparse_dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span mass, Span force, Span jacobian,
                                 Span curvature) const;
    virtual void sparse_gradients(ConstSpan q, double t, Span mass, Span jacobian, Span time_derivative) const;

    // What the acceleration level needs together: G (no column for t) and the curvature along (v, 1);
    virtual void constraint_curving(ConstSpan q, double t, ConstSpan v, MatrixView g, Span curvature) const;
    // and, with q' = v, q'' = a, t' = 1, the derivatives of g, g', g'' with respect to (q, t) at fixed v and a.
    virtual void constraint_jacobians(ConstSpan q, double t, ConstSpan v, ConstSpan a, MatrixView value,
                                      MatrixView first, MatrixView second) const;

    // Derivatives of the acceleration level, with accelerations a and multipliers lambda held: M (left alone if there
    // is none), G, and of M a + G^T lambda - F by (q, v, s), of G a + curvature by (q, v).
    struct AccelerationJacobians {
      MatrixView mass, g, balance, constraint;
    };
    virtual void acceleration_jacobians(ConstSpan q, ConstSpan v, ConstSpan s, double t, ConstSpan a, ConstSpan lambda,
                                        const AccelerationJacobians& out) const;

    // The same derivatives on patterns, for implicit steps with many unknowns; null if nobody knows which of them can
    // differ from zero. Values are in the order of the patterns.
    struct Derivatives {
      Pattern force, states;       // by (q, v, s)
      Pattern momentum, reaction;  // of M w and of G^T lambda, by q
    };
    virtual const Derivatives* derivatives() const { return nullptr; }
    virtual void force_values(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const;
    virtual void states_values(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const;
    virtual void momentum_values(ConstSpan q, double t, ConstSpan w, Span out) const;
    virtual void reaction_values(ConstSpan q, double t, ConstSpan lambda, Span out) const;
    // Of g' = G v + g_t and g'' = G a + curvature by q at fixed v and a, both on the pattern of G.
    virtual void turning_values(ConstSpan q, double t, ConstSpan v, ConstSpan a, Span first, Span second) const;

    // The conserved (or at least meaningful) total energy, where the model states one.
    virtual std::optional<double> energy(ConstSpan, ConstSpan, double) const { return std::nullopt; }
  };

  struct Shape {
    std::size_t q = 0, s = 0, lambda = 0;  // 0: as many as there are names
    Names q_names = {}, v_names = {}, s_names = {}, lambda_names = {}, constraint_names = {};

    Shape resolved() const;  // with every size a number
  };

  Mechanical(Shape shape, std::shared_ptr<const Functions> functions,
             std::shared_ptr<const Functions> automatic = nullptr);

  // The same form with other functions of the same structure, without analysing it again.
  Mechanical with_functions(std::shared_ptr<const Functions> functions) const;

  const Functions& functions() const { return *functions_; }
  const Functions& automatic() const { return *automatic_; }
  std::shared_ptr<const Functions> share() const { return functions_; }
  std::size_t q_size() const { return q_; }
  std::size_t s_size() const { return s_; }
  std::size_t lambda_size() const { return lambda_; }
  const Layout& layout() const { return layout_; }  // q, v, s, lambda
  void set_sizes(ConstSpan sizes) { layout_.set_sizes(sizes); }
  // [M G^T; G 0] analysed, to be copied and filled; null if the zeros are not known. Values in the order of the
  // patterns from more than `whole_up_to` coordinates on, as whole matrices below.
  const std::shared_ptr<const SparseKktPlan>& kkt_plan() const { return kkt_plan_; }
  static constexpr std::size_t whole_up_to = cut_off::whole_coordinates;
  const Names& constraint_names() const { return constraints_; }

 private:
  std::size_t q_ = 0, s_ = 0, lambda_ = 0;
  Layout layout_;
  Names constraints_;
  std::shared_ptr<const Functions> functions_, automatic_;
  std::shared_ptr<const SparseKktPlan> kkt_plan_;
};

}  // namespace driftless
