#include "driftless/modelfile/structure/mixed_multipliers.h"

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

constexpr double rounding = 1e-9;

// Rows in echelon form with unit pivots; what is left of rows that repeat others is rounding of what they were.
class Echelon {
 public:
  explicit Echelon(std::size_t columns) : columns_(columns) {}

  void add(Numbers row) {
    const Number before = largest(row);
    for (std::size_t k = 0; k < rows_.size(); ++k) subtract(row, rows_[k], pivots_[k]);
    const Number left = largest(row);
    if (!(left > rounding * before)) return;
    std::size_t pivot = 0;
    for (std::size_t j = 1; j < columns_; ++j)
      if (abs(row[j]) > abs(row[pivot])) pivot = j;
    for (Number& x : row)
      if (!(abs(x) > 1e-14 * left)) x = 0.0;
    const Number by = row[pivot];
    for (Number& x : row) x = x == 0.0 ? x : x / by;
    for (Numbers& other : rows_) subtract(other, row, pivot);
    rows_.push_back(std::move(row));
    pivots_.push_back(pivot);
  }

  // A basis of what all rows map to zero: each is 1 in one column that has no pivot.
  std::vector<Numbers> kernel() const {
    std::vector<Numbers> basis;
    for (std::size_t free = 0; free < columns_; ++free) {
      if (std::ranges::find(pivots_, free) != pivots_.end()) continue;
      Numbers v(columns_, 0.0);
      v[free] = 1.0;
      for (std::size_t k = 0; k < rows_.size(); ++k) v[pivots_[k]] = -rows_[k][free];
      basis.push_back(std::move(v));
    }
    return basis;
  }

 private:
  static Number largest(const Numbers& row) {
    Number top = 0.0;
    for (const Number x : row) top = max(top, abs(x));
    return top;
  }
  static void subtract(Numbers& row, const Numbers& other, std::size_t pivot) {
    const Number factor = row[pivot];
    if (factor == 0.0) return;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (other[j] != 0.0) row[j] -= factor * other[j];
    row[pivot] = 0.0;
  }

  std::size_t columns_;
  std::vector<Numbers> rows_;
  std::vector<std::size_t> pivots_;
};

class Mixing {
 public:
  explicit Mixing(const ForcesAtPoints& forces) : f_(forces), n_(forces.rows), m_(forces.multipliers) {}

  std::optional<MixedMultipliers> run() {
    if (!find_units() || !find_mix()) return std::nullopt;
    return std::move(result_);
  }

 private:
  // Forces of constraints do no work on what the constraints allow: D B is orthogonal to the kernel of C.
  bool find_units() {
    Echelon conditions(f_.units);
    for (std::size_t p = 0; p < f_.gradient.size(); ++p) {
      Echelon gradients(n_);
      for (std::size_t k = 0; k < m_; ++k) {
        Numbers row;
        for (std::size_t i = 0; i < n_; ++i) row.push_back(f_.gradient[p][i * m_ + k]);
        gradients.add(std::move(row));
      }
      for (const Numbers& allowed : gradients.kernel())
        for (std::size_t j = 0; j < m_; ++j) {
          Numbers work(f_.units, 0.0), size(f_.units, 0.0);
          for (std::size_t i = 0; i < n_; ++i) {
            const Number part = allowed[i] * f_.reaction[p][i * m_ + j];
            work[f_.unit_of_row[i]] += part;
            size[f_.unit_of_row[i]] += abs(part);
          }
          Number top = 0.0;
          for (const Number s : size) top = max(top, s);
          for (Number& w : work)
            if (!(abs(w) > rounding * top)) w = 0.0;
          conditions.add(std::move(work));
        }
    }
    result_.unit.assign(f_.units, 0.0);
    for (const Numbers& v : conditions.kernel())  // units of one kernel vector are tied to each other alone
      for (std::size_t u = 0; u < f_.units; ++u) result_.unit[u] += v[u];
    return std::ranges::all_of(result_.unit, [](Number d) { return d > 0.0; });
  }

  // (C C^T) K = C D B at each point, and C^T K has to be D B.
  bool find_mix() {
    for (std::size_t p = 0; p < f_.gradient.size(); ++p) {
      const Numbers& c = f_.gradient[p];
      Numbers square(m_ * m_, 0.0), right(m_ * m_, 0.0);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t k = 0; k < m_; ++k) {
          if (c[i * m_ + k] == 0.0) continue;
          for (std::size_t j = 0; j < m_; ++j) {
            square[k * m_ + j] += c[i * m_ + k] * c[i * m_ + j];
            right[k * m_ + j] += c[i * m_ + k] * result_.unit[f_.unit_of_row[i]] * f_.reaction[p][i * m_ + j];
          }
        }
      if (!eliminate(square, right) || !fits(p, right)) return false;
      result_.mix.push_back(std::move(right));
    }
    drop_zeros();
    return !result_.mix.empty() && std::ranges::all_of(result_.mix, [&](const Numbers& k) { return is_regular(k); });
  }

  // Symmetric and positive definite: no pivots are looked for.
  bool eliminate(Numbers& a, Numbers& b) const {
    for (std::size_t k = 0; k < m_; ++k) {
      const Number pivot = a[k * m_ + k];
      if (!(pivot > 0.0)) return false;
      for (std::size_t i = 0; i < m_; ++i) {
        if (i == k || a[i * m_ + k] == 0.0) continue;
        const Number factor = a[i * m_ + k] / pivot;
        for (std::size_t j = k; j < m_; ++j) a[i * m_ + j] -= factor * a[k * m_ + j];
        for (std::size_t j = 0; j < m_; ++j) b[i * m_ + j] -= factor * b[k * m_ + j];
      }
    }
    for (std::size_t k = 0; k < m_; ++k)
      for (std::size_t j = 0; j < m_; ++j) b[k * m_ + j] /= a[k * m_ + k];
    return true;
  }
  bool fits(std::size_t p, const Numbers& mix) const {
    for (std::size_t j = 0; j < m_; ++j) {
      Number off = 0.0, size = 0.0;
      for (std::size_t i = 0; i < n_; ++i) {
        const Number force = result_.unit[f_.unit_of_row[i]] * f_.reaction[p][i * m_ + j];
        Number along = 0.0;
        for (std::size_t k = 0; k < m_; ++k) along += f_.gradient[p][i * m_ + k] * mix[k * m_ + j];
        off = max(off, abs(along - force));
        size = max(size, abs(force));
      }
      if (!(off <= rounding * size)) return false;
    }
    return true;
  }

  // Else several multipliers act alike.
  bool is_regular(const Numbers& mix) const {
    Echelon columns(m_);
    for (std::size_t j = 0; j < m_; ++j) {
      Numbers column;
      for (std::size_t k = 0; k < m_; ++k) column.push_back(mix[k * m_ + j]);
      columns.add(std::move(column));
    }
    return columns.kernel().empty();
  }

  void drop_zeros() {
    for (std::size_t j = 0; j < m_; ++j) {
      std::vector<char> seen(m_, 0);
      for (const Numbers& k : result_.mix) {
        Number top = 0.0;
        for (std::size_t i = 0; i < m_; ++i) top = max(top, abs(k[i * m_ + j]));
        for (std::size_t i = 0; i < m_; ++i) seen[i] |= abs(k[i * m_ + j]) > rounding * top ? 1 : 0;
      }
      for (Numbers& k : result_.mix)
        for (std::size_t i = 0; i < m_; ++i)
          if (!seen[i]) k[i * m_ + j] = 0.0;
    }
  }

  const ForcesAtPoints& f_;
  const std::size_t n_, m_;
  MixedMultipliers result_;
};

}  // namespace

std::optional<MixedMultipliers> mix_multipliers(const ForcesAtPoints& forces) { return Mixing(forces).run(); }

}  // namespace driftless
