#include <fmt/format.h>

#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/equations/convert.h"
#include "driftless/equations/convert_parts.h"

namespace driftless {

namespace {

// M = L L^T in scratch memory; a matrix that is not positive definite gives NaN, which the caller is told as such.
class MassFactors {
 public:
  MassFactors(Scratch& scratch, const MechanicalSource& source, ConstSpan q, double t) : unit_(!source->has_mass()) {
    if (unit_) return;
    l_ = take_matrix(scratch, source.n, source.n);
    source->mass(q, t, l_);
    for (std::size_t j = 0; j < source.n; ++j) {
      for (std::size_t k = 0; k < j; ++k)
        for (std::size_t i = j; i < source.n; ++i) l_(i, j) -= l_(i, k) * l_(j, k);
      const double scale = 1.0 / std::sqrt(l_(j, j));
      for (std::size_t i = j; i < source.n; ++i) l_(i, j) *= scale;
    }
  }
  void solve(Span x) const {
    if (unit_) return;
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] /= l_(k, k);
      for (std::size_t i = k + 1; i < x.size(); ++i) x[i] -= l_(i, k) * x[k];
    }
    for (std::size_t k = x.size(); k-- > 0;) {
      for (std::size_t i = k + 1; i < x.size(); ++i) x[k] -= l_(i, k) * x[i];
      x[k] /= l_(k, k);
    }
  }

 private:
  bool unit_;
  MatrixView l_;
};

class MechanicalAsIndex3 final : public Index3::Functions {
 public:
  MechanicalAsIndex3(const Mechanical& form, bool automatic) : source_(form, automatic) {}

  void f(ConstSpan, ConstSpan v, double, Span out) const override { std::copy_n(v.begin(), source_.n, out.begin()); }

  void k(ConstSpan q, ConstSpan vs, ConstSpan lambda, double t, Span out) const override {
    const auto [n, r, m] = sizes();
    const ConstSpan v = vs.subspan(0, n), s = vs.subspan(n, r);
    Scratch scratch;
    const MatrixView g = take_matrix(scratch, m, n + 1);
    source_->constraint_jacobian(q, t, g);
    acceleration(MassFactors(scratch, source_, q, t), g, q, v, s, lambda, t, out.subspan(0, n));
    if (r > 0) source_->states(q, v, s, t, out.subspan(n, r));
  }

  void g(ConstSpan q, double t, Span out) const override { source_->constraint(q, t, out); }

  void f_jacobian(ConstSpan, ConstSpan, double, MatrixView j) const override {
    j.fill(0.0);
    add_identity(j.block(0, source_.n, source_.n, source_.n));
  }

  // From M a = F - G^T lambda:  M da = dF - d(G^T lambda) - G^T dlambda - (dM) a.
  void k_jacobian(ConstSpan q, ConstSpan vs, ConstSpan lambda, double t, MatrixView j) const override {
    const auto [n, r, m] = sizes();
    const std::size_t qvs = 2 * n + r, time = qvs + m;
    const ConstSpan v = vs.subspan(0, n), s = vs.subspan(n, r);
    Scratch scratch;
    const MassFactors mass(scratch, source_, q, t);
    const MatrixView g = take_matrix(scratch, m, n + 1), by_q = take_matrix(scratch, n, n + 1);
    const MatrixView by_all = take_matrix(scratch, std::max(n, r), qvs + 1);
    source_->constraint_jacobian(q, t, g);
    j.fill(0.0);

    const MatrixView force = by_all.block(0, 0, n, qvs + 1);
    source_->force_jacobian(q, v, s, t, force);
    add_block(force.block(0, 0, n, qvs), 1.0, j.block(0, 0, n, qvs));
    add_block(force.block(0, qvs, n, 1), 1.0, j.block(0, time, n, 1));
    source_->reaction_jacobian(q, t, lambda, by_q);
    subtract(by_q, time, j);
    add_transposed(g.block(0, 0, m, n), -1.0, j.block(0, qvs, n, m));
    if (source_->has_mass()) {
      const Span a = scratch.take<double>(n);
      acceleration(mass, g, q, v, s, lambda, t, a);
      source_->mass_jacobian(q, t, a, by_q);
      subtract(by_q, time, j);
    }
    for (std::size_t column = 0; column < j.cols; ++column) mass.solve(j.column(column).subspan(0, n));

    if (r == 0) return;
    const MatrixView rate = by_all.block(0, 0, r, qvs + 1);
    source_->states_jacobian(q, v, s, t, rate);
    add_block(rate.block(0, 0, r, qvs), 1.0, j.block(n, 0, r, qvs));
    add_block(rate.block(0, qvs, r, 1), 1.0, j.block(n, time, r, 1));
  }

  void g_jacobian(ConstSpan q, double t, MatrixView j) const override { source_->constraint_jacobian(q, t, j); }
  void g_tangent_jacobian(ConstSpan q, double t, ConstSpan dq, double dt, MatrixView j) const override {
    source_->constraint_tangent_jacobian(q, t, dq, dt, j);
  }
  void g_curvature(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const override {
    source_->constraint_curvature(q, t, dq, dt, out);
  }

 private:
  struct Sizes {
    std::size_t n, r, m;
  };
  Sizes sizes() const { return {source_.n, source_.r, source_.m}; }

  // a = M^-1 (F - G^T lambda)
  void acceleration(const MassFactors& mass, ConstMatrixView g, ConstSpan q, ConstSpan v, ConstSpan s, ConstSpan lambda,
                    double t, Span a) const {
    source_->force(q, v, s, t, a);
    add_transposed_product(g, -1.0, lambda, a);
    mass.solve(a);
  }
  // Columns (q, t) of a term on the other side of the equation of motion.
  void subtract(ConstMatrixView by_q, std::size_t time, MatrixView j) const {
    const std::size_t n = source_.n;
    add_block(by_q.block(0, 0, n, n), -1.0, j.block(0, 0, n, n));
    add_block(by_q.block(0, n, n, 1), -1.0, j.block(0, time, n, 1));
  }

  MechanicalSource source_;
};

}  // namespace

Index3 as_index3(const Mechanical& form) {
  const Layout& layout = form.layout();
  return convert<Index3, MechanicalAsIndex3>(form, {.u = form.q_size(),
                                                    .v = form.q_size() + form.s_size(),
                                                    .lambda = form.lambda_size(),
                                                    .u_names = names_of(layout, "q"),
                                                    .v_names = joined(names_of(layout, "v"), names_of(layout, "s")),
                                                    .lambda_names = names_of(layout, "lambda"),
                                                    .constraint_names = form.constraint_names()});
}

// The unknowns are the same, in the same order.
Vector state_as_index3(const Mechanical& form, double, ConstSpan state) {
  if (state.size() != form.layout().size())
    throw Misuse(fmt::format("conversion: the state has {} components, the equations have {}", state.size(),
                             form.layout().size()));
  return Vector(state.begin(), state.end());
}

}  // namespace driftless
