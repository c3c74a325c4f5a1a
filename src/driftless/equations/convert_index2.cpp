#include "driftless/equations/convert.h"
#include "driftless/equations/convert_parts.h"
#include "driftless/equations/convert_patterns.h"

namespace driftless {

namespace {

// u = (q, v, s).
class VelocityLevel : public Index2::Functions {
 public:
  VelocityLevel(const Mechanical& form, bool automatic) : VelocityLevel(form, automatic, false) {}

  bool has_gamma() const override { return source_->has_mass(); }
  void gamma(ConstSpan u, double t, MatrixView out) const override {
    const std::size_t n = source_.n;
    out.fill(0.0);
    add_identity(out);
    source_->mass(q(u), t, out.block(n, n, n, n));
  }
  void gamma_jacobian(ConstSpan u, double t, ConstSpan w, MatrixView j) const override {
    const std::size_t n = source_.n;
    Scratch scratch;
    const MatrixView by_q = take_matrix(scratch, n, n + 1);
    source_->mass_jacobian(q(u), t, v(w), by_q);
    j.fill(0.0);
    add_q_and_t(by_q, 1.0, j, n);
  }

  // (v, F - G^T lambda, r)
  void f(ConstSpan u, ConstSpan lambda, double t, Span out) const override {
    if (sparse_) return sparse_->f(u, lambda, t, out);
    const std::size_t n = source_.n;
    Scratch scratch;
    const MatrixView g = gradient(scratch, u, t);
    std::copy_n(v(u).begin(), n, out.begin());
    source_->force(q(u), v(u), s(u), t, out.subspan(n, n));
    add_transposed_product(g, -1.0, lambda.subspan(0, source_.m), out.subspan(n, n));
    if (source_.r > 0) source_->states(q(u), v(u), s(u), t, out.subspan(2 * n, source_.r));
  }
  void f_jacobian(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const override {
    const std::size_t n = source_.n, r = source_.r, m = source_.m, qvs = 2 * n + r;
    Scratch scratch;
    const MatrixView g = gradient(scratch, u, t), by_q = take_matrix(scratch, n, n + 1);
    const MatrixView by_all = take_matrix(scratch, std::max(n, r), qvs + 1);
    j.fill(0.0);
    add_identity(j.block(0, n, n, n));
    const MatrixView force = by_all.block(0, 0, n, qvs + 1);
    source_->force_jacobian(q(u), v(u), s(u), t, force);
    add_qvs_and_t(force, j, n);
    source_->reaction_jacobian(q(u), t, lambda.subspan(0, m), by_q);
    add_q_and_t(by_q, -1.0, j, n);
    add_transposed(g.block(0, 0, m, n), -1.0, j.block(n, qvs, n, m));
    if (r == 0) return;
    const MatrixView rate = by_all.block(0, 0, r, qvs + 1);
    source_->states_jacobian(q(u), v(u), s(u), t, rate);
    add_qvs_and_t(rate, j, 2 * n);
  }

  // G v + g_t
  void g(ConstSpan u, double t, Span out) const override {
    if (sparse_) return sparse_->g(u, t, out);
    Scratch scratch;
    const MatrixView g = gradient(scratch, u, t);
    for (std::size_t i = 0; i < source_.m; ++i) out[i] = g(i, source_.n);
    add_product(g, v(u), out.subspan(0, source_.m));
  }
  void g_jacobian(ConstSpan u, double t, MatrixView j) const override {
    const std::size_t n = source_.n, m = source_.m;
    Scratch scratch;
    const MatrixView g = gradient(scratch, u, t), by_q = take_matrix(scratch, m, n + 1);
    source_->constraint_tangent_jacobian(q(u), t, v(u), 1.0, by_q);
    j.fill(0.0);
    add_q_and_t(by_q, 1.0, j, 0);
    add_block(g.block(0, 0, m, n), 1.0, j.block(0, n, m, n));
  }

  const Patterns* patterns() const override { return sparse_ ? &sparse_->patterns() : nullptr; }
  void f_values(ConstSpan u, ConstSpan lambda, double t, Span values) const override {
    if (!sparse_) return Index2::Functions::f_values(u, lambda, t, values);
    sparse_->f_values(u, lambda, t, values);
  }
  void f_lambda_values(ConstSpan u, ConstSpan lambda, double t, Span values) const override {
    if (!sparse_) return Index2::Functions::f_lambda_values(u, lambda, t, values);
    sparse_->f_lambda_values(u, t, values);
  }
  void g_values(ConstSpan u, double t, Span values) const override {
    if (!sparse_) return Index2::Functions::g_values(u, t, values);
    sparse_->g_values(u, t, values);
  }
  void gamma_values(ConstSpan u, double t, Span values) const override {
    if (!sparse_) return Index2::Functions::gamma_values(u, t, values);
    sparse_->gamma_values(u, t, values);
  }
  void gamma_u_values(ConstSpan u, double t, ConstSpan w, Span values) const override {
    if (!sparse_) return Index2::Functions::gamma_u_values(u, t, w, values);
    sparse_->gamma_u_values(u, t, w, values);
  }

 protected:
  VelocityLevel(const Mechanical& form, bool automatic, bool with_position_level) : source_(form, automatic) {
    if (source_->structure() && source_->derivatives())
      sparse_ = std::make_unique<const ConvertedPatterns>(source_, with_position_level);
  }

  ConstSpan q(ConstSpan u) const { return u.subspan(0, source_.n); }
  ConstSpan v(ConstSpan u) const { return u.subspan(source_.n, source_.n); }
  ConstSpan s(ConstSpan u) const { return u.subspan(2 * source_.n, source_.r); }

  MatrixView gradient(Scratch& scratch, ConstSpan u, double t) const {
    const MatrixView g = take_matrix(scratch, source_.m, source_.n + 1);
    source_->constraint_jacobian(q(u), t, g);
    return g;
  }
  // Columns (q, t), resp. (q, v, s, t), of some rows; time is the last column of the whole Jacobian.
  void add_q_and_t(ConstMatrixView by_q, double factor, MatrixView j, std::size_t row) const {
    add_block(by_q.block(0, 0, by_q.rows, source_.n), factor, j.block(row, 0, by_q.rows, source_.n));
    add_block(by_q.block(0, source_.n, by_q.rows, 1), factor, j.block(row, j.cols - 1, by_q.rows, 1));
  }
  void add_qvs_and_t(ConstMatrixView by_all, MatrixView j, std::size_t row) const {
    const std::size_t qvs = 2 * source_.n + source_.r;
    add_block(by_all.block(0, 0, by_all.rows, qvs), 1.0, j.block(row, 0, by_all.rows, qvs));
    add_block(by_all.block(0, qvs, by_all.rows, 1), 1.0, j.block(row, j.cols - 1, by_all.rows, 1));
  }

  MechanicalSource source_;
  std::unique_ptr<const ConvertedPatterns> sparse_;  // null for few unknowns, or if nobody knows what is zero
};

// The velocity level, with mu for the position level: q' = v - G^T mu and 0 = g in addition.
class GearGuptaLeimkuhler final : public VelocityLevel {
 public:
  GearGuptaLeimkuhler(const Mechanical& form, bool automatic) : VelocityLevel(form, automatic, true) {}

  void f(ConstSpan u, ConstSpan multipliers, double t, Span out) const override {
    VelocityLevel::f(u, multipliers, t, out);
    if (sparse_) return;
    Scratch scratch;
    add_transposed_product(gradient(scratch, u, t), -1.0, mu(multipliers), out.subspan(0, source_.n));
  }
  void f_jacobian(ConstSpan u, ConstSpan multipliers, double t, MatrixView j) const override {
    const std::size_t n = source_.n, m = source_.m;
    VelocityLevel::f_jacobian(u, multipliers, t, j);
    Scratch scratch;
    const MatrixView g = gradient(scratch, u, t), by_q = take_matrix(scratch, n, n + 1);
    source_->reaction_jacobian(q(u), t, mu(multipliers), by_q);
    add_q_and_t(by_q, -1.0, j, 0);
    add_transposed(g.block(0, 0, m, n), -1.0, j.block(0, 2 * n + source_.r + m, n, m));
  }
  void g(ConstSpan u, double t, Span out) const override {
    if (sparse_) return sparse_->g(u, t, out);
    source_->constraint(q(u), t, out.subspan(0, source_.m));
    VelocityLevel::g(u, t, out.subspan(source_.m, source_.m));
  }
  void g_jacobian(ConstSpan u, double t, MatrixView j) const override {
    Scratch scratch;
    VelocityLevel::g_jacobian(u, t, j.block(source_.m, 0, source_.m, j.cols));
    const MatrixView position = j.block(0, 0, source_.m, j.cols);
    position.fill(0.0);
    add_q_and_t(gradient(scratch, u, t), 1.0, position, 0);
  }

 private:
  ConstSpan mu(ConstSpan multipliers) const { return multipliers.subspan(source_.m, source_.m); }
};

Names differential_names(const Layout& layout) {
  return joined(joined(names_of(layout, "q"), names_of(layout, "v")), names_of(layout, "s"));
}

}  // namespace

Index2 as_index2(const Mechanical& form) {
  return convert<Index2, VelocityLevel>(form, {.u = 2 * form.q_size() + form.s_size(),
                                               .lambda = form.lambda_size(),
                                               .u_names = differential_names(form.layout()),
                                               .lambda_names = names_of(form.layout(), "lambda"),
                                               .constraint_names = with_suffix(form.constraint_names(), "'")});
}

Index2 as_ggl(const Mechanical& form) {
  const Names& position = form.constraint_names();
  return convert<Index2, GearGuptaLeimkuhler>(
      form, {.u = 2 * form.q_size() + form.s_size(),
             .lambda = 2 * form.lambda_size(),
             .u_names = differential_names(form.layout()),
             .lambda_names = joined(names_of(form.layout(), "lambda"), complete_names("mu", form.lambda_size(), {})),
             .constraint_names = joined(position, with_suffix(position, "'"))});
}

Vector state_as_index2(const Mechanical& form, double t, ConstSpan state) { return state_as_index3(form, t, state); }

Vector state_as_ggl(const Mechanical& form, double t, ConstSpan state) {
  Vector result = state_as_index3(form, t, state);
  result.resize(result.size() + form.lambda_size(), 0.0);
  return result;
}

}  // namespace driftless
