// A mechanical model as equations: formulas called with numbers, and with numbers that carry derivatives.
#pragma once

#include "driftless/autodiff/second_derivatives.h"
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
      throw Misuse("states: " + std::to_string(r_) +
                   " first-order states are named, but the model has no states(q, v, s, t, ds)");
    probe("force", all, n_, force_formula());
    if (r_ > 0) probe("states", all, r_, states_formula());
    probe("constraint", n_ + 1, m_, constraint_formula());
    constexpr std::size_t most_probed = 1000;  // coordinates; larger ones are checked where they are traced
    if (with_mass && (n_ <= most_probed || !with_traced_mass))
      probe("mass", n_ + 1, n_ * n_, [&](auto x, auto y) { flat_mass(x, y); });
    trace_within_budget(n_ + r_ + m_, [this] { trace(); });
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
    first_derivative(constraint_formula(), join(scratch, q, t), direction, time_derivative);
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
    jacobian(force_formula(), join(scratch, q, v, s, t), 0, j);
  }
  void states_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(states_formula(), join(scratch, q, v, s, t), 0, j);
  }
  void constraint_jacobian(ConstSpan q, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(constraint_formula(), join(scratch, q, t), 0, j);
  }
  void mass_jacobian(ConstSpan q, double t, ConstSpan w, MatrixView j) const override {
    Scratch scratch;
    jacobian([&](auto x, auto y) { flat_momentum(x, w, y); }, join(scratch, q, t), 0, j);
  }
  // The Hessian of lambda . g: forward over forward, as a user's g is only known as a formula.
  void reaction_jacobian(ConstSpan q, double t, ConstSpan lambda, MatrixView j) const override {
    Scratch scratch;
    const auto formula = constraint_formula();
    if (structure_ && n_ > sweep_width)
      compressed_hessian(formula, join(scratch, q, t), lambda, columns_, j);
    else
      hessian(formula, join(scratch, q, t), lambda, j);
  }
  void constraint_tangent_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const override {
    Scratch scratch;
    jacobian_of_tangent(constraint_formula(), join(scratch, q, t), join(scratch, dq, dt), j);
  }
  void constraint_curvature(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const override {
    Scratch scratch;
    second_derivative(constraint_formula(), join(scratch, q, t), join(scratch, dq, dt), out);
  }
  void constraint_curvature_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const override {
    Scratch scratch;
    jacobian_of_second_derivative(constraint_formula(), join(scratch, q, t), join(scratch, dq, dt), j);
  }
  void constraint_rate(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const override {
    Scratch scratch;
    first_derivative(constraint_formula(), join(scratch, q, t), join(scratch, dq, dt), out);
  }
  void constraint_curving(ConstSpan q, double t, ConstSpan v, MatrixView g, Span curvature) const override {
    Scratch scratch;
    jacobian_and_second_derivative(constraint_formula(), join(scratch, q, t), join(scratch, v, 1.0), g, curvature);
  }
  void constraint_jacobians(ConstSpan q, double t, ConstSpan v, ConstSpan a, MatrixView value, MatrixView first,
                            MatrixView second) const override {
    Scratch scratch;
    const auto formula = constraint_formula();
    const ConstSpan x = join(scratch, q, t), velocity = join(scratch, v, 1.0), acceleration = join(scratch, a, 0.0);
    if (structure_ && n_ > sweep_width)
      compressed_jacobians_along_curve(formula, x, velocity, acceleration, columns_, value, first, second);
    else
      jacobians_along_curve(formula, x, velocity, acceleration, value, first, second);
  }
  const Mechanical::Functions::Derivatives* derivatives() const override {
    return traced_ ? &traced_->patterns : nullptr;
  }
  void force_values(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    Scratch scratch;
    coloured_jacobian(force_formula(), join(scratch, q, v, s, t), traced_->force, out);
  }
  void states_values(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    Scratch scratch;
    coloured_jacobian(states_formula(), join(scratch, q, v, s, t), traced_->states, out);
  }
  void momentum_values(ConstSpan q, double t, ConstSpan w, Span out) const override {
    Scratch scratch;
    coloured_jacobian([&](auto x, auto y) { sparse_momentum(x, w, y); }, join(scratch, q, t), traced_->momentum, out);
  }
  void reaction_values(ConstSpan q, double t, ConstSpan lambda, Span out) const override {
    Scratch scratch;
    compressed_hessian_values(constraint_formula(), join(scratch, q, t), lambda, columns_, traced_->reaction_place,
                              out);
  }
  void turning_values(ConstSpan q, double t, ConstSpan v, ConstSpan a, Span first, Span second) const override {
    Scratch scratch;
    compressed_turning(constraint_formula(), join(scratch, q, t), join(scratch, v, 1.0), join(scratch, a, 0.0),
                       columns_, first, second);
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

  auto force_formula() const {
    return [this](auto x, auto y) { flat_force(x, y); };
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
  auto states_formula() const {
    return [this](auto x, auto y) { flat_states(x, y); };
  }
  template <class T>
  void flat_states(std::span<const T> x, std::span<T> y) const {
    Split<T> split(x);
    const In<T> q = split.next(n_), v = split.next(n_), s = split.next(r_);
    if constexpr (with_states) model_.states(q, v, s, split.scalar(), Out<T>(y));
  }
  auto constraint_formula() const {
    return [this](auto x, auto y) { flat_constraint(x, y); };
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
      TracedEntries entries;
      if constexpr (with_mass) model_.mass(In<Tracer>(std::span(x).first(n_)), x[n_], TracedMatrix(entries, n_));
      if (tracer_branched) return;  // other entries may appear elsewhere
      structure_.emplace(
          Structure{.mass = traced_pattern(entries, with_mass ? n_ : 0), .jacobian = traced_dependence(g, n_)});
      columns_ = compress(structure_->jacobian);
      if (pattern_is_worth_tracing(n_ + r_ + m_)) trace_derivatives();
    }
  }
  void trace_derivatives() {
    const std::vector<Tracer> x = traced_arguments(2 * n_ + r_ + 1), y = traced_arguments(n_ + 1);
    std::vector<Tracer> force(n_), states(r_), mass(structure_->mass.count()), momentum(n_);
    flat_force<Tracer>(x, force);
    if (r_ > 0) flat_states<Tracer>(x, states);
    mass_entries<Tracer>(y, mass);
    add_momentum<Tracer>(mass, Vector(n_, 1.0), momentum);
    if (tracer_branched) return;  // nothing is known then
    traced_ = std::make_shared<const TracedDerivatives>(traced_derivatives(traced_dependence(force, 2 * n_ + r_),
                                                                           traced_dependence(states, 2 * n_ + r_),
                                                                           traced_dependence(momentum, n_), columns_));
  }
  // M w, by the entries of M alone.
  template <class T>
  void sparse_momentum(std::span<const T> x, ConstSpan w, std::span<T> y) const {
    Scratch scratch;
    const auto entries = scratch.take<T>(structure_->mass.count());
    mass_entries<T>(x, entries);
    add_momentum<T>(entries, w, y);
  }
  template <class T>
  void mass_entries(std::span<const T> x, std::span<T> entries) const {
    Split<T> split(x);
    const In<T> q = split.next(n_);
    if constexpr (with_traced_mass) model_.mass(q, split.scalar(), SparseOutMatrix<T>(structure_->mass, entries));
  }
  template <class T>
  void add_momentum(std::span<const T> entries, ConstSpan w, std::span<T> y) const {
    const Pattern& mass = structure_->mass;
    for (std::size_t j = 0, k = 0; j < mass.cols; ++j)
      for (; k < mass.begin[j + 1]; ++k) y[mass.row[k]] += entries[k] * w[j];
  }
  void sparse_mass(ConstSpan q, double t, Span values) const {
    if constexpr (with_sparse_mass)
      if (n_ > Mechanical::whole_up_to) {
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
    const auto formula = constraint_formula();
    if (columns_.colours <= 4)
      compressed_jacobian_and_second_derivative<4>(formula, x, direction, columns_, g, curvature);
    else
      compressed_jacobian_and_second_derivative<8>(formula, x, direction, columns_, g, curvature);
  }

  Model model_;
  std::size_t n_, r_, m_;
  std::optional<Structure> structure_;
  CompressedColumns columns_;
  std::shared_ptr<const TracedDerivatives> traced_;  // null for few unknowns, or if nothing is known about zeros
};

}  // namespace detail

}  // namespace driftless
