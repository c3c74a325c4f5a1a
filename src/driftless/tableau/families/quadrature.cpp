#include "driftless/tableau/families/quadrature.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/core/failure.h"
#include "driftless/tableau/families.h"

namespace driftless {
namespace {

struct ValueAndSlope {
  Quad value;
  Quad slope;
};

// P_s + alpha P_{s-1} + beta P_{s-2} on [-1, 1] by (k+1) P_{k+1} = (2k+1) x P_k - k P_{k-1}, and its derivative.
ValueAndSlope node_polynomial(int s, int alpha, int beta, Quad x) {
  std::vector<Quad> p(static_cast<std::size_t>(s) + 2, Quad(0));
  std::vector<Quad> dp(p.size(), Quad(0));
  // p[k + 1] holds P_k, so that P_{-1} = 0 needs no exception.
  p[1] = 1;
  for (int k = 0; k < s; ++k) {
    const auto n = static_cast<std::size_t>(k) + 1;
    p[n + 1] = ((2 * k + 1) * x * p[n] - k * p[n - 1]) / (k + 1);
    dp[n + 1] = ((2 * k + 1) * (p[n] + x * dp[n]) - k * dp[n - 1]) / (k + 1);
  }
  const auto top = static_cast<std::size_t>(s) + 1;
  ValueAndSlope w{p[top] + alpha * p[top - 1], dp[top] + alpha * dp[top - 1]};
  if (s >= 2) {
    w.value += beta * p[top - 2];
    w.slope += beta * dp[top - 2];
  }
  return w;
}

// Newton's correction with the other zeros divided out (Ehrlich & Aberth), so that no two starts run to the same zero.
Quad correction(const std::vector<Quad>& x, std::size_t i, int s, int alpha, int beta) {
  const ValueAndSlope w = node_polynomial(s, alpha, beta, x[i]);
  if (w.value == 0) return 0;
  Quad repulsion = 0;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (j != i) repulsion += 1 / (x[i] - x[j]);
  return w.value / (w.slope - w.value * repulsion);
}

// V_kj = c_j^{k-1}
SmallMatrix<Quad> vandermonde(const std::vector<Quad>& c) {
  SmallMatrix<Quad> v(c.size());
  for (std::size_t k = 0; k < c.size(); ++k)
    for (std::size_t j = 0; j < c.size(); ++j) v(k, j) = integer_power(c[j], static_cast<int>(k));
  return v;
}

Vector round_all(const std::vector<Quad>& x) {
  Vector result(x.size());
  std::transform(x.begin(), x.end(), result.begin(), rounded);
  return result;
}

}  // namespace

Quad integer_power(Quad x, int k) {
  Quad result = 1;
  for (int i = 0; i < k; ++i) result *= x;
  return result;
}

std::vector<Quad> quadrature_nodes(int stages, int alpha, int beta) {
  const auto s = static_cast<std::size_t>(stages);
  constexpr double pi = 3.14159265358979323846;
  std::vector<Quad> x(s);
  for (std::size_t i = 0; i < s; ++i) x[i] = -std::cos(pi * (2.0 * static_cast<double>(i) + 1.0) / (2.0 * stages));
  for (int sweep = 0; sweep < 60; ++sweep) {
    Quad largest = 0;
    for (std::size_t i = 0; i < s; ++i) {
      const Quad step = correction(x, i, stages, alpha, beta);
      x[i] -= step;
      largest = std::max(largest, magnitude(step));
    }
    if (static_cast<double>(largest) < 1e-30) break;
  }
  std::sort(x.begin(), x.end());
  // The end points are zeros by construction: make them exact.
  if (alpha > 0 || beta != 0) x.front() = -1;
  if (alpha < 0 || beta != 0) x.back() = 1;
  for (Quad& node : x) node = (1 + node) / 2;
  return x;
}

std::vector<Quad> quadrature_weights(const std::vector<Quad>& c) {
  std::vector<Quad> moments(c.size());
  for (std::size_t k = 0; k < c.size(); ++k) moments[k] = Quad(1) / static_cast<int>(k + 1);
  return inverse_of(vandermonde(c)) * moments;
}

SmallMatrix<Quad> collocation_matrix(const std::vector<Quad>& c) {
  const std::size_t s = c.size();
  const SmallMatrix<Quad> inverse = inverse_of(vandermonde(c));
  SmallMatrix<Quad> a(s);
  std::vector<Quad> moments(s);
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t k = 0; k < s; ++k)
      moments[k] = integer_power(c[i], static_cast<int>(k + 1)) / static_cast<int>(k + 1);
    const std::vector<Quad> row = inverse * moments;
    for (std::size_t j = 0; j < s; ++j) a(i, j) = row[j];
  }
  return a;
}

void require_stages(const char* family, int stages, int fewest) {
  if (stages >= fewest && stages <= most_stages) return;
  throw Misuse(
      fmt::format("{} with {} stages: the number of stages must be {} to {}", family, stages, fewest, most_stages));
}

Tableau round_once(std::string name, std::string title, std::string citation, const ExactTableau& exact) {
  Tableau tableau = from_numbers(std::move(name), exact.a.to_double(), round_all(exact.b), round_all(exact.c));
  tableau.title = std::move(title);
  tableau.citation = std::move(citation);
  return tableau;
}

}  // namespace driftless
