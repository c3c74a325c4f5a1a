#include "driftless/analysis/geometric/embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/equations/convert_parts.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/spectrum.h"

namespace driftless {

namespace {

class ConstantDecay final : public DecayMatrix {
 public:
  explicit ConstantDecay(Matrix b) : b_(std::move(b)) {}
  void value(ConstSpan, double, MatrixView out) const override {
    for (std::size_t j = 0; j < b_.cols(); ++j)
      for (std::size_t i = 0; i < b_.rows(); ++i) out(i, j) = b_(i, j);
  }
  void product_jacobian(ConstSpan, double, ConstSpan, MatrixView j) const override { j.fill(0.0); }

 private:
  Matrix b_;
};

// (3.1), with derivatives composed from those of the original. "u" of the new form is (u, v).
class EmbeddedFunctions final : public Index2::Functions {
 public:
  EmbeddedFunctions(const Index2& original, std::shared_ptr<const DecayMatrix> decay, bool automatic)
      : original_(original),
        f_(automatic ? &original_.automatic() : &original_.functions()),
        decay_(std::move(decay)),
        n_(original.u_size()),
        m_(original.lambda_size()) {}

  bool has_gamma() const override { return f_->has_gamma(); }
  void gamma(ConstSpan x, double t, MatrixView out) const override {
    out.fill(0.0);
    add_identity(out);
    f_->gamma(u(x), t, out.block(0, 0, n_, n_));
  }
  void gamma_jacobian(ConstSpan x, double t, ConstSpan w, MatrixView j) const override {
    Scratch scratch;
    const MatrixView by_u = take_matrix(scratch, n_, n_ + 1);
    f_->gamma_jacobian(u(x), t, u(w), by_u);
    j.fill(0.0);
    spread(by_u, 1.0, j, 0);
  }

  void f(ConstSpan x, ConstSpan lambda, double t, Span out) const override {
    f_->f(u(x), lambda, t, out.subspan(0, n_));
    Scratch scratch;
    const MatrixView b = take_matrix(scratch, m_, m_);
    decay_->value(u(x), t, b);
    const Span rate = out.subspan(n_, m_);
    std::fill(rate.begin(), rate.end(), 0.0);
    add_product(b, v(x), rate);
    for (double& value : rate) value = -value;
  }
  void f_jacobian(ConstSpan x, ConstSpan lambda, double t, MatrixView j) const override {
    Scratch scratch;
    const MatrixView by_all = take_matrix(scratch, n_, n_ + m_ + 1), by_u = take_matrix(scratch, m_, n_ + 1);
    const MatrixView b = take_matrix(scratch, m_, m_);
    f_->f_jacobian(u(x), lambda, t, by_all);
    j.fill(0.0);
    add_block(by_all.block(0, 0, n_, n_), 1.0, j.block(0, 0, n_, n_));
    add_block(by_all.block(0, n_, n_, m_), 1.0, j.block(0, n_ + m_, n_, m_));
    add_block(by_all.block(0, n_ + m_, n_, 1), 1.0, j.block(0, j.cols - 1, n_, 1));
    decay_->product_jacobian(u(x), t, v(x), by_u);
    spread(by_u, -1.0, j, n_);
    decay_->value(u(x), t, b);
    add_block(b, -1.0, j.block(n_, n_, m_, m_));
  }

  void g(ConstSpan x, double t, Span out) const override {
    f_->g(u(x), t, out);
    for (std::size_t i = 0; i < m_; ++i) out[i] -= v(x)[i];
  }
  void g_jacobian(ConstSpan x, double t, MatrixView j) const override {
    Scratch scratch;
    const MatrixView by_u = take_matrix(scratch, m_, n_ + 1);
    f_->g_jacobian(u(x), t, by_u);
    j.fill(0.0);
    spread(by_u, 1.0, j, 0);
    for (std::size_t i = 0; i < m_; ++i) j(i, n_ + i) -= 1.0;
  }

 private:
  ConstSpan u(ConstSpan x) const { return x.subspan(0, n_); }
  ConstSpan v(ConstSpan x) const { return x.subspan(n_, m_); }
  // Columns (u, t) of some rows; time is the last column.
  void spread(ConstMatrixView by_u, double factor, MatrixView j, std::size_t row) const {
    add_block(by_u.block(0, 0, by_u.rows, n_), factor, j.block(row, 0, by_u.rows, n_));
    add_block(by_u.block(0, n_, by_u.rows, 1), factor, j.block(row, j.cols - 1, by_u.rows, 1));
  }

  Index2 original_;
  const Index2::Functions* f_;
  std::shared_ptr<const DecayMatrix> decay_;
  std::size_t n_, m_;
};

Index2 embedded_equations(const Index2& original, const std::shared_ptr<const DecayMatrix>& decay) {
  const std::size_t n = original.u_size(), m = original.lambda_size();
  if (m == 0) throw Misuse("there is no constraint to embed");
  Index2::Shape shape{.u = n + m, .lambda = m, .constraint_names = original.constraint_names()};
  for (std::size_t i = 0; i < n + m; ++i) {
    if (i == n)
      for (const auto& name : original.constraint_names()) shape.u_names.push_back(fmt::format("v({})", name));
    (i < n ? shape.u_names : shape.lambda_names).push_back(original.layout().name(i));
  }
  std::shared_ptr<const Index2::Functions> automatic;
  if (&original.automatic() != &original.functions())
    automatic = std::make_shared<const EmbeddedFunctions>(original, decay, true);
  return Index2(shape, std::make_shared<const EmbeddedFunctions>(original, decay, false), automatic);
}

double norm_of_minus(const Matrix& b) {
  Matrix minus(b.rows(), b.cols());
  for (std::size_t j = 0; j < b.cols(); ++j)
    for (std::size_t i = 0; i < b.rows(); ++i) minus(i, j) = -b(i, j);
  return largest_symmetric_eigenvalue(minus);
}

}  // namespace

Embedding::Embedding(const Index2& original, std::shared_ptr<const DecayMatrix> decay)
    : original_(original), equations_(embedded_equations(original, decay)), decay_(std::move(decay)) {}

double Embedding::logarithmic_norm(double t, ConstSpan u) const {
  const std::size_t m = original_.lambda_size();
  Matrix b(m, m);
  decay_->value(u.subspan(0, original_.u_size()), t, b);
  return norm_of_minus(b);
}

Result<Vector> Embedding::state(double t, ConstSpan given) const {
  const std::size_t n = original_.u_size(), m = original_.lambda_size();
  if (given.size() != n && given.size() != n + m)
    throw Misuse(fmt::format("a start of the embedding has {} values (or {} with multipliers), but {} were given", n,
                             n + m, given.size()));
  Vector state(n + 2 * m);
  std::copy_n(given.begin(), n, state.begin());
  original_.functions().g(given.subspan(0, n), t, Span(state).subspan(n, m));
  std::copy(given.begin() + static_cast<std::ptrdiff_t>(n), given.end(),
            state.begin() + static_cast<std::ptrdiff_t>(n + m));
  const auto status = make_manifold(equations_)->set_multipliers(t, state);
  if (status != ManifoldStatus::ok) return explain(status, equations_, t, state);
  return state;
}

Embedding embed(const Index2& original, double rate) {
  if (!(rate > 0.0) || !std::isfinite(rate))
    throw Misuse(
        fmt::format("B = rate I must have a positive rate to lead back to the constraint, but it is {}", rate));
  Matrix b(original.lambda_size(), original.lambda_size());
  for (std::size_t i = 0; i < b.rows(); ++i) b(i, i) = rate;
  return Embedding(original, std::make_shared<const ConstantDecay>(std::move(b)));
}

Embedding embed(const Index2& original, const Matrix& b) {
  const std::size_t m = original.lambda_size();
  if (b.rows() != m || b.cols() != m)
    throw Misuse(fmt::format("B is {} x {}, but there are {} constraints", b.rows(), b.cols(), m));
  const double norm = norm_of_minus(b);
  if (!(norm < 0.0))
    throw Misuse(fmt::format(
        "B is not stable: the logarithmic norm of -B is {:.6g}, but it must be below 0, or solutions do not "
        "approach the constraint",
        norm));
  return Embedding(original, std::make_shared<const ConstantDecay>(b));
}

}  // namespace driftless
