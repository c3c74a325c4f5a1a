#include "driftless/tableau/rooted_trees.h"

namespace driftless {
namespace {

void extend(std::span<const int> weights, int remaining, std::size_t first, std::vector<std::size_t>& chosen,
            const MultisetVisitor& visit) {
  if (remaining == 0) return visit(chosen);
  for (std::size_t i = first; i < weights.size(); ++i) {
    if (weights[i] > remaining) continue;
    chosen.push_back(i);
    extend(weights, remaining - weights[i], i, chosen, visit);
    chosen.pop_back();
  }
}

}  // namespace

void for_each_multiset(std::span<const int> weights, int total, const MultisetVisitor& visit) {
  std::vector<std::size_t> chosen;
  extend(weights, total, 0, chosen, visit);
}

std::vector<RootedTree> rooted_trees(int highest_order) {
  std::vector<RootedTree> trees;
  std::vector<int> orders;
  for (int order = 1; order <= highest_order; ++order) {
    const std::size_t known = trees.size();
    for_each_multiset({orders.data(), known}, order - 1, [&](const std::vector<std::size_t>& children) {
      double gamma = order;
      for (const std::size_t child : children) gamma *= trees[child].gamma;
      trees.push_back({order, gamma, children});
    });
    orders.resize(trees.size(), order);
  }
  return trees;
}

}  // namespace driftless
