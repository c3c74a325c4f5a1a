#include "driftless/modelfile/compiled/hidden_relations.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "driftless/expression/subgraph.h"
#include "driftless/modelfile/structure/expression_text.h"

namespace driftless {

namespace {

// Copies the equations with comparisons of what is continuous as inputs.
class Revealing {
 public:
  explicit Revealing(FlatModel& model) : model_(model), graph_(model.graph), continuous_(model.slots, 0) {
    continuous_[model.time_slot] = 1;
    for (const FlatVariable& variable : model.variables) {
      names_[variable.slot] = variable.name;
      if (variable.discrete) continue;
      continuous_[variable.slot] = 1;
      if (variable.has_derivative) continuous_[variable.derivative] = 1;
    }
    names_[model.time_slot] = "time";
  }

  void run() {
    for (FlatEquation& equation : model_.equations) {
      const Subgraph part(graph_, std::span(&equation.residual, 1));
      done_.clear();
      for (const Subgraph::Entry& entry : part) done_.push_back(revealed(entry, equation.place));
      equation.residual = done_[part.root(0)];
    }
  }

  bool moves(Expr e) const {
    return std::ranges::any_of(inputs_of(graph_, e), [&](std::uint32_t slot) { return continuous_[slot] != 0; });
  }

 private:
  Expr revealed(const Subgraph::Entry& entry, SourcePlace place) {
    const Op op = graph_.op(entry.node);
    const auto child = [&](int k) { return done_[entry.child[k]]; };
    const Expr zero = graph_.constant(0.0), one = graph_.constant(1.0);
    switch (entry.children) {
      case 0: return entry.node;
      case 1: {
        if (op != Op::sign || !moves(child(0))) return graph_.apply(op, child(0));
        const Expr negative = relation(child(0), zero, Op::less, place),
                   positive = relation(zero, child(0), Op::less, place);
        return graph_.select(positive, one, graph_.select(negative, graph_.constant(-1.0), zero));
      }
      case 2:
        if ((op == Op::less || op == Op::less_equal) && (moves(child(0)) || moves(child(1))))
          return relation(child(0), child(1), op, place);
        return graph_.apply(op, child(0), child(1));
      default: return graph_.select(child(0), child(1), child(2));
    }
  }

  // a < b, or a <= b.
  Expr relation(Expr a, Expr b, Op op, SourcePlace place) {
    const auto [known, added] = relations_.try_emplace({a.id, b.id, op == Op::less}, model_.slots);
    if (added) {
      ++model_.slots;
      continuous_.push_back(0);
      const std::string text = expression_text(graph_, graph_.apply(op, a, b), [&](std::uint32_t slot) {
        const auto name = names_.find(slot);
        return name == names_.end() ? "..." : name->second;
      });
      model_.relations.push_back(
          {graph_.subtract(a, b), known->second, true, op == Op::less_equal, text + " in noEvent", place});
    }
    return graph_.input(known->second);
  }

  FlatModel& model_;
  Graph& graph_;
  std::vector<char> continuous_;  // by slot
  std::unordered_map<std::uint32_t, std::string> names_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> relations_;
  std::vector<Expr> done_;
};

}  // namespace

std::vector<Expr> hidden_roots(FlatModel& model) {
  std::vector<Expr> residuals, roots;
  for (const FlatEquation& equation : model.equations) residuals.push_back(equation.residual);
  const Revealing revealing(model);
  std::vector<std::pair<Expr, Expr>> sides;  // the graph may not grow under the list
  for (const Subgraph::Entry& entry : Subgraph(model.graph, residuals)) {
    const Op op = model.graph.op(entry.node);
    const bool sign = op == Op::sign;
    if (!sign && op != Op::less && op != Op::less_equal) continue;
    const Expr a = model.graph.child(entry.node, 0), b = sign ? Expr{} : model.graph.child(entry.node, 1);
    if (revealing.moves(a) || revealing.moves(b)) sides.emplace_back(a, b);
  }
  for (const auto& [a, b] : sides) roots.push_back(model.graph.subtract(a, b));
  return roots;
}

std::optional<FlatModel> with_hidden_relations(FlatModel model) {
  const std::size_t before = model.relations.size();
  Revealing(model).run();
  if (model.relations.size() == before) return std::nullopt;
  model.initial_equations.clear();
  model.initial_assignments.clear();
  model.drawing.reset();
  return model;
}

}  // namespace driftless
