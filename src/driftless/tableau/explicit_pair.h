// Explicit Runge-Kutta pairs with everything that an adaptive integrator needs: error weights and an interpolant.
#pragma once

#include "driftless/core/matrix.h"

namespace driftless {

// Stages 0 .. s-1 make the step; stage s is the slope at its end; further ones serve the interpolant alone. In
// half-explicit methods the slope of the first stage is not that of the solution there, which follows as stage s + 1.
struct ExplicitPair {
  const char* name;
  int order;
  Matrix a;            // rows for all stages; row s is the weights b
  Vector c;            // nodes of all stages
  std::size_t stages;  // s
  Vector error;        // b minus the weights of the embedded method, over the stages 0 .. s
  int error_order;     // of the embedded method
  // Of a method of lower and of one of higher order, if there are such; together they tell how fast errors fall with
  // the order, up to that of the pair.
  Vector coarse_error, fine_error;
  double stability_radius;  // h |eigenvalue| beyond which the stability function exceeds 1, about
  // x(theta) = x_n + h theta (n_0 + (1 - theta)(n_1 + theta (n_2 + (1 - theta)(...)))) with n_k = row k applied to the
  // slopes of all stages, as in the codes of Hairer and Wanner.
  Matrix nested;
  int interpolant_degree;

  bool half_explicit = false;

  // Where `error` does not see quadratures: b minus the weights of methods that do, of order 1, 2, 3 and 3, over the
  // stages 0 .. s + 1. They are first to fourth differences of the slopes.
  std::vector<Vector> differences = {};

  // The entries that are not zero, one after the other: row by row of A, then of the three error weights and the
  // differences.
  struct Term {
    std::size_t stage;
    double weight;
  };
  std::vector<Term> terms = {};
  std::vector<std::size_t> row_begin = {};
  ExplicitPair with_terms() &&;  // this, with all of them

  std::size_t all_stages() const { return c.size(); }
  std::size_t begin_stage() const { return half_explicit ? stages + 1 : 0; }
  std::size_t first_extra_stage() const { return half_explicit ? stages + 2 : stages + 1; }
  bool error_needs_end() const { return error[stages] != 0.0; }
  // Weights of the slopes in (x(theta) - x_n)/h.
  Vector interpolant_weights(double theta) const;
};

const ExplicitPair& dopri5_pair();  // Dormand & Prince, order 5(4), interpolant of order 4
const ExplicitPair& dop853_pair();  // Dormand & Prince, Hairer, order 8(5, 3), interpolant of order 7

// Half-explicit methods of Brasey & Hairer, with estimates and interpolants made here from their order conditions.
const ExplicitPair& hem3_pair();  // order 3(2), interpolant of order 3
const ExplicitPair& hem4_pair();  // order 4(3), interpolant of order 4
const ExplicitPair& hem5_pair();  // order 5(4), interpolant of order 5

}  // namespace driftless
