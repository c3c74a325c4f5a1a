// The two small optimisation problems behind 1-norms and maximum norms on general subspaces.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "driftless/analysis/stability/restricted_norm.h"
#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/lu.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

// How many ways to choose k of n, at most `limit` + 1.
std::size_t choices(std::size_t n, std::size_t k, std::size_t limit) {
  double count = 1.0;
  for (std::size_t i = 0; i < k; ++i) count *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return count > static_cast<double>(limit) ? limit + 1 : static_cast<std::size_t>(std::lround(count));
}

// The next subset of {0, ..., n - 1} with the same number of elements; false after the last one.
bool next_subset(std::vector<std::size_t>& chosen, std::size_t n) {
  for (std::size_t i = chosen.size(); i-- > 0;) {
    if (chosen[i] + (chosen.size() - i) == n) continue;
    ++chosen[i];
    for (std::size_t j = i + 1; j < chosen.size(); ++j) chosen[j] = chosen[j - 1] + 1;
    return true;
  }
  return false;
}

// The dual of the maximisation: z as a combination of rows of Y with the cheapest coefficients, min sum cost_j x_j
// subject to B x = z, x >= 0, B = (Y^T, -Y^T). All costs are 1, but those of the row that is fixed are +1 and -1.
class CheapestCombination {
 public:
  CheapestCombination(const Matrix& y, ConstSpan z, std::optional<std::size_t> row)
      : y_(y), z_(z.begin(), z.end()), row_(row), lu_(y.cols()), basis_(independent_rows(y)) {
    const Vector x = basic_solution();
    for (std::size_t i = 0; i < basis_.size(); ++i)
      if (x[i] < 0.0) basis_[i] += y_.rows();  // -y instead of y
  }

  double minimise() {
    const std::size_t k = y_.cols(), columns = 2 * y_.rows();
    const double tolerance = 1e-12;
    for (std::size_t iteration = 0; iteration < 50 * (columns + 10); ++iteration) {
      const Vector x = basic_solution();
      const Vector price = prices();
      std::size_t entering = columns;
      for (std::size_t j = 0; j < columns && entering == columns; ++j) {  // Bland's rule: no cycles
        double reduced = cost(j);
        double size = 1.0;
        for (std::size_t i = 0; i < k; ++i) {
          reduced -= price[i] * entry(i, j);
          size += std::abs(price[i] * entry(i, j));
        }
        if (reduced < -tolerance * size) entering = j;
      }
      if (entering == columns) break;
      Vector direction(k);
      for (std::size_t i = 0; i < k; ++i) direction[i] = entry(i, entering);
      lu_.solve(direction);
      std::size_t leaving = k;
      double step = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < k; ++i) {
        if (direction[i] <= 1e-11) continue;
        const double ratio = std::max(x[i], 0.0) / direction[i];
        if (ratio < step - 1e-14 || (ratio <= step && leaving < k && basis_[i] < basis_[leaving])) {
          step = ratio;
          leaving = i;
        }
      }
      if (leaving == k) break;
      basis_[leaving] = entering;
    }
    const Vector x = basic_solution();
    double value = 0.0;
    for (std::size_t i = 0; i < k; ++i) value += cost(basis_[i]) * x[i];
    return value;
  }

 private:
  static std::vector<std::size_t> independent_rows(const Matrix& y) {
    const RankReport report = analyse_rows(y, 1e-12);
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < y.rows(); ++i)
      if (std::find(report.dependent_rows.begin(), report.dependent_rows.end(), i) == report.dependent_rows.end())
        rows.push_back(i);
    return rows;
  }
  double entry(std::size_t i, std::size_t column) const {
    return column < y_.rows() ? y_(column, i) : -y_(column - y_.rows(), i);
  }
  double cost(std::size_t column) const { return row_ && column == *row_ + y_.rows() ? -1.0 : 1.0; }
  void factorise() {
    for (std::size_t j = 0; j < basis_.size(); ++j)
      for (std::size_t i = 0; i < basis_.size(); ++i) lu_.matrix()(i, j) = entry(i, basis_[j]);
    if (!lu_.factorise()) throw Misuse("the rows of a basis of a subspace are dependent");
  }
  Vector basic_solution() {
    factorise();
    Vector x = z_;
    lu_.solve(x);
    return x;
  }
  // B_basis^T price = cost_basis.
  Vector prices() const {
    const std::size_t k = basis_.size();
    RealLu transposed(k);
    Vector price(k);
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < k; ++i) transposed.matrix()(j, i) = entry(i, basis_[j]);
      price[j] = cost(basis_[j]);
    }
    transposed.factorise();
    transposed.solve(price);
    return price;
  }

  const Matrix& y_;
  Vector z_;
  std::optional<std::size_t> row_;
  RealLu lu_;
  std::vector<std::size_t> basis_;
};

}  // namespace

double maximise_on_cube(const Matrix& y, ConstSpan z, std::optional<std::size_t> row) {
  return CheapestCombination(y, z, row).minimise();
}

// A vertex has (at least) dimension - 1 zero components, so it spans the null space of that many rows.
std::optional<std::vector<Vector>> one_norm_vertices(const Matrix& y, std::size_t limit) {
  const std::size_t n = y.rows(), k = y.cols();
  if (choices(n, k - 1, limit) > limit) return std::nullopt;
  std::vector<Vector> vertices;
  std::vector<std::size_t> chosen(k - 1);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  do {
    Matrix rows(k, k);  // a last row of zeros keeps it square
    for (std::size_t r = 0; r < chosen.size(); ++r)
      for (std::size_t j = 0; j < k; ++j) rows(r, j) = y(chosen[r], j);
    const SingularValues svd = singular_values(rows);
    if (k > 1 && !(svd.s[k - 2] > 1e-12 * svd.s[0])) continue;  // not a line: its vertices come from other choices
    Vector c(k);
    for (std::size_t j = 0; j < k; ++j) c[j] = svd.v(j, k - 1);
    double length = 0.0;
    for (const double x : product(y, c)) length += std::abs(x);
    for (double& x : c) x /= length;
    vertices.push_back(std::move(c));
  } while (next_subset(chosen, n));
  return vertices;
}

}  // namespace driftless
