// What the forms made from a plan share.
#pragma once

#include "driftless/modelfile/compiled/formula_book.h"
#include "driftless/modelfile/compiled/model_equations.h"

namespace driftless {

using SymbolicDirection = std::unordered_map<std::uint32_t, Expr>;

std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const Index1Plan& plan);
std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const Index2Plan& plan);
std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const Index3Plan& plan);
std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const MechanicalPlan& plan);
std::shared_ptr<const ModelEquations> make_form(std::shared_ptr<FormulaBook> book, const WidePlan& plan);

Names names_of(const Components& components);
Names names_of(const std::vector<Constraint>& constraints);
std::vector<Expr> take_constraints(FormulaBook& book, const std::vector<Constraint>& constraints);

// x' as a function of the first `count` inputs and time, some by a formula and some from a linear system that is solved
// at each call. `components` are those of the rates.
class CompiledRates {
 public:
  CompiledRates(std::shared_ptr<FormulaBook> book, const Components& components, const Rates& rates, std::size_t count);

  std::size_t size() const { return formulas_.size(); }
  bool is_explicit() const { return coupled_.empty(); }
  void value(Arguments& arguments, Span out) const;
  void jacobian(Arguments& arguments, MatrixView out) const;

  // The linear system as such, for forms that keep it: row i of it belongs to component coupled()[i].
  const std::vector<std::size_t>& coupled() const { return coupled_; }
  const std::vector<Expr>& formulas() const { return formulas_; }  // 0 where there is none
  const MatrixEntries& matrix() const { return matrix_; }          // coupled x coupled
  const std::vector<Expr>& right_side() const { return right_side_; }

 private:
  MatrixEntries system_entries() const;
  MatrixEntries slope_entries(Graph& graph) const;
  MatrixEntries formula_entries(Graph& graph) const;
  void solve(Arguments& arguments, MatrixView matrix, MatrixView right) const;

  std::shared_ptr<const FormulaBook> book_;
  std::size_t count_;
  std::uint32_t rate_inputs_;
  std::vector<std::size_t> coupled_;
  std::vector<Expr> formulas_, residual_, right_side_;
  MatrixEntries matrix_;
  LazyVector explicit_value_;
  LazyMatrices explicit_jacobian_, system_, slope_;
};

}  // namespace driftless
