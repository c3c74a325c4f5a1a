#include "driftless/equations/index3_normal.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "driftless/core/memory.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/decisive.h"
#include "driftless/linalg/saddle_system.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

class DenseIndex3Normal final : public Index3Normal {
 public:
  DenseIndex3Normal(std::shared_ptr<const Index3::Functions> functions, std::size_t n, std::size_t p, std::size_t m,
                    ConstSpan sizes)
      : f_(std::move(functions)),
        n_(n),
        p_(p),
        m_(m),
        f_jacobian_(n_, n_ + p_ + 1),
        k_jacobian_(p_, n_ + p_ + m_ + 1),
        g_jacobian_(m_, n_ + 1),
        row_(m_, p_),
        s_(m_) {
    s_.set_sizes(sizes);
  }

  void set_rates(double t, ConstSpan u, ConstSpan v) override { f_->f_jacobian(u, v, t, f_jacobian_); }
  void set_directions(double t, ConstSpan u, ConstSpan v, ConstSpan lambda) override {
    f_->k_jacobian(u, v, lambda, t, k_jacobian_);
  }
  void set_gradients(double t, ConstSpan u) override { f_->g_jacobian(u, t, g_jacobian_); }
  ManifoldStatus factorise() override;

  void time_derivative(Span out) const override { std::ranges::copy(g_jacobian_.view().column(n_), out.begin()); }
  void add_gradients(ConstSpan x, Span out) const override { add_product(g_jacobian_, 0, x, out); }
  void add_velocity_gradients(ConstSpan x, Span out) const override { add_product(row_, 0, x, out); }
  void accelerate(ConstSpan slope, ConstSpan rate, Span out) const override {
    std::ranges::copy(f_jacobian_.view().column(n_ + p_), out.begin());
    add_product(f_jacobian_, 0, slope, out);
    add_product(f_jacobian_, n_, rate, out);
  }
  void add_rates(double factor, ConstSpan x, Span out) const override {
    for (std::size_t k = 0; k < p_; ++k)
      for (std::size_t j = 0; j < n_; ++j) out[j] += factor * (f_jacobian_(j, n_ + k) * x[k]);
  }
  void push(ConstSpan mu, Span out) const override {
    std::ranges::fill(out, 0.0);
    add_product(k_jacobian_, n_ + p_, mu, out);
  }

  bool regular() const override { return s_.regular(); }
  void solve(Span mu) override { s_.solve(mu); }
  void correct(Span d, ConstSpan at) override { s_.correct(d, at); }
  Determinant determinant() const override { return s_.determinant(); }
  double log_scale() const override;

  void copy_decisive(Matrix& out) override { out = s_.matrix(); }
  void copy_gradients(int level, Matrix& out) const override {
    if (level == 2) return void(out = row_);
    out = Matrix(m_, n_);
    std::copy_n(g_jacobian_.data(), m_ * n_, out.data());
  }
  Redundancy redundancy() const override { return s_.regular() ? Redundancy{} : redundancy_of(s_.matrix()); }

 private:
  // out += a x for the columns of a from `first` on.
  static void add_product(const Matrix& a, std::size_t first, ConstSpan x, Span out) {
    for (std::size_t j = 0; j < x.size(); ++j)
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += a(i, first + j) * x[j];
  }

  std::shared_ptr<const Index3::Functions> f_;
  std::size_t n_, p_, m_;
  Matrix f_jacobian_, k_jacobian_, g_jacobian_, row_;  // row = g_u f_v
  DecisiveMatrix s_;
};

ManifoldStatus DenseIndex3Normal::factorise() {
  Matrix& s = s_.matrix();
  for (std::size_t i = 0; i < m_; ++i) {
    for (std::size_t k = 0; k < p_; ++k) {
      row_(i, k) = 0.0;
      for (std::size_t j = 0; j < n_; ++j) row_(i, k) += g_jacobian_(i, j) * f_jacobian_(j, n_ + k);
    }
    for (std::size_t l = 0; l < m_; ++l) {
      s(i, l) = 0.0;
      for (std::size_t k = 0; k < p_; ++k) s(i, l) += row_(i, k) * k_jacobian_(k, n_ + p_ + l);
    }
  }
  if (!all_finite({s.data(), m_ * m_})) return ManifoldStatus::not_finite;
  s_.factorise();
  return ManifoldStatus::ok;
}

// Of the rows of g_u f_v and the columns of k_lambda.
double DenseIndex3Normal::log_scale() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < m_; ++i) {
    double row = 0.0, column = 0.0;
    for (std::size_t j = 0; j < p_; ++j) {
      row += row_(i, j) * row_(i, j);
      column += k_jacobian_(j, n_ + p_ + i) * k_jacobian_(j, n_ + p_ + i);
    }
    sum += 0.5 * std::log(row * column);
  }
  return sum;
}

// A block of columns of a pattern with its values.
struct Columns {
  const Pattern& pattern;
  std::size_t first, count;
  const Vector& values;

  template <class See>
  void see(See&& see) const {
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t e = pattern.begin[first + j]; e < pattern.begin[first + j + 1]; ++e)
        see(static_cast<std::size_t>(pattern.row[e]), j, values[e]);
  }
  void add_product(double factor, ConstSpan x, Span out) const {
    see([&](std::size_t i, std::size_t j, double value) { out[i] += factor * (value * x[j]); });
  }
  ConstSpan all() const {
    return ConstSpan(values).subspan(pattern.begin[first], pattern.begin[first + count] - pattern.begin[first]);
  }
};

// A = [I, -f_v; 0, I]: the ones come first in each column, then f_v.
Pattern unit_triangle(std::size_t n, std::size_t p, const Pattern& f_v) {
  Pattern a{.rows = n + p, .cols = n + p, .begin = {0}, .row = {}};
  for (std::size_t j = 0; j < n + p; ++j) {
    if (j >= n)
      for (std::size_t e = f_v.begin[j - n]; e < f_v.begin[j - n + 1]; ++e) a.row.push_back(f_v.row[e]);
    a.row.push_back(static_cast<std::uint32_t>(j));
    a.begin.push_back(static_cast<std::uint32_t>(a.row.size()));
  }
  return a;
}

// The same entries with rows below, or columns behind them.
Pattern lowered(Pattern pattern, std::size_t by) {
  pattern.rows += by;
  for (std::uint32_t& row : pattern.row) row += static_cast<std::uint32_t>(by);
  return pattern;
}
Pattern widened(Pattern pattern, std::size_t by) {
  pattern.cols += by;
  pattern.begin.insert(pattern.begin.end(), by, pattern.begin.back());
  return pattern;
}

class SparseIndex3Normal final : public Index3Normal {
 public:
  SparseIndex3Normal(std::shared_ptr<const Index3::Functions> functions, std::size_t n, std::size_t p, std::size_t m,
                     SaddleSystem saddle)
      : f_(std::move(functions)),
        n_(n),
        p_(p),
        m_(m),
        patterns_(*f_->patterns()),
        saddle_(std::move(saddle)),
        f_values_(patterns_.f.count()),
        k_values_(patterns_.k.count()),
        g_values_(patterns_.g.count()),
        solved_(n + p + m) {}

  void set_rates(double t, ConstSpan u, ConstSpan v) override { f_->f_values(u, v, t, f_values_); }
  void set_directions(double t, ConstSpan u, ConstSpan v, ConstSpan lambda) override {
    f_->k_values(u, v, lambda, t, k_values_);
  }
  void set_gradients(double t, ConstSpan u) override { f_->g_values(u, t, g_values_); }
  ManifoldStatus factorise() override;

  void time_derivative(Span out) const override {
    std::ranges::fill(out, 0.0);
    g_t().add_product(1.0, one_, out);
  }
  void add_gradients(ConstSpan x, Span out) const override { g_u().add_product(1.0, x, out); }
  void add_velocity_gradients(ConstSpan x, Span out) const override {
    Vector& moved = moved_;
    moved.assign(n_, 0.0);
    f_v().add_product(1.0, x, moved);
    g_u().add_product(1.0, moved, out);
  }
  void accelerate(ConstSpan slope, ConstSpan rate, Span out) const override {
    std::ranges::fill(out, 0.0);
    columns(patterns_.f, f_values_, n_ + p_, 1).add_product(1.0, one_, out);
    columns(patterns_.f, f_values_, 0, n_).add_product(1.0, slope, out);
    f_v().add_product(1.0, rate, out);
  }
  void add_rates(double factor, ConstSpan x, Span out) const override { f_v().add_product(factor, x, out); }
  void push(ConstSpan mu, Span out) const override {
    std::ranges::fill(out, 0.0);
    k_lambda().add_product(1.0, mu, out);
  }

  bool regular() const override { return saddle_.regular(); }
  void solve(Span mu) override {
    std::ranges::fill(solved_, 0.0);
    std::ranges::copy(mu, solved_.end() - static_cast<std::ptrdiff_t>(m_));
    saddle_.solve(solved_);
    std::copy_n(solved_.end() - static_cast<std::ptrdiff_t>(m_), m_, mu.begin());
  }
  void correct(Span d, ConstSpan at) override {
    solve(d);
    if (regular()) return;
    for (std::size_t i = 0; i < m_; ++i) d[i] = at[i] - d[i];
    saddle_.make_least(d);
    for (std::size_t i = 0; i < m_; ++i) d[i] = at[i] - d[i];
  }
  Determinant determinant() const override { return saddle_.determinant(); }
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
  void copy_gradients(int level, Matrix& out) const override;
  void copy_gradients(int level, Pattern& pattern, Vector& values) const override;
  void hold(int level, const std::vector<char>& free) override;
  Redundancy redundancy() const override { return saddle_.redundancy(); }

 private:
  static Columns columns(const Pattern& pattern, const Vector& values, std::size_t first, std::size_t count) {
    return {pattern, first, count, values};
  }
  Columns f_v() const { return columns(patterns_.f, f_values_, n_, p_); }
  Columns k_lambda() const { return columns(patterns_.k, k_values_, n_ + p_, m_); }
  Columns g_u() const { return columns(patterns_.g, g_values_, 0, n_); }
  Columns g_t() const { return columns(patterns_.g, g_values_, n_, 1); }

  std::shared_ptr<const Index3::Functions> f_;
  std::size_t n_, p_, m_;
  Index3::Functions::Patterns patterns_;
  SaddleSystem saddle_;
  Vector f_values_, k_values_, g_values_, a_values_, solved_, one_ = {1.0};
  mutable Vector moved_;
};

ManifoldStatus SparseIndex3Normal::factorise() {
  a_values_.assign(n_, 1.0);
  const Columns f = f_v();
  for (std::size_t k = 0; k < p_; ++k) {
    for (std::size_t e = f.pattern.begin[n_ + k]; e < f.pattern.begin[n_ + k + 1]; ++e)
      a_values_.push_back(-f.values[e]);
    a_values_.push_back(1.0);
  }
  saddle_.set_a(a_values_);
  saddle_.set_b(k_lambda().all());
  saddle_.set_g(g_u().all());
  if (!saddle_.is_finite()) return ManifoldStatus::not_finite;
  saddle_.factorise();
  return ManifoldStatus::ok;
}

// Column by column, for who looks at a small one that way.
void SparseIndex3Normal::copy_decisive(Matrix& out) {
  require_dense(m_, 1.0, "the matrix of the constraints");
  out = Matrix(m_, m_);
  Vector unit(m_, 0.0), turn(p_);
  for (std::size_t l = 0; l < m_; ++l) {
    check_stop();
    unit[l] = 1.0;
    push(unit, turn);
    add_velocity_gradients(turn, out.view().column(l));
    unit[l] = 0.0;
  }
}

void SparseIndex3Normal::copy_gradients(int level, Matrix& out) const {
  Pattern pattern;
  Vector values;
  copy_gradients(level, pattern, values);
  require_memory(8.0 * static_cast<double>(pattern.rows) * static_cast<double>(pattern.cols),
                 "the derivatives of all constraints");
  out = Matrix(pattern.rows, pattern.cols);
  for (std::size_t j = 0, e = 0; j < pattern.cols; ++j)
    for (; e < pattern.begin[j + 1]; ++e) out(pattern.row[e], j) = values[e];
}

void SparseIndex3Normal::copy_gradients(int level, Pattern& pattern, Vector& values) const {
  if (level == 1) {
    const ConstSpan all = g_u().all();
    pattern = columns_of(patterns_.g, 0, n_);
    values.assign(all.begin(), all.end());
    return;
  }
  pattern = {.rows = m_, .cols = p_, .begin = {0}, .row = {}};
  values.clear();
  for (std::size_t k = 0; k < p_; ++k) {
    std::map<std::uint32_t, double> column;
    columns(patterns_.f, f_values_, n_ + k, 1).see([&](std::size_t j, std::size_t, double rate) {
      columns(patterns_.g, g_values_, j, 1).see([&](std::size_t i, std::size_t, double gradient) {
        column[static_cast<std::uint32_t>(i)] += gradient * rate;
      });
    });
    for (const auto& [row, value] : column) {
      pattern.row.push_back(row);
      values.push_back(value);
    }
    pattern.begin.push_back(static_cast<std::uint32_t>(pattern.row.size()));
  }
}

void SparseIndex3Normal::hold(int level, const std::vector<char>& free) {
  const Pattern& pattern = level == 1 ? patterns_.g : patterns_.k;
  Vector& values = level == 1 ? g_values_ : k_values_;
  for (std::size_t j = 0; level == 1 && j < n_; ++j)
    for (std::size_t e = pattern.begin[j]; e < pattern.begin[j + 1] && !free[j]; ++e) values[e] = 0.0;
  for (std::size_t e = pattern.begin[n_ + p_ * (level == 2)]; level == 2 && e < values.size(); ++e)
    if (!free[n_ + pattern.row[e]]) values[e] = 0.0;
}

}  // namespace

std::unique_ptr<Index3Normal> make_normal(std::shared_ptr<const Index3::Functions> functions, std::size_t n,
                                          std::size_t p, std::size_t m, ConstSpan sizes) {
  if (const auto* const known = functions->patterns()) {
    SaddleSystem saddle(unit_triangle(n, p, columns_of(known->f, n, p)), lowered(columns_of(known->k, n + p, m), n),
                        widened(columns_of(known->g, 0, n), p));
    if (saddle.is_sparse())
      return std::make_unique<SparseIndex3Normal>(std::move(functions), n, p, m, std::move(saddle));
  }
  require_dense(n + p + m, 2.0, "the constraints and their derivatives");
  return std::make_unique<DenseIndex3Normal>(std::move(functions), n, p, m, sizes);
}

}  // namespace driftless
