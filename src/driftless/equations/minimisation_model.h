// A minimisation from a model: any object with objective(u), which returns a number, and constraint(u, g), written once
// for any scalar type (outputs are zero on entry). Without constraint() the minimisation is unconstrained.
#pragma once

#include "driftless/autodiff/second_derivatives.h"
#include "driftless/equations/minimisation.h"
#include "driftless/equations/model_calls.h"
#include "driftless/equations/model_function.h"

namespace driftless {

namespace detail {

template <class Model>
class AutomaticMinimisation final : public Minimisation::Functions {
 public:
  AutomaticMinimisation(Model model, std::size_t n, std::size_t m) : model_(std::move(model)), n_(n), m_(m) {
    probe("objective", n_, 1, objective_formula());
    if (m_ > 0) probe("constraint", n_, m_, constraint_formula());
  }

  double objective(ConstSpan u) const override { return model_.objective(In<double>(u)); }
  void gradient(ConstSpan u, Span out) const override {
    jacobian(objective_formula(), u, 0, MatrixView{out.data(), 1, n_, 1});
  }
  void constraint(ConstSpan u, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    flat_constraint<double>(u, out);
  }
  void constraint_jacobian(ConstSpan u, MatrixView j) const override { jacobian(constraint_formula(), u, 0, j); }
  void lagrangian_hessian(ConstSpan u, ConstSpan lambda, MatrixView h) const override {
    Scratch scratch;
    const auto weights = scratch.take<double>(1 + m_);
    weights[0] = 1.0;
    std::copy(lambda.begin(), lambda.end(), weights.begin() + 1);
    hessian(
        [&](auto x, auto y) {
          flat_objective(x, y.subspan(0, 1));
          flat_constraint(x, y.subspan(1));
        },
        u, weights, h);
  }

 private:
  auto objective_formula() const {
    return [this](auto x, auto y) { flat_objective(x, y); };
  }
  template <class T>
  void flat_objective(std::span<const T> x, std::span<T> y) const {
    y[0] = model_.objective(In<T>(x));
  }
  auto constraint_formula() const {
    return [this](auto x, auto y) { flat_constraint(x, y); };
  }
  template <class T>
  void flat_constraint(std::span<const T> x, std::span<T> y) const {
    if constexpr (requires(const Model& m, In<T> u, Out<T> g) { m.constraint(u, g); })
      model_.constraint(In<T>(x), Out<T>(y));
  }

  Model model_;
  std::size_t n_, m_;
};

template <class Model>
struct MinimisationFunctions {
  using X = SweepDual;
  using Objective = FunctionOf<name_objective, Model, In<X>>;
  using Constraint = FunctionOf<name_constraint, Model, In<X>, Out<X>>;
};

}  // namespace detail

template <class Model>
Minimisation minimisation(Model model, const Minimisation::Shape& shape) {
  using F = detail::MinimisationFunctions<Model>;
  if constexpr (!F::Objective::named)
    static_assert(detail::is_fine<F::Objective::found, F::Objective::arguments>,
                  "a minimisation has objective, and may have constraint; this one has no objective");
  else if constexpr (!F::Objective::fine)
    static_assert(detail::is_fine<F::Objective::found, F::Objective::arguments>,
                  "write `auto objective(auto u) const`, all arguments auto, as derivatives do not come through double "
                  "or double*");
  else if constexpr (!F::Constraint::fine)
    static_assert(detail::is_fine<F::Constraint::found, F::Constraint::arguments>,
                  "write `void constraint(auto u, auto g) const`, all arguments auto, as derivatives do not come "
                  "through double or double*");
  else {
    const std::size_t n = shape.u > 0 ? shape.u : shape.u_names.size();
    const std::size_t m = shape.constraints > 0 ? shape.constraints : shape.constraint_names.size();
    return Minimisation(shape, std::make_shared<const detail::AutomaticMinimisation<Model>>(std::move(model), n, m));
  }
  detail::refused_by_the_compiler();
}

}  // namespace driftless
