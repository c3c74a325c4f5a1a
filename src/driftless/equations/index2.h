// Index 2, (2.1) of Schropp 2001:  Gamma(u, t) u' = f(u, t, lambda),   0 = g(u, t).
#pragma once

#include <memory>

#include "driftless/equations/layout.h"

namespace driftless {

class Index2 {
 public:
  class Functions {
   public:
    virtual ~Functions() = default;
    // False: Gamma is the identity and gamma(), gamma_jacobian() are never called.
    virtual bool has_gamma() const = 0;
    virtual void gamma(ConstSpan u, double t, MatrixView out) const = 0;
    virtual void f(ConstSpan u, ConstSpan lambda, double t, Span out) const = 0;
    virtual void g(ConstSpan u, double t, Span out) const = 0;
    virtual void f_jacobian(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const = 0;  // (u, lambda, t)
    virtual void f_by_lambda(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const;     // those of lambda alone
    virtual void g_jacobian(ConstSpan u, double t, MatrixView j) const = 0;                    // (u, t)
    // d/d(u, t) of Gamma(u, t) w at fixed w.
    virtual void gamma_jacobian(ConstSpan u, double t, ConstSpan w, MatrixView j) const = 0;
  };

  struct Shape {
    std::size_t u = 0, lambda = 0;  // 0: as many as there are names
    Names u_names = {}, lambda_names = {}, constraint_names = {};

    Shape resolved() const;  // with every size a number
  };

  Index2(Shape shape, std::shared_ptr<const Functions> functions, std::shared_ptr<const Functions> automatic = nullptr);

  const Functions& functions() const { return *functions_; }
  const Functions& automatic() const { return *automatic_; }
  std::shared_ptr<const Functions> share() const { return functions_; }
  std::size_t u_size() const { return u_; }
  std::size_t lambda_size() const { return lambda_; }
  const Layout& layout() const { return layout_; }  // u, lambda
  void set_sizes(ConstSpan sizes) { layout_.set_sizes(sizes); }
  const Names& constraint_names() const { return constraints_; }

 private:
  std::size_t u_ = 0, lambda_ = 0;
  Layout layout_;
  Names constraints_;
  std::shared_ptr<const Functions> functions_, automatic_;
};

}  // namespace driftless
