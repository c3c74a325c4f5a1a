#include "driftless/equations/convert.h"
#include "driftless/equations/convert_parts.h"
#include "driftless/equations/manifold.h"

namespace driftless {

namespace {

class AccelerationLevel final : public Index1::Functions {
 public:
  AccelerationLevel(const Mechanical& form, bool automatic) : source_(form, automatic) {}

  // (v, a, r, M a - F + G^T lambda, G a + D^2 g ((v, 1), (v, 1)))
  void f(ConstSpan x, double t, Span out) const override {
    const std::size_t n = source_.n, r = source_.r, m = source_.m;
    const Parts at(*this, x);
    Scratch scratch;
    const MatrixView g = take_matrix(scratch, m, n + 1);
    source_->constraint_jacobian(at.q, t, g);
    std::copy(at.v.begin(), at.v.end(), out.begin());
    std::copy(at.a.begin(), at.a.end(), out.begin() + n);
    if (r > 0) source_->states(at.q, at.v, at.s, t, out.subspan(2 * n, r));

    const Span balance = out.subspan(2 * n + r, n), constraint = out.subspan(3 * n + r, m);
    source_->force(at.q, at.v, at.s, t, balance);
    for (double& value : balance) value = -value;
    if (source_->has_mass()) {
      const MatrixView mass = take_matrix(scratch, n, n);
      source_->mass(at.q, t, mass);
      add_product(mass, at.a, balance);
    } else {
      for (std::size_t i = 0; i < n; ++i) balance[i] += at.a[i];
    }
    add_transposed_product(g, 1.0, at.lambda, balance);
    source_->constraint_curvature(at.q, t, at.v, 1.0, constraint);
    add_product(g, at.a, constraint);
  }

  void f_jacobian(ConstSpan x, double t, MatrixView j) const override {
    const std::size_t n = source_.n, r = source_.r;
    const Parts at(*this, x);
    j.fill(0.0);
    add_identity(j.block(0, n, n, n));
    add_identity(j.block(n, 2 * n + r, n, n));
    if (r > 0) {
      Scratch scratch;
      const MatrixView rate = take_matrix(scratch, r, 2 * n + r + 1);
      source_->states_jacobian(at.q, at.v, at.s, t, rate);
      add_qvs_and_t(rate, 1.0, j, 2 * n);
    }
    balance_jacobian(at, t, j);
    constraint_jacobian(at, t, j);
  }

 private:
  struct Parts {
    Parts(const AccelerationLevel& form, ConstSpan x) : Parts(x, form.source_.n, form.source_.r, form.source_.m) {}
    Parts(ConstSpan x, std::size_t n, std::size_t r, std::size_t m)
        : q(x.subspan(0, n)),
          v(x.subspan(n, n)),
          s(x.subspan(2 * n, r)),
          a(x.subspan(2 * n + r, n)),
          lambda(x.subspan(3 * n + r, m)) {}
    ConstSpan q, v, s, a, lambda;
  };

  // Rows M a - F + G^T lambda.
  void balance_jacobian(const Parts& at, double t, MatrixView j) const {
    const std::size_t n = source_.n, r = source_.r, m = source_.m, row = 2 * n + r;
    Scratch scratch;
    const MatrixView g = take_matrix(scratch, m, n + 1), by_q = take_matrix(scratch, n, n + 1);
    const MatrixView force = take_matrix(scratch, n, 2 * n + r + 1);
    source_->force_jacobian(at.q, at.v, at.s, t, force);
    add_qvs_and_t(force, -1.0, j, row);
    source_->reaction_jacobian(at.q, t, at.lambda, by_q);
    add_q_and_t(by_q, 1.0, j, row);
    source_->constraint_jacobian(at.q, t, g);
    add_transposed(g.block(0, 0, m, n), 1.0, j.block(row, 3 * n + r, n, m));
    if (!source_->has_mass()) return add_identity(j.block(row, 2 * n + r, n, n));
    source_->mass_jacobian(at.q, t, at.a, by_q);
    add_q_and_t(by_q, 1.0, j, row);
    source_->mass(at.q, t, by_q.block(0, 0, n, n));
    add_block(by_q.block(0, 0, n, n), 1.0, j.block(row, 2 * n + r, n, n));
  }

  // Rows G a + D^2 g ((v, 1), (v, 1)); the second term is quadratic in v, with d/dv = 2 D^2 g ((v, 1), .).
  void constraint_jacobian(const Parts& at, double t, MatrixView j) const {
    const std::size_t n = source_.n, r = source_.r, m = source_.m, row = 3 * n + r;
    Scratch scratch;
    const MatrixView by_q = take_matrix(scratch, m, n + 1);
    source_->constraint_tangent_jacobian(at.q, t, at.a, 0.0, by_q);
    add_q_and_t(by_q, 1.0, j, row);
    source_->constraint_curvature_jacobian(at.q, t, at.v, 1.0, by_q);
    add_q_and_t(by_q, 1.0, j, row);
    source_->constraint_tangent_jacobian(at.q, t, at.v, 1.0, by_q);
    add_block(by_q.block(0, 0, m, n), 2.0, j.block(row, n, m, n));
    source_->constraint_jacobian(at.q, t, by_q);
    add_block(by_q.block(0, 0, m, n), 1.0, j.block(row, 2 * n + r, m, n));
  }

  void add_q_and_t(ConstMatrixView by_q, double factor, MatrixView j, std::size_t row) const {
    add_block(by_q.block(0, 0, by_q.rows, source_.n), factor, j.block(row, 0, by_q.rows, source_.n));
    add_block(by_q.block(0, source_.n, by_q.rows, 1), factor, j.block(row, j.cols - 1, by_q.rows, 1));
  }
  void add_qvs_and_t(ConstMatrixView by_all, double factor, MatrixView j, std::size_t row) const {
    const std::size_t qvs = 2 * source_.n + source_.r;
    add_block(by_all.block(0, 0, by_all.rows, qvs), factor, j.block(row, 0, by_all.rows, qvs));
    add_block(by_all.block(0, qvs, by_all.rows, 1), factor, j.block(row, j.cols - 1, by_all.rows, 1));
  }

  MechanicalSource source_;
};

}  // namespace

Index1 as_index1(const Mechanical& form) {
  const std::size_t differential = 2 * form.q_size() + form.s_size();
  const std::size_t size = differential + form.q_size() + form.lambda_size();
  const Layout& layout = form.layout();
  const Names q = names_of(layout, "q"), v = names_of(layout, "v"), s = names_of(layout, "s");
  Names balances;
  for (const auto& name : q) balances.push_back("balance of " + name);
  Index1::Shape shape{.projector = ConstantMatrix::leading_identity(size, differential)};
  const Names states = joined(joined(q, v), s);
  shape.x_names = joined(joined(states, with_suffix(v, "'")), names_of(layout, "lambda"));
  shape.equation_names = joined(joined(states, balances), with_suffix(form.constraint_names(), "''"));
  return convert<Index1, AccelerationLevel>(form, std::move(shape));
}

Vector state_as_index1(const Mechanical& form, double t, ConstSpan state) {
  const Vector start = state_as_index3(form, t, state);
  const std::size_t n = form.q_size();
  Vector slope(start.size());
  if (const auto status = make_manifold(form)->derivative(t, start, slope); status != ManifoldStatus::ok)
    throw FailedRun(explain(status, form, t, start));
  Vector result = start;
  const auto at = result.end() - static_cast<std::ptrdiff_t>(form.lambda_size());
  result.insert(at, slope.begin() + static_cast<std::ptrdiff_t>(n), slope.begin() + static_cast<std::ptrdiff_t>(2 * n));
  return result;
}

}  // namespace driftless
