// A mechanical model in the wide form as equations: hidden constraints and all derivatives are composed of those of the
// user's formulas, each of which is called with numbers and with numbers that carry derivatives.
#pragma once

#include "driftless/autodiff/second_derivatives.h"
#include "driftless/equations/convert_parts.h"
#include "driftless/equations/wide_formulas.h"

namespace driftless {

// Misuse if a formula is not linear in the velocities, which are `count` of its arguments from `first` on.
void require_affine(const char* name, FormulaOf<Taylor<double>> formula, std::size_t arguments, std::size_t first,
                    std::size_t count, std::size_t results);

namespace detail {

template <class Model>
class AutomaticWide final : public WideMechanical::Functions {
  using Has = WideParts<Model>;

 public:
  AutomaticWide(Model model, const WideMechanical::Shape& shape)
      : formulas_(std::move(model), shape), n_(shape.q), p_(shape.v), r_(shape.s), m_(shape.lambda), k_(shape.nu) {
    refuse_missing(shape);
    if (Has::rates) probe("rates", n_ + p_ + 1, n_, rates_formula());
    if (p_ > 0) probe("force", n_ + p_ + r_ + 1, p_, force_formula());
    if (r_ > 0) probe("states", n_ + p_ + r_ + 1, r_, states_formula());
    if (m_ > 0) probe("constraint", n_ + 1, m_, constraint_formula());
    if (k_ > 0) probe("velocity_constraint", n_ + p_ + 1, k_, velocity_constraint_formula());
    if (has_mass()) probe("mass", n_ + 1, p_ * p_, mass_formula());
    probe("position_invariants", n_ + 1, shape.position_invariants, position_invariants_formula());
    probe("velocity_invariants", n_ + p_ + 1, shape.velocity_invariants, velocity_invariants_formula());
    require_affine("rates", rates_formula(), n_ + p_ + 1, n_, p_, n_);
    require_affine("velocity_constraint", velocity_constraint_formula(), n_ + p_ + 1, n_, p_, k_);
  }

  bool has_mass() const override { return Has::mass && p_ > 0; }
  void mass(ConstSpan q, double t, MatrixView out) const override {
    Scratch scratch;
    const Span values = scratch.take<double>(p_ * p_);
    formulas_.template mass<double>(at(scratch, q, t), values);
    for (std::size_t j = 0; j < p_; ++j)
      for (std::size_t i = 0; i < p_; ++i) out(i, j) = values[i + j * p_];
  }
  void rates(ConstSpan q, ConstSpan v, double t, Span out) const override {
    Scratch scratch;
    std::ranges::fill(out, 0.0);
    formulas_.template rates<double>(at(scratch, q, v, t), out);
  }
  void force(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    Scratch scratch;
    std::ranges::fill(out, 0.0);
    formulas_.template force<double>(at(scratch, q, v, s, t), out);
  }
  void states(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span out) const override {
    Scratch scratch;
    std::ranges::fill(out, 0.0);
    formulas_.template states<double>(at(scratch, q, v, s, t), out);
  }
  void constraint(ConstSpan q, double t, Span out) const override {
    Scratch scratch;
    std::ranges::fill(out, 0.0);
    formulas_.template constraint<double>(at(scratch, q, t), out);
  }
  void position_invariants(ConstSpan q, double t, Span out) const override {
    Scratch scratch;
    std::ranges::fill(out, 0.0);
    formulas_.template position_invariants<double>(at(scratch, q, t), out);
  }
  void velocity_invariants(ConstSpan q, ConstSpan v, double t, Span out) const override {
    Scratch scratch;
    std::ranges::fill(out, 0.0);
    formulas_.template velocity_invariants<double>(at(scratch, q, v, t), out);
  }

  // (G q' + g_t, A v + b)
  void velocity_rows(ConstSpan q, ConstSpan v, double t, Span out) const override {
    Scratch scratch;
    if (m_ > 0) {
      const Span rate = scratch.take<double>(n_);
      rates(q, v, t, rate);
      first_derivative(constraint_formula(), at(scratch, q, t), at(scratch, rate, 1.0), out.first(m_));
    }
    if (k_ == 0) return;
    std::ranges::fill(out.subspan(m_), 0.0);
    formulas_.template velocity_constraint<double>(at(scratch, q, v, t), out.subspan(m_));
  }
  // With q' = T v + k and q'' = (T v + k)' along (q', a, 1): g'' along the curve, and A v + b along (q', a, 1).
  void acceleration_rows(ConstSpan q, ConstSpan v, ConstSpan a, double t, Span out) const override {
    Scratch scratch;
    const Span rate = scratch.take<double>(n_);
    rates(q, v, t, rate);
    const ConstSpan y = at(scratch, q, v, t), along = at(scratch, rate, a, 1.0);
    if (m_ > 0) {
      const Span second = scratch.take<double>(n_), turn = scratch.take<double>(m_);
      first_derivative(rates_formula(), y, along, second);
      const ConstSpan x = at(scratch, q, t);
      second_derivative(constraint_formula(), x, at(scratch, rate, 1.0), out.first(m_));
      first_derivative(constraint_formula(), x, at(scratch, second, 0.0), turn);
      for (std::size_t i = 0; i < m_; ++i) out[i] += turn[i];
    }
    if (k_ > 0) first_derivative(velocity_constraint_formula(), y, along, out.subspan(m_));
  }
  void directions(ConstSpan q, double t, MatrixView c) const override {
    Scratch scratch;
    const ConstSpan y = at(scratch, q, scratch.take<double>(p_), t);  // affine in v: any v will do
    if (m_ > 0) {
      const MatrixView g = take_matrix(scratch, m_, n_ + 1), by_v = take_matrix(scratch, n_, p_);
      jacobian(constraint_formula(), at(scratch, q, t), 0, g);
      jacobian(rates_formula(), y, n_, by_v);
      const MatrixView top = c.block(0, 0, m_, p_);
      top.fill(0.0);
      for (std::size_t j = 0; j < p_; ++j) add_product(g, by_v.column(j), top.column(j).first(m_));
    }
    if (k_ > 0) jacobian(velocity_constraint_formula(), y, n_, c.block(m_, 0, k_, p_));
  }

  void rates_jacobian(ConstSpan q, ConstSpan v, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(rates_formula(), at(scratch, q, v, t), 0, j);
  }
  void force_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(force_formula(), at(scratch, q, v, s, t), 0, j);
  }
  void states_jacobian(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(states_formula(), at(scratch, q, v, s, t), 0, j);
  }
  void constraint_jacobian(ConstSpan q, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(constraint_formula(), at(scratch, q, t), 0, j);
  }
  void position_invariants_jacobian(ConstSpan q, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(position_invariants_formula(), at(scratch, q, t), 0, j);
  }
  void velocity_invariants_jacobian(ConstSpan q, ConstSpan v, double t, MatrixView j) const override {
    Scratch scratch;
    jacobian(velocity_invariants_formula(), at(scratch, q, v, t), 0, j);
  }
  void momentum_jacobian(ConstSpan q, double t, ConstSpan w, MatrixView j) const override {
    Scratch scratch;
    jacobian([&](auto x, auto y) { formulas_.momentum(x, w, y); }, at(scratch, q, t), 0, j);
  }

  // With K = T v + k: d(G K + g_t) = (d/d(q, t) of g' along (K, 1)) + G dK.
  void velocity_jacobian(ConstSpan q, ConstSpan v, double t, MatrixView j) const override {
    Scratch scratch;
    const ConstSpan y = at(scratch, q, v, t);
    if (m_ > 0) {
      const Span rate = scratch.take<double>(n_);
      rates(q, v, t, rate);
      const MatrixView g = take_matrix(scratch, m_, n_ + 1), by_x = take_matrix(scratch, m_, n_ + 1),
                       by_y = take_matrix(scratch, n_, n_ + p_ + 1), top = j.block(0, 0, m_, n_ + p_ + 1);
      jacobian(constraint_formula(), at(scratch, q, t), 0, g);
      jacobian_of_tangent(constraint_formula(), at(scratch, q, t), at(scratch, rate, 1.0), by_x);
      jacobian(rates_formula(), y, 0, by_y);
      top.fill(0.0);
      add_by_position(by_x, top);
      for (std::size_t l = 0; l < top.cols; ++l) add_product(g, by_y.column(l), top.column(l).first(m_));
    }
    if (k_ > 0) jacobian(velocity_constraint_formula(), y, 0, j.block(m_, 0, k_, n_ + p_ + 1));
  }

  // With K = q', e = (K, a, 1), z = q'' = K' e: of g'' along (K, 1) + G z by x = (q, t), by K in it twice the change of
  // g' along (K, 1), and G dz, dz = (d/dy of K' e) + K_q dK. Of A v + b likewise.
  void acceleration_jacobian(ConstSpan q, ConstSpan v, ConstSpan a, double t, MatrixView j) const override {
    const std::size_t all = n_ + p_ + 1;
    Scratch scratch;
    const Span rate = scratch.take<double>(n_), second = scratch.take<double>(n_);
    rates(q, v, t, rate);
    const ConstSpan y = at(scratch, q, v, t), along = at(scratch, rate, a, 1.0);
    const MatrixView by_y = take_matrix(scratch, n_, all), turn = take_matrix(scratch, n_, all);
    jacobian(rates_formula(), y, 0, by_y);
    j.fill(0.0);
    if (m_ > 0) {
      first_derivative(rates_formula(), y, along, second);
      jacobian_of_tangent(rates_formula(), y, along, turn);
      for (std::size_t l = 0; l < all; ++l) add_product(by_y, by_y.column(l), turn.column(l).first(n_));
      const MatrixView g = take_matrix(scratch, m_, n_ + 1), first = take_matrix(scratch, m_, n_ + 1),
                       curve = take_matrix(scratch, m_, n_ + 1), top = j.block(0, 0, m_, all);
      jacobians_along_curve(constraint_formula(), at(scratch, q, t), at(scratch, rate, 1.0), at(scratch, second, 0.0),
                            g, first, curve);
      add_by_position(curve, top);
      const Span twice = scratch.take<double>(n_);
      for (std::size_t l = 0; l < all; ++l) {
        for (std::size_t i = 0; i < n_; ++i) twice[i] = 2.0 * by_y(i, l);
        add_product(first, twice, top.column(l).first(m_));
        add_product(g, turn.column(l), top.column(l).first(m_));
      }
    }
    if (k_ == 0) return;
    const MatrixView by_a = take_matrix(scratch, k_, all), of_tangent = take_matrix(scratch, k_, all),
                     bottom = j.block(m_, 0, k_, all);
    jacobian(velocity_constraint_formula(), y, 0, by_a);
    jacobian_of_tangent(velocity_constraint_formula(), y, along, of_tangent);
    add_block(of_tangent, 1.0, bottom);
    for (std::size_t l = 0; l < all; ++l) add_product(by_a, by_y.column(l), bottom.column(l).first(k_));
  }

  // C^T (lambda, nu) = T^T y + A^T nu with y = G^T lambda: T^T dy, and second derivatives of y . K and of nu . (A v +
  // b) by v and (q, t).
  void reaction_jacobian(ConstSpan q, double t, ConstSpan multipliers, MatrixView j) const override {
    Scratch scratch;
    const ConstSpan zero = scratch.take<double>(p_), turned = at(scratch, zero, q, t);
    const MatrixView mixed = take_matrix(scratch, p_, p_ + n_ + 1);
    const auto add_mixed = [&] { add_block(mixed.block(0, p_, p_, n_ + 1), 1.0, j.block(0, 0, p_, n_ + 1)); };
    j.fill(0.0);
    if (m_ > 0) {
      const ConstSpan lambda = multipliers.first(m_);
      const MatrixView g = take_matrix(scratch, m_, n_ + 1), h = take_matrix(scratch, n_, n_ + 1),
                       by_v = take_matrix(scratch, n_, p_);
      jacobian(constraint_formula(), at(scratch, q, t), 0, g);
      jacobian(rates_formula(), at(scratch, q, zero, t), n_, by_v);
      hessian(constraint_formula(), at(scratch, q, t), lambda, h);
      for (std::size_t l = 0; l <= n_; ++l) add_transposed_product(by_v, 1.0, h.column(l), j.column(l).first(p_));
      const Span force_on_q = scratch.take<double>(n_);
      add_transposed_product(g, 1.0, lambda, force_on_q);
      hessian(in_turned_order(rates_formula()), turned, force_on_q, mixed);
      add_mixed();
    }
    if (k_ == 0) return;
    hessian(in_turned_order(velocity_constraint_formula()), turned, multipliers.subspan(m_, k_), mixed);
    add_mixed();
  }

  std::optional<double> energy(ConstSpan q, ConstSpan v, double t) const override { return formulas_.energy(q, v, t); }

 private:
  static void refuse_missing(const WideMechanical::Shape& shape) {
    const auto need = [](bool there, std::size_t count, const char* what) {
      if (!there && count > 0)
        throw Misuse("mechanical: " + std::to_string(count) + " of them are named or sized, but the model has no " +
                     what);
    };
    need(Has::constraint, shape.lambda, "constraint(q, t, g)");
    need(Has::velocity_constraint, shape.nu, "velocity_constraint(q, v, t, h)");
    need(Has::position_invariants, shape.position_invariants, "position_invariants(q, t, i)");
    need(Has::velocity_invariants, shape.velocity_invariants, "velocity_invariants(q, v, t, j)");
    need(Has::states, shape.s, "states(q, v, s, t, ds)");
    need(Has::force, shape.v, "force(q, v, t, f)");
    if (!Has::rates && shape.q != shape.v)
      throw Misuse("mechanical: " + std::to_string(shape.v) + " velocities for " + std::to_string(shape.q) +
                   " coordinates, but the model has no rates(q, v, t, dq)");
  }

  // Formulas, called with whatever numbers a derivative needs.
  auto rates_formula() const {
    return [this](auto x, auto y) { formulas_.rates(x, y); };
  }
  auto velocity_constraint_formula() const {
    return [this](auto x, auto y) { formulas_.velocity_constraint(x, y); };
  }
  auto constraint_formula() const {
    return [this](auto x, auto y) { formulas_.constraint(x, y); };
  }
  auto force_formula() const {
    return [this](auto x, auto y) { formulas_.force(x, y); };
  }
  auto states_formula() const {
    return [this](auto x, auto y) { formulas_.states(x, y); };
  }
  auto mass_formula() const {
    return [this](auto x, auto y) { formulas_.mass(x, y); };
  }
  auto position_invariants_formula() const {
    return [this](auto x, auto y) { formulas_.position_invariants(x, y); };
  }
  auto velocity_invariants_formula() const {
    return [this](auto x, auto y) { formulas_.velocity_invariants(x, y); };
  }
  template <class Formula>
  auto in_turned_order(const Formula& formula) const {
    return [this, formula](auto x, auto y) { formulas_.turned(formula, x, y); };
  }

  static ConstSpan at(Scratch& scratch, ConstSpan q, double t) {
    return Joined(scratch, q.size() + 1).add(q).add(t).all();
  }
  static ConstSpan at(Scratch& scratch, ConstSpan q, ConstSpan v, double t) {
    return Joined(scratch, q.size() + v.size() + 1).add(q).add(v).add(t).all();
  }
  static ConstSpan at(Scratch& scratch, ConstSpan q, ConstSpan v, ConstSpan s, double t) {
    return Joined(scratch, q.size() + v.size() + s.size() + 1).add(q).add(v).add(s).add(t).all();
  }
  // Columns (q, t) into those of (q, v, t).
  void add_by_position(ConstMatrixView by_x, MatrixView out) const {
    add_block(by_x.block(0, 0, by_x.rows, n_), 1.0, out.block(0, 0, by_x.rows, n_));
    add_block(by_x.block(0, n_, by_x.rows, 1), 1.0, out.block(0, n_ + p_, by_x.rows, 1));
  }

  WideFormulas<Model> formulas_;
  std::size_t n_, p_, r_, m_, k_;
};

}  // namespace detail

}  // namespace driftless
