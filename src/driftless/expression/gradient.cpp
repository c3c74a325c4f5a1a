// Backward sweeps.
#include <algorithm>
#include <unordered_map>

#include "driftless/expression/adjoints.h"
#include "driftless/expression/differentiate.h"
#include "driftless/expression/knots.h"
#include "driftless/expression/partials.h"
#include "driftless/expression/subgraph.h"

namespace driftless {

namespace {

// Hands the adjoint of a node on to its children.
void spread(Graph& graph, const Subgraph& part, std::uint32_t position, Adjoints::Term adjoint, Adjoints& adjoints) {
  const auto& [node, children, child] = part[position];
  const auto [value, guard] = adjoint;
  const Op op = graph.op(node);
  if (is_choice(op)) {
    const Choice choice = choice_of(graph, node);
    adjoints.add(child[choice.yes], {value, adjoints.inside(guard, choice.condition, true)});
    adjoints.add(child[choice.no], {value, adjoints.inside(guard, choice.condition, false)});
    return;
  }
  if (op == Op::multiply) {
    if (const IntegerPower power = as_integer_power(graph, part, position); power.n > 2) {
      const Expr slope = derivative_of_power(graph, part[power.base].node, power.n);
      adjoints.add(power.base, {graph.multiply(value, slope), guard});
      return;
    }
  }
  if (op == Op::divide) {
    const Expr share = graph.multiply(value, partial_derivative(graph, node, 0));
    adjoints.add(child[0], {share, guard});
    adjoints.add(child[1], {graph.negate(graph.multiply(share, node)), guard});
    return;
  }
  for (int k = 0; k < children; ++k) {
    if (graph.is_constant(graph.child(node, k))) continue;
    adjoints.add(child[k], {graph.multiply(value, partial_derivative(graph, node, k)), guard});
  }
}

// Subexpressions whose gradients are known already; sweeps end there.
struct KnownGradients {
  std::unordered_set<std::uint32_t> nodes;
  std::unordered_map<std::uint32_t, std::vector<Partial>> gradients;
};

class BackwardSweep {
 public:
  BackwardSweep(Graph& graph, Expr e, const KnownGradients& known)
      : graph_(graph),
        root_(e),
        part_(graph, std::span<const Expr>(&e, 1), known.nodes),
        known_(known),
        adjoints_(graph, part_.size()) {}

  std::vector<Partial> run() {
    adjoints_.add(part_.root(0), {graph_.constant(1.0)});
    for (auto position = static_cast<std::uint32_t>(part_.size()); position-- > 0;) {
      const Expr node = part_[position].node;
      if (graph_.op(node) == Op::input) inputs_.push_back({graph_.slot(node), position});
      if (graph_.op(node) <= Op::input || !adjoints_.has(position)) continue;
      if (node != root_ && known_.nodes.contains(node.id))
        known_ones_.push_back(position);
      else
        spread(graph_, part_, position, adjoints_.take(position), adjoints_);
    }
    for (const std::uint32_t position : known_ones_) apply_known(position);
    return collect();
  }

 private:
  // Inside of the guard, as the known derivatives may be NaN where it does not hold.
  void apply_known(std::uint32_t position) {
    const Adjoints::Term adjoint = adjoints_.take(position);
    for (const Partial& partial : known_.gradients.at(part_[position].node.id))
      adjoints_.add(node_of(partial.slot), {graph_.multiply(adjoint.value, partial.derivative), adjoint.guard});
  }

  std::uint32_t node_of(std::uint32_t slot) {
    if (node_of_slot_.empty()) node_of_slot_.insert(inputs_.begin(), inputs_.end());
    const auto [found, is_new] = node_of_slot_.try_emplace(slot, 0);
    if (is_new) {
      found->second = adjoints_.one_more_node();
      inputs_.push_back(*found);
    }
    return found->second;
  }

  std::vector<Partial> collect() {
    std::vector<Partial> partials;
    for (const auto& [slot, node] : inputs_) {
      if (!adjoints_.has(node)) continue;
      const Expr derivative = adjoints_.value_everywhere(adjoints_.take(node));
      if (!graph_.vanishes(derivative)) partials.push_back({slot, derivative});
    }
    std::sort(partials.begin(), partials.end(), [](const Partial& a, const Partial& b) { return a.slot < b.slot; });
    return partials;
  }

  Graph& graph_;
  Expr root_;
  Subgraph part_;
  const KnownGradients& known_;
  Adjoints adjoints_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> inputs_;  // slot and node
  std::vector<std::uint32_t> known_ones_;
  std::unordered_map<std::uint32_t, std::uint32_t> node_of_slot_;
};

}  // namespace

std::vector<Partial> gradient(Graph& graph, Expr e) { return BackwardSweep(graph, e, {}).run(); }

std::vector<std::vector<Partial>> jacobian(Graph& graph, std::span<const Expr> several) {
  KnownGradients known;
  for (const Expr knot : find_knots(graph, several)) {
    known.gradients[knot.id] = BackwardSweep(graph, knot, known).run();
    known.nodes.insert(knot.id);
  }
  std::vector<std::vector<Partial>> rows;
  rows.reserve(several.size());
  for (const Expr e : several) {
    const auto found = known.gradients.find(e.id);
    rows.push_back(found == known.gradients.end() ? BackwardSweep(graph, e, known).run() : found->second);
  }
  return rows;
}

}  // namespace driftless
