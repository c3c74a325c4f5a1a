// Which of the library's forms a reduced model has, and which of its unknowns and rows take which part in it. All
// expressions are in the slots of the reduction.
#pragma once

#include <optional>
#include <variant>

#include "driftless/modelfile/structure/reduction.h"

namespace driftless {

// A component of the state; `rate` stands for its derivative.
struct Component {
  std::string name;
  std::uint32_t slot = 0, rate = 0;
  bool introduced = false;  // by the analysis: not a variable of the model
  Expr meaning = {};        // of an introduced one, in the slots of the reduction
};
using Components = std::vector<Component>;

struct Constraint {
  Expr value;
  std::string name;
  std::size_t row = 0;  // in Reduction::rows
  int level = 3;        // 3: on positions, 2: on velocities or states, 1: algebraic
  int integrated = 0;   // 1, 2: it is z = 0, where z' or z'' is the residual of the row
  Number scale = 1.0;   // otherwise the value is the residual times this
};

struct SparseExpression {
  std::uint32_t row, column;
  Expr value;
};
using SparseExpressions = std::vector<SparseExpression>;

// The rates of components from residuals that are affine in them: a formula, or the solution of a linear system.
struct Rates {
  std::vector<std::optional<Expr>> formula;  // by component
  std::vector<std::size_t> coupled;          // the components without one
  std::vector<Expr> residual;                // as many: 0 = residual
  bool is_explicit() const { return coupled.empty(); }
};

// P x' = f(x, t). If the matrix of the derivatives is not constant, f of the first components is in `rates`.
struct Index1Plan {
  Components x;
  struct Entry {
    std::uint32_t row, column;
    double value;
  };
  std::vector<Entry> projector;
  Rates rates;          // of the first rates.formula.size() components
  std::vector<Expr> f;  // of the others
  std::vector<std::string> equation_names;
  // The rows without derivatives, each as a combination of the components of f.
  struct Part {
    std::uint32_t component;
    Number factor;
  };
  std::vector<std::vector<Part>> algebraic = {};
};
// Gamma(u, t) u' = f(u, lambda, t), 0 = g(u, t).
struct Index2Plan {
  Components u, lambda;
  Rates rates;
  std::vector<Constraint> g;
};
// u' = f(u, v, t), v' = k(u, v, lambda, t), 0 = g(u, t).
struct Index3Plan {
  Components u, v, lambda;
  Rates u_rates, rates;  // of u, and of u and v together
  std::vector<Constraint> g;
};
// q' = v, M(q, t) v' = F(q, v, s, t) - G^T lambda, s' = r(q, v, s, t), 0 = g(q, t).
struct MechanicalPlan {
  Components q, v, s, lambda;
  bool unit_mass = false;
  SparseExpressions mass;
  std::vector<Expr> force, states;
  std::vector<Constraint> g;
};
// q' = rates(q, v, t), M(q, t) v' = F(q, v, s, t) - C^T lambda, s' = r(q, v, s, t), 0 = g(q, t), 0 = h(q, v, t), rates
// and h affine in v; multipliers of g first.
struct WidePlan {
  Components q, v, s, lambda;
  SparseExpressions mass;
  std::vector<Expr> rates, force, states;
  std::vector<Constraint> g, h;
};

struct FormPlan {
  std::variant<Index1Plan, Index2Plan, Index3Plan, MechanicalPlan, WidePlan> form;
  int index = 0;  // of the model
  // Unknowns that are expressed by components, such as a velocity in other units; by slot (values and derivatives).
  std::unordered_map<std::uint32_t, Expr> replaced = {};
  // Of index 3 in the general form: what keeps it from being mechanical.
  std::string not_mechanical = {};
};

// Throws Refusal if the model has none of the forms.
FormPlan plan_form(Reduction& reduction);

// The components of the state, in the order of the layout of the form.
Components components_of(const FormPlan& plan);
bool solves_nothing(const FormPlan& plan);                     // its only component stands for no variable
Components multipliers_of(const FormPlan& plan);               // none for index 1
std::vector<Constraint> constraints_of(const FormPlan& plan);  // none for index 1

}  // namespace driftless
