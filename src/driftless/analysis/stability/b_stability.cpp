#include "driftless/analysis/stability/b_stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/linalg/dense.h"
#include "driftless/tableau/properties.h"

namespace driftless {

namespace {

using Real = long double;
constexpr double tolerance = 1e-13;  // coefficients are rounded to double: M is known to a few units of that

Matrix stability_matrix(const Tableau& t) {
  const std::size_t s = t.stages();
  Matrix m(s, s);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j)
      m(i, j) = static_cast<double>(static_cast<Real>(t.b[i]) * t.a(i, j) + static_cast<Real>(t.b[j]) * t.a(j, i) -
                                    static_cast<Real>(t.b[i]) * t.b[j]);
  return m;
}

double largest_entry(const Matrix& m) {
  double largest = 0.0;
  for (std::size_t k = 0; k < m.rows() * m.cols(); ++k) largest = std::max(largest, std::abs(m.data()[k]));
  return largest;
}

double value_of_form(const Matrix& m, ConstSpan y) {
  Real sum = 0.0;
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) sum += static_cast<Real>(y[i]) * m(i, j) * y[j];
  return static_cast<double>(sum);
}

// Largest difference of M and factor^T factor.
double residual_of(const Matrix& m, const Matrix& factor) {
  double largest = 0.0;
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) {
      Real sum = m(i, j);
      for (std::size_t k = 0; k < factor.rows(); ++k) sum -= static_cast<Real>(factor(k, i)) * factor(k, j);
      largest = std::max(largest, std::abs(static_cast<double>(sum)));
    }
  return largest;
}

double scale_of(const Matrix& m) { return std::max(1.0, largest_entry(m)); }

}  // namespace

StabilityCertificate certify_algebraic_stability(const Tableau& tableau) {
  StabilityCertificate c;
  const std::size_t s = tableau.stages();
  c.m = stability_matrix(tableau);
  for (std::size_t i = 0; i < s && !c.negative_weight; ++i)
    if (tableau.b[i] < 0.0) c.negative_weight = i;
  const SymmetricEigen eigen = symmetric_eigen(c.m);
  const double zero = tolerance * scale_of(c.m);
  if (eigen.values.front() < -zero) {
    const auto column = eigen.vectors.view().column(0);
    c.witness.assign(column.begin(), column.end());
    c.witness_value = value_of_form(c.m, c.witness);
  }
  c.algebraically_stable = !c.negative_weight && c.witness.empty();
  if (!c.algebraically_stable) {
    c.verdict = c.negative_weight
                    ? fmt::format("{} is not algebraically stable: the weight b_{} = {:.6g} is negative",
                                  title_of(tableau), *c.negative_weight + 1, tableau.b[*c.negative_weight])
                    : fmt::format("{} is not algebraically stable: y^T M y = {:.6g} for the vector given",
                                  title_of(tableau), c.witness_value);
    return c;
  }
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < s; ++k)
    if (eigen.values[k] > zero) kept.push_back(k);
  c.factor = Matrix(kept.size(), s);
  for (std::size_t r = 0; r < kept.size(); ++r)
    for (std::size_t i = 0; i < s; ++i) c.factor(r, i) = std::sqrt(eigen.values[kept[r]]) * eigen.vectors(i, kept[r]);
  c.residual = residual_of(c.m, c.factor);
  c.verdict = fmt::format("{} is algebraically stable: b >= 0 and M = F^T F with {} row{} of F, up to {:.1e}",
                          title_of(tableau), kept.size(), kept.size() == 1 ? "" : "s", c.residual);
  return c;
}

bool check(const StabilityCertificate& c, const Tableau& tableau) {
  const Matrix m = stability_matrix(tableau);
  if (c.algebraically_stable)
    return std::all_of(tableau.b.begin(), tableau.b.end(), [](double b) { return b >= 0.0; }) &&
           residual_of(m, c.factor) <= 10.0 * tolerance * scale_of(m);
  if (c.negative_weight && *c.negative_weight < tableau.stages() && tableau.b[*c.negative_weight] < 0.0) return true;
  return c.witness.size() == tableau.stages() && value_of_form(m, c.witness) < -0.5 * tolerance * scale_of(m);
}

}  // namespace driftless
