// The linear algebra of general equations of index 3 at a point: S = g_u f_v k_lambda (A3) and the directions k_lambda,
// f_v k_lambda along which multipliers move v and u. Dense for few unknowns; for many S is never made: with
//     A = [I, -f_v; 0, I],  B = (0, k_lambda),  G = (g_u, 0)    it is    S = G A^-1 B    (linalg/saddle_system.h).
#pragma once

#include <memory>

#include "driftless/equations/index3.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/lu.h"
#include "driftless/linalg/rank.h"

namespace driftless {

class Index3Normal {
 public:
  virtual ~Index3Normal() = default;

  virtual void set_rates(double t, ConstSpan u, ConstSpan v) = 0;                         // the derivatives of f
  virtual void set_directions(double t, ConstSpan u, ConstSpan v, ConstSpan lambda) = 0;  // those of k
  virtual void set_gradients(double t, ConstSpan u) = 0;                                  // those of g
  virtual ManifoldStatus factorise() = 0;  // S of those that were set last

  // out = g_t;  out += g_u x;  out += |g_u| x;  out += g_u f_v x
  virtual void time_derivative(Span out) const = 0;
  virtual void add_gradients(ConstSpan x, Span out) const = 0;
  virtual void add_velocity_gradients(ConstSpan x, Span out) const = 0;
  // out = f_t + f_u slope + f_v rate;  out += factor f_v x;  out = k_lambda mu
  virtual void accelerate(ConstSpan slope, ConstSpan rate, Span out) const = 0;
  virtual void add_rates(double factor, ConstSpan x, Span out) const = 0;
  virtual void push(ConstSpan mu, Span out) const = 0;

  // False: S is singular, and solutions are of least norm.
  virtual bool regular() const = 0;
  virtual void solve(Span mu) = 0;
  // d := S^-1 d, where at - d is of least norm if S is singular.
  virtual void correct(Span d, ConstSpan at) = 0;

  virtual Determinant determinant() const = 0;
  virtual double log_scale() const = 0;  // lengths of the rows and columns that S is made of
  virtual bool is_sparse() const { return false; }
  virtual void examine(Manifold::Examination&) const {}
  // As matrices, for analyses of small systems: S, and g_u or g_u f_v.
  virtual void copy_decisive(Matrix& out) = 0;
  virtual void copy_gradients(int level, Matrix& out) const = 0;
  // Of sparse ones: the same on its pattern; what is not free taken out of g_u, resp. of k_lambda.
  virtual void copy_gradients(int, Pattern&, Vector&) const {}
  virtual void hold(int, const std::vector<char>&) {}
  // Rows that depend on the others, and directions of lambda that act on nothing, where it was factorised.
  virtual Redundancy redundancy() const = 0;
};

// `sizes` of the multipliers; empty: all 1.
std::unique_ptr<Index3Normal> make_normal(std::shared_ptr<const Index3::Functions> functions, std::size_t u_size,
                                          std::size_t v_size, std::size_t lambda_size, ConstSpan sizes);

}  // namespace driftless
