// The rooted trees DAT2 of Hairer, Lubich & Roche (LNM 1409, section 5; Hairer & Wanner II, VII.5) for u' = f(u,
// lambda), 0 = g(u), and the elementary weights of Runge-Kutta methods on them.
//
// A u-tree [t_1..t_m, w_1..w_n]_u stands for the differential f_{u^m lambda^n}(F(t_1), ..., F(w_n)); a lambda-tree
// [t_1..t_m]_l for (-g_u f_lambda)^{-1} g_{u^m}(F(t_1), ..., F(t_m)). tau = []_u stands for f. Left out are [tau]_l,
// since g_u f = 0 on the manifold, and [[w]_u]_l, since it is -w. With the orders rho below, u^(k) and lambda^(k) of
// the solution are sums over the trees of order k, and:
//   rho([t.., w..]_u) = 1 + sum rho,    gamma = rho * prod gamma
//   rho([t..]_l)      = sum rho - 1,    gamma = prod gamma / (rho + 1)
// The factor 1/(rho + 1): the k-th derivative of 0 = g(u(h)) holds k g_u f_lambda lambda^(k-1).
#pragma once

#include <cstddef>
#include <vector>

#include "driftless/tableau/small_matrix.h"

namespace driftless {

struct Index2Tree {
  bool is_lambda;
  int order;
  double gamma;
  std::vector<std::size_t> u_children;       // indices into the list that this tree is part of
  std::vector<std::size_t> lambda_children;  // empty for lambda-trees
  bool needs_curvature_in_lambda = false;    // f_{lambda lambda ..} occurs: the tree vanishes if lambda enters linearly

  // [w]_u: its differential f_lambda F(w) points along the columns of f_lambda, the directions of the projection.
  bool is_projected_direction() const { return !is_lambda && u_children.empty() && lambda_children.size() == 1; }
};

// All u-trees of order 1..highest and lambda-trees of order 1..highest - 1 (these are what the u-trees are made of),
// children before their parents.
std::vector<Index2Tree> index2_trees(int highest);

// One step of a method in the form that the weights need. Implicit: constraint = stage = A. Half-explicit, (2.9) of
// Schropp's attracting-sets paper: stage = A, constraint = A~, A without its first row and with b^T below, because the
// constraint at stage i + 1, last at the new point, is what determines Lambda_i.
template <class Scalar>
struct Index2Step {
  SmallMatrix<Scalar> stage;
  SmallMatrix<Scalar> constraint;
  std::vector<Scalar> b;
};

// Stage values of all trees. With Phi(tau) = 1:
//   Phi_i([t.., w..]_u) = prod_k (A Phi(t_k))_i prod_l Lambda_i(w_l)
//   Lambda([t..]_l)     = A~^{-1} prod_k (A~ Phi(t_k))
// Derivation: U~ = u_0 + h A~ f(U, Lambda) and g(U~) = 0. The k-th h-derivative of the latter at h = 0 reads
// k g_u f_lambda A~ Lambda^(k-1) + (terms g_{u^m} and g_u f_..., all at the rows of A~) = 0; multiply by A~^{-1}. The
// factor k is in gamma. u-trees store Phi, lambda-trees store Lambda.
template <class Scalar>
std::vector<std::vector<Scalar>> index2_stage_values(const Index2Step<Scalar>& step,
                                                     const std::vector<Index2Tree>& trees) {
  const std::size_t s = step.b.size();
  const SmallMatrix<Scalar> inverse = inverse_of(step.constraint);
  std::vector<std::vector<Scalar>> values(trees.size());
  std::vector<std::vector<Scalar>> at_stage(trees.size());       // A Phi(t)
  std::vector<std::vector<Scalar>> at_constraint(trees.size());  // A~ Phi(t)
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Index2Tree& tree = trees[t];
    std::vector<Scalar> product(s, Scalar(1));
    const auto multiply_by = [&](const std::vector<Scalar>& factor) {
      for (std::size_t i = 0; i < s; ++i) product[i] *= factor[i];
    };
    for (const std::size_t child : tree.u_children)
      multiply_by(tree.is_lambda ? at_constraint[child] : at_stage[child]);
    for (const std::size_t child : tree.lambda_children) multiply_by(values[child]);
    values[t] = tree.is_lambda ? inverse * product : product;
    if (tree.is_lambda) continue;
    at_stage[t] = step.stage * product;
    at_constraint[t] = step.constraint * product;
  }
  return values;
}

template <class Scalar>
Scalar weighted_sum(const std::vector<Scalar>& x, const std::vector<Scalar>& y) {
  Scalar sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace driftless
