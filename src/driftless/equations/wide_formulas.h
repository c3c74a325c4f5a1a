// What a model in the wide form has, and its functions as formulas of one vector each.
#pragma once

#include "driftless/equations/model_calls.h"
#include "driftless/equations/wide_mechanical.h"

namespace driftless {

namespace detail {

// What a model has beside force and constraint.
template <class Model>
struct WideParts {
  using D = In<double>;
  using O = Out<double>;
  static constexpr bool mass = requires(const Model& m, D q, OutMatrix<double> out) { m.mass(q, 0.0, out); };
  static constexpr bool states = requires(const Model& m, D q, O out) { m.states(q, q, q, 0.0, out); };
  static constexpr bool force = requires(const Model& m, D q, O out) { m.force(q, q, 0.0, out); }
  || requires(const Model& m, D q, O out) { m.force(q, q, q, 0.0, out); };
  static constexpr bool constraint = requires(const Model& m, D q, O out) { m.constraint(q, 0.0, out); };
  static constexpr bool rates = requires(const Model& m, D q, O out) { m.rates(q, q, 0.0, out); };
  static constexpr bool velocity_constraint = requires(const Model& m, D q, O out) {
    m.velocity_constraint(q, q, 0.0, out);
  };
  static constexpr bool position_invariants = requires(const Model& m, D q, O out) {
    m.position_invariants(q, 0.0, out);
  };
  static constexpr bool velocity_invariants = requires(const Model& m, D q, O out) {
    m.velocity_invariants(q, q, 0.0, out);
  };
  static constexpr bool energy = requires(const Model& m, D q) { m.energy(q, q, 0.0); };
};

// The formulas of a model as functions of one vector each: (q, t), (q, v, t) or (q, v, s, t).
template <class Model>
class WideFormulas {
 public:
  using Has = WideParts<Model>;

  WideFormulas(Model model, const WideMechanical::Shape& shape) : model_(std::move(model)), shape_(shape) {}

  template <class T>
  void rates(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(shape_.q), v = split.next(shape_.v);
    if constexpr (Has::rates)
      model_.rates(q, v, split.scalar(), Out<T>(y));
    else
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = v[i];
  }
  template <class T>
  void velocity_constraint(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(shape_.q), v = split.next(shape_.v);
    if constexpr (Has::velocity_constraint) model_.velocity_constraint(q, v, split.scalar(), Out<T>(y));
  }
  template <class T>
  void constraint(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(shape_.q);
    if constexpr (Has::constraint) model_.constraint(q, split.scalar(), Out<T>(y));
  }
  template <class T>
  void force(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(shape_.q), v = split.next(shape_.v), s = split.next(shape_.s);
    if constexpr (Has::states && Has::force)
      model_.force(q, v, s, split.scalar(), Out<T>(y));
    else if constexpr (Has::force)
      model_.force(q, v, split.scalar(), Out<T>(y));
  }
  template <class T>
  void states(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(shape_.q), v = split.next(shape_.v), s = split.next(shape_.s);
    if constexpr (Has::states) model_.states(q, v, s, split.scalar(), Out<T>(y));
  }
  template <class T>
  void mass(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(shape_.q);
    if constexpr (Has::mass) model_.mass(q, split.scalar(), OutMatrix<T>(y, shape_.v, shape_.v));
  }
  template <class T>
  void momentum(std::span<const T> x, ConstSpan w, std::span<T> y) const {
    const std::size_t n = shape_.v;
    Scratch scratch;
    const auto m = scratch.take<T>(n * n);
    mass<T>(x, m);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) y[i] += m[i + j * n] * w[j];
  }
  template <class T>
  void position_invariants(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(shape_.q);
    if constexpr (Has::position_invariants) model_.position_invariants(q, split.scalar(), Out<T>(y));
  }
  template <class T>
  void velocity_invariants(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(shape_.q), v = split.next(shape_.v);
    if constexpr (Has::velocity_invariants) model_.velocity_invariants(q, v, split.scalar(), Out<T>(y));
  }
  // Arguments (v, q, t) in place of (q, v, t): the leading ones are those that second derivatives have rows for.
  template <class T, class Formula>
  void turned(const Formula& formula, std::span<const T> x, std::span<T> y) const {
    Scratch scratch;
    const auto z = scratch.take<T>(x.size());
    const std::size_t n = shape_.q, p = shape_.v;
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(p), n, z.begin());
    std::copy_n(x.begin(), p, z.begin() + static_cast<std::ptrdiff_t>(n));
    z[n + p] = x[n + p];
    formula(std::span<const T>(z), y);
  }
  std::optional<double> energy(ConstSpan q, ConstSpan v, double t) const {
    if constexpr (Has::energy)
      return model_.energy(In<double>(q), In<double>(v), t);
    else
      return std::nullopt;
  }

 private:
  Model model_;
  WideMechanical::Shape shape_;
};

}  // namespace detail

}  // namespace driftless
