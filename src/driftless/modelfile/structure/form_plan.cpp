#include "driftless/modelfile/structure/form_plan.h"

#include <algorithm>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/form_parts.h"
#include "driftless/modelfile/structure/linear_row.h"

namespace driftless {

namespace {

bool reads_any(const Graph& graph, Expr e, const std::vector<char>& slots) {
  for (const std::uint32_t slot : inputs_of(graph, e))
    if (slot < slots.size() && slots[slot]) return true;
  return false;
}

}  // namespace

Component component_of(const Unknown& unknown) {
  return {.name = unknown.name,
          .slot = unknown.slot,
          .rate = unknown.derivative,
          .introduced = unknown.variable == no_variable};
}

std::vector<std::vector<Occurrence>> occurrences(const Reduction& reduction) {
  std::vector<std::vector<Occurrence>> result;
  for (const Row& row : reduction.rows) result.push_back(row.unknowns);
  return result;
}

Expr without_derivatives(Reduction& reduction, const Row& row) {
  if (!row.has_derivative) return row.residual;
  std::unordered_map<std::uint32_t, Expr> zero;
  for (const Occurrence& o : row.unknowns)
    if (o.order == 1) zero[reduction.unknowns[o.unknown].derivative] = Expr{};
  return substitute(reduction.model.graph, row.residual, zero);
}

Rates solve_rates(Graph& graph, const Components& components, std::vector<Expr> residuals) {
  const std::size_t n = components.size();
  Rates rates{.formula = std::vector<std::optional<Expr>>(n), .coupled = {}, .residual = {}};
  std::uint32_t slots = 0;
  for (const Component& c : components) slots = std::max(slots, c.rate + 1);
  std::vector<char> open(slots, 0);  // rates without a formula
  for (const Component& c : components) open[c.rate] = 1;
  std::unordered_map<std::uint32_t, Expr> known;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (rates.formula[i]) continue;
      const Expr residual = residuals[i] = substitute(graph, residuals[i], known);
      const std::uint32_t rate = components[i].rate;
      const Expr factor = differentiate(graph, residual, rate);
      const Expr rest = substitute(graph, residual, {{rate, Expr{}}});
      if (!certainly_not_zero(graph, factor) || reads_any(graph, rest, open)) continue;
      known[rate] = *(rates.formula[i] = graph.divide(graph.negate(rest), factor));
      open[rate] = 0;
      changed = true;
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    if (!rates.formula[i]) {
      rates.coupled.push_back(i);
      rates.residual.push_back(substitute(graph, residuals[i], known));
    }
  return rates;
}

FormPlan plan_form(Reduction& reduction) {
  if (auto plan = plan_index1(reduction)) return *std::move(plan);
  return plan_hessenberg(reduction);
}

Components components_of(const FormPlan& plan) {
  const auto joined = [](std::initializer_list<const Components*> parts) {
    Components all;
    for (const Components* part : parts) all.insert(all.end(), part->begin(), part->end());
    return all;
  };
  struct Visitor {
    decltype(joined)& join;
    Components operator()(const Index1Plan& p) const { return p.x; }
    Components operator()(const Index2Plan& p) const { return join({&p.u, &p.lambda}); }
    Components operator()(const Index3Plan& p) const { return join({&p.u, &p.v, &p.lambda}); }
    Components operator()(const MechanicalPlan& p) const { return join({&p.q, &p.v, &p.s, &p.lambda}); }
    Components operator()(const WidePlan& p) const { return join({&p.q, &p.v, &p.s, &p.lambda}); }
  };
  return std::visit(Visitor{joined}, plan.form);
}

bool solves_nothing(const FormPlan& plan) {
  const Components components = components_of(plan);
  return components.size() == 1 && components[0].name == nothing_to_solve;
}

Components multipliers_of(const FormPlan& plan) {
  struct Visitor {
    Components operator()(const Index1Plan&) const { return {}; }
    Components operator()(const Index2Plan& p) const { return p.lambda; }
    Components operator()(const Index3Plan& p) const { return p.lambda; }
    Components operator()(const MechanicalPlan& p) const { return p.lambda; }
    Components operator()(const WidePlan& p) const { return p.lambda; }
  };
  return std::visit(Visitor{}, plan.form);
}

std::vector<Constraint> constraints_of(const FormPlan& plan) {
  struct Visitor {
    std::vector<Constraint> operator()(const Index1Plan&) const { return {}; }
    std::vector<Constraint> operator()(const Index2Plan& p) const { return p.g; }
    std::vector<Constraint> operator()(const Index3Plan& p) const { return p.g; }
    std::vector<Constraint> operator()(const MechanicalPlan& p) const { return p.g; }
    std::vector<Constraint> operator()(const WidePlan& p) const {
      std::vector<Constraint> all = p.g;
      all.insert(all.end(), p.h.begin(), p.h.end());
      return all;
    }
  };
  return std::visit(Visitor{}, plan.form);
}

}  // namespace driftless
