// Index 3 in Hessenberg form, (2.1) of Schropp 2003, time-dependent:
//     u' = f(u, v, t),   v' = k(u, v, lambda, t),   0 = g(u, t).
#pragma once

#include <memory>

#include "driftless/equations/layout.h"
#include "driftless/linalg/pattern.h"

namespace driftless {

class Index3 {
 public:
  // What a step needs to know of f, k and g. Jacobians have one column per argument in the order given, time last.
  class Functions {
   public:
    virtual ~Functions() = default;
    virtual void f(ConstSpan u, ConstSpan v, double t, Span out) const = 0;
    virtual void k(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, Span out) const = 0;
    virtual void g(ConstSpan u, double t, Span out) const = 0;
    virtual void f_jacobian(ConstSpan u, ConstSpan v, double t, MatrixView j) const = 0;  // (u, v, t)
    virtual void k_jacobian(ConstSpan u, ConstSpan v, ConstSpan lambda, double t,
                            MatrixView j) const = 0;                         // (u, v, lambda, t)
    virtual void g_jacobian(ConstSpan u, double t, MatrixView j) const = 0;  // (u, t)
    // d/d(u, t) of g_u du + g_t dt at fixed direction.
    virtual void g_tangent_jacobian(ConstSpan u, double t, ConstSpan du, double dt, MatrixView j) const = 0;
    // The second derivative of g along the line (u + s du, t + s dt).
    virtual void g_curvature(ConstSpan u, double t, ConstSpan du, double dt, Span out) const = 0;

    // Which derivatives can differ from zero, known once (null: all), and their values in the order of the patterns. A
    // full pattern in column order is a dense matrix.
    struct Patterns {
      Pattern f;  // by (u, v, t)
      Pattern k;  // by (u, v, lambda)
      Pattern g;  // by (u, t)
    };
    virtual const Patterns* patterns() const { return nullptr; }
    virtual void f_values(ConstSpan u, ConstSpan v, double t, Span values) const;
    virtual void k_values(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, Span values) const;
    virtual void g_values(ConstSpan u, double t, Span values) const;
  };

  struct Shape {
    std::size_t u = 0, v = 0, lambda = 0;  // 0: as many as there are names
    Names u_names = {}, v_names = {}, lambda_names = {}, constraint_names = {};

    Shape resolved() const;  // with every size a number
  };

  // `automatic` holds automatic derivatives even where `functions` has ones given by hand.
  Index3(Shape shape, std::shared_ptr<const Functions> functions, std::shared_ptr<const Functions> automatic = nullptr);

  const Functions& functions() const { return *functions_; }
  const Functions& automatic() const { return *automatic_; }
  std::shared_ptr<const Functions> share() const { return functions_; }
  std::size_t u_size() const { return u_; }
  std::size_t v_size() const { return v_; }
  std::size_t lambda_size() const { return lambda_; }
  Functions::Patterns patterns() const;             // full ones where nothing is known
  const Layout& layout() const { return layout_; }  // u, v, lambda
  void set_sizes(ConstSpan sizes) { layout_.set_sizes(sizes); }
  const Names& constraint_names() const { return constraints_; }

 private:
  std::size_t u_ = 0, v_ = 0, lambda_ = 0;
  Layout layout_;
  Names constraints_;
  std::shared_ptr<const Functions> functions_, automatic_;
};

}  // namespace driftless
