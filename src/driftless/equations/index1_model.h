// Index-1 equations from a model, in three shapes, each written once for any scalar type (outputs are zero on entry):
//     index1(model, {.projector = P})       model.f(x, t, out)                      P x' = f(x, t)
//     partitioned(model, {...})             model.F(y, z, t, out), model.G(...)     y' = F(y, z, t), 0 = G(y, z, t)
//     implicit_index1(model, A, {...})      model.g(x, t, out)                      A x' = g(x, t), A singular
// An analytic f_x may be given to the first as f_jacobian(x, t, f_x).
#pragma once

#include <optional>
#include <type_traits>

#include "driftless/equations/index1.h"
#include "driftless/equations/model_calls.h"
#include "driftless/equations/model_function.h"
#include "driftless/equations/tracing.h"

namespace driftless {

namespace detail {

template <class Model>
class AutomaticIndex1 : public Index1::Functions {
 public:
  AutomaticIndex1(Model model, std::size_t n) : model_(std::move(model)), n_(n) {
    probe("f", n_ + 1, n_, f_formula());
    if (pattern_is_worth_tracing(n_)) trace_within_budget(n_, [this] { trace(); });
  }
  void f(ConstSpan x, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    model_.f(In<double>(x), t, Out<double>(out));
  }
  void f_jacobian(ConstSpan x, double t, MatrixView j) const override { sweep(x, t, j); }
  void f_by_x(ConstSpan x, double t, MatrixView j) const override { sweep(x, t, j); }
  const Pattern* pattern() const override { return pattern_ ? &*pattern_ : nullptr; }
  void f_values(ConstSpan x, double t, Span values) const override {
    if (!pattern_) return Index1::Functions::f_values(x, t, values);
    Scratch scratch;
    const ConstSpan arguments = join(scratch, x, t);
    coloured_jacobian(f_formula(), arguments, columns_, values);
  }
  void f_by_t(ConstSpan x, double t, Span out) const override {
    Scratch scratch;
    const ConstSpan arguments = join(scratch, x, t);
    const Span along_t = scratch.take<double>(n_ + 1);
    along_t[n_] = 1.0;
    first_derivative(f_formula(), arguments, along_t, out);
  }

 protected:
  // Where f compares unknowns, it may depend on others elsewhere: nothing is known then.
  void trace() {
    tracer_branched = false;
    const std::vector<Tracer> x = traced_arguments(n_ + 1);
    std::vector<Tracer> y(n_);
    flat_f<Tracer>(x, y);
    if (tracer_branched) return;
    pattern_ = traced_dependence(y, n_);
    columns_ = compress(*pattern_);
  }
  // As many columns as j has.
  void sweep(ConstSpan x, double t, MatrixView j) const {
    Scratch scratch;
    jacobian(f_formula(), join(scratch, x, t), 0, j);
  }
  ConstSpan join(Scratch& scratch, ConstSpan x, double t) const { return Joined(scratch, n_ + 1).add(x).add(t).all(); }
  auto f_formula() const {
    return [this](auto x, auto y) { flat_f(x, y); };
  }
  template <class T>
  void flat_f(std::span<const T> arguments, std::span<T> y) const {
    Split<T> split(arguments);
    const In<T> x = split.next(n_);
    model_.f(x, split.scalar(), Out<T>(y));
  }

  Model model_;
  std::size_t n_;
  std::optional<Pattern> pattern_;
  CompressedColumns columns_;
};

template <class Model>
class GivenIndex1 : public AutomaticIndex1<Model> {
  using Base = AutomaticIndex1<Model>;

 public:
  static constexpr bool gives_any = requires(const Model& m, In<double> x, OutMatrix<double> out) {
    m.f_jacobian(x, 0.0, out);
  };
  using Base::Base;

  void f_jacobian(ConstSpan x, double t, MatrixView j) const override {
    if constexpr (gives_any) {
      const std::size_t n = this->n_;
      Scratch scratch;
      jacobian(this->f_formula(), this->join(scratch, x, t), n, j.block(0, n, n, 1));
      f_by_x(x, t, j.block(0, 0, n, n));
    } else {
      Base::f_jacobian(x, t, j);
    }
  }
  void f_by_x(ConstSpan x, double t, MatrixView j) const override {
    if constexpr (gives_any) {
      Scratch scratch;
      GivenColumns given(scratch, this->n_, this->n_);
      this->model_.f_jacobian(In<double>(x), t, given.next(this->n_));
      given.copy_to(j);
    } else {
      Base::f_by_x(x, t, j);
    }
  }
  // By hand only if the model takes any kind of matrix: a large one is never made as a whole.
  void f_values(ConstSpan x, double t, Span values) const override {
    constexpr bool takes_entries = requires(const Model& m, In<double> y, SparseOutMatrix<double> out) {
      m.f_jacobian(y, 0.0, out);
    };
    if constexpr (takes_entries) {
      if (this->pattern_) {
        std::fill(values.begin(), values.end(), 0.0);
        return this->model_.f_jacobian(In<double>(x), t, SparseOutMatrix<double>(*this->pattern_, values));
      }
    }
    Base::f_values(x, t, values);
  }
};

// (y, z)' -> (F, G): partitioned equations as one function.
template <class Model>
struct Partitioned {
  Model model;
  std::size_t n, m;

  template <class T>
  void f(In<T> x, const T& t, Out<T> out) const {
    const std::span<const T> all(x.begin(), x.end());
    const std::span<T> results(out.begin(), out.end());
    const In<T> y(all.subspan(0, n)), z(all.subspan(n, m));
    model.F(y, z, t, Out<T>(results.subspan(0, n)));
    model.G(y, z, t, Out<T>(results.subspan(n, m)));
  }
};

// T g(x, t), for numbers that own memory as well.
template <class Model>
struct Transformed {
  Model model;
  ConstantMatrix transform;

  template <class S>
  void f(In<S> x, const S& t, Out<S> out) const {
    if constexpr (std::is_trivially_destructible_v<S>) {
      Scratch scratch;
      transformed(x, t, scratch.take<S>(out.size()), out);
    } else {
      std::vector<S> g(out.size());
      transformed(x, t, std::span<S>(g), out);
    }
  }

 private:
  template <class S>
  void transformed(In<S> x, const S& t, std::span<S> g, Out<S> out) const {
    model.g(x, t, Out<S>(g));
    transform.add_product(std::span<const S>(g), std::span<S>(out.begin(), out.end()));
  }
};

template <class Model>
struct Index1Functions {
  using X = SweepDual;
  using Right = FunctionOf<name_f, Model, In<X>, const X&, Out<X>>;
  using Jacobian = FunctionOf<name_f_jacobian, Model, In<double>, double, OutMatrix<double>>;
};

template <class Model>
struct PartitionedFunctions {
  using X = SweepDual;
  using Rate = FunctionOf<name_F, Model, In<X>, In<X>, const X&, Out<X>>;
  using Constraint = FunctionOf<name_G, Model, In<X>, In<X>, const X&, Out<X>>;
};

template <class Model>
struct ImplicitFunctions {
  using X = SweepDual;
  using Right = FunctionOf<name_g, Model, In<X>, const X&, Out<X>>;
};

template <class Model>
Index1 make_index1(const Model& model, Index1::Shape shape) {
  const std::size_t n = shape.projector.rows();
  auto automatic = std::make_shared<const AutomaticIndex1<Model>>(model, n);
  if constexpr (GivenIndex1<Model>::gives_any)
    return Index1(std::move(shape), std::make_shared<const GivenIndex1<Model>>(model, n), automatic);
  else
    return Index1(std::move(shape), automatic);
}

}  // namespace detail

template <class Model>
Index1 index1(Model model, Index1::Shape shape) {
  using F = detail::Index1Functions<Model>;
  if constexpr (!F::Right::named)
    static_assert(detail::is_fine<F::Right::found, F::Right::arguments>,
                  "a model of index 1 has f, and may have f_jacobian; this one has no f");
  else if constexpr (!F::Right::fine)
    static_assert(detail::is_fine<F::Right::found, F::Right::arguments>,
                  "write `void f(auto x, auto t, auto out) const`, all arguments auto, as derivatives do not come "
                  "through double or double*");
  else if constexpr (!F::Jacobian::fine)
    static_assert(detail::is_fine<F::Jacobian::found, F::Jacobian::arguments>,
                  "write `void f_jacobian(auto x, double t, auto fx) const`");
  else
    return detail::make_index1(model, std::move(shape));
  detail::refused_by_the_compiler();
}

struct PartitionedShape {
  std::size_t y = 0, z = 0;
  Names y_names = {}, z_names = {}, constraint_names = {};
};

namespace detail {

std::size_t y_count(const PartitionedShape& shape);
std::size_t z_count(const PartitionedShape& shape);
Index1::Shape whole_shape(const PartitionedShape& shape);  // P = diag(I, 0)

}  // namespace detail

// y' = F(y, z, t), 0 = G(y, z, t).
template <class Model>
Index1 partitioned(Model model, const PartitionedShape& shape) {
  using F = detail::PartitionedFunctions<Model>;
  if constexpr (!F::Rate::named)
    static_assert(detail::is_fine<F::Rate::found, F::Rate::arguments>,
                  "a partitioned model has F and G; this one has no F");
  else if constexpr (!F::Rate::fine)
    static_assert(detail::is_fine<F::Rate::found, F::Rate::arguments>,
                  "write `void F(auto y, auto z, auto t, auto out) const`, all arguments auto, as derivatives do not "
                  "come through double or double*");
  else if constexpr (!F::Constraint::named)
    static_assert(detail::is_fine<F::Constraint::found, F::Constraint::arguments>,
                  "a partitioned model has F and G; this one has no G");
  else if constexpr (!F::Constraint::fine)
    static_assert(detail::is_fine<F::Constraint::found, F::Constraint::arguments>,
                  "write `void G(auto y, auto z, auto t, auto out) const`, all arguments auto, as derivatives do not "
                  "come through double or double*");
  else
    return detail::make_index1(
        detail::Partitioned<Model>{std::move(model), detail::y_count(shape), detail::z_count(shape)},
        detail::whole_shape(shape));
  detail::refused_by_the_compiler();
}

// A x' = g(x, t) with constant singular A.
template <class Model>
Index1 implicit_index1(Model model, const ConstantMatrix& a, const Names& x_names = {}) {
  using F = detail::ImplicitFunctions<Model>;
  if constexpr (!F::Right::named)
    static_assert(detail::is_fine<F::Right::found, F::Right::arguments>,
                  "a model of A x' = g(x, t) has g; this one has no g");
  else if constexpr (!F::Right::fine)
    static_assert(detail::is_fine<F::Right::found, F::Right::arguments>,
                  "write `void g(auto x, auto t, auto out) const`, all arguments auto, as derivatives do not come "
                  "through double or double*");
  else {
    BlockProjectorForm form = block_projector_form(a);
    return detail::make_index1(detail::Transformed<Model>{std::move(model), std::move(form.transform)},
                               {.projector = std::move(form.projector), .x_names = x_names});
  }
  detail::refused_by_the_compiler();
}

}  // namespace driftless
