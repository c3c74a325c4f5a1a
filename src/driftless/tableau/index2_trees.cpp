#include "driftless/tableau/index2_trees.h"

#include <algorithm>
#include <utility>

#include "driftless/tableau/rooted_trees.h"

namespace driftless {
namespace {

// Grows the list order by order. A u-tree of order k with other children than one
// lambda-tree has lambda-children of order at most k - 2, and a lambda-tree of order k
// - 1 has u-children of order at most k, so the sequence of the three steps is sound.
class Forest {
 public:
  void grow(int order) {
    add_branching_u_trees(order);
    const std::size_t lambda_known = lambda_index_.size();
    add_lambda_trees(order - 1);
    for (std::size_t w = lambda_known; w < lambda_index_.size(); ++w) {
      add_u({false, order, order * trees_[lambda_index_[w]].gamma, {}, {lambda_index_[w]}});
    }
    u_orders_.resize(u_index_.size(), order);
    lambda_orders_.resize(lambda_index_.size(), order - 1);
  }

  std::vector<Index2Tree> take() { return std::move(trees_); }

 private:
  using Indices = std::vector<std::size_t>;
  struct Resolved {
    Indices children;
    double gamma = 1.0;
  };

  void add_u(Index2Tree tree) {
    u_index_.push_back(trees_.size());
    add(std::move(tree));
  }

  void add(Index2Tree tree) {
    const auto curved = [&](std::size_t child) { return trees_[child].needs_curvature_in_lambda; };
    tree.needs_curvature_in_lambda = tree.lambda_children.size() > 1 || std::ranges::any_of(tree.u_children, curved) ||
                                     std::ranges::any_of(tree.lambda_children, curved);
    trees_.push_back(std::move(tree));
  }

  // Positions in one of the two lists -> positions in trees_, and the product of the gammas.
  Resolved resolve(const Indices& positions, const Indices& index) const {
    Resolved resolved;
    for (const std::size_t position : positions) {
      resolved.children.push_back(index[position]);
      resolved.gamma *= trees_[index[position]].gamma;
    }
    return resolved;
  }

  // Every [t.., w..]_u of this order but the [w]_u.
  void add_branching_u_trees(int order) {
    for (int in_lambda = 0; in_lambda < order; ++in_lambda) {
      for_each_multiset(lambda_orders_, in_lambda, [&](const Indices& lambda_positions) {
        const Resolved lambda = resolve(lambda_positions, lambda_index_);
        for_each_multiset(u_orders_, order - 1 - in_lambda, [&](const Indices& u_positions) {
          if (u_positions.empty() && lambda_positions.size() == 1) return;
          const Resolved u = resolve(u_positions, u_index_);
          add_u({false, order, order * u.gamma * lambda.gamma, u.children, lambda.children});
        });
      });
    }
  }

  // Every [t..]_l of this order but [tau]_l and the [[w]_u]_l.
  void add_lambda_trees(int order) {
    if (order < 1) return;
    // Of the u-trees of order + 1 only the branching ones exist by now, which is what [[w]_u]_l being left out asks
    // for; but of the orders below there are all, as they should, since there m > 1.
    std::vector<int> orders = u_orders_;
    orders.resize(u_index_.size(), order + 1);
    for_each_multiset(orders, order + 1, [&](const Indices& positions) {
      const Resolved u = resolve(positions, u_index_);
      lambda_index_.push_back(trees_.size());
      add({true, order, u.gamma / (order + 1), u.children, {}});
    });
  }

  std::vector<Index2Tree> trees_;
  Indices u_index_;
  Indices lambda_index_;
  std::vector<int> u_orders_;
  std::vector<int> lambda_orders_;
};

}  // namespace

std::vector<Index2Tree> index2_trees(int highest) {
  Forest forest;
  for (int order = 1; order <= highest; ++order) forest.grow(order);
  return forest.take();
}

}  // namespace driftless
