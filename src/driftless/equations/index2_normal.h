// The linear algebra of index 2 at a point: S = g_u Gamma^-1 f_lambda (A4) and the directions Gamma^-1 f_lambda along
// which multipliers move u. Dense for few unknowns; for many S is never made: see linalg/saddle_system.h.
#pragma once

#include <memory>

#include "driftless/equations/index2.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/lu.h"
#include "driftless/linalg/rank.h"

namespace driftless {

class Index2Normal {
 public:
  virtual ~Index2Normal() = default;

  // Gamma, f_lambda and g_u may be taken at different points; factorise() makes S of those that were set last.
  virtual ManifoldStatus set_gamma(double t, ConstSpan u) = 0;
  virtual void set_directions(double t, ConstSpan u, ConstSpan lambda) = 0;
  virtual void set_gradients(double t, ConstSpan u) = 0;
  virtual ManifoldStatus factorise() = 0;

  virtual void solve_gamma(Span x) const = 0;
  // out = g_t;  out += g_u x;  out += |g_u| x
  virtual void time_derivative(Span out) const = 0;
  virtual void add_gradients(ConstSpan x, Span out) const = 0;
  virtual void add_sizes(ConstSpan x, Span out) const = 0;

  // Is f known to be linear in lambda, with a constant f_lambda? One correction of lambda is then all it takes.
  virtual bool has_constant_directions() const { return false; }
  // False: S is singular, and solutions are of least norm.
  virtual bool regular() const = 0;
  // mu := S^-1 mu, and x += factor Gamma^-1 f_lambda mu for this same mu.
  virtual void solve(Span mu) = 0;
  virtual void push(double factor, ConstSpan mu, Span x) const = 0;
  // d := S^-1 d, where at - d is of least norm if S is singular.
  virtual void correct(Span d, ConstSpan at) = 0;

  virtual Determinant determinant() const = 0;
  virtual double log_scale() const = 0;  // lengths of the rows and columns that S is made of
  virtual bool is_sparse() const { return false; }
  virtual void examine(Manifold::Examination&) const {}
  // As matrices, for analyses of small systems.
  virtual void copy_decisive(Matrix& out) = 0;
  virtual void copy_gradients(Matrix& out) const = 0;
  // Of sparse ones: g_u on its pattern; g_u without the columns of what is not free.
  virtual void copy_gradients(Pattern&, Vector&) const {}
  virtual void hold_gradients(const std::vector<char>&) {}
  // Rows that depend on the others, and directions of lambda that act on nothing, where it was factorised.
  virtual Redundancy redundancy() const = 0;
};

// `sizes` of the multipliers; empty: all 1.
std::unique_ptr<Index2Normal> make_normal(std::shared_ptr<const Index2::Functions> functions, std::size_t u_size,
                                          std::size_t lambda_size, ConstSpan sizes);
std::unique_ptr<Index2Normal> make_normal(const Index2& form);

}  // namespace driftless
