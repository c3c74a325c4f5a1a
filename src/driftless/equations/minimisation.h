// Constrained minimisation as a front end: minimise phi(u) subject to g(u) = 0. Its gradient flow
// u' = -grad phi(u) - Dg(u)^T lambda, 0 = g(u), is an index-2 problem whose stable equilibria are the local minima.
#pragma once

#include <memory>

#include "driftless/equations/index2.h"

namespace driftless {

class Minimisation {
 public:
  class Functions {
   public:
    virtual ~Functions() = default;
    virtual double objective(ConstSpan u) const = 0;
    virtual void gradient(ConstSpan u, Span out) const = 0;
    virtual void constraint(ConstSpan u, Span out) const = 0;
    virtual void constraint_jacobian(ConstSpan u, MatrixView j) const = 0;
    // Second derivatives of phi + lambda . g.
    virtual void lagrangian_hessian(ConstSpan u, ConstSpan lambda, MatrixView h) const = 0;
  };

  struct Shape {
    std::size_t u = 0, constraints = 0;  // 0: as many as there are names
    Names u_names = {}, constraint_names = {};
  };

  Minimisation(Shape shape, std::shared_ptr<const Functions> functions);

  const Functions& functions() const { return *functions_; }
  std::shared_ptr<const Functions> share() const { return functions_; }
  std::size_t u_size() const { return u_names_.size(); }
  std::size_t constraint_count() const { return constraint_names_.size(); }
  const Names& u_names() const { return u_names_; }
  const Names& constraint_names() const { return constraint_names_; }

 private:
  Names u_names_, constraint_names_;
  std::shared_ptr<const Functions> functions_;
};

// With the multipliers named after the constraints.
Index2 gradient_flow(const Minimisation& problem);

}  // namespace driftless
