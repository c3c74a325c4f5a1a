// Half-explicit methods as pairs: what the papers do not give is computed from the order conditions.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/tableau/explicit_pair.h"
#include "driftless/tableau/families.h"
#include "driftless/tableau/rooted_trees.h"

namespace driftless {

namespace {

using Real = long double;

// Phi_i(tree) for every stage i of an explicit method, so that the condition of a tree is sum_i b_i Phi_i = 1/gamma.
std::vector<std::vector<Real>> stage_weights_of_trees(const Matrix& a, std::size_t stages, int order) {
  std::vector<std::vector<Real>> phi, integrated;
  for (const RootedTree& tree : rooted_trees(order)) {
    std::vector<Real> product(stages, 1.0L), sum(stages, 0.0L);
    for (const std::size_t child : tree.children)
      for (std::size_t i = 0; i < stages; ++i) product[i] *= integrated[child][i];
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t j = 0; j < i; ++j) sum[i] += a(i, j) * product[j];
    phi.push_back(product);
    integrated.push_back(sum);
  }
  return phi;
}

// A vector d with rows d = 0, by Gauss-Jordan elimination with row and column pivoting; the last column without a pivot
// is set to 1.
std::vector<Real> null_vector(std::vector<std::vector<Real>> rows) {
  const std::size_t n = rows.front().size();
  std::vector<std::size_t> pivot_column;
  std::vector<bool> used(n, false);
  std::size_t rank = 0;
  while (rank < rows.size()) {
    std::size_t best_row = rank, best_column = n;
    Real largest = 1e-12L;
    for (std::size_t i = rank; i < rows.size(); ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (!used[j] && std::abs(rows[i][j]) > largest) {
          largest = std::abs(rows[i][j]);
          best_row = i;
          best_column = j;
        }
    if (best_column == n) break;
    std::swap(rows[rank], rows[best_row]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == rank) continue;
      const Real factor = rows[i][best_column] / rows[rank][best_column];
      for (std::size_t j = 0; j < n; ++j) rows[i][j] -= factor * rows[rank][j];
    }
    used[best_column] = true;
    pivot_column.push_back(best_column);
    ++rank;
  }
  std::vector<Real> d(n, 0.0L);
  std::size_t free = n;
  for (std::size_t j = 0; j < n; ++j)
    if (!used[j]) free = j;
  if (free == n) return d;
  d[free] = 1.0L;
  for (std::size_t k = 0; k < rank; ++k) d[pivot_column[k]] = -rows[k][free] / rows[k][pivot_column[k]];
  return d;
}

// b minus the weights of an embedded method of order p^: orthogonal to the conditions up to p^, scaled so that the
// embedded method misses one of the next order by a fifth, and none by more.
Vector error_weights(const ExplicitPair& pair, int error_order, bool with_end) {
  const std::size_t stages = pair.stages + (with_end ? 1 : 0);
  const std::vector<RootedTree> trees = rooted_trees(error_order + 1);
  auto conditions = stage_weights_of_trees(pair.a, stages, error_order + 1);
  const std::vector<std::vector<Real>> next(
      conditions.end() -
          std::count_if(trees.begin(), trees.end(), [&](const RootedTree& tree) { return tree.order > error_order; }),
      conditions.end());
  conditions.resize(conditions.size() - next.size());
  const std::vector<Real> d = null_vector(conditions);
  Real missed = 0.0L;
  for (std::size_t k = 0; k < next.size(); ++k) {
    Real sum = 0.0L;
    for (std::size_t i = 0; i < stages; ++i) sum += d[i] * next[k][i];
    missed = std::max(missed, std::abs(sum) * static_cast<Real>(trees[conditions.size() + k].gamma));
  }
  Vector weights(pair.stages + 1, 0.0);
  for (std::size_t i = 0; i < stages; ++i) weights[i] = static_cast<double>(0.2L * d[i] / missed);
  return weights;
}

// Differences of the slopes of some stages: with p_k the polynomial of degree k that is orthogonal on their nodes to
// all of lower degree, the weights p_k(c_i), scaled so that the method of order k misses sum b_i c_i^k = 1/(k+1) by
// 1/25.
Vector difference_weights(const ExplicitPair& pair, std::size_t degree, std::initializer_list<std::size_t> stages) {
  std::vector<std::vector<Real>> polynomials;
  for (std::size_t k = 0; k <= degree; ++k) {
    std::vector<Real> p;
    for (const std::size_t i : stages) p.push_back(std::pow(static_cast<Real>(pair.c[i]), static_cast<Real>(k)));
    for (const auto& lower : polynomials) {
      const Real factor = std::inner_product(p.begin(), p.end(), lower.begin(), 0.0L) /
                          std::inner_product(lower.begin(), lower.end(), lower.begin(), 0.0L);
      for (std::size_t i = 0; i < p.size(); ++i) p[i] -= factor * lower[i];
    }
    polynomials.push_back(p);
  }
  const std::vector<Real>& p = polynomials.back();
  const Real scale = 0.04L / static_cast<Real>(degree + 1) / std::inner_product(p.begin(), p.end(), p.begin(), 0.0L);
  Vector weights(pair.stages + 2, 0.0);
  std::size_t i = 0;
  for (const std::size_t stage : stages) weights[stage] = static_cast<double>(scale * p[i++]);
  return weights;
}

// Basis of the nested form: B_0 = t, B_1 = t (1 - t), B_2 = t^2 (1 - t), ...; its derivatives.
double basis_slope(int k, double t) {
  const int p = k / 2 + 1, q = (k + 1) / 2;  // t^p (1 - t)^q
  const double value = p * std::pow(t, p - 1) * std::pow(1.0 - t, q);
  return q == 0 ? value : value - q * std::pow(t, p) * std::pow(1.0 - t, q - 1);
}

// The cubic through values and slopes at both ends is made better by slopes inside, evaluated where the last
// interpolant puts the solution. Slopes of an earlier round are not accurate enough to be used again.
void add_slopes_inside(ExplicitPair& pair, std::initializer_list<double> nodes) {
  const std::size_t count = nodes.size(), first = pair.all_stages(), known = 3;
  const std::size_t all = first + count;
  Matrix a(all, all), nested(known + count, all);
  for (std::size_t i = 0; i < first; ++i)
    for (std::size_t j = 0; j < first; ++j) a(i, j) = pair.a(i, j);
  for (std::size_t k = 0; k < known; ++k)
    for (std::size_t j = 0; j < first; ++j) nested(k, j) = pair.nested(k, j);
  std::size_t stage = first;
  Matrix system(count, count);
  for (const double node : nodes) {
    const Vector weights = pair.interpolant_weights(node);
    for (std::size_t j = 0; j < weights.size(); ++j) a(stage, j) = weights[j];
    ++stage;
  }
  // The new rows n_k make the slopes at the nodes right: sum_k B_k'(node) n_k = k_node.
  std::size_t row = 0;
  for (const double node : nodes) {
    for (std::size_t l = 0; l < count; ++l) system(row, l) = basis_slope(static_cast<int>(known + l), node);
    ++row;
  }
  for (std::size_t j = 0; j < all; ++j) {
    Vector right(count);
    row = 0;
    for (const double node : nodes) {
      right[row] = j == first + row ? 1.0 : 0.0;
      for (std::size_t k = 0; k < known; ++k) right[row] -= basis_slope(static_cast<int>(k), node) * nested(k, j);
      ++row;
    }
    // one or two unknowns: Cramer's rule
    if (count == 1) {
      nested(known, j) = right[0] / system(0, 0);
    } else {
      const double determinant = system(0, 0) * system(1, 1) - system(0, 1) * system(1, 0);
      nested(known, j) = (right[0] * system(1, 1) - system(0, 1) * right[1]) / determinant;
      nested(known + 1, j) = (system(0, 0) * right[1] - right[0] * system(1, 0)) / determinant;
    }
  }
  pair.a = a;
  pair.nested = nested;
  for (const double node : nodes) pair.c.push_back(node);
  pair.interpolant_degree = static_cast<int>(pair.nested.rows());
}

ExplicitPair half_explicit(const char* name, int order, const Tableau& tableau, bool end_in_error) {
  const std::size_t s = tableau.stages();
  ExplicitPair pair{.name = name,
                    .order = order,
                    .a = Matrix(s + 2, s + 2),
                    .c = tableau.c,
                    .stages = s,
                    .error = {},
                    .error_order = order - 1,
                    .coarse_error = {},
                    .fine_error = {},
                    .stability_radius = 2.5,
                    .nested = Matrix(3, s + 2),
                    .interpolant_degree = 3,
                    .half_explicit = true};
  pair.c.push_back(1.0);  // the slope at the end,
  pair.c.push_back(0.0);  // and at the beginning
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < i; ++j) pair.a(i, j) = tableau.a(i, j);
    pair.a(s, i) = tableau.b[i];
  }
  pair.error = error_weights(pair, order - 1, end_in_error);
  // The cubic through values and slopes at both ends.
  for (std::size_t j = 0; j < s + 2; ++j) {
    const double b = j < s ? tableau.b[j] : 0.0, at_begin = j == s + 1, at_end = j == s;
    pair.nested(0, j) = b;
    pair.nested(1, j) = at_begin - b;
    pair.nested(2, j) = b - at_end - (at_begin - b);
  }
  return pair;
}

}  // namespace

const ExplicitPair& hem3_pair() {
  static const ExplicitPair pair = half_explicit("hem3", 3, hem3(), false).with_terms();
  return pair;
}
const ExplicitPair& hem4_pair() {
  static const ExplicitPair pair = [] {
    ExplicitPair made = half_explicit("hem4", 4, hem4(), false);
    add_slopes_inside(made, {1.0 / 3.0});
    return std::move(made).with_terms();
  }();
  return pair;
}
// Beside b, the eight stages and the slopes at both ends hold but one method of order 4 for index 2, normal parts
// aside. Its estimate, a multiple of f(U_8, Lambda_8) - f(u_{n+1}, lambda_{n+1}), sees no quadrature, as both are at c
// = 1. The stages 4 to 8 have U and Lambda right up to h^2: on these and the slope at the beginning, methods that have
// order k <= 3 for quadratures have it for index 2.
const ExplicitPair& hem5_pair() {
  static const ExplicitPair pair = [] {
    ExplicitPair made = half_explicit("hem5", 5, hem5(), true);
    for (const std::size_t degree : {1, 2, 3, 4})
      made.differences.push_back(difference_weights(made, degree, {made.begin_stage(), 3, 4, 5, 6, 7}));
    add_slopes_inside(made, {1.0 / 3.0});
    add_slopes_inside(made, {0.25, 0.75});
    return std::move(made).with_terms();
  }();
  return pair;
}

}  // namespace driftless
