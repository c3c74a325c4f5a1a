#include "driftless/linalg/saddle_redundancy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/block_pattern.h"
#include "driftless/linalg/fill_order.h"
#include "driftless/linalg/linear_system.h"

namespace driftless {

SaddleUnits::SaddleUnits(const Pattern& k, std::size_t n) : rows(k.rows - n), columns(k.rows - n) {}

void SaddleUnits::see(const Pattern& k, std::size_t n, ConstSpan values) {
  std::ranges::fill(rows, 0.0);
  std::ranges::fill(columns, 0.0);
  a = 0.0;
  for (std::size_t j = 0, e = 0; j < k.cols; ++j)
    for (; e < k.begin[j + 1]; ++e) {
      const double x = std::abs(values[e]);
      if (j >= n && k.row[e] < n) columns[j - n] = std::max(columns[j - n], x);
      if (j < n && k.row[e] >= n) rows[k.row[e] - n] = std::max(rows[k.row[e] - n], x);
      if (j < n && k.row[e] < n) a = std::max(a, x);
    }
  for (double& x : rows) x = x > 0.0 ? x : 1.0;
  for (double& x : columns) x = x > 0.0 ? x / a : 1.0;
}

namespace {

constexpr double delta = rank_tolerance;

double dot(ConstSpan x, ConstSpan y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// K with delta in its empty block, in units.
class Shifted {
 public:
  Shifted(const Pattern& k, std::size_t n, ConstSpan values) : n_(n), m_(k.rows - n) {
    SaddleUnits units(k, n);
    units.see(k, n, values);
    Pattern pattern{.rows = n + m_, .cols = n + m_, .begin = {0}, .row = {}};
    Vector all;
    const auto add = [&](std::size_t row, double x) {
      pattern.row.push_back(static_cast<std::uint32_t>(row));
      all.push_back(x);
    };
    for (std::size_t j = 0, e = 0; j < k.cols; ++j) {
      for (; e < k.begin[j + 1]; ++e) {
        const std::size_t i = k.row[e];
        add(i, values[e] / (i < n ? units.a : units.rows[i - n]) / (j < n ? 1.0 : units.columns[j - n]));
      }
      if (j >= n) add(j, delta);
      pattern.begin.push_back(static_cast<std::uint32_t>(pattern.row.size()));
    }
    system_.emplace(pattern);
    if (system_->follows_orders()) system_.emplace(pattern, order_of(k, pattern, all));
    is_factorised_ = system_->factorise({all});
  }

  bool is_factorised() const { return is_factorised_; }
  // w := (S + delta)^-1 w, or that of S^T
  void apply(Span w, bool transposed) const {
    Scratch scratch;
    const Span x = scratch.take<double>(n_ + m_);
    std::ranges::copy(w, x.begin() + static_cast<std::ptrdiff_t>(n_));
    if (transposed)
      system_->solve_transposed(x);
    else
      system_->solve(x);
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(n_), m_, w.begin());
  }

 private:
  // That of K, which has the same neighbours.
  std::vector<std::uint32_t> order_of(const Pattern& k, const Pattern& pattern, ConstSpan values) const {
    const auto known = KnownAnalyses::saddle_order(k, n_);
    return known ? *known : saddle_order(pattern, n_, values);
  }

  std::size_t n_, m_;
  std::optional<LinearSystem> system_;
  bool is_factorised_ = false;
};

// By Gram and Schmidt, twice; the lengths that were left.
Vector orthonormalise(MatrixView vectors) {
  Vector lengths(vectors.cols);
  for (std::size_t j = 0; j < vectors.cols; ++j) {
    const Span x = vectors.column(j);
    double before = std::sqrt(dot(x, x));
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < j; ++i) {
        const double c = dot(vectors.column(i), x);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] -= c * vectors(k, i);
      }
    lengths[j] = std::sqrt(dot(x, x));
    if (!(lengths[j] > 1e-14 * before)) lengths[j] = 0.0;
    for (double& value : x) value = lengths[j] > 0.0 ? value / lengths[j] : 0.0;
  }
  return lengths;
}

// Orthonormal vectors that (S + delta)^-1 makes larger by half of 1/delta, or more; one in each column.
Matrix kernel_of(const Shifted& shifted, std::size_t m, bool transposed) {
  constexpr int rounds = 4;
  constexpr double large = 0.9, small = 1e-3;  // what grows by less than half of 1/delta, or more, beyond doubt
  std::mt19937_64 random(20031);
  std::normal_distribution<double> normal;
  for (std::size_t width = std::min<std::size_t>(4, m);; width = std::min(2 * width, m)) {
    require_memory(16.0 * static_cast<double>(m) * static_cast<double>(width), "many redundant constraints");
    Matrix vectors(m, width);
    for (std::size_t k = 0; k < m * width; ++k) vectors.data()[k] = normal(random);
    Vector growth = orthonormalise(vectors);
    for (int round = 0; round < rounds; ++round) {
      check_stop();
      for (std::size_t j = 0; j < width; ++j) shifted.apply(vectors.view().column(j), transposed);
      growth = orthonormalise(vectors);
      const auto is_clear = [](double x) { return x * delta > large || x * delta < small; };
      if (round > 0 && std::ranges::all_of(growth, is_clear)) break;
    }
    const auto found =
        static_cast<std::size_t>(std::ranges::count_if(growth, [](double x) { return x * delta > 0.5; }));
    if (found == width && width < m) continue;
    Matrix kernel(m, found);
    for (std::size_t j = 0, at = 0; j < width; ++j)
      if (growth[j] * delta > 0.5) std::ranges::copy(vectors.view().column(j), kernel.view().column(at++).begin());
    return kernel;
  }
}

// y^T G = 0 for every column y, in units of the rows?
bool combines_to_zero(const Pattern& k, std::size_t n, ConstSpan values, const Matrix& combinations) {
  constexpr double rounding = 1e-7;
  SaddleUnits units(k, n);
  units.see(k, n, values);
  for (std::size_t l = 0; l < combinations.cols(); ++l)
    for (std::size_t j = 0, e = 0; j < n; ++j) {
      double sum = 0.0;
      for (; e < k.begin[j + 1]; ++e)
        if (k.row[e] >= n) sum += combinations(k.row[e] - n, l) * values[e] / units.rows[k.row[e] - n];
      if (std::abs(sum) > rounding) return false;
    }
  return true;
}

// As many rows as there are columns, chosen so that what is left of the matrix in them is regular.
std::vector<std::uint32_t> pivot_rows(Matrix a) {
  std::vector<std::uint32_t> rows;
  for (std::size_t j = 0; j < a.cols(); ++j) {
    const auto column = a.view().column(j);
    const auto largest = std::ranges::max_element(column, {}, [](double x) { return std::abs(x); });
    const auto row = static_cast<std::size_t>(largest - column.begin());
    rows.push_back(static_cast<std::uint32_t>(row));
    for (std::size_t l = j + 1; l < a.cols(); ++l) {
      const double factor = a(row, l) / a(row, j);
      for (std::size_t i = 0; i < a.rows(); ++i) a(i, l) -= factor * a(i, j);
    }
  }
  return rows;
}

// K without some rows of G, and with whole rows for mu in their place.
Pattern replaced_pattern(const Pattern& k, std::size_t n, std::vector<std::uint32_t> rows,
                         std::vector<std::uint32_t>& place, std::vector<std::uint32_t>& place_of_row) {
  constexpr std::uint32_t nowhere = UINT32_MAX;
  std::vector<std::uint32_t> sorted = rows;
  std::ranges::sort(sorted);
  Pattern pattern{.rows = k.rows, .cols = k.cols, .begin = {0}, .row = {}};
  place.assign(k.count(), nowhere);
  std::vector<std::vector<std::uint32_t>> of_row(k.rows - n);
  for (std::size_t j = 0, e = 0; j < k.cols; ++j) {
    auto next = sorted.begin();
    const auto add_rows_until = [&](std::size_t row) {
      for (; j >= n && next != sorted.end() && n + *next < row; ++next) {
        of_row[*next].push_back(static_cast<std::uint32_t>(pattern.row.size()));
        pattern.row.push_back(static_cast<std::uint32_t>(n + *next));
      }
    };
    for (; e < k.begin[j + 1]; ++e) {
      const std::uint32_t row = k.row[e];
      if (row >= n && std::ranges::binary_search(sorted, row - n)) continue;
      add_rows_until(row);
      place[e] = static_cast<std::uint32_t>(pattern.row.size());
      pattern.row.push_back(row);
    }
    add_rows_until(k.rows + n);
    pattern.begin.push_back(static_cast<std::uint32_t>(pattern.row.size()));
  }
  place_of_row.clear();
  for (const std::uint32_t row : rows) place_of_row.insert(place_of_row.end(), of_row[row].begin(), of_row[row].end());
  return pattern;
}

}  // namespace

SaddleRedundancy::SaddleRedundancy(const Pattern& k, std::size_t n, std::vector<std::uint32_t> rows, Matrix directions,
                                   bool rows_depend)
    : k_(k),
      n_(n),
      m_(k.rows - n),
      rows_(std::move(rows)),
      rows_depend_(rows_depend),
      kernel_(std::move(directions)),
      pushed_(n, rows_.size()),
      units_(k, n),
      system_(replaced_pattern(k, n, rows_, place_, place_of_row_), DecisiveSystem::IfSingular::report, n) {}

bool SaddleRedundancy::factorise(ConstSpan k_values) {
  units_.see(k_, n_, k_values);
  const Span all = system_.values();
  for (std::size_t e = 0; e < place_.size(); ++e)
    if (place_[e] != UINT32_MAX) all[place_[e]] = k_values[e];
  for (std::size_t l = 0; l < rows_.size(); ++l)
    for (std::size_t j = 0; j < m_; ++j) all[place_of_row_[l * m_ + j]] = kernel_(j, l) * units_.columns[j];
  if (!system_.factorise()) return false;
  find_kernel();
  return still_depends(k_values);
}

// K n = 0 but for the rows that were left out: from the new matrix, as that with these rows as right-hand sides.
void SaddleRedundancy::find_kernel() {
  Scratch scratch;
  const Span x = scratch.take<double>(n_ + m_);
  for (std::size_t l = 0; l < rows_.size(); ++l) {
    std::ranges::fill(x, 0.0);
    x[n_ + rows_[l]] = 1.0;
    system_.solve(x);
    const Span n = kernel_.view().column(l), d = pushed_.view().column(l);
    for (std::size_t j = 0; j < m_; ++j) n[j] = x[n_ + j] * units_.columns[j];
    std::copy_n(x.begin(), n_, d.begin());
    for (std::size_t i = 0; i <= l; ++i) {
      const ConstSpan other = kernel_.view().column(i), other_d = pushed_.view().column(i);
      const double c = dot(other, n), factor = i < l ? -c : 1.0 / std::sqrt(c) - 1.0;
      for (std::size_t j = 0; j < m_; ++j) n[j] += factor * other[j];
      for (std::size_t j = 0; j < n_; ++j) d[j] += factor * other_d[j];
    }
  }
}

// G A^-1 B n in the rows that were left out.
bool SaddleRedundancy::still_depends(ConstSpan k_values) {
  constexpr double rounding = 1e-8;
  Scratch scratch;
  const Span left = scratch.take<double>(m_), size = scratch.take<double>(m_);
  for (std::size_t l = 0; l < rows_.size(); ++l) {
    std::ranges::fill(left, 0.0);
    for (std::size_t j = 0, e = 0; j < n_; ++j)
      for (; e < k_.begin[j + 1]; ++e)
        if (k_.row[e] >= n_) {
          left[k_.row[e] - n_] += k_values[e] * pushed_(j, l);
          size[k_.row[e] - n_] = std::max(size[k_.row[e] - n_], std::abs(k_values[e]));
        }
    for (const std::uint32_t row : rows_)
      if (!(std::abs(left[row]) <= rounding * size[row])) return false;
  }
  return true;
}

// The part of mu along the kernel, and what it pushes.
void SaddleRedundancy::take_out(Span mu, Span d) const {
  for (std::size_t l = 0; l < rows_.size(); ++l) {
    const ConstSpan n = kernel_.view().column(l), push = pushed_.view().column(l);
    double c = 0.0;
    for (std::size_t j = 0; j < m_; ++j) c += n[j] * (mu[j] * units_.columns[j]);
    for (std::size_t j = 0; j < m_; ++j) mu[j] -= c * n[j] / units_.columns[j];
    for (std::size_t j = 0; j < d.size(); ++j) d[j] -= c * push[j];
  }
}

void SaddleRedundancy::solve(Span x) const {
  for (const std::uint32_t row : rows_) x[n_ + row] = 0.0;
  system_.solve(x);
  take_out(x.subspan(n_, m_), x.first(n_));
}

void SaddleRedundancy::make_least(Span mu) const { take_out(mu, {}); }

Redundancy SaddleRedundancy::directions() const {
  Redundancy result{.rows = {rows_.begin(), rows_.end()}, .directions = Matrix(rows_.size(), m_)};
  for (std::size_t l = 0; l < rows_.size(); ++l)
    for (std::size_t j = 0; j < m_; ++j) result.directions(l, j) = kernel_(j, l) * units_.columns[j];
  return result;
}

std::shared_ptr<const KnownRedundancy> SaddleRedundancy::known() const {
  return std::make_shared<const KnownRedundancy>(KnownRedundancy{rows_, kernel_, rows_depend_});
}

std::unique_ptr<SaddleRedundancy> known_redundancy(const Pattern& k, std::size_t n, ConstSpan k_values) {
  const auto known = KnownAnalyses::redundancy(k, n);
  if (!known) return nullptr;
  const ForcedKernel as_for_k(LinearKernel::sparse);
  auto found = std::make_unique<SaddleRedundancy>(k, n, known->rows, known->directions, known->rows_depend);
  return found->factorise(k_values) ? std::move(found) : nullptr;
}

std::unique_ptr<SaddleRedundancy> find_redundancy(const Pattern& k, std::size_t n, ConstSpan k_values) {
  const ForcedKernel as_for_k(LinearKernel::sparse);  // a few full rows would not pay for a dense matrix
  const std::size_t m = k.rows - n;
  const Shifted shifted(k, n, k_values);
  if (!shifted.is_factorised()) return nullptr;
  Matrix kernel = kernel_of(shifted, m, false);
  if (kernel.cols() == 0) return nullptr;
  const Matrix left = kernel_of(shifted, m, true);
  if (left.cols() != kernel.cols()) return nullptr;
  const bool rows_depend = combines_to_zero(k, n, k_values, left);
  auto found = std::make_unique<SaddleRedundancy>(k, n, pivot_rows(left), std::move(kernel), rows_depend);
  if (!found->factorise(k_values)) return nullptr;
  if (!KnownAnalyses::redundancy(k, n)) KnownAnalyses::keep(k, n, found->known());
  return found;
}

}  // namespace driftless
