#include "driftless/modelfile/compiled/branch_model.h"

#include <unordered_map>

#include "driftless/expression/subgraph.h"

namespace driftless {

namespace {

Expr rebuilt(Graph& graph, const Subgraph::Entry& entry, std::span<const Expr> done) {
  const Op op = graph.op(entry.node);
  switch (entry.children) {
    case 0: return entry.node;
    case 1: return graph.apply(op, done[entry.child[0]]);
    case 2: return graph.apply(op, done[entry.child[0]], done[entry.child[1]]);
    default: return graph.select(done[entry.child[0]], done[entry.child[1]], done[entry.child[2]]);
  }
}

Expr with_fixed(Graph& graph, Expr e, const std::unordered_map<std::uint32_t, bool>& fixed) {
  const Subgraph all(graph, std::span(&e, 1));
  std::vector<Expr> done;
  for (const Subgraph::Entry& entry : all) {
    bool same = true;
    for (int k = 0; k < entry.children; ++k) same = same && done[entry.child[k]] == all[entry.child[k]].node;
    if (const auto own = fixed.find(entry.node.id); own != fixed.end())
      done.push_back(done[entry.child[own->second ? 1 : 2]]);
    else
      done.push_back(same ? entry.node : rebuilt(graph, entry, done));
  }
  return done[all.root(0)];
}

}  // namespace

FlatModel branch_model(FlatModel model, std::span<const FixedBranch> branches, std::span<const std::size_t> states) {
  std::unordered_map<std::uint32_t, bool> fixed;
  for (const FixedBranch& branch : branches) fixed[branch.select.id] = branch.yes;
  for (FlatEquation& equation : model.equations) {
    const Expr residual = with_fixed(model.graph, equation.residual, fixed);
    if (residual == equation.residual) continue;
    equation.written = equation.residual;
    equation.residual = residual;
  }
  for (const std::size_t state : states) model.variables[state].kept = true;
  model.drawing.reset();
  model.is_mode = model.is_branch = true;
  return model;
}

}  // namespace driftless
