// Mechanical equations from a model: any object with
//     force(q, v, t, f)            or, with first-order states,  force(q, v, s, t, f)  and  states(q, v, s, t, ds)
//     constraint(q, t, g)
//     mass(q, t, M)                optional; the identity without it
//     energy(q, v, t) -> double    optional
// written once for any scalar type (outputs are zero on entry). Analytic derivatives may be given as
//     constraint_jacobian(q, t, G)  and  force_jacobian(q, v, t, F_q, F_v)  [with states: (q, v, s, t, F_q, F_v, F_s)],
// and what an explicit stage needs in one pass, without states: dynamics(q, v, t, M, f, G, c) with c the second
// derivative of g(q + s v, t + s) by s at s = 0 (M is 0 x 0 for a model without mass). If that is written for any
// scalar type, `static constexpr bool dynamics_of_any_scalar = true;` lets implicit stages differentiate it, too.
#pragma once

#include "driftless/equations/mechanical_automatic.h"
#include "driftless/equations/model_function.h"

namespace driftless {

namespace detail {

// Replaces automatic by given derivatives; columns for t stay automatic.
template <class Model>
class GivenMechanical final : public AutomaticMechanical<Model> {
  using Base = AutomaticMechanical<Model>;
  using D = In<double>;
  using M = OutMatrix<double>;

 public:
  static constexpr bool gives_constraint = requires(const Model& m, D q, M out) { m.constraint_jacobian(q, 0.0, out); };
  static constexpr bool gives_force = requires(const Model& m, D q, M out) { m.force_jacobian(q, q, 0.0, out, out); };
  static constexpr bool gives_force_with_states = requires(const Model& m, D q, M out) {
    m.force_jacobian(q, q, q, 0.0, out, out, out);
  };
  static constexpr bool gives_dynamics = requires(const Model& m, D q, Out<double> out, M matrix) {
    m.dynamics(q, q, 0.0, matrix, out, matrix, out);
  };
  // Asked for, not found out: a formula that takes any type by its signature may still do with nothing but double.
  static constexpr bool gives_dynamics_of_any_type = requires { requires Model::dynamics_of_any_scalar; };
  static constexpr bool gives_any = gives_constraint || gives_force || gives_force_with_states || gives_dynamics;

  using Base::Base;

  void constraint_jacobian(ConstSpan q, double t, MatrixView j) const override {
    if constexpr (gives_constraint) {
      const std::size_t n = this->n_, m = this->m_;
      Scratch scratch;
      by_time(this->constraint_formula(), this->join(scratch, q, t), j.column(n));
      GivenColumns given(scratch, m, n);
      this->model_.constraint_jacobian(D(q), t, given.next(n));
      given.copy_to(j);
    } else {
      Base::constraint_jacobian(q, t, j);
    }
  }
  void dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView mass, Span force, MatrixView g,
                Span curvature) const override {
    if constexpr (gives_dynamics) {
      const std::size_t n = this->n_, m = this->m_;
      std::fill(mass.data, mass.data + mass.rows * mass.rows, 0.0);
      std::fill(g.data, g.data + m * n, 0.0);
      std::fill(force.begin(), force.end(), 0.0);
      std::fill(curvature.begin(), curvature.end(), 0.0);
      this->model_.dynamics(D(q), D(v), t, M(Span(mass.data, mass.rows * mass.rows), mass.rows, mass.rows),
                            Out<double>(force), M(Span(g.data, m * n), m, n), Out<double>(curvature));
    } else {
      Base::dynamics(q, v, s, t, mass, force, g, curvature);
    }
  }
  void sparse_dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span mass, Span force, Span g,
                       Span curvature) const override {
    if constexpr (gives_dynamics)
      Mechanical::Functions::sparse_dynamics(q, v, s, t, mass, force, g, curvature);
    else
      Base::sparse_dynamics(q, v, s, t, mass, force, g, curvature);
  }
  // One pass for up to four coordinates, where the model takes any scalar type.
  void acceleration_jacobians(ConstSpan q, ConstSpan v, ConstSpan s, double t, ConstSpan a, ConstSpan lambda,
                              const Mechanical::Functions::AccelerationJacobians& out) const override {
    if constexpr (gives_dynamics_of_any_type)
      if (this->n_ <= Mechanical::whole_up_to) return differentiate_dynamics(q, v, t, a, lambda, out);
    Base::acceleration_jacobians(q, v, s, t, a, lambda, out);
  }
  void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    if constexpr (gives_force || gives_force_with_states) {
      const std::size_t n = this->n_, r = this->r_;
      Scratch scratch;
      by_time(this->force_formula(), this->join(scratch, q, v, s, t), j.column(2 * n + r));
      GivenColumns given(scratch, n, 2 * n + r);
      const M fq = given.next(n), fv = given.next(n), fs = given.next(r);
      if constexpr (gives_force_with_states)
        this->model_.force_jacobian(D(q), D(v), D(s), t, fq, fv, fs);
      else
        this->model_.force_jacobian(D(q), D(v), t, fq, fv);
      given.copy_to(j);
    } else {
      Base::force_jacobian(q, v, s, t, j);
    }
  }

 private:
  using Gradient = decltype(SweepDual::d);
  static void add_multiple(Gradient& sum, double factor, Gradient term) {
    term *= factor;
    sum += term;
  }
  void differentiate_dynamics(ConstSpan q, ConstSpan v, double t, ConstSpan a, ConstSpan lambda,
                              const Mechanical::Functions::AccelerationJacobians& out) const {
    using X = SweepDual;
    const std::size_t n = this->n_, m = this->m_, k = Base::with_mass ? n : 0;
    Scratch scratch;
    const auto x = scratch.take_raw<X>(2 * n);
    const auto results = scratch.take_raw<X>(k * k + n + m * n + m);
    const auto mass = results.first(k * k), force = results.subspan(k * k, n), g = results.subspan(k * k + n, m * n),
               curvature = results.last(m);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = X(q[i]);
      x[n + i] = X(v[i]);
    }
    for (std::size_t begin = 0; begin < 2 * n; begin += sweep_width) {
      const std::size_t count = std::min<std::size_t>(sweep_width, 2 * n - begin);
      for (std::size_t l = 0; l < count; ++l) x[begin + l].d.set(static_cast<int>(l), 1.0);
      std::fill(results.begin(), results.end(), X());
      this->model_.dynamics(In<X>(x.first(n)), In<X>(x.last(n)), X(t), OutMatrix<X>(mass, k, k), Out<X>(force),
                            OutMatrix<X>(g, m, n), Out<X>(curvature));
      for (std::size_t l = 0; l < count; ++l) x[begin + l].d = {};
      for (std::size_t i = 0; i < n; ++i) {
        Gradient sum{};
        sum -= force[i].d;
        for (std::size_t j = 0; j < k; ++j) add_multiple(sum, a[j], mass[i + j * n].d);
        for (std::size_t c = 0; c < m; ++c) add_multiple(sum, lambda[c], g[c + i * m].d);
        for (std::size_t l = 0; l < count; ++l) out.balance(i, begin + l) = sum.get(static_cast<int>(l));
      }
      for (std::size_t c = 0; c < m; ++c) {
        Gradient sum = curvature[c].d;
        for (std::size_t j = 0; j < n; ++j) add_multiple(sum, a[j], g[c + j * m].d);
        for (std::size_t l = 0; l < count; ++l) out.constraint(c, begin + l) = sum.get(static_cast<int>(l));
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < k; ++i) out.mass(i, j) = mass[i + j * n].value;
      for (std::size_t c = 0; c < m; ++c) out.g(c, j) = g[c + j * m].value;
    }
  }

  // The derivative by the last argument.
  template <class Function>
  static void by_time(Function&& function, ConstSpan x, Span out) {
    Scratch scratch;
    const Span direction = scratch.take<double>(x.size());
    direction.back() = 1.0;
    first_derivative(function, x, direction, out);
  }
};

// Has the model functions that only the wide form (wide_model.h) knows?
template <class Model>
inline constexpr bool is_wide = [] {
  using X = SweepDual;
  return FunctionOf<name_rates, Model, In<X>, In<X>, const X&, Out<X>>::named ||
         FunctionOf<name_velocity_constraint, Model, In<X>, In<X>, const X&, Out<X>>::named ||
         FunctionOf<name_position_invariants, Model, In<X>, const X&, Out<X>>::named ||
         FunctionOf<name_velocity_invariants, Model, In<X>, In<X>, const X&, Out<X>>::named;
}();

template <class Model>
struct MechanicalFunctions {
  using X = SweepDual;
  using D = In<double>;
  using M = OutMatrix<double>;
  using States = FunctionOf<name_states, Model, In<X>, In<X>, In<X>, const X&, Out<X>>;
  using Force = std::conditional_t<States::named, FunctionOf<name_force, Model, In<X>, In<X>, In<X>, const X&, Out<X>>,
                                   FunctionOf<name_force, Model, In<X>, In<X>, const X&, Out<X>>>;
  using Constraint = FunctionOf<name_constraint, Model, In<X>, const X&, Out<X>>;
  using Mass = FunctionOf<name_mass, Model, In<X>, const X&, OutMatrix<X>>;
  using Energy = FunctionOf<name_energy, Model, D, D, double>;
  using ConstraintJacobian = FunctionOf<name_constraint_jacobian, Model, D, double, M>;
  using ForceJacobian =
      std::conditional_t<States::named, FunctionOf<name_force_jacobian, Model, D, D, D, double, M, M, M>,
                         FunctionOf<name_force_jacobian, Model, D, D, double, M, M>>;
  using Dynamics = FunctionOf<name_dynamics, Model, D, D, double, M, Out<double>, M, Out<double>>;
};

template <class Model>
Mechanical make_mechanical(const Model& model, const Mechanical::Shape& given) {
  const Mechanical::Shape shape = given.resolved();
  auto automatic = std::make_shared<const AutomaticMechanical<Model>>(model, shape.q, shape.s, shape.lambda);
  if constexpr (GivenMechanical<Model>::gives_any)
    return Mechanical(shape, std::make_shared<const GivenMechanical<Model>>(model, shape.q, shape.s, shape.lambda),
                      automatic);
  else
    return Mechanical(shape, automatic);
}

}  // namespace detail

// Models with functions of the wide form have their mechanical() in wide_model.h.
template <class Model>
requires(!detail::is_wide<Model>) Mechanical mechanical(Model model, const Mechanical::Shape& shape) {
  using F = detail::MechanicalFunctions<Model>;
  if constexpr (!F::States::fine)
    static_assert(detail::is_fine<F::States::found, F::States::arguments>,
                  "write `void states(auto q, auto v, auto s, auto t, auto ds) const`, all arguments auto, as "
                  "derivatives do not come through double or double*");
  else if constexpr (!F::Force::named)
    static_assert(detail::is_fine<F::Force::found, F::Force::arguments>,
                  "a mechanical model has force and constraint, and may have mass, states, energy, force_jacobian, "
                  "constraint_jacobian, dynamics; this one has no force");
  else if constexpr (!F::Force::fine)
    static_assert(detail::is_fine<F::Force::found, F::Force::arguments>,
                  "write `void force(auto q, auto v, auto t, auto f) const`, all arguments auto, as derivatives do not "
                  "come through double or double*; if there are states: (q, v, s, t, f)");
  else if constexpr (!F::Constraint::named)
    static_assert(detail::is_fine<F::Constraint::found, F::Constraint::arguments>,
                  "a mechanical model has force and constraint, and may have mass, states, energy, force_jacobian, "
                  "constraint_jacobian, dynamics; this one has no constraint");
  else if constexpr (!F::Constraint::fine)
    static_assert(detail::is_fine<F::Constraint::found, F::Constraint::arguments>,
                  "write `void constraint(auto q, auto t, auto g) const`, all arguments auto, as derivatives do not "
                  "come through double or double*");
  else if constexpr (!F::Mass::fine)
    static_assert(detail::is_fine<F::Mass::found, F::Mass::arguments>,
                  "write `void mass(auto q, auto t, auto M) const`, all arguments auto, as derivatives do not come "
                  "through double or double*");
  else if constexpr (!F::Energy::fine)
    static_assert(detail::is_fine<F::Energy::found, F::Energy::arguments>,
                  "write `double energy(auto q, auto v, double t) const`");
  else if constexpr (!F::ConstraintJacobian::fine)
    static_assert(detail::is_fine<F::ConstraintJacobian::found, F::ConstraintJacobian::arguments>,
                  "write `void constraint_jacobian(auto q, double t, auto G) const`");
  else if constexpr (!F::ForceJacobian::fine)
    static_assert(detail::is_fine<F::ForceJacobian::found, F::ForceJacobian::arguments>,
                  "write `void force_jacobian(auto q, auto v, double t, auto Fq, auto Fv) const`; if there are states: "
                  "(q, v, s, t, Fq, Fv, Fs)");
  else if constexpr (!F::Dynamics::fine)
    static_assert(detail::is_fine<F::Dynamics::found, F::Dynamics::arguments>,
                  "write `void dynamics(auto q, auto v, double t, auto M, auto f, auto G, auto c) const`");
  else
    return detail::make_mechanical(model, shape);
  detail::refused_by_the_compiler();
}

}  // namespace driftless
