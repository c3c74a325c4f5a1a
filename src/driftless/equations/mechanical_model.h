// Mechanical equations from a model: any object with
//     force(q, v, t, f)            or, with first-order states,  force(q, v, s, t, f)  and  states(q, v, s, t, ds)
//     constraint(q, t, g)
//     mass(q, t, M)                optional; the identity without it
//     energy(q, v, t) -> double    optional
// written once for any scalar type (outputs are zero on entry). Analytic derivatives may be given as
//     constraint_jacobian(q, t, G)  and  force_jacobian(q, v, t, F_q, F_v)  [with states: (q, v, s, t, F_q, F_v, F_s)].
#pragma once

#include "driftless/equations/mechanical.h"
#include "driftless/equations/model_calls.h"

namespace driftless {

namespace detail {

template <class Model>
class AutomaticMechanical : public Mechanical::Functions {
 public:
  AutomaticMechanical(Model model, std::size_t n, std::size_t r, std::size_t m)
      : model_(std::move(model)), n_(n), r_(r), m_(m) {
    const std::size_t all = 2 * n_ + r_ + 1;
    if (r_ > 0 && !with_states)
      throw Misuse(
          fmt::format("states: {} first-order states are named, but the model has no states(q, v, s, t, ds)", r_));
    probe("force", all, n_, [&](auto x, auto y) { flat_force(x, y); });
    if (r_ > 0) probe("states", all, r_, [&](auto x, auto y) { flat_states(x, y); });
    probe("constraint", n_ + 1, m_, [&](auto x, auto y) { flat_constraint(x, y); });
    if (with_mass) probe("mass", n_ + 1, n_ * n_, [&](auto x, auto y) { flat_mass(x, y); });
  }

  bool has_mass() const override { return with_mass; }

  void mass(ConstSpan q, double t, MatrixView out) const override {
    if (out.stride == n_) {
      std::fill(out.data, out.data + n_ * n_, 0.0);
      if constexpr (with_mass) model_.mass(In<double>(q), t, OutMatrix<double>(Span(out.data, n_ * n_), n_, n_));
      return;
    }
    Scratch scratch;
    const auto values = scratch.take<double>(n_ * n_);
    if constexpr (with_mass) model_.mass(In<double>(q), t, OutMatrix<double>(values, n_, n_));
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) out(i, j) = values[i + j * n_];
  }
  void force(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    if constexpr (with_states)
      model_.force(In<double>(q), In<double>(v), In<double>(s), t, Out<double>(out));
    else
      model_.force(In<double>(q), In<double>(v), t, Out<double>(out));
  }
  void states(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    if constexpr (with_states) model_.states(In<double>(q), In<double>(v), In<double>(s), t, Out<double>(out));
  }
  void constraint(ConstSpan q, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    model_.constraint(In<double>(q), t, Out<double>(out));
  }

  void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian([&](auto x, auto y) { flat_force(x, y); }, join(scratch, q, v, s, t), 0, j);
  }
  void states_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian([&](auto x, auto y) { flat_states(x, y); }, join(scratch, q, v, s, t), 0, j);
  }
  void constraint_jacobian(ConstSpan q, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian([&](auto x, auto y) { flat_constraint(x, y); }, join(scratch, q, t), 0, j);
  }
  void mass_jacobian(ConstSpan q, double t, ConstSpan w, MatrixView j) const override {
    Scratch scratch;
    jacobian([&](auto x, auto y) { flat_momentum(x, w, y); }, join(scratch, q, t), 0, j);
  }
  // The Hessian of lambda . g: forward over forward, as a user's g is only known as a formula.
  void reaction_jacobian(ConstSpan q, double t, ConstSpan lambda, MatrixView j) const override {
    Scratch scratch;
    hessian([&](auto x, auto y) { flat_constraint(x, y); }, join(scratch, q, t), lambda, j);
  }
  void constraint_tangent_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const override {
    Scratch scratch;
    jacobian_of_tangent([&](auto x, auto y) { flat_constraint(x, y); }, join(scratch, q, t), join(scratch, dq, dt), j);
  }
  void constraint_curvature(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const override {
    Scratch scratch;
    second_derivative([&](auto x, auto y) { flat_constraint(x, y); }, join(scratch, q, t), join(scratch, dq, dt), out);
  }
  void constraint_curvature_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const override {
    Scratch scratch;
    jacobian_of_second_derivative([&](auto x, auto y) { flat_constraint(x, y); }, join(scratch, q, t),
                                  join(scratch, dq, dt), j);
  }
  void constraint_rate(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const override {
    Scratch scratch;
    first_derivative([&](auto x, auto y) { flat_constraint(x, y); }, join(scratch, q, t), join(scratch, dq, dt), out);
  }
  void constraint_curving(ConstSpan q, double t, ConstSpan v, MatrixView g, Span curvature) const override {
    Scratch scratch;
    jacobian_and_second_derivative([&](auto x, auto y) { flat_constraint(x, y); }, join(scratch, q, t),
                                   join(scratch, v, 1.0), g, curvature);
  }
  void constraint_jacobians(ConstSpan q, double t, ConstSpan v, ConstSpan a, MatrixView value, MatrixView first,
                            MatrixView second) const override {
    Scratch scratch;
    jacobians_along_curve([&](auto x, auto y) { flat_constraint(x, y); }, join(scratch, q, t), join(scratch, v, 1.0),
                          join(scratch, a, 0.0), value, first, second);
  }
  std::optional<double> energy(ConstSpan q, ConstSpan v, double t) const override {
    if constexpr (requires { model_.energy(In<double>(q), In<double>(v), t); })
      return model_.energy(In<double>(q), In<double>(v), t);
    else
      return std::nullopt;
  }

 protected:
  using D = In<double>;
  static constexpr bool with_mass = requires(const Model& m, D q, OutMatrix<double> out) { m.mass(q, 0.0, out); };
  static constexpr bool with_states = requires(const Model& m, D q, Out<double> out) { m.states(q, q, q, 0.0, out); };

  ConstSpan join(Scratch& scratch, ConstSpan q, double t) const { return Joined(scratch, n_ + 1).add(q).add(t).all(); }
  ConstSpan join(Scratch& scratch, ConstSpan q, ConstSpan v, ConstSpan s, double t) const {
    return Joined(scratch, 2 * n_ + r_ + 1).add(q).add(v).add(s).add(t).all();
  }

  template <class T>
  void flat_force(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(n_), v = split.next(n_), s = split.next(r_);
    if constexpr (with_states)
      model_.force(q, v, s, split.scalar(), Out<T>(y));
    else
      model_.force(q, v, split.scalar(), Out<T>(y));
  }
  template <class T>
  void flat_states(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(n_), v = split.next(n_), s = split.next(r_);
    if constexpr (with_states) model_.states(q, v, s, split.scalar(), Out<T>(y));
  }
  template <class T>
  void flat_constraint(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(n_);
    model_.constraint(q, split.scalar(), Out<T>(y));
  }
  template <class T>
  void flat_mass(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(n_);
    if constexpr (with_mass) model_.mass(q, split.scalar(), OutMatrix<T>(y, n_, n_));
  }
  template <class T>
  void flat_momentum(std::span<const T> x, ConstSpan w, std::span<T> y) const {
    Scratch scratch;
    const auto m = scratch.take<T>(n_ * n_);
    flat_mass<T>(x, m);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) y[i] += m[i + j * n_] * w[j];
  }
  Model model_;
  std::size_t n_, r_, m_;
};

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
  // M, F, G and D^2 g (v, v) in one pass; scleronomic models without first-order states only.
  static constexpr bool gives_dynamics = requires(const Model& m, D q, Out<double> out, M matrix) {
    m.dynamics(q, q, 0.0, matrix, out, matrix, out);
  };
  static constexpr bool gives_any = gives_constraint || gives_force || gives_force_with_states || gives_dynamics;

  using Base::Base;

  void constraint_jacobian(ConstSpan q, double t, MatrixView j) const override {
    if constexpr (gives_constraint) {
      const std::size_t n = this->n_, m = this->m_;
      Scratch scratch;
      jacobian([&](auto x, auto y) { this->flat_constraint(x, y); }, this->join(scratch, q, t), n, j.block(0, n, m, 1));
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
  void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    if constexpr (gives_force || gives_force_with_states) {
      const std::size_t n = this->n_, r = this->r_;
      Scratch scratch;
      jacobian([&](auto x, auto y) { this->flat_force(x, y); }, this->join(scratch, q, v, s, t), 2 * n + r,
               j.block(0, 2 * n + r, n, 1));
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
};

}  // namespace detail

template <class Model>
Mechanical mechanical(Model model, const Mechanical::Shape& given) {
  const Mechanical::Shape shape = given.resolved();
  auto automatic = std::make_shared<const detail::AutomaticMechanical<Model>>(model, shape.q, shape.s, shape.lambda);
  if constexpr (detail::GivenMechanical<Model>::gives_any)
    return Mechanical(shape,
                      std::make_shared<const detail::GivenMechanical<Model>>(model, shape.q, shape.s, shape.lambda),
                      automatic);
  else
    return Mechanical(shape, automatic);
}

}  // namespace driftless
