// The manifold on which the solutions of a DAE live: how far a state is from it, the way back, and the multiplier
// lambda = psi_0(u, v, t) that keeps a solution on it. One object per thread; it holds only memory, no answers.
#pragma once

#include <memory>

#include "driftless/core/failure.h"
#include "driftless/equations/constraint_residuals.h"
#include "driftless/equations/equations.h"

namespace driftless {

enum class ManifoldStatus { ok, not_finite, mass_not_positive_definite, gamma_singular, not_converged };

// The decisive matrix in a few numbers that can be compared from step to step: where the index is lost, its determinant
// goes through zero, or the rank falls.
struct Regularity {
  std::size_t rank = 0;        // of redundant constraints fewer than there are
  int sign = 0;                // of the determinant; 0 if it is zero
  double log_determinant = 0;  // log of its size; of the independent rows where some are redundant
  double log_scale = 0;        // log of the lengths of the rows and columns that it is made of, which bound it
};

class Manifold {
 public:
  virtual ~Manifold() = default;

  // Levels of constraints: 1 = as stated, 2 = its first derivative, 3 = its second one. Index k has k levels, of which
  // the last involves the multiplier.
  virtual int levels() const = 0;
  virtual std::size_t constraint_count() const = 0;
  virtual ManifoldStatus residual(int level, double t, ConstSpan state, Span out) = 0;

  // The time derivative of the differential components with the multiplier in `state`; algebraic ones get 0.
  virtual ManifoldStatus derivative(double t, ConstSpan state, Span out) = 0;

  // The time derivative of all components, of index 1 the algebraic ones as well: Q f_x x' = -Q f_t.
  virtual ManifoldStatus rates(double t, ConstSpan state, Span out) { return derivative(t, state, out); }

  // lambda := psi_0, of least norm if constraints are redundant. For index 1: the algebraic part from Q f = 0.
  virtual ManifoldStatus set_multipliers(double t, Span state) = 0;
  // The same where the state is close to one at which matrices were evaluated last: they may be used again.
  virtual ManifoldStatus set_multipliers_nearby(double t, Span state) { return set_multipliers(t, state); }

  // Both at once: lambda := psi_0 and the derivative with it, one evaluation of the underlying ODE u' = f(u, psi_0(u)).
  virtual ManifoldStatus flow(double t, Span state, Span slope);
  // The same with the slopes of all components: explicit steps of index 1 follow the algebraic part by them, and see
  // its error.
  virtual ManifoldStatus flow_of_all(double t, Span state, Span slope) { return flow(t, state, slope); }

  // The projection (2.7) of Schropp 2003, resp. (2.7) of Schropp 2001; with positions = false its short form (2.8),
  // which leaves u alone. mu_1 and mu_2 / h of the paper are returned in `mu1`, `mu2_by_h` (constraint_count() numbers
  // each).
  virtual ManifoldStatus project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) = 0;

  // What a step ends with: both at once, the full projection and then lambda := psi_0. Directions of the projection may
  // be those of the point given, which differ from those at its end by the size of the correction; remove_normal() at
  // its end may use them as well.
  virtual ManifoldStatus settle(double t, Span state);

  // Takes from a small change of the state, such as an error estimate, what is normal to the manifold and would not
  // survive a projection; multipliers are left alone.
  virtual ManifoldStatus remove_normal(double t, ConstSpan state, Span change) = 0;

  // The same projection and removal, where the state is close to that of the last flow(): its linearisation may be used
  // again, which saves a factorisation and changes the direction of a small correction a little.
  virtual ManifoldStatus project_nearby(double t, Span state);
  virtual ManifoldStatus remove_normal_nearby(double t, ConstSpan state, Span change);

  // The matrix whose regularity makes the index what it is, at this state: Dg f_v k_lambda (A3), g_u Gamma^-1 f_lambda
  // (A4), Q f_x on Im Q.
  virtual ManifoldStatus decisive_matrix(double t, ConstSpan state, Matrix& out) = 0;

  // The components that level k (below the last one, or 1) determines, and the derivative of its residual by them: u
  // and Dg, v and Dg f_v.
  struct Range {
    std::size_t begin, size;
  };
  virtual Range determined_by(int level) const = 0;
  // The first level that has the gradients of all constraints: those on velocities alone are not on level 1.
  virtual int level_of_gradients() const { return 1; }
  virtual ManifoldStatus level_jacobian(int level, double t, ConstSpan state, Matrix& out) = 0;
  // What changes of these sizes, one for each such component, can do to each residual: sum_j |Dg_ij| size_j.
  virtual ManifoldStatus level_effect(int level, double t, ConstSpan state, ConstSpan sizes, Span out);

  // The same derivative on its pattern, and a correction of a level by it along the directions in which a solution may
  // jump (jump_directions.h), which leaves alone what is not free: for sparse ones.
  virtual ManifoldStatus level_values(int level, double t, ConstSpan state, Pattern& pattern, Vector& values);
  virtual ManifoldStatus jump_step(int level, double t, ConstSpan state, const std::vector<char>& free,
                                   ConstSpan residual, Span step);

  // Is the decisive matrix too large to be looked at as a whole? It is then judged by regularity() and examine().
  virtual bool is_sparse() { return false; }
  // A sparse decisive matrix at this state: does it determine its unknowns, if not which constraint is to blame, and
  // how far is it from a singular one (the smallest pivot over the largest, in units of its rows and columns).
  struct Examination {
    bool regular = false;
    std::size_t rank = 0;
    std::vector<std::size_t> redundant = {};  // constraints that depend on the others
    std::size_t undetermined = 0;
    double pivot_ratio = 0.0;
  };
  virtual ManifoldStatus examine(double t, ConstSpan state, Examination& out);

  // How far the decisive matrix is from a singular one, at this state, or where it was factorised last: at the end of a
  // step that is as good, and costs next to nothing.
  virtual ManifoldStatus regularity(double t, ConstSpan state, Regularity& out) = 0;
  virtual void regularity_nearby(Regularity& out) const = 0;
  // That matrix itself, where it was factorised last; false if it is not kept.
  virtual bool decisive_nearby(Matrix&) const { return false; }
};

std::unique_ptr<Manifold> make_manifold(const Equations& equations);

// What `status` means at this state, with the function, the equation and the variable by name.
Failure explain(ManifoldStatus status, const Equations& equations, double t, ConstSpan state);

// Evaluates every function of the model at a state and names the first that is not finite, with its arguments; empty
// text if all are.
std::string find_not_finite(const Equations& equations, double t, ConstSpan state);

}  // namespace driftless
