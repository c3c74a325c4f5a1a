// Rooted trees and the order conditions of Runge-Kutta methods for ordinary differential equations.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace driftless {

struct RootedTree {
  int order;                          // number of vertices
  double gamma;                       // order times the gammas of the subtrees: Phi(t) = 1 / gamma(t) is the condition
  std::vector<std::size_t> children;  // indices of the subtrees in the list that this tree is part of, ascending
};

// All rooted trees with at most `highest_order` vertices, by ascending order; the children of a tree stand before it.
std::vector<RootedTree> rooted_trees(int highest_order);

using MultisetVisitor = std::function<void(const std::vector<std::size_t>&)>;

// Visits every multiset of items (ascending indices, repetitions
// allowed) whose weights, each at least 1, add up to `total`.
void for_each_multiset(std::span<const int> weights, int total, const MultisetVisitor& visit);

}  // namespace driftless
