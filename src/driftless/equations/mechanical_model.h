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

#include "driftless/equations/mechanical.h"
#include "driftless/equations/mechanical_structure.h"
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
    trace();
  }

  const Structure* structure() const override { return structure_ ? &*structure_ : nullptr; }
  void sparse_dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span mass_values, Span force_out, Span g,
                       Span curvature) const override {
    sparse_mass(q, t, mass_values);
    force(q, v, s, t, force_out);
    Scratch scratch;
    sparse_curving(join(scratch, q, t), join(scratch, v, 1.0), g, curvature);
  }
  void sparse_gradients(ConstSpan q, double t, Span mass_values, Span g, Span time_derivative) const override {
    sparse_mass(q, t, mass_values);
    Scratch scratch;
    const Span direction = scratch.take<double>(n_ + 1);
    direction[n_] = 1.0;
    sparse_curving(join(scratch, q, t), direction, g, time_derivative);
    first_derivative([&](auto x, auto y) { flat_constraint(x, y); }, join(scratch, q, t), direction, time_derivative);
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
    const auto formula = [&](auto x, auto y) { flat_constraint(x, y); };
    if (structure_ && n_ > sweep_width)
      compressed_hessian(formula, join(scratch, q, t), lambda, columns_, j);
    else
      hessian(formula, join(scratch, q, t), lambda, j);
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
    const auto formula = [&](auto x, auto y) { flat_constraint(x, y); };
    const ConstSpan x = join(scratch, q, t), velocity = join(scratch, v, 1.0), acceleration = join(scratch, a, 0.0);
    if (structure_ && n_ > sweep_width)
      compressed_jacobians_along_curve(formula, x, velocity, acceleration, columns_, value, first, second);
    else
      jacobians_along_curve(formula, x, velocity, acceleration, value, first, second);
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
  // Large mass matrices are never made as a whole, if the model takes any kind of matrix.
  static constexpr bool with_sparse_mass = requires(const Model& m, D q, SparseOutMatrix<double> out) {
    m.mass(q, 0.0, out);
  };

  // Only for models that take any kind of matrix: others would need all of it at once.
  static constexpr bool with_traced_mass = requires(const Model& m, In<Tracer> q, Tracer t, TracedMatrix out) {
    m.mass(q, t, out);
  };

  void trace() {
    if constexpr (!with_mass || with_traced_mass) {
      tracer_branched = false;
      const std::vector<Tracer> x = traced_arguments(n_ + 1);
      std::vector<Tracer> g(m_);
      flat_constraint<Tracer>(x, g);
      TracedMatrix::Entries entries;
      if constexpr (with_mass) model_.mass(In<Tracer>(std::span(x).first(n_)), x[n_], TracedMatrix(entries, n_));
      if (tracer_branched) return;  // other entries may appear elsewhere
      structure_.emplace(
          Structure{.mass = traced_pattern(entries, with_mass ? n_ : 0), .jacobian = traced_dependence(g, n_)});
      columns_ = compress(structure_->jacobian);
    }
  }
  void sparse_mass(ConstSpan q, double t, Span values) const {
    if constexpr (with_sparse_mass)
      if (n_ > 16) {
        std::fill(values.begin(), values.end(), 0.0);
        model_.mass(In<double>(q), t, SparseOutMatrix<double>(structure_->mass, values));
        return;
      }
    if constexpr (with_mass) {
      Scratch scratch;
      const Span all = scratch.take<double>(n_ * n_);
      model_.mass(In<double>(q), t, OutMatrix<double>(all, n_, n_));
      std::size_t k = 0;
      for (std::size_t j = 0; j < n_; ++j)
        for (; k < structure_->mass.begin[j + 1]; ++k) values[k] = all[structure_->mass.row[k] + j * n_];
    }
  }
  void sparse_curving(ConstSpan x, ConstSpan direction, Span g, Span curvature) const {
    const auto formula = [&](auto arguments, auto y) { flat_constraint(arguments, y); };
    if (columns_.colours <= 4)
      compressed_jacobian_and_second_derivative<4>(formula, x, direction, columns_, g, curvature);
    else
      compressed_jacobian_and_second_derivative<8>(formula, x, direction, columns_, g, curvature);
  }

  Model model_;
  std::size_t n_, r_, m_;
  std::optional<Structure> structure_;
  CompressedColumns columns_;
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
      by_time([&](auto x, auto y) { this->flat_constraint(x, y); }, this->join(scratch, q, t), j.column(n));
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
      by_time([&](auto x, auto y) { this->flat_force(x, y); }, this->join(scratch, q, v, s, t), j.column(2 * n + r));
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
