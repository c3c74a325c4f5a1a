// Index-2 equations from a model: any object with f(u, lambda, t, out), g(u, t, out) and optionally gamma(u, t, Gamma),
// written once for any scalar type (outputs are zero on entry). Analytic derivatives may be given as
// f_jacobian(u, lambda, t, f_u, f_lambda) and g_jacobian(u, t, g_u).
#pragma once

#include "driftless/equations/index2.h"
#include "driftless/equations/mechanical_structure.h"
#include "driftless/equations/model_calls.h"
#include "driftless/equations/model_function.h"
#include "driftless/equations/tracing.h"
#include "driftless/linalg/block_pattern.h"

namespace driftless {

namespace detail {

template <class Model>
class AutomaticIndex2 : public Index2::Functions {
 public:
  AutomaticIndex2(Model model, std::size_t n, std::size_t m) : model_(std::move(model)), n_(n), m_(m) {
    probe("f", n_ + m_ + 1, n_, f_formula());
    probe("g", n_ + 1, m_, g_formula());
    if (with_gamma) probe("gamma", n_ + 1, n_ * n_, [&](auto x, auto y) { flat_gamma(x, y); });
    if ((!with_gamma || gamma_takes_entries) && pattern_is_worth_tracing(n_ + m_))
      trace_within_budget(n_ + m_, [this] { trace(); });
  }

  bool has_gamma() const override { return with_gamma; }
  void gamma(ConstSpan u, double t, MatrixView out) const override {
    Scratch scratch;
    const auto values = scratch.take<double>(n_ * n_);
    if constexpr (with_gamma) model_.gamma(In<double>(u), t, OutMatrix<double>(values, n_, n_));
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) out(i, j) = values[i + j * n_];
  }
  void f(ConstSpan u, ConstSpan lambda, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    model_.f(In<double>(u), In<double>(lambda), t, Out<double>(out));
  }
  void g(ConstSpan u, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    model_.g(In<double>(u), t, Out<double>(out));
  }
  void f_jacobian(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(f_formula(), join(scratch, u, lambda, t), 0, j);
  }
  void f_by_lambda(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(f_formula(), join(scratch, u, lambda, t), n_, j);
  }
  void g_jacobian(ConstSpan u, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(g_formula(), join(scratch, u, {}, t), 0, j);
  }
  void gamma_jacobian(ConstSpan u, double t, ConstSpan w, MatrixView j) const override {
    Scratch scratch;
    jacobian([&](auto x, auto y) { flat_gamma_times(x, w, y); }, join(scratch, u, {}, t), 0, j);
  }
  const Index2::Functions::Patterns* patterns() const override { return traced_ ? &traced_->patterns : nullptr; }
  void f_values(ConstSpan u, ConstSpan lambda, double t, Span values) const override {
    Scratch scratch;
    const ConstSpan all = join(scratch, u, lambda, t);
    const auto formula = f_formula();
    if (traced_)
      coloured_jacobian(formula, all, traced_->f, values);
    else
      jacobian(formula, all, 0, MatrixView{values.data(), n_, n_ + m_, n_});
  }
  void f_lambda_values(ConstSpan u, ConstSpan lambda, double t, Span values) const override {
    if (!traced_) return Index2::Functions::f_lambda_values(u, lambda, t, values);
    Scratch scratch;
    coloured_jacobian(f_formula(), join(scratch, u, lambda, t), traced_->f_lambda, values);
  }
  void g_values(ConstSpan u, double t, Span values) const override {
    if (!traced_) return Index2::Functions::g_values(u, t, values);
    Scratch scratch;
    coloured_jacobian(g_formula(), join(scratch, u, {}, t), traced_->g, values);
  }
  void gamma_values(ConstSpan u, double t, Span values) const override {
    if (!traced_) return Index2::Functions::gamma_values(u, t, values);
    std::ranges::fill(values, 0.0);
    Scratch scratch;
    gamma_entries<double>(join(scratch, u, {}, t), traced_->patterns.gamma, values);
  }
  void gamma_u_values(ConstSpan u, double t, ConstSpan w, Span values) const override {
    if (!traced_) return Index2::Functions::gamma_u_values(u, t, w, values);
    Scratch scratch;
    const Pattern& gamma = traced_->patterns.gamma;
    coloured_jacobian([&](auto x, auto y) { sparse_gamma_times(x, gamma, w, y); }, join(scratch, u, {}, t),
                      traced_->gamma_u, values);
  }

 protected:
  struct Traced {
    Index2::Functions::Patterns patterns;
    CompressedColumns f, f_lambda, g, gamma_u;
  };
  // Where a formula compares unknowns, it may depend on others elsewhere: nothing is known then.
  void trace() {
    tracer_branched = false;
    std::vector<Tracer> f(n_), g(m_);
    const std::vector<Tracer> x = traced_arguments(n_ + m_ + 1), y = traced_arguments(n_ + 1);
    flat_f<Tracer>(x, f);
    flat_g<Tracer>(y, g);
    if (tracer_branched) return;
    Index2::Functions::Patterns patterns{.f = traced_dependence(f, n_ + m_),
                                         .g = traced_dependence(g, n_ + 1),
                                         .gamma = diagonal_pattern(n_),
                                         .gamma_u = columns_of(diagonal_pattern(n_), 0, 0),
                                         .constant_f_lambda = traced_constant(f, n_, m_),
                                         .constant_g = traced_constant(g, 0, n_ + 1),
                                         .constant_gamma = !with_gamma};
    if constexpr (gamma_takes_entries) trace_gamma(y, patterns);
    if (tracer_branched) return;
    Traced traced{.patterns = patterns,
                  .f = compress(patterns.f),
                  .f_lambda = compress(columns_of(patterns.f, n_, m_), n_),
                  .g = compress(patterns.g),
                  .gamma_u = compress(patterns.gamma_u)};
    traced_ = std::make_shared<const Traced>(std::move(traced));
  }
  // Gamma itself first, then what Gamma w depends on.
  void trace_gamma(const std::vector<Tracer>& x, Index2::Functions::Patterns& patterns) const {
    TracedEntries entries;
    Split<Tracer> split(x);
    const In<Tracer> u = split.next(n_);
    model_.gamma(u, split.scalar(), TracedMatrix(entries, n_));
    patterns.gamma = traced_pattern(entries, n_);
    std::vector<Tracer> values(patterns.gamma.count()), rows(n_);
    gamma_entries<Tracer>(x, patterns.gamma, values);
    for (std::size_t k = 0; k < values.size(); ++k) rows[patterns.gamma.row[k]] += values[k];
    patterns.constant_gamma = std::ranges::all_of(values, [](const Tracer& entry) { return is_constant(entry); });
    patterns.gamma_u = traced_dependence(rows, n_);
  }
  template <class T>
  void gamma_entries(std::span<const T> x, const Pattern& pattern, std::span<T> values) const {
    Split<T> split(x);
    const In<T> u = split.next(n_);
    if constexpr (gamma_takes_entries) model_.gamma(u, split.scalar(), SparseOutMatrix<T>(pattern, values));
  }
  template <class T>
  void sparse_gamma_times(std::span<const T> x, const Pattern& pattern, ConstSpan w, std::span<T> y) const {
    Scratch scratch;
    const auto values = scratch.take<T>(pattern.count());
    gamma_entries<T>(x, pattern, values);
    for (std::size_t j = 0, k = 0; j < n_; ++j)
      for (; k < pattern.begin[j + 1]; ++k) y[pattern.row[k]] += values[k] * w[j];
  }
  static constexpr bool with_gamma = requires(const Model& m, In<double> u, OutMatrix<double> out) {
    m.gamma(u, 0.0, out);
  };
  // Is any kind of matrix taken, so that a large one need not be made as a whole?
  static constexpr bool gamma_takes_entries =
      requires(const Model& m, In<Tracer> u, Tracer t, TracedMatrix traced, SparseOutMatrix<Tracer> entries) {
    m.gamma(u, t, traced);
    m.gamma(u, t, entries);
  };

  static ConstSpan join(Scratch& scratch, ConstSpan u, ConstSpan lambda, double t) {
    return Joined(scratch, u.size() + lambda.size() + 1).add(u).add(lambda).add(t).all();
  }
  auto f_formula() const {
    return [this](auto x, auto y) { flat_f(x, y); };
  }
  template <class T>
  void flat_f(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> u = split.next(n_), lambda = split.next(m_);
    model_.f(u, lambda, split.scalar(), Out<T>(y));
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
  template <class T>
  void flat_gamma(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> u = split.next(n_);
    if constexpr (with_gamma) model_.gamma(u, split.scalar(), OutMatrix<T>(y, n_, n_));
  }
  template <class T>
  void flat_gamma_times(std::span<const T> x, ConstSpan w, std::span<T> y) const {
    Scratch scratch;
    const auto gamma = scratch.take<T>(n_ * n_);
    flat_gamma<T>(x, gamma);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) y[i] += gamma[i + j * n_] * w[j];
  }

  Model model_;
  std::size_t n_, m_;
  std::shared_ptr<const Traced> traced_;  // null: nothing is known about zeros
};

template <class Model>
class GivenIndex2 final : public AutomaticIndex2<Model> {
  using Base = AutomaticIndex2<Model>;
  using D = In<double>;
  using M = OutMatrix<double>;

 public:
  static constexpr bool gives_f = requires(const Model& m, D u, M out) { m.f_jacobian(u, u, 0.0, out, out); };
  static constexpr bool gives_g = requires(const Model& m, D u, M out) { m.g_jacobian(u, 0.0, out); };
  static constexpr bool gives_any = gives_f || gives_g;

  using Base::Base;

  void f_jacobian(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const override {
    if constexpr (gives_f) {
      const std::size_t n = this->n_, m = this->m_;
      Scratch scratch;
      jacobian(this->f_formula(), this->join(scratch, u, lambda, t), n + m, j.block(0, n + m, n, 1));
      GivenColumns given(scratch, n, n + m);
      const M fu = given.next(n), fl = given.next(m);
      this->model_.f_jacobian(D(u), D(lambda), t, fu, fl);
      given.copy_to(j);
    } else {
      Base::f_jacobian(u, lambda, t, j);
    }
  }
  void f_values(ConstSpan u, ConstSpan lambda, double t, Span values) const override {
    if (gives_f && !this->traced_)
      Index2::Functions::f_values(u, lambda, t, values);
    else
      Base::f_values(u, lambda, t, values);
  }
  void f_by_lambda(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const override {
    if constexpr (gives_f)
      Index2::Functions::f_by_lambda(u, lambda, t, j);
    else
      Base::f_by_lambda(u, lambda, t, j);
  }
  void g_jacobian(ConstSpan u, double t, MatrixView j) const override {
    if constexpr (gives_g) {
      const std::size_t n = this->n_, m = this->m_;
      Scratch scratch;
      jacobian(this->g_formula(), this->join(scratch, u, {}, t), n, j.block(0, n, m, 1));
      GivenColumns given(scratch, m, n);
      this->model_.g_jacobian(D(u), t, given.next(n));
      given.copy_to(j);
    } else {
      Base::g_jacobian(u, t, j);
    }
  }
};

template <class Model>
struct Index2Functions {
  using X = SweepDual;
  using D = In<double>;
  using M = OutMatrix<double>;
  using Right = FunctionOf<name_f, Model, In<X>, In<X>, const X&, Out<X>>;
  using Constraint = FunctionOf<name_g, Model, In<X>, const X&, Out<X>>;
  using Gamma = FunctionOf<name_gamma, Model, In<X>, const X&, OutMatrix<X>>;
  using RightJacobian = FunctionOf<name_f_jacobian, Model, D, D, double, M, M>;
  using ConstraintJacobian = FunctionOf<name_g_jacobian, Model, D, double, M>;
};

template <class Model>
Index2 make_index2(const Model& model, const Index2::Shape& given) {
  const Index2::Shape shape = given.resolved();
  auto automatic = std::make_shared<const AutomaticIndex2<Model>>(model, shape.u, shape.lambda);
  if constexpr (GivenIndex2<Model>::gives_any)
    return Index2(shape, std::make_shared<const GivenIndex2<Model>>(model, shape.u, shape.lambda), automatic);
  else
    return Index2(shape, automatic);
}

}  // namespace detail

template <class Model>
Index2 index2(Model model, const Index2::Shape& shape) {
  using F = detail::Index2Functions<Model>;
  if constexpr (!F::Right::named)
    static_assert(detail::is_fine<F::Right::found, F::Right::arguments>,
                  "a model of index 2 has f and g, and may have gamma, f_jacobian, g_jacobian; this one has no f");
  else if constexpr (!F::Right::fine)
    static_assert(detail::is_fine<F::Right::found, F::Right::arguments>,
                  "write `void f(auto u, auto lambda, auto t, auto out) const`, all arguments auto, as derivatives do "
                  "not come through double or double*");
  else if constexpr (!F::Constraint::named)
    static_assert(detail::is_fine<F::Constraint::found, F::Constraint::arguments>,
                  "a model of index 2 has f and g, and may have gamma, f_jacobian, g_jacobian; this one has no g");
  else if constexpr (!F::Constraint::fine)
    static_assert(detail::is_fine<F::Constraint::found, F::Constraint::arguments>,
                  "write `void g(auto u, auto t, auto out) const`, all arguments auto, as derivatives do not come "
                  "through double or double*");
  else if constexpr (!F::Gamma::fine)
    static_assert(detail::is_fine<F::Gamma::found, F::Gamma::arguments>,
                  "write `void gamma(auto u, auto t, auto Gamma) const`, all arguments auto, as derivatives do not "
                  "come through double or double*");
  else if constexpr (!F::RightJacobian::fine)
    static_assert(detail::is_fine<F::RightJacobian::found, F::RightJacobian::arguments>,
                  "write `void f_jacobian(auto u, auto lambda, double t, auto fu, auto flambda) const`");
  else if constexpr (!F::ConstraintJacobian::fine)
    static_assert(detail::is_fine<F::ConstraintJacobian::found, F::ConstraintJacobian::arguments>,
                  "write `void g_jacobian(auto u, double t, auto gu) const`");
  else
    return detail::make_index2(model, shape);
  detail::refused_by_the_compiler();
}

}  // namespace driftless
