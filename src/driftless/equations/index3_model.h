// Index-3 equations from a model: any object with f(u, v, t, out), k(u, v, lambda, t, out), g(u, t, out), written once
// for any scalar type (outputs are zero on entry). Analytic derivatives may be given as f_jacobian(u, v, t, f_u, f_v),
// k_jacobian(u, v, lambda, t, k_u, k_v, k_lambda) and g_jacobian(u, t, g_u).
#pragma once

#include "driftless/equations/index3.h"
#include "driftless/equations/model_calls.h"
#include "driftless/equations/model_function.h"
#include "driftless/equations/tracing.h"

namespace driftless {

namespace detail {

template <class Model>
class AutomaticIndex3 : public Index3::Functions {
 public:
  AutomaticIndex3(Model model, std::size_t n, std::size_t p, std::size_t m)
      : model_(std::move(model)), n_(n), p_(p), m_(m) {
    probe("f", n_ + p_ + 1, n_, f_formula());
    probe("k", n_ + p_ + m_ + 1, p_, k_formula());
    probe("g", n_ + 1, m_, g_formula());
    if (pattern_is_worth_tracing(n_ + p_ + m_)) trace_within_budget(n_ + p_ + m_, [this] { trace(); });
  }

  void f(ConstSpan u, ConstSpan v, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    model_.f(In<double>(u), In<double>(v), t, Out<double>(out));
  }
  void k(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    model_.k(In<double>(u), In<double>(v), In<double>(lambda), t, Out<double>(out));
  }
  void g(ConstSpan u, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    model_.g(In<double>(u), t, Out<double>(out));
  }
  void f_jacobian(ConstSpan u, ConstSpan v, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(f_formula(), join(scratch, u, v, {}, t), 0, j);
  }
  void k_jacobian(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(k_formula(), join(scratch, u, v, lambda, t), 0, j);
  }
  void g_jacobian(ConstSpan u, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(g_formula(), join(scratch, u, {}, {}, t), 0, j);
  }
  void g_tangent_jacobian(ConstSpan u, double t, ConstSpan du, double dt, MatrixView j) const override {
    Scratch scratch;
    jacobian_of_tangent(g_formula(), join(scratch, u, {}, {}, t), join(scratch, du, {}, {}, dt), j);
  }
  void g_curvature(ConstSpan u, double t, ConstSpan du, double dt, Span out) const override {
    Scratch scratch;
    second_derivative(g_formula(), join(scratch, u, {}, {}, t), join(scratch, du, {}, {}, dt), out);
  }
  const Index3::Functions::Patterns* patterns() const override { return traced_ ? &traced_->patterns : nullptr; }
  void f_values(ConstSpan u, ConstSpan v, double t, Span values) const override {
    if (!traced_) return Index3::Functions::f_values(u, v, t, values);
    Scratch scratch;
    coloured_jacobian(f_formula(), join(scratch, u, v, {}, t), traced_->f, values);
  }
  void k_values(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, Span values) const override {
    if (!traced_) return Index3::Functions::k_values(u, v, lambda, t, values);
    Scratch scratch;
    coloured_jacobian(k_formula(), join(scratch, u, v, lambda, t), traced_->k, values);
  }
  void g_values(ConstSpan u, double t, Span values) const override {
    if (!traced_) return Index3::Functions::g_values(u, t, values);
    Scratch scratch;
    coloured_jacobian(g_formula(), join(scratch, u, {}, {}, t), traced_->g, values);
  }

 protected:
  struct Traced {
    Index3::Functions::Patterns patterns;
    CompressedColumns f, k, g;
  };
  // Where a formula compares unknowns, it may depend on others elsewhere: nothing is known then.
  void trace() {
    tracer_branched = false;
    std::vector<Tracer> f(n_), k(p_), g(m_);
    flat_f<Tracer>(traced_arguments(n_ + p_ + 1), f);
    flat_k<Tracer>(traced_arguments(n_ + p_ + m_ + 1), k);
    flat_g<Tracer>(traced_arguments(n_ + 1), g);
    if (tracer_branched) return;
    Index3::Functions::Patterns patterns{.f = traced_dependence(f, n_ + p_ + 1),
                                         .k = traced_dependence(k, n_ + p_ + m_),
                                         .g = traced_dependence(g, n_ + 1)};
    Traced traced{
        .patterns = patterns, .f = compress(patterns.f), .k = compress(patterns.k), .g = compress(patterns.g)};
    traced_ = std::make_shared<const Traced>(std::move(traced));
  }
  static ConstSpan join(Scratch& scratch, ConstSpan u, ConstSpan v, ConstSpan lambda, double t) {
    return Joined(scratch, u.size() + v.size() + lambda.size() + 1).add(u).add(v).add(lambda).add(t).all();
  }
  auto f_formula() const {
    return [this](auto x, auto y) { flat_f(x, y); };
  }
  template <class T>
  void flat_f(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> u = split.next(n_), v = split.next(p_);
    model_.f(u, v, split.scalar(), Out<T>(y));
  }
  auto k_formula() const {
    return [this](auto x, auto y) { flat_k(x, y); };
  }
  template <class T>
  void flat_k(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> u = split.next(n_), v = split.next(p_), lambda = split.next(m_);
    model_.k(u, v, lambda, split.scalar(), Out<T>(y));
  }
  auto g_formula() const {
    return [this](auto x, auto y) { flat_g(x, y); };
  }
  template <class T>
  void flat_g(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> u = split.next(n_);
    model_.g(u, split.scalar(), Out<T>(y));
  }

  Model model_;
  std::size_t n_, p_, m_;
  std::shared_ptr<const Traced> traced_;  // null: nothing is known about zeros
};

template <class Model>
class GivenIndex3 final : public AutomaticIndex3<Model> {
  using Base = AutomaticIndex3<Model>;
  using D = In<double>;
  using M = OutMatrix<double>;

 public:
  static constexpr bool gives_f = requires(const Model& m, D u, M out) { m.f_jacobian(u, u, 0.0, out, out); };
  static constexpr bool gives_k = requires(const Model& m, D u, M out) { m.k_jacobian(u, u, u, 0.0, out, out, out); };
  static constexpr bool gives_g = requires(const Model& m, D u, M out) { m.g_jacobian(u, 0.0, out); };
  static constexpr bool gives_any = gives_f || gives_k || gives_g;

  using Base::Base;

  void f_jacobian(ConstSpan u, ConstSpan v, double t, MatrixView j) const override {
    if constexpr (gives_f) {
      const std::size_t n = this->n_, p = this->p_;
      Scratch scratch;
      jacobian(this->f_formula(), this->join(scratch, u, v, {}, t), n + p, j.block(0, n + p, n, 1));
      GivenColumns given(scratch, n, n + p);
      const M fu = given.next(n), fv = given.next(p);
      this->model_.f_jacobian(D(u), D(v), t, fu, fv);
      given.copy_to(j);
    } else {
      Base::f_jacobian(u, v, t, j);
    }
  }
  void k_jacobian(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, MatrixView j) const override {
    if constexpr (gives_k) {
      const std::size_t n = this->n_, p = this->p_, m = this->m_;
      Scratch scratch;
      jacobian(this->k_formula(), this->join(scratch, u, v, lambda, t), n + p + m, j.block(0, n + p + m, p, 1));
      GivenColumns given(scratch, p, n + p + m);
      const M ku = given.next(n), kv = given.next(p), kl = given.next(m);
      this->model_.k_jacobian(D(u), D(v), D(lambda), t, ku, kv, kl);
      given.copy_to(j);
    } else {
      Base::k_jacobian(u, v, lambda, t, j);
    }
  }
  void g_jacobian(ConstSpan u, double t, MatrixView j) const override {
    if constexpr (gives_g) {
      const std::size_t n = this->n_, m = this->m_;
      Scratch scratch;
      jacobian(this->g_formula(), this->join(scratch, u, {}, {}, t), n, j.block(0, n, m, 1));
      GivenColumns given(scratch, m, n);
      this->model_.g_jacobian(D(u), t, given.next(n));
      given.copy_to(j);
    } else {
      Base::g_jacobian(u, t, j);
    }
  }
};

template <class Model>
struct Index3Functions {
  using X = SweepDual;
  using D = In<double>;
  using M = OutMatrix<double>;
  using Rate = FunctionOf<name_f, Model, In<X>, In<X>, const X&, Out<X>>;
  using Force = FunctionOf<name_k, Model, In<X>, In<X>, In<X>, const X&, Out<X>>;
  using Constraint = FunctionOf<name_g, Model, In<X>, const X&, Out<X>>;
  using RateJacobian = FunctionOf<name_f_jacobian, Model, D, D, double, M, M>;
  using ForceJacobian = FunctionOf<name_k_jacobian, Model, D, D, D, double, M, M, M>;
  using ConstraintJacobian = FunctionOf<name_g_jacobian, Model, D, double, M>;
};

template <class Model>
Index3 make_index3(const Model& model, const Index3::Shape& given) {
  const Index3::Shape shape = given.resolved();
  auto automatic = std::make_shared<const AutomaticIndex3<Model>>(model, shape.u, shape.v, shape.lambda);
  if constexpr (GivenIndex3<Model>::gives_any)
    return Index3(shape, std::make_shared<const GivenIndex3<Model>>(model, shape.u, shape.v, shape.lambda), automatic);
  else
    return Index3(shape, automatic);
}

}  // namespace detail

template <class Model>
Index3 index3(Model model, const Index3::Shape& shape) {
  using F = detail::Index3Functions<Model>;
  if constexpr (!F::Rate::named)
    static_assert(
        detail::is_fine<F::Rate::found, F::Rate::arguments>,
        "a model of index 3 has f, k and g, and may have f_jacobian, k_jacobian, g_jacobian; this one has no f");
  else if constexpr (!F::Rate::fine)
    static_assert(detail::is_fine<F::Rate::found, F::Rate::arguments>,
                  "write `void f(auto u, auto v, auto t, auto out) const`, all arguments auto, as derivatives do not "
                  "come through double or double*");
  else if constexpr (!F::Force::named)
    static_assert(
        detail::is_fine<F::Force::found, F::Force::arguments>,
        "a model of index 3 has f, k and g, and may have f_jacobian, k_jacobian, g_jacobian; this one has no k");
  else if constexpr (!F::Force::fine)
    static_assert(detail::is_fine<F::Force::found, F::Force::arguments>,
                  "write `void k(auto u, auto v, auto lambda, auto t, auto out) const`, all arguments auto, as "
                  "derivatives do not come through double or double*");
  else if constexpr (!F::Constraint::named)
    static_assert(
        detail::is_fine<F::Constraint::found, F::Constraint::arguments>,
        "a model of index 3 has f, k and g, and may have f_jacobian, k_jacobian, g_jacobian; this one has no g");
  else if constexpr (!F::Constraint::fine)
    static_assert(detail::is_fine<F::Constraint::found, F::Constraint::arguments>,
                  "write `void g(auto u, auto t, auto out) const`, all arguments auto, as derivatives do not come "
                  "through double or double*");
  else if constexpr (!F::RateJacobian::fine)
    static_assert(detail::is_fine<F::RateJacobian::found, F::RateJacobian::arguments>,
                  "write `void f_jacobian(auto u, auto v, double t, auto fu, auto fv) const`");
  else if constexpr (!F::ForceJacobian::fine)
    static_assert(
        detail::is_fine<F::ForceJacobian::found, F::ForceJacobian::arguments>,
        "write `void k_jacobian(auto u, auto v, auto lambda, double t, auto ku, auto kv, auto klambda) const`");
  else if constexpr (!F::ConstraintJacobian::fine)
    static_assert(detail::is_fine<F::ConstraintJacobian::found, F::ConstraintJacobian::arguments>,
                  "write `void g_jacobian(auto u, double t, auto gu) const`");
  else
    return detail::make_index3(model, shape);
  detail::refused_by_the_compiler();
}

}  // namespace driftless
