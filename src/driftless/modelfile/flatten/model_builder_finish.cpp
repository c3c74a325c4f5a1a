// The order of what the finished model holds.
#include <algorithm>
#include <numeric>

#include "driftless/modelfile/flatten/model_builder.h"

namespace driftless {

namespace {

// An order in which whatever is needed comes first; as given where that leaves a choice, and around cycles.
std::vector<std::size_t> order_by_needs(const std::vector<std::vector<std::size_t>>& needs) {
  std::vector<std::size_t> order;
  std::vector<char> state(needs.size(), 0);  // 0 new, 1 open, 2 done
  struct Visit {
    std::size_t item, next;
  };
  std::vector<Visit> stack;
  for (std::size_t root = 0; root < needs.size(); ++root) {
    if (state[root] == 0) stack.push_back({root, 0});
    while (!stack.empty()) {
      auto& [item, next] = stack.back();
      state[item] = std::max<char>(state[item], 1);
      if (next < needs[item].size()) {
        const std::size_t other = needs[item][next++];
        if (state[other] == 0) stack.push_back({other, 0});
      } else {
        if (state[item] == 1) order.push_back(item);
        state[item] = 2;
        stack.pop_back();
      }
    }
  }
  return order;
}

}  // namespace

void ModelBuilder::sort_variables() {
  if (std::is_sorted(orders_.begin(), orders_.end())) return;
  std::vector<std::size_t> order(model_.variables.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return orders_[a] < orders_[b]; });
  std::vector<std::size_t> place(order.size());
  std::vector<FlatVariable> sorted(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted[i] = std::move(model_.variables[order[i]]);
  }
  model_.variables = std::move(sorted);
  for (FlatWhen& when : model_.whens) {
    for (FlatBranch& branch : when.branches) {
      for (FlatAction& action : branch.actions) {
        if (action.variable < place.size()) action.variable = place[action.variable];
      }
    }
  }
}

// A `when` that reads what another one assigns acts after it.
void ModelBuilder::sort_whens() {
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> assigned_by;  // slot -> whens
  for (std::size_t i = 0; i < model_.whens.size(); ++i) {
    for (const FlatBranch& branch : model_.whens[i].branches) {
      for (const FlatAction& action : branch.actions) {
        if (action.kind != FlatAction::Kind::assign) continue;
        auto& list = assigned_by[model_.variables[action.variable].slot];
        if (list.empty() || list.back() != i) list.push_back(i);
      }
    }
  }
  std::vector<std::vector<std::size_t>> needs(model_.whens.size());
  for (std::size_t i = 0; i < model_.whens.size(); ++i) {
    std::vector<Expr> values;
    for (const FlatBranch& branch : model_.whens[i].branches) {
      for (const FlatAction& action : branch.actions) values.push_back(action.value);
    }
    for (const std::uint32_t slot : inputs_of(model_.graph, values)) {
      const auto found = assigned_by.find(slot);
      if (found == assigned_by.end()) continue;
      for (const std::size_t other : found->second) {
        if (other != i) needs[i].push_back(other);
      }
    }
  }
  std::vector<FlatWhen> sorted;
  for (const std::size_t i : order_by_needs(needs)) sorted.push_back(std::move(model_.whens[i]));
  model_.whens = std::move(sorted);
}

FlatModel ModelBuilder::finish() {
  sort_whens();
  sort_variables();
  return std::move(model_);
}

}  // namespace driftless
