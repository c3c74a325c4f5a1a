// Whether the constraint makes a graph in a box: for every P x and every time of the box exactly one Q x inside.
//
// Theorem 3.5 of Higueras and Soderlind 2003 follows the constraint from one solution to another, Q x = phi(P x), over
// the segment between their P parts. If phi leaves the box on the way, constants of the box say nothing about it.
#pragma once

#include "driftless/analysis/stability/index1_split.h"
#include "driftless/analysis/stability/verdict.h"
#include "driftless/equations/manifold.h"

namespace driftless {

// Q f = -Qp for some |Qp| up to a radius: can it hold somewhere in a box?
class PerturbedManifold {
 public:
  PerturbedManifold(const Index1Split& split, double radius);
  // `f` encloses the values on the box.
  bool may_meet(const std::vector<Interval>& f) const;

 private:
  const Matrix& rows_;
  Vector slack_;  // of each coordinate of Q f
};

// Narrows the Q sides of parts of a box to where the constraint can run. With M_Q+ <= m < 0 on the whole box and any z0
// of it, a solution z over u has |z - z0| <= (|Q f(u, z0)| + |Qp|) / -m.
class ConstraintNarrowing {
 public:
  // `monotonicity` is m. Nothing is narrowed if it is not below 0 or the projector mixes unknowns.
  ConstraintNarrowing(const Index1& form, const Index1Split& split, const Box& box, double monotonicity, double radius);
  // False if there is no solution in the part.
  bool narrow(Box& part);

 private:
  double distance_bound(const Box& over) const;  // for all u of the box, whose Q sides are a point

  const Index1& form_;
  const Index1Split& split_;
  const Box& box_;
  double monotonicity_, radius_;
  bool works_;
  Vector reach_;  // of the components of a vector of length 1 in Im Q
  std::unique_ptr<Manifold> manifold_;
};

struct ConstraintGraph {
  Verdict solved = Verdict::open;
  std::size_t boxes = 0;    // looked at
  std::string reason = {};  // why it is not proved: where the constraint leaves the box, as far as it is known
  std::string advice = {};  // what to try
};

// `monotonicity` is a proved upper bound of M_Q+[Qf] on the box. If it is below 0 there is at most one solution for
// each P x. There is one for all of them if there is one for some, and none lies on a face of the Q sides: the set of
// P x with a solution inside is then open and closed. Faces are excluded by intervals, on at most `boxes` parts.
ConstraintGraph constraint_graph(const Index1& form, const Index1Split& split, const Box& box, double monotonicity,
                                 double manifold_radius, std::size_t boxes);

// Q x from Q f = 0 by Newton's method, from the Q x given. False if there is none: where the constraint is singular,
// Newton's method may stand still without having solved it.
bool bring_to_constraint(Manifold& manifold, const Index1& form, double t, Vector& x);

// The largest |w_i| of a vector w in the image of `projector` with |w| = 1.
Vector component_bounds(const Matrix& projector, const Norm& norm);

}  // namespace driftless
