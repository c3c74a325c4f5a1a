#include "driftless/equations/index2_normal.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/memory.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/decisive.h"
#include "driftless/linalg/saddle_system.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

class DenseNormal final : public Index2Normal {
 public:
  DenseNormal(std::shared_ptr<const Index2::Functions> functions, std::size_t n, std::size_t m, ConstSpan sizes)
      : f_(std::move(functions)),
        n_(n),
        m_(m),
        has_gamma_(f_->has_gamma()),
        gamma_(has_gamma_ ? n_ : 0),
        g_jacobian_(m_, n_ + 1),
        direction_(n_, m_),
        s_(m_) {
    s_.set_sizes(sizes);
  }

  ManifoldStatus set_gamma(double t, ConstSpan u) override {
    if (!has_gamma_) return ManifoldStatus::ok;
    f_->gamma(u, t, gamma_.matrix());
    if (!all_finite({gamma_.matrix().data(), n_ * n_})) return ManifoldStatus::not_finite;
    return gamma_.factorise() ? ManifoldStatus::ok : ManifoldStatus::gamma_singular;
  }
  void set_directions(double t, ConstSpan u, ConstSpan lambda) override { f_->f_by_lambda(u, lambda, t, direction_); }
  void set_gradients(double t, ConstSpan u) override { f_->g_jacobian(u, t, g_jacobian_); }
  ManifoldStatus factorise() override;

  void solve_gamma(Span x) const override {
    if (has_gamma_) gamma_.solve(x);
  }
  void time_derivative(Span out) const override { std::ranges::copy(g_jacobian_.view().column(n_), out.begin()); }
  void add_gradients(ConstSpan x, Span out) const override {
    for (std::size_t i = 0; i < m_; ++i) {
      double sum = out[i];
      for (std::size_t j = 0; j < n_; ++j) sum += g_jacobian_(i, j) * x[j];
      out[i] = sum;
    }
  }
  void add_sizes(ConstSpan x, Span out) const override {
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < m_; ++i) out[i] += std::abs(g_jacobian_(i, j)) * x[j];
  }

  bool regular() const override { return s_.regular(); }
  void solve(Span mu) override { s_.solve(mu); }
  void push(double factor, ConstSpan mu, Span x) const override {
    for (std::size_t j = 0; j < n_; ++j) {
      double sum = x[j];
      for (std::size_t i = 0; i < m_; ++i) sum += direction_(j, i) * (factor * mu[i]);
      x[j] = sum;
    }
  }
  void correct(Span d, ConstSpan at) override { s_.correct(d, at); }

  Determinant determinant() const override { return s_.determinant(); }
  double log_scale() const override {
    double sum = 0.0;
    for (std::size_t i = 0; i < m_; ++i) {
      double row = 0.0, column = 0.0;
      for (std::size_t j = 0; j < n_; ++j) {
        row += g_jacobian_(i, j) * g_jacobian_(i, j);
        column += direction_(j, i) * direction_(j, i);
      }
      sum += 0.5 * std::log(row * column);
    }
    return sum;
  }
  void copy_decisive(Matrix& out) override { out = s_.matrix(); }
  Redundancy redundancy() const override {
    if (s_.regular()) return {};
    Redundancy found = redundancy_of(s_.matrix());
    const auto gradients = g_jacobian_.view().block(0, 0, m_, n_);
    return analyse_rows(gradients).dependent_rows.size() == found.rows.size() ? found : Redundancy{};
  }
  void copy_gradients(Matrix& out) const override {
    out = Matrix(m_, n_);
    std::copy_n(g_jacobian_.data(), m_ * n_, out.data());
  }

 private:
  std::shared_ptr<const Index2::Functions> f_;
  std::size_t n_, m_;
  bool has_gamma_;
  RealLu gamma_;
  Matrix g_jacobian_, direction_;  // f_lambda, and Gamma^-1 f_lambda once it is factorised
  DecisiveMatrix s_;
};

ManifoldStatus DenseNormal::factorise() {
  Matrix& s = s_.matrix();
  for (std::size_t l = 0; l < m_; ++l) {
    if (l % 16 == 15) check_stop();
    if (has_gamma_) gamma_.solve(direction_.view().column(l));
    for (std::size_t i = 0; i < m_; ++i) {
      s(i, l) = 0.0;
      for (std::size_t j = 0; j < n_; ++j) s(i, l) += g_jacobian_(i, j) * direction_(j, l);
    }
  }
  if (!all_finite({s.data(), m_ * m_})) return ManifoldStatus::not_finite;
  s_.factorise();
  return ManifoldStatus::ok;
}

// K = [Gamma, -f_lambda; g_u, 0] is factorised instead of S; Gamma by itself as well, for slopes.
class SparseNormal final : public Index2Normal {
 public:
  SparseNormal(std::shared_ptr<const Index2::Functions> functions, std::size_t n, std::size_t m,
               const Index2::Functions::Patterns& patterns, SaddleSystem saddle)
      : f_(std::move(functions)),
        n_(n),
        m_(m),
        f_lambda_pattern_(columns_of(patterns.f, n_, m_)),
        g_(patterns.g),
        saddle_(std::move(saddle)),
        constant_({patterns.constant_gamma, patterns.constant_f_lambda, patterns.constant_g}),
        gamma_values_(patterns.gamma.count(), 1.0),
        f_lambda_(f_lambda_pattern_.count()),
        g_values_(g_.count()),
        pushed_(n_ + m_) {
    if (f_->has_gamma()) gamma_.emplace(patterns.gamma);
  }

  ManifoldStatus set_gamma(double t, ConstSpan u) override {
    if (!gamma_ || known_.gamma) return ManifoldStatus::ok;
    f_->gamma_values(u, t, gamma_values_);
    if (!all_finite(gamma_values_)) return ManifoldStatus::not_finite;
    if (!gamma_->factorise({gamma_values_})) return ManifoldStatus::gamma_singular;
    known_.gamma = constant_.gamma;
    return ManifoldStatus::ok;
  }
  void set_directions(double t, ConstSpan u, ConstSpan lambda) override {
    if (!known_.f_lambda) f_->f_lambda_values(u, lambda, t, f_lambda_);
    known_.f_lambda = constant_.f_lambda;
  }
  void set_gradients(double t, ConstSpan u) override {
    if (!known_.g) f_->g_values(u, t, g_values_);
    known_.g = constant_.g;
  }
  ManifoldStatus factorise() override {
    saddle_.set_a(gamma_values_);
    saddle_.set_b(f_lambda_);
    saddle_.set_g(ConstSpan(g_values_).first(g_.begin[n_]));
    if (!saddle_.is_finite()) return ManifoldStatus::not_finite;
    saddle_.factorise();
    return ManifoldStatus::ok;
  }

  void solve_gamma(Span x) const override {
    if (gamma_) gamma_->solve(x);
  }
  void time_derivative(Span out) const override {
    std::ranges::fill(out, 0.0);
    for (std::size_t k = g_.begin[n_]; k < g_.begin[n_ + 1]; ++k) out[g_.row[k]] = g_values_[k];
  }
  void add_gradients(ConstSpan x, Span out) const override {
    for (std::size_t j = 0, k = 0; j < n_; ++j)
      for (; k < g_.begin[j + 1]; ++k) out[g_.row[k]] += g_values_[k] * x[j];
  }
  void add_sizes(ConstSpan x, Span out) const override {
    for (std::size_t j = 0, k = 0; j < n_; ++j)
      for (; k < g_.begin[j + 1]; ++k) out[g_.row[k]] += std::abs(g_values_[k]) * x[j];
  }

  bool has_constant_directions() const override { return constant_.f_lambda; }
  bool regular() const override { return saddle_.regular(); }
  void solve(Span mu) override {
    std::fill_n(pushed_.begin(), n_, 0.0);
    std::ranges::copy(mu, pushed_.begin() + static_cast<std::ptrdiff_t>(n_));
    saddle_.solve(pushed_);
    std::copy_n(pushed_.begin() + static_cast<std::ptrdiff_t>(n_), m_, mu.begin());
  }
  void push(double factor, ConstSpan, Span x) const override {
    for (std::size_t j = 0; j < n_; ++j) x[j] += factor * pushed_[j];
  }
  // at - d is what has to be small.
  void correct(Span d, ConstSpan at) override {
    solve(d);
    if (regular()) return;
    for (std::size_t i = 0; i < m_; ++i) d[i] = at[i] - d[i];
    saddle_.make_least(d);
    for (std::size_t i = 0; i < m_; ++i) d[i] = at[i] - d[i];
  }
  Redundancy redundancy() const override { return saddle_.redundancy(); }

  Determinant determinant() const override {
    if (!saddle_.regular()) return {};
    Determinant result = saddle_.determinant();
    if (!gamma_) return result;
    const Determinant gamma = gamma_->determinant();
    return {.sign = result.sign * gamma.sign, .log = result.log - gamma.log};
  }
  double log_scale() const override { return determinant().log; }  // the matrix is compared with itself
  bool is_sparse() const override { return true; }
  void examine(Manifold::Examination& out) const override {
    out = {.regular = saddle_.regular(),
           .rank = saddle_.rank(),
           .redundant = saddle_.redundancy().rows,
           .undetermined = saddle_.undetermined(),
           .pivot_ratio = saddle_.pivot_ratio()};
  }
  void copy_decisive(Matrix& out) override;
  void copy_gradients(Matrix& out) const override {
    require_memory(8.0 * static_cast<double>(n_) * static_cast<double>(m_), "the derivatives of all constraints");
    out = Matrix(m_, n_);
    for (std::size_t j = 0, k = 0; j < n_; ++j)
      for (; k < g_.begin[j + 1]; ++k) out(g_.row[k], j) = g_values_[k];
  }
  void copy_gradients(Pattern& pattern, Vector& values) const override {
    pattern = columns_of(g_, 0, n_);
    values.assign(g_values_.begin(), g_values_.begin() + static_cast<std::ptrdiff_t>(pattern.count()));
  }
  void hold_gradients(const std::vector<char>& free) override {
    known_.g = false;
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t k = g_.begin[j]; k < g_.begin[j + 1] && !free[j]; ++k) g_values_[k] = 0.0;
  }

 private:
  std::shared_ptr<const Index2::Functions> f_;
  std::size_t n_, m_;
  Pattern f_lambda_pattern_, g_;
  SaddleSystem saddle_;
  std::optional<LinearSystem> gamma_;
  struct Which {
    bool gamma = false, f_lambda = false, g = false;
  };
  Which constant_, known_;  // what is the same everywhere, and what of it is at hand
  Vector gamma_values_, f_lambda_, g_values_;
  Vector pushed_;  // (d, mu) of the last solution
};

// S itself, column by column, for who looks at a small one that way.
void SparseNormal::copy_decisive(Matrix& out) {
  require_dense(m_, 1.0, "the matrix of the constraints");
  out = Matrix(m_, m_);
  Vector column(n_);
  for (std::size_t l = 0; l < m_; ++l) {
    check_stop();
    std::ranges::fill(column, 0.0);
    for (std::size_t k = f_lambda_pattern_.begin[l]; k < f_lambda_pattern_.begin[l + 1]; ++k)
      column[f_lambda_pattern_.row[k]] = f_lambda_[k];
    solve_gamma(column);
    add_gradients(column, out.view().column(l));
  }
}

}  // namespace

std::unique_ptr<Index2Normal> make_normal(std::shared_ptr<const Index2::Functions> functions, std::size_t n,
                                          std::size_t m, ConstSpan sizes) {
  if (const auto* const known = functions->patterns()) {
    SaddleSystem saddle(known->gamma, columns_of(known->f, n, m), columns_of(known->g, 0, n));
    if (saddle.is_sparse()) return std::make_unique<SparseNormal>(functions, n, m, *known, std::move(saddle));
  }
  require_dense(n + m, 2.0, "the constraints and their derivatives");
  return std::make_unique<DenseNormal>(std::move(functions), n, m, sizes);
}

std::unique_ptr<Index2Normal> make_normal(const Index2& form) {
  const ConstSpan sizes = form.layout().sizes();
  const std::size_t n = form.u_size(), m = form.lambda_size();
  return make_normal(form.share(), n, m, sizes.empty() ? sizes : sizes.subspan(n, m));
}

}  // namespace driftless
