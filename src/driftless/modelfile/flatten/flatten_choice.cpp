// if equations: parameters choose between branches, variables select between their values.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/flatten/flatten_model.h"

namespace driftless {

void ModelFlattener::add_choice(const Statement& statement) {
  struct Open {
    Scalar condition;
    std::string text;
    std::vector<Equation> equations;
    std::vector<FlatAction> actions;
  };
  std::vector<Open> open;
  const Evaluator::Scope scope(evaluator_);
  std::vector<Equation> outer_equations;
  std::vector<FlatAction> outer_actions;
  bool decided = false;
  for (const Statement::Branch& branch : statement.branches) {
    Scalar condition = Scalar::of(1.0);
    if (branch.condition != no_node) {
      condition = evaluator_.evaluate_scalar(branch.condition, BaseType::boolean, "the condition of 'if'");
    }
    if (condition.is_constant(0.0)) continue;
    decided = condition.is_constant();
    if (decided && open.empty()) {
      add_statements(branch.body);
      return;
    }
    if (open.empty()) {
      outer_equations = std::move(equations_);
      outer_actions = std::move(actions_);
      evaluator_.mode().guarded = true;
      ++open_choices_;
    }
    equations_.clear();
    actions_.clear();
    if (!decided) evaluator_.path().push_back({condition, false});
    add_statements(branch.body);
    std::string text = branch.condition == no_node ? "" : context_.quote(tree_.range(branch.condition));
    open.push_back({condition, std::move(text), std::move(equations_), std::move(actions_)});
    if (decided) break;
    evaluator_.path().back().negated = true;
  }
  if (open.empty()) return;
  --open_choices_;
  if (!decided) open.push_back({Scalar::of(1.0), "", {}, {}});
  std::vector<Equation> merged = std::move(open.back().equations);
  std::vector<FlatAction> actions = std::move(open.back().actions);
  for (std::size_t k = open.size() - 1; k-- > 0;) {
    merged = merge(open[k].condition, open[k].text, std::move(open[k].equations), std::move(merged), statement.range);
    actions = merge_actions(open[k].condition, std::move(open[k].actions), std::move(actions));
  }
  equations_ = std::move(outer_equations);
  actions_ = std::move(outer_actions);
  std::move(merged.begin(), merged.end(), std::back_inserter(equations_));
  std::move(actions.begin(), actions.end(), std::back_inserter(actions_));
}

// Equations with the same left side belong together, whatever their order; the others by their order.
std::vector<ModelFlattener::Equation> ModelFlattener::merge(Scalar condition, const std::string& condition_text,
                                                            std::vector<Equation> yes, std::vector<Equation> no,
                                                            SourceRange range) {
  if (yes.size() != no.size()) {
    Context::fail(
        range,
        fmt::format("the branches of this 'if' have different numbers of equations: {} and {}", yes.size(), no.size()),
        "as the condition changes during the run, every branch, 'else' included, needs one equation for each "
        "unknown");
  }
  const auto key_of = [](const Scalar& s) {
    return s.is_expression() ? static_cast<std::int64_t>(s.expr.id) : std::int64_t{-1};
  };
  std::unordered_map<std::int64_t, std::vector<std::size_t>> by_left;
  for (std::size_t j = no.size(); j-- > 0;) by_left[key_of(no[j].left)].push_back(j);
  std::vector<std::size_t> partner(yes.size(), no.size());
  std::vector<bool> taken(no.size(), false);
  for (std::size_t i = 0; i < yes.size(); ++i) {
    const auto found = by_left.find(key_of(yes[i].left));
    if (found == by_left.end() || found->second.empty() || found->first < 0) continue;
    partner[i] = found->second.back();
    taken[partner[i]] = true;
    found->second.pop_back();
  }
  std::size_t next = 0;
  const Arithmetic& arithmetic = context_.arithmetic;
  std::vector<Equation> merged;
  for (std::size_t i = 0; i < yes.size(); ++i) {
    const bool same_left = partner[i] < no.size();
    if (!same_left) {
      while (taken[next]) ++next;
      partner[i] = next++;
    }
    const Equation &a = yes[i], &b = no[partner[i]];
    Equation equation{a.left, arithmetic.select(condition, a.right, b.right), "", a.range, a.place, a.choices};
    equation.choices.insert(equation.choices.end(), b.choices.begin(), b.choices.end());
    equation.choices.push_back({condition.expr, a.place, b.place});
    if (!same_left) {
      equation.left =
          arithmetic.select(condition, arithmetic.subtract(a.left, a.right), arithmetic.subtract(b.left, b.right));
      equation.right = Scalar::of(0.0);
    }
    equation.text = fmt::format("if {} then {} else {}", condition_text, a.text, b.text);
    if (equation.text.size() > 2 * Context::longest_quote) equation.text = a.text;
    merged.push_back(std::move(equation));
  }
  return merged;
}

// In the body of a when: what one branch does not assign keeps its value.
std::vector<FlatAction> ModelFlattener::merge_actions(Scalar condition, std::vector<FlatAction> yes,
                                                      std::vector<FlatAction> no) {
  Graph& graph = context_.builder.graph();
  const auto is_change = [](const FlatAction& action) {
    return action.kind == FlatAction::Kind::assign || action.kind == FlatAction::Kind::reinit;
  };
  const auto unchanged = [&](const FlatAction& action) {
    return action.kind == FlatAction::Kind::assign ? context_.builder.pre_of(action.variable)
                                                   : context_.builder.value_of(action.variable);
  };
  std::vector<FlatAction> merged;
  std::vector<bool> used(no.size(), false);
  for (FlatAction& action : yes) {
    if (is_change(action)) {
      Expr otherwise = unchanged(action);
      for (std::size_t j = 0; j < no.size(); ++j) {
        if (used[j] || no[j].kind != action.kind || no[j].variable != action.variable) continue;
        otherwise = no[j].value;
        used[j] = true;
        break;
      }
      action.value = graph.select(condition.expr, action.value, otherwise);
    }
    merged.push_back(std::move(action));
  }
  for (std::size_t j = 0; j < no.size(); ++j) {
    if (used[j]) continue;
    if (is_change(no[j])) no[j].value = graph.select(condition.expr, unchanged(no[j]), no[j].value);
    merged.push_back(std::move(no[j]));
  }
  return merged;
}

}  // namespace driftless
