#include "driftless/tableau/index2_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "driftless/core/failure.h"
#include "driftless/tableau/index2_trees.h"
#include "driftless/tableau/properties.h"

namespace driftless {
namespace {

using Real = long double;
using Weights = std::vector<Real>;  // one per tree
constexpr int most_orders = 7;
// Measured on the implicit and HEM methods: conditions that hold are off by at most 1e-14, others by at least 5e-5.
constexpr Real tolerance = 1e-9L;

void require_highest(int highest) {
  if (highest >= 1 && highest <= most_orders) return;
  throw Misuse(
      fmt::format("index-2 orders up to {}: the highest order to search must be 1 to {}", highest, most_orders));
}

bool satisfied(Real weight, const Index2Tree& tree) { return std::abs(weight * tree.gamma - 1) <= tolerance; }

enum class Kind { u, u_linear, lambda };

bool is_of(Kind kind, const Index2Tree& tree) {
  if (tree.is_lambda || kind == Kind::lambda) return tree.is_lambda && kind == Kind::lambda;
  return kind == Kind::u || !tree.needs_curvature_in_lambda;
}

// Largest k <= highest such that the conditions weight = 1/gamma of all trees of the kind hold up to order k.
int order_reached(const std::vector<Index2Tree>& trees, const Weights& weights, Kind kind, int highest) {
  int reached = highest;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    if (is_of(kind, trees[t]) && !satisfied(weights[t], trees[t])) reached = std::min(reached, trees[t].order - 1);
  }
  return reached;
}

// u-trees: b^T Phi(t); lambda-trees: l^T Lambda(w), with l = A^{-T}
// b for implicit methods, the last unit vector for half-explicit.
Weights step_weights(const std::vector<Index2Tree>& trees, const std::vector<std::vector<Real>>& values,
                     const std::vector<Real>& b, const std::vector<Real>& l) {
  Weights weights(trees.size());
  for (std::size_t t = 0; t < trees.size(); ++t) weights[t] = weighted_sum(trees[t].is_lambda ? l : b, values[t]);
  return weights;
}

// The series of the projected step u = u~ + f_lambda(u, lambda) mu, g(u) = 0, with lambda that of the step; mu has a
// series over the lambda-trees. With eta the weights of u, zeta those of lambda, eta~ those of u~:
//   g(u) = 0 along f_lambda:       eta([[t..]_l]_u) = prod eta(t_k),     mu(w) = eta([w]_u) - eta~([w]_u)
//   d/d(lambda) in direction mu:   eta([t.., w..]_u) = eta~ + prod_k eta(t_k) sum_l mu(w_l) prod_{j != l} zeta(w_j)
Weights projected_weights(const std::vector<Index2Tree>& trees, const Weights& step) {
  Weights eta = step;
  Weights mu(trees.size(), 0);
  const auto product_of_u = [&](const Index2Tree& tree) {
    Real product = 1;
    for (const std::size_t child : tree.u_children) product *= eta[child];
    return product;
  };
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Index2Tree& tree = trees[t];
    if (tree.is_lambda) continue;
    if (tree.is_projected_direction()) {
      const std::size_t w = tree.lambda_children.front();
      eta[t] = product_of_u(trees[w]);
      mu[w] = eta[t] - step[t];
      continue;
    }
    Real sum = 0;
    for (std::size_t l = 0; l < tree.lambda_children.size(); ++l) {
      Real product = mu[tree.lambda_children[l]];
      for (std::size_t j = 0; j < tree.lambda_children.size(); ++j)
        if (j != l) product *= step[tree.lambda_children[j]];
      sum += product;
    }
    eta[t] = step[t] + product_of_u(tree) * sum;
  }
  return eta;
}

// (2.9) of Schropp's attracting-sets paper: rows 2..s of A, then b^T.
SmallMatrix<Real> shifted_matrix(const Tableau& tableau) {
  const std::size_t s = tableau.stages();
  SmallMatrix<Real> shifted(s);
  for (std::size_t j = 0; j < s; ++j) {
    for (std::size_t i = 0; i + 1 < s; ++i) shifted(i, j) = tableau.a(i + 1, j);
    shifted(s - 1, j) = tableau.b[j];
  }
  return shifted;
}

void require_half_explicit(const Tableau& tableau) {
  const std::size_t s = tableau.stages();
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = i; j < s; ++j)
      if (tableau.a(i, j) != 0.0)
        throw Misuse(fmt::format("{} is not explicit, so it is no half-explicit method", title_of(tableau)));
    const double determining = i + 1 < s ? tableau.a(i + 1, i) : tableau.b[i];
    if (determining == 0.0) {
      throw Misuse(fmt::format("{}: nothing determines Lambda_{}, because its coefficient in the next stage is zero",
                               title_of(tableau), i + 1));
    }
  }
}

}  // namespace

Index2Orders index2_orders(const Tableau& tableau, int highest) {
  require_highest(highest);
  if (!properties_of(tableau).invertible) {
    throw Misuse(fmt::format("{}: A is singular, so the stages do not determine Lambda", title_of(tableau)));
  }
  const SmallMatrix<Real> a(tableau.a);
  const std::vector<Real> b(tableau.b.begin(), tableau.b.end());
  const SmallMatrix<Real> inverse = inverse_of(a);
  std::vector<Real> l(b.size(), 0);
  for (std::size_t j = 0; j < b.size(); ++j)
    for (std::size_t i = 0; i < b.size(); ++i) l[j] += b[i] * inverse(i, j);
  Index2Orders orders;
  // Trees multiply by ten with every order: go on only while a condition of the next order is still of interest.
  for (int k = 1; k <= highest; ++k) {
    const std::vector<Index2Tree> trees = index2_trees(k);
    const Weights step = step_weights(trees, index2_stage_values<Real>({a, a, b}, trees), b, l);
    const Weights projected = projected_weights(trees, step);
    orders = {.u = order_reached(trees, step, Kind::u, k),
              .u_projected = order_reached(trees, projected, Kind::u, k),
              .u_projected_linear = order_reached(trees, projected, Kind::u_linear, k),
              .lambda = order_reached(trees, step, Kind::lambda, k - 1) + 1,
              .searched = highest};
    if (std::max({orders.u, orders.u_projected_linear, orders.lambda}) < k) break;
  }
  return orders;
}

HalfExplicitOrders half_explicit_orders(const Tableau& tableau, int highest) {
  require_highest(highest);
  require_half_explicit(tableau);
  const std::vector<Real> b(tableau.b.begin(), tableau.b.end());
  std::vector<Real> last(b.size(), 0);
  last.back() = 1;
  const Index2Step<Real> method{SmallMatrix<Real>(tableau.a), shifted_matrix(tableau), b};
  HalfExplicitOrders orders;
  for (int k = 1; k <= highest; ++k) {
    const std::vector<Index2Tree> trees = index2_trees(k);
    const Weights step = step_weights(trees, index2_stage_values(method, trees), b, last);
    orders = {.u = order_reached(trees, step, Kind::u, k),
              .lambda = order_reached(trees, step, Kind::lambda, k - 1) + 1,
              .searched = highest};
    if (std::max(orders.u, orders.lambda) < k) break;
  }
  return orders;
}

}  // namespace driftless
