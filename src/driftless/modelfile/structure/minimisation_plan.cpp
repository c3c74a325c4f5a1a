#include "driftless/modelfile/structure/minimisation_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/reduction_state.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

namespace {

std::string unquoted(const std::string& name) {
  const bool in_quotes = name.size() > 2 && name.front() == '\'' && name.back() == '\'';
  return in_quotes ? name.substr(1, name.size() - 2) : name;
}

std::size_t objective_of(const FlatModel& model, const std::string& name) {
  std::vector<std::string_view> known;
  for (std::size_t k = 0; k < model.variables.size(); ++k) {
    const FlatVariable& variable = model.variables[k];
    if (variable.introduced) continue;
    if (variable.name == name || unquoted(variable.name) == name) return k;
    known.push_back(variable.name);
  }
  throw Refusal{{{{},
                  fmt::format("the model has no variable '{}' that could be the objective", name),
                  did_you_mean(name, known)}}};
}

// Time, dynamics and events have no meaning in a minimisation.
void require_static(const FlatModel& model) {
  std::vector<Finding> findings;
  for (const FlatVariable& variable : model.variables) {
    if (variable.has_derivative && !variable.discrete)
      findings.push_back({variable.place,
                          fmt::format("der({}) occurs, but what is minimised does not change with time", variable.name),
                          "state the objective and the constraints without derivatives"});
    if (variable.discrete)
      findings.push_back({variable.place,
                          fmt::format("{} changes at events, and a minimisation has none", quoted(variable.name)),
                          "use Real variables and smooth formulas"});
  }
  std::vector<Expr> residuals;
  for (const FlatEquation& equation : model.equations) residuals.push_back(equation.residual);
  const std::vector<std::uint32_t> read = inputs_of(model.graph, residuals);
  const auto occurs = [&](std::uint32_t slot) { return std::ranges::binary_search(read, slot); };
  for (const FlatRelation& relation : model.relations)
    if (occurs(relation.slot))
      findings.push_back({relation.place,
                          fmt::format("'{}' would change at an event, and a minimisation has none", relation.text),
                          "put it into noEvent(...), if the formula is smooth there"});
  for (const FlatEquation& equation : model.equations)
    if (std::ranges::binary_search(inputs_of(model.graph, equation.residual), model.time_slot))
      findings.push_back({equation.place, fmt::format("time occurs in '{}'", equation.text),
                          "what is minimised does not change with time: use a parameter"});
  for (const FlatWhen& when : model.whens)
    if (findings.empty()) findings.push_back({when.place, "a 'when' acts at events, and a minimisation has none", ""});
  if (!findings.empty()) throw Refusal{std::move(findings)};
}

// Takes one computed variable after the other out of the equations.
class Definitions {
 public:
  explicit Definitions(FlatModel& model) : model_(model), left_(model.equations.size(), 1) {
    for (const FlatEquation& equation : model.equations) residuals_.push_back(equation.residual);
    for (const FlatVariable& variable : model.variables) {
      values_.push_back(model.graph.input(variable.slot));
      computable_.push_back(!variable.start && !variable.input);
    }
  }

  // Equations with one candidate come first: an equation with several may define either of them.
  void find() {
    while (define_one(1) || define_one(model_.variables.size())) {
    }
  }

  bool is_computed(std::size_t variable) const { return computed_.contains(variable); }
  bool is_left(std::size_t equation) const { return left_[equation]; }
  Expr residual(std::size_t equation) const { return residuals_[equation]; }
  std::vector<Expr> values() { return values_; }

 private:
  // Variables that the residual contains once, with a constant factor, and that may be computed.
  std::vector<std::size_t> candidates(const LinearRow& row) const {
    std::vector<Expr> inside;
    for (const auto& term : row.terms)
      if (model_.graph.op(term.node) != Op::input) inside.push_back(term.node);
    const std::vector<std::uint32_t> nonlinear = inputs_of(model_.graph, inside);
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < model_.variables.size(); ++k) {
      const std::uint32_t slot = model_.variables[k].slot;
      if (!computable_[k] || is_computed(k) || std::ranges::binary_search(nonlinear, slot)) continue;
      const bool occurs = std::ranges::any_of(row.terms, [&](const LinearRow::Term& term) {
        return model_.graph.op(term.node) == Op::input && model_.graph.slot(term.node) == slot;
      });
      if (occurs) found.push_back(k);
    }
    return found;
  }

  bool define_one(std::size_t most_candidates) {
    for (std::size_t e = 0; e < residuals_.size(); ++e) {
      if (!left_[e]) continue;
      const LinearRow row = linear_row(model_.graph, residuals_[e]);
      const std::vector<std::size_t> found = candidates(row);
      if (found.empty() || found.size() > most_candidates) continue;
      define(e, found.front(), row);
      return true;
    }
    return false;
  }

  void define(std::size_t equation, std::size_t variable, const LinearRow& row) {
    Graph& graph = model_.graph;
    const Expr input = graph.input(model_.variables[variable].slot);
    const Expr value = to_expr(graph, scale(without(row, input), Number(-1.0) / row.factor_of(input)));
    const std::unordered_map<std::uint32_t, Expr> by_slot{{model_.variables[variable].slot, value}};
    left_[equation] = 0;
    computed_.insert(variable);
    residuals_ = substitute(graph, residuals_, by_slot);
    values_ = substitute(graph, values_, by_slot);
  }

  FlatModel& model_;
  std::vector<char> left_, computable_;
  std::vector<Expr> residuals_, values_;
  std::unordered_set<std::size_t> computed_;
};

void require_something_to_do(const MinimisationPlan& plan) {
  const FlatModel& model = plan.model;
  for (std::size_t k = 0; k < plan.constraints.size(); ++k) {
    if (!inputs_of(model.graph, plan.residuals[k]).empty()) continue;
    const std::size_t equation = plan.constraints[k];
    const double value = model.graph.value(plan.residuals[k]);
    throw Refusal{{{model.equations[equation].place,
                    fmt::format("{} contains nothing that can be chosen: it says 0 = {:.6g}",
                                quote_equation(model, equation), value),
                    "remove it, or give a start value to a variable in it, which is then chosen"}}};
  }
  const FlatVariable& objective = model.variables[plan.objective];
  if (inputs_of(model.graph, plan.values[plan.objective]).empty())
    throw Refusal{
        {{objective.place, fmt::format("the objective {} is a constant", quoted(objective.name)),
          "variables that can be chosen are those with a start value, or that no equation gives explicitly"}}};
  if (plan.constraints.size() >= plan.chosen.size())
    throw Refusal{{{objective.place,
                    fmt::format("nothing is left to choose: {} constraints for {} variables", plan.constraints.size(),
                                plan.chosen.size()),
                    "a model to minimise has fewer equations than variables; `solve` is for those with as many"}}};
}

}  // namespace

MinimisationPlan plan_minimisation(FlatModel model, const MinimisationRequest& request) {
  require_static(model);
  MinimisationPlan plan{.model = std::move(model)};
  plan.objective = objective_of(plan.model, request.objective);
  Definitions definitions(plan.model);
  definitions.find();
  plan.values = definitions.values();
  for (std::size_t k = 0; k < plan.model.variables.size(); ++k)
    if (!definitions.is_computed(k)) plan.chosen.push_back(k);
  for (std::size_t e = 0; e < plan.model.equations.size(); ++e) {
    if (!definitions.is_left(e)) continue;
    plan.constraints.push_back(e);
    plan.residuals.push_back(definitions.residual(e));
  }
  require_something_to_do(plan);
  return plan;
}

}  // namespace driftless
