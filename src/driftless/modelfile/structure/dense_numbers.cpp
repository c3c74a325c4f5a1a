#include "driftless/modelfile/structure/dense_numbers.h"

#include <algorithm>
#include <cmath>

#include "driftless/linalg/kkt.h"
#include "driftless/linalg/lu.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

// Every operation on numbers that depend on parameters is kept; larger matrices are taken as they are instead.
constexpr std::size_t largest_traced = 12;

bool is_traced(const Numbers& a, std::size_t n) {
  return n <= largest_traced && std::ranges::any_of(a, &Number::depends);
}

Matrix as_they_are(const Numbers& a, std::size_t n) {
  Matrix matrix(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) matrix(i, j) = a[i * n + j].pinned();
  return matrix;
}

std::optional<Numbers> plain_inverse(const Matrix& a) {
  const std::size_t n = a.rows();
  RealLu lu(n);
  lu.matrix() = a;
  if (analyse_rows(lu.matrix()).rank < n || !lu.factorise()) return std::nullopt;
  Numbers inverse(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    Vector column(n, 0.0);
    column[j] = 1.0;
    lu.solve(column);
    const double largest = std::abs(*std::ranges::max_element(column, {}, [](double x) { return std::abs(x); }));
    for (std::size_t i = 0; i < n; ++i)
      if (std::abs(column[i]) > 1e-15 * largest) inverse[i * n + j] = column[i];
  }
  return inverse;
}

// Rows in units of their largest entry, so that the size of a pivot says how independent it is.
Numbers scale_rows(Numbers& a, std::size_t n) {
  Numbers unit(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) unit[i] = max(unit[i], abs(a[i * n + j]));
    for (std::size_t j = 0; j < n; ++j)
      if (!a[i * n + j].is_plainly(0.0)) a[i * n + j] /= unit[i];
  }
  return unit;
}

}  // namespace

bool is_positive_definite(Numbers a, std::size_t n) {
  if (!is_traced(a, n)) {
    Kkt kkt(n, 0);
    return kkt.factorise(as_they_are(a, n), Matrix(0, n)) != Kkt::Status::mass_not_positive_definite;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Number pivot = a[k * n + k];
    if (!(pivot > 0.0)) return false;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i * n + k].is_plainly(0.0)) continue;
      const Number factor = a[i * n + k] / pivot;
      for (std::size_t j = k + 1; j <= i; ++j)
        if (!a[j * n + k].is_plainly(0.0)) a[i * n + j] -= factor * a[j * n + k];
    }
  }
  return true;
}

// Gauss-Jordan with partial pivoting.
std::optional<Numbers> inverse_of(Numbers a, std::size_t n) {
  if (!is_traced(a, n)) return plain_inverse(as_they_are(a, n));
  const Numbers unit = scale_rows(a, n);
  Numbers b(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(unit[i] > 0.0)) return std::nullopt;
    b[i * n + i] = Number(1.0) / unit[i];
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (abs(a[i * n + k]) > abs(a[pivot * n + k])) pivot = i;
    if (!(abs(a[pivot * n + k]) > rank_tolerance)) return std::nullopt;
    for (Numbers* part : {&a, &b})
      for (std::size_t j = 0; j < n && pivot != k; ++j) std::swap((*part)[k * n + j], (*part)[pivot * n + j]);
    const Number diagonal = a[k * n + k];
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || a[i * n + k].is_plainly(0.0)) continue;
      const Number factor = a[i * n + k] / diagonal;
      for (Numbers* part : {&a, &b})
        for (std::size_t j = 0; j < n; ++j)
          if (!(*part)[k * n + j].is_plainly(0.0)) (*part)[i * n + j] -= factor * (*part)[k * n + j];
      a[i * n + k] = 0.0;
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (!b[i * n + j].is_plainly(0.0)) b[i * n + j] /= a[i * n + i];
  return b;
}

}  // namespace driftless
