// Index 2, (2.1) of Schropp 2001:  Gamma(u, t) u' = f(u, t, lambda),   0 = g(u, t).
#pragma once

#include <memory>

#include "driftless/equations/layout.h"
#include "driftless/linalg/pattern.h"

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

    // Which derivatives can differ from zero, known once (null: all), and their values in the order of the patterns. A
    // full pattern in column order is a dense matrix.
    struct Patterns {
      Pattern f;        // by (u, lambda)
      Pattern g;        // by (u, t)
      Pattern gamma;    // Gamma itself, if there is one
      Pattern gamma_u;  // of Gamma w by u
      // Known to be the same everywhere, so that one evaluation does: f_lambda, the derivatives of g, Gamma.
      bool constant_f_lambda = false, constant_g = false, constant_gamma = false;
    };
    virtual const Patterns* patterns() const { return nullptr; }
    virtual void f_values(ConstSpan u, ConstSpan lambda, double t, Span values) const;
    virtual void f_lambda_values(ConstSpan u, ConstSpan lambda, double t, Span values) const;  // the columns of lambda
    virtual void g_values(ConstSpan u, double t, Span values) const;
    virtual void gamma_values(ConstSpan u, double t, Span values) const;
    virtual void gamma_u_values(ConstSpan u, double t, ConstSpan w, Span values) const;
  };

  struct Shape {
    std::size_t u = 0, lambda = 0;  // 0: as many as there are names
    Names u_names = {}, lambda_names = {}, constraint_names = {};

    Shape resolved() const;  // with every size a number
  };

  Index2(Shape shape, std::shared_ptr<const Functions> functions, std::shared_ptr<const Functions> automatic = nullptr);

  // The same form with other functions, without looking at its names again.
  Index2 with_functions(std::shared_ptr<const Functions> functions) const;

  const Functions& functions() const { return *functions_; }
  const Functions& automatic() const { return *automatic_; }
  std::shared_ptr<const Functions> share() const { return functions_; }
  std::size_t u_size() const { return u_; }
  std::size_t lambda_size() const { return lambda_; }
  Functions::Patterns patterns() const;  // full ones where nothing is known; the identity where there is no Gamma
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
