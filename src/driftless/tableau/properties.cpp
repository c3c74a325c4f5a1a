#include "driftless/tableau/properties.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "driftless/tableau/rooted_trees.h"
#include "driftless/tableau/small_matrix.h"

namespace driftless {
namespace {

using Real = long double;
constexpr int tree_limit = 10;
// Coefficients carry a relative error of 2^-53, a condition a
// few dozen of those; failures of the families are above 1e-11.
constexpr Real rounding = 1e-13L;

bool close(Real left, Real right, Real scale) { return std::abs(left - right) <= rounding * scale; }

Real power_of(Real x, int k) {
  Real result = 1;
  for (int i = 0; i < k; ++i) result *= x;
  return result;
}

// Stage vectors of all trees, Phi_i(t) = prod_k sum_j a_ij Phi_j(t_k), in signed and in absolute value for the scale.
struct ElementaryWeights {
  std::vector<std::vector<Real>> stages;      // A Phi(t)
  std::vector<std::vector<Real>> magnitudes;  // |A| |Phi|(t)
  std::vector<Real> weight;                   // b^T Phi(t)
  std::vector<Real> weight_magnitude;
};

std::vector<Real> product_over(const std::vector<std::size_t>& children, const std::vector<std::vector<Real>>& factors,
                               std::size_t s) {
  std::vector<Real> product(s, 1);
  for (const std::size_t child : children)
    for (std::size_t i = 0; i < s; ++i) product[i] *= factors[child][i];
  return product;
}

ElementaryWeights elementary_weights(const Tableau& tableau, const std::vector<RootedTree>& trees) {
  const std::size_t s = tableau.stages();
  const SmallMatrix<Real> a(tableau.a);
  SmallMatrix<Real> a_magnitude(s);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) a_magnitude(i, j) = std::abs(a(i, j));
  ElementaryWeights result;
  for (const RootedTree& tree : trees) {
    const std::vector<Real> phi = product_over(tree.children, result.stages, s);
    const std::vector<Real> phi_magnitude = product_over(tree.children, result.magnitudes, s);
    Real weight = 0;
    Real weight_magnitude = 0;
    for (std::size_t i = 0; i < s; ++i) {
      weight += tableau.b[i] * phi[i];
      weight_magnitude += std::abs(tableau.b[i]) * phi_magnitude[i];
    }
    result.stages.push_back(a * phi);
    result.magnitudes.push_back(a_magnitude * phi_magnitude);
    result.weight.push_back(weight);
    result.weight_magnitude.push_back(weight_magnitude);
  }
  return result;
}

// B(k): sum_i b_i c_i^{k-1} = 1/k
bool b_holds(const Tableau& t, int k) {
  Real sum = 0;
  Real scale = 1.0L / k;
  for (std::size_t i = 0; i < t.stages(); ++i) {
    const Real term = t.b[i] * power_of(t.c[i], k - 1);
    sum += term;
    scale += std::abs(term);
  }
  return close(sum, 1.0L / k, scale);
}

// C(k): sum_j a_ij c_j^{k-1} = c_i^k / k for all i
bool c_holds(const Tableau& t, int k) {
  for (std::size_t i = 0; i < t.stages(); ++i) {
    Real sum = 0;
    const Real target = power_of(t.c[i], k) / k;
    Real scale = std::abs(target);
    for (std::size_t j = 0; j < t.stages(); ++j) {
      const Real term = t.a(i, j) * power_of(t.c[j], k - 1);
      sum += term;
      scale += std::abs(term);
    }
    if (!close(sum, target, scale)) return false;
  }
  return true;
}

// D(k): sum_i b_i c_i^{k-1} a_ij = b_j (1 - c_j^k) / k for all j
bool d_holds(const Tableau& t, int k) {
  for (std::size_t j = 0; j < t.stages(); ++j) {
    Real sum = 0;
    const Real target = t.b[j] * (1 - power_of(t.c[j], k)) / k;
    Real scale = std::abs(t.b[j]) / k;
    for (std::size_t i = 0; i < t.stages(); ++i) {
      const Real term = t.b[i] * power_of(t.c[i], k - 1) * t.a(i, j);
      sum += term;
      scale += std::abs(term);
    }
    if (!close(sum, target, scale)) return false;
  }
  return true;
}

template <class Condition>
int largest(const Tableau& tableau, int limit, Condition holds) {
  int k = 0;
  while (k < limit && holds(tableau, k + 1)) ++k;
  return k;
}

void determine_order(const Tableau& tableau, Properties& p) {
  const int by_trees = order_by_trees(tableau, tree_limit);
  p.order = by_trees;
  if (by_trees < tree_limit) return;
  // Butcher 1964: B(n), C(eta), D(zeta) with n <= eta + zeta + 1
  // and n <= 2 eta + 2 imply order n; order n implies B(n).
  const int assured = std::min({p.quadrature_order, p.stage_order + p.d_order + 1, 2 * p.stage_order + 2});
  p.order = std::max(by_trees, assured);
  p.order_is_exact = p.order == p.quadrature_order;
}

// Stiffly accurate with an explicit first stage (ESDIRK, Lobatto IIIA): A = (0 0; a Ahat), where for z -> infinity the
// stages tend to Y = (1, -Ahat^{-1} a) and the last of them is R(infinity).
double r_infinity_of_first_stage_explicit(const Tableau& t, Properties& p) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t s = t.stages();
  for (std::size_t j = 0; j < s; ++j) {
    if (t.a(0, j) == 0.0) continue;
    p.r_infinity_note = "A is singular";
    return nan;
  }
  SmallMatrix<Real> rest(s - 1);
  std::vector<Real> first(s - 1);
  for (std::size_t i = 1; i < s; ++i) {
    first[i - 1] = t.a(i, 0);
    for (std::size_t j = 1; j < s; ++j) rest(i - 1, j - 1) = t.a(i, j);
  }
  SmallMatrix<Real> inverse(s - 1);
  if (!invert(rest, inverse)) {
    p.r_infinity_note = "A is singular, also without its explicit first stage";
    return nan;
  }
  p.r_infinity_note = "A is singular: the limit through the explicit first stage";
  return static_cast<double>(-(inverse * first).back());
}

void determine_r_infinity(const Tableau& t, Properties& p) {
  SmallMatrix<Real> inverse(t.stages());
  p.invertible = invert(SmallMatrix<Real>(t.a), inverse);
  if (p.invertible) {
    // R(infinity) = 1 - b^T A^{-1} 1
    Real sum = 0;
    Real scale = 1;
    for (std::size_t i = 0; i < t.stages(); ++i)
      for (std::size_t j = 0; j < t.stages(); ++j) {
        sum += t.b[i] * inverse(i, j);
        scale += std::abs(t.b[i] * inverse(i, j));
      }
    p.r_infinity = static_cast<double>(1 - sum);
    // Stiffly accurate: b^T A^{-1} = e_s^T, so zero exactly; elsewhere snap what rounding cannot tell from 0 and +-1.
    for (const double exact : {0.0, 1.0, -1.0})
      if (close(p.r_infinity, exact, scale)) p.r_infinity = exact;
    return;
  }
  p.r_infinity = std::numeric_limits<double>::quiet_NaN();
  if (p.explicit_method) {
    p.r_infinity_note = "the method is explicit: R is a polynomial and has no finite limit";
  } else if (p.stiffly_accurate && t.stages() > 1) {
    p.r_infinity = r_infinity_of_first_stage_explicit(t, p);
  } else {
    p.r_infinity_note = "A is singular";
  }
}

// Smallest eigenvalue of a symmetric matrix by Jacobi's rotations.
Real smallest_eigenvalue(SmallMatrix<Real> m) {
  const std::size_t n = m.size();
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (m(p, q) == 0) continue;
        const Real theta = (m(q, q) - m(p, p)) / (2 * m(p, q));
        const Real t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const Real c = 1 / std::sqrt(t * t + 1);
        const Real s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const Real kp = m(k, p);
          m(k, p) = c * kp - s * m(k, q);
          m(k, q) = s * kp + c * m(k, q);
        }
        for (std::size_t k = 0; k < n; ++k) {
          const Real pk = m(p, k);
          m(p, k) = c * pk - s * m(q, k);
          m(q, k) = s * pk + c * m(q, k);
        }
      }
  }
  Real smallest = m(0, 0);
  for (std::size_t i = 1; i < n; ++i) smallest = std::min(smallest, m(i, i));
  return smallest;
}

// Burrage & Butcher 1979, Crouzeix 1979: b_i >= 0 and m_ij = b_i a_ij + b_j a_ji - b_i b_j positive semidefinite.
void determine_algebraic_stability(const Tableau& t, Properties& p) {
  const std::size_t s = t.stages();
  SmallMatrix<Real> m(s);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) {
      const Real bi = t.b[i];
      const Real bj = t.b[j];
      m(i, j) = bi * t.a(i, j) + bj * t.a(j, i) - bi * bj;
    }
  p.algebraic_stability_margin = static_cast<double>(smallest_eigenvalue(m));
  const bool weights_fit = std::all_of(t.b.begin(), t.b.end(), [](double b) { return b >= 0.0; });
  const Real scale = std::max(row_norm(m), 1.0L);
  p.algebraically_stable = weights_fit && p.algebraic_stability_margin >= -rounding * scale;
}

}  // namespace

int order_by_trees(const Tableau& tableau, int highest) {
  const std::vector<RootedTree> trees = rooted_trees(highest);
  const ElementaryWeights weights = elementary_weights(tableau, trees);
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Real target = 1 / static_cast<Real>(trees[t].gamma);
    // The list ascends in order, so the first condition that fails settles it.
    if (!close(weights.weight[t], target, target + weights.weight_magnitude[t])) return trees[t].order - 1;
  }
  return highest;
}

int largest_b(const Tableau& tableau) { return largest(tableau, 2 * static_cast<int>(tableau.stages()), b_holds); }
int largest_c(const Tableau& tableau) { return largest(tableau, static_cast<int>(tableau.stages()), c_holds); }
int largest_d(const Tableau& tableau) { return largest(tableau, static_cast<int>(tableau.stages()), d_holds); }

TableauShape shape_of(const Tableau& t) {
  TableauShape p;
  const std::size_t s = t.stages();
  bool lower = true;
  bool any_diagonal = false;
  bool same_diagonal = t.a(0, 0) != 0.0;
  for (std::size_t i = 0; i < s; ++i) {
    any_diagonal = any_diagonal || t.a(i, i) != 0.0;
    same_diagonal = same_diagonal && t.a(i, i) == t.a(0, 0);
    for (std::size_t j = i + 1; j < s; ++j) lower = lower && t.a(i, j) == 0.0;
  }
  p.explicit_method = lower && !any_diagonal;
  p.diagonally_implicit = lower && any_diagonal;
  p.singly_diagonal = lower && same_diagonal;
  // c_s = 1 follows from the row sums; without them (Radau IA, 1 stage) the last stage is not the end of the step.
  p.stiffly_accurate = close(t.c[s - 1], 1, 1);
  for (std::size_t j = 0; j < s; ++j) {
    if (!close(t.a(s - 1, j), t.b[j], std::abs(t.b[j]) + std::abs(t.a(s - 1, j)))) p.stiffly_accurate = false;
  }
  return p;
}

Properties properties_of(const Tableau& tableau) {
  Properties p;
  static_cast<TableauShape&>(p) = shape_of(tableau);
  p.quadrature_order = largest_b(tableau);
  p.stage_order = largest_c(tableau);
  p.d_order = largest_d(tableau);
  p.nodes_are_row_sums = c_holds(tableau, 1);
  determine_order(tableau, p);
  determine_r_infinity(tableau, p);
  determine_algebraic_stability(tableau, p);
  return p;
}

}  // namespace driftless
