#include "driftless/analysis/stability/stage_monotonicity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/linalg/dense.h"
#include "driftless/tableau/eigenbasis.h"

namespace driftless {

namespace {

// D^1/2 A^-1 D^-1/2, whose symmetric part has m_D[A^-1] as its smallest eigenvalue.
Matrix similar(const Matrix& omega, ConstSpan d) {
  Matrix m = omega;
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) m(i, j) *= std::sqrt(d[i] / d[j]);
  return m;
}

bool positive(const Vector& d) {
  return std::all_of(d.begin(), d.end(), [](double x) { return x > 0.0 && std::isfinite(x); });
}

void normalise(Vector& d) {
  double sum = 0.0;
  for (const double x : d) sum += x;
  for (double& x : d) x /= sum;
}

struct Candidate {
  const char* formula;
  std::function<double(double b, double c)> entry;
};

// Hairer and Wanner II, IV.14: the best D of the families, as functions of weights and nodes.
const Candidate known_diagonals[] = {
    {"D = B (C^-1 - I), Gauss: 1 / (2 c_i (1 - c_i)), the smallest",
     [](double b, double c) { return b * (1.0 / c - 1.0); }},
    {"D = B C^-1, Radau IIA: 1 / (2 c_{s-1}), or 1 for one stage", [](double b, double c) { return b / c; }},
    {"D = B (I - C), Radau IA: 1 / (2 (1 - c_2)), or 1 for one stage",
     [](double b, double c) { return b * (1.0 - c); }},
    {"D = B, Lobatto IIIC: 1 for two stages, else 0", [](double b, double) { return b; }}};

// Maximises the quasi-concave D -> m_D over the simplex by the ellipsoid method: with the minimiser y at D, every
// better D' satisfies sum_i d'_i y_i ((A^-1 - m) y)_i > 0, a half space through D.
class BestDiagonal {
 public:
  BestDiagonal(const Matrix& omega, Vector start)
      : omega_(omega), s_(omega.rows()), n_(s_ - 1), best_(std::move(start)), shape_(n_, n_) {
    normalise(best_);
    value_ = stage_monotonicity_with(omega_, best_);
  }

  Vector run() {
    if (n_ == 0) return best_;
    if (n_ == 1) return line_search();
    Vector centre(n_, 1.0 / static_cast<double>(s_));
    for (std::size_t i = 0; i < n_; ++i) shape_(i, i) = 2.0;
    const std::size_t limit = 60 * n_ * n_ + 200;
    for (std::size_t k = 0; k < limit; ++k)
      if (!cut(centre, normal_at(centre))) break;
    return best_;
  }

 private:
  Vector full(const Vector& z) const {
    Vector d = z;
    double sum = 0.0;
    for (const double x : z) sum += x;
    d.push_back(1.0 - sum);
    return d;
  }

  // The direction of improvement at a centre, or back into the simplex.
  Vector normal_at(const Vector& centre) {
    const Vector d = full(centre);
    Vector g(s_, 0.0);
    const auto smallest = std::min_element(d.begin(), d.end());
    if (!(*smallest > 0.0)) {
      g[static_cast<std::size_t>(smallest - d.begin())] = 1.0;
    } else {
      const SymmetricEigen eigen = symmetric_eigen(similar(omega_, d));
      const double m = eigen.values.front();
      if (m > value_) {
        value_ = m;
        best_ = d;
      }
      Vector y(s_);
      for (std::size_t i = 0; i < s_; ++i) y[i] = eigen.vectors(i, 0) / std::sqrt(d[i]);
      const Vector image = product(omega_, y);
      for (std::size_t i = 0; i < s_; ++i) g[i] = y[i] * (image[i] - m * y[i]);
    }
    Vector reduced(n_);
    for (std::size_t i = 0; i < n_; ++i) reduced[i] = g[i] - g[s_ - 1];
    return reduced;
  }

  // The smallest ellipsoid around the half that is left; false when it is too small to go on.
  bool cut(Vector& centre, const Vector& g) {
    const Vector pg = product(shape_, g);
    double length = 0.0;
    for (std::size_t i = 0; i < n_; ++i) length += g[i] * pg[i];
    if (!(length > 1e-26)) return false;
    const double root = std::sqrt(length), n = static_cast<double>(n_);
    for (std::size_t i = 0; i < n_; ++i) centre[i] += pg[i] / root / (n + 1.0);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        shape_(i, j) = n * n / (n * n - 1.0) * (shape_(i, j) - 2.0 / (n + 1.0) * pg[i] * pg[j] / length);
    return true;
  }

  Vector line_search() {
    double low = 1e-12, high = 1.0 - 1e-12;
    for (int k = 0; k < 200; ++k) {
      const Vector middle(1, 0.5 * (low + high));
      (normal_at(middle)[0] > 0.0 ? low : high) = middle[0];
    }
    return best_;
  }

  const Matrix& omega_;
  std::size_t s_, n_;
  Vector best_;
  double value_ = -infinity;
  Matrix shape_;
};

void fill_factors(const Tableau& tableau, const Matrix& omega, StageMonotonicity& m) {
  const std::size_t s = tableau.stages();
  const Vector update = b_times_inverse(tableau);
  double start = 0.0, end = 0.0;
  for (std::size_t i = 0; i < s; ++i) {
    double row = 0.0;
    for (std::size_t j = 0; j < s; ++j) row += omega(i, j);
    start += m.diagonal[i] * row * row;
    end += update[i] * update[i] / m.diagonal[i];
  }
  m.start_factor = std::sqrt(start);
  m.update_factor = std::sqrt(end);
}

double smallest_diagonal(const Matrix& a) {
  double smallest = infinity;
  for (std::size_t i = 0; i < a.rows(); ++i) smallest = std::min(smallest, a(i, i));
  return smallest;
}

bool lower_triangular(const Matrix& a) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = i + 1; j < a.cols(); ++j)
      if (a(i, j) != 0.0) return false;
  return true;
}

// d_i = e^i with the largest power of 1/2 as e that gives at least `wanted`: it takes the entries below the diagonal
// away.
Vector graded_diagonal(const Matrix& omega, double wanted) {
  Vector d(omega.rows(), 1.0);
  for (double e = 1.0; e > 1e-8; e *= 0.5) {
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = std::pow(e, static_cast<double>(i));
    if (stage_monotonicity_with(omega, d) >= wanted) break;
  }
  return d;
}

bool close(double value, double supremum) { return value >= supremum - 1e-9 * std::max(1.0, std::abs(supremum)); }

}  // namespace

double stage_monotonicity_with(const Matrix& a_inverse, ConstSpan diagonal) {
  for (const double d : diagonal)
    if (!(d > 0.0)) throw Misuse(fmt::format("the diagonal of D must be positive, but has {}", d));
  return symmetric_eigen(similar(a_inverse, diagonal)).values.front();
}

// y = e_i shows that no D gives more than the smallest diagonal entry of A^-1, so a D that reaches it is the best.
StageMonotonicity stage_monotonicity(const Tableau& tableau) {
  const Matrix omega = inverse_of(tableau.a);
  const std::size_t s = tableau.stages();
  StageMonotonicity m{.value = -infinity, .supremum = smallest_diagonal(omega)};
  for (const Candidate& candidate : known_diagonals) {
    Vector d(s);
    for (std::size_t i = 0; i < s; ++i) d[i] = candidate.entry(tableau.b[i], tableau.c[i]);
    if (s == 1) d[0] = 1.0;
    if (!positive(d)) continue;
    const double value = stage_monotonicity_with(omega, d);
    if (!(value > m.value)) continue;
    m.value = value;
    m.diagonal = d;
    m.formula = candidate.formula;
  }
  if (!close(m.value, m.supremum)) {
    m.formula.clear();
    const bool triangular = lower_triangular(tableau.a);
    const Vector best = triangular ? graded_diagonal(omega, 0.9 * m.supremum)
                                   : BestDiagonal(omega, m.diagonal.empty() ? Vector(s, 1.0) : m.diagonal).run();
    if (triangular) m.formula = "lower triangular: 1 / a_ii is approached by d_i = e^i, e -> 0; here nine tenths of it";
    m.value = stage_monotonicity_with(omega, best);
    m.diagonal = best;
  }
  normalise(m.diagonal);
  m.attained = close(m.value, m.supremum);
  fill_factors(tableau, omega, m);
  return m;
}

// A matrix with non-positive entries off its diagonal has its best D from its Perron vectors.
StageMonotonicity stage_monotonicity_in_any_norm(const Tableau& tableau) {
  const Matrix omega = inverse_of(tableau.a);
  const std::size_t s = tableau.stages();
  Matrix comparison = omega;
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j)
      if (i != j) comparison(i, j) = -std::abs(omega(i, j));
  StageMonotonicity m{.supremum = smallest_diagonal(omega)};
  m.diagonal = BestDiagonal(comparison, Vector(s, 1.0)).run();
  m.value = stage_monotonicity_with(comparison, m.diagonal);
  m.attained = close(m.value, m.supremum);
  fill_factors(tableau, omega, m);
  return m;
}

double solvable_step_size(const StageMonotonicity& m, double rate) {
  if (rate > 0.0) return m.value > 0.0 ? m.value / rate : 0.0;
  if (rate == 0.0) return m.value > 0.0 ? infinity : 0.0;
  return m.value >= 0.0 ? infinity : 0.0;
}

}  // namespace driftless
