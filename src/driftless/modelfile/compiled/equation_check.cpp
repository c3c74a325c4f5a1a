#include "driftless/modelfile/compiled/equation_check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

#include "driftless/modelfile/structure/linear_row.h"

namespace driftless {

namespace {

constexpr double rounding = 1e-13;  // of the sum of the sizes of the terms
constexpr int random_directions = 4;

// Signs that look random and are always the same; then the digits of k, so that any two values go different ways once:
// in a - b = 0 they would otherwise cancel.
double sign(std::size_t k, int direction) {
  if (direction >= random_directions) return (k >> (direction - random_directions)) % 2 == 0 ? 1.0 : -1.0;
  const std::uint64_t mixed = (k + 1) * 0x9E3779B97F4A7C15ULL ^ (static_cast<std::uint64_t>(direction) << 40);
  return ((mixed * 0xBF58476D1CE4E5B9ULL) >> 63) == 0 ? 1.0 : -1.0;
}

Expr size_of_terms(Graph& graph, Expr residual) {
  const LinearRow row = linear_row(graph, residual);
  Expr sum = graph.constant(abs(row.constant));
  for (const auto& [node, factor] : row.terms)
    sum = graph.add(sum, graph.multiply(graph.constant(abs(factor)), graph.apply(Op::abs, node)));
  return sum;
}

}  // namespace

void EquationFormulas::choose_equations(const Reduction& reduction, CheckedEquations which) {
  const FlatModel& model = reduction.model;
  std::vector<char> seen(model.equations.size(), 0);
  if (which == CheckedEquations::eliminated) {
    for (const Row& row : reduction.rows)
      for (const std::size_t e : row.equations) seen[e] = 1;
    std::vector<char> rate(model.slots, 0);
    for (const FlatVariable& variable : model.variables)
      if (variable.has_derivative && !variable.discrete) rate[variable.derivative] = 1;
    for (std::size_t e = 0; e < seen.size(); ++e)
      for (const std::uint32_t slot : inputs_of(model.graph, model.equations[e].residual)) seen[e] |= rate[slot];
  }
  for (std::size_t e = 0; e < seen.size(); ++e)
    if (!seen[e]) equations_.push_back(e);
}

EquationFormulas::EquationFormulas(Reduction& reduction, const FormPlan& plan, std::span<const std::uint32_t> held,
                                   CheckedEquations which)
    : held_(held.begin(), held.end()), time_(reduction.model.time_slot) {
  choose_equations(reduction, which);
  constexpr Engine engine = Engine::interpreter;  // a short run must not wait for machine code that it hardly uses
  FlatModel& model = reduction.model;
  std::vector<Expr> outputs;
  for (const std::size_t e : equations_)
    outputs.push_back(model.equations[e].written.value_or(model.equations[e].residual));
  std::unordered_set<std::uint32_t> given(held.begin(), held.end());
  given.insert(time_);
  std::unordered_map<std::uint32_t, double> nominal;
  for (const FlatVariable& variable : model.variables)
    nominal[variable.slot] = nominal[variable.derivative] = std::abs(variable.nominal.value_or(1.0));
  std::vector<Expr> wanted;
  for (const std::uint32_t slot : inputs_of(model.graph, outputs)) {
    if (given.contains(slot)) continue;
    values_.push_back({slot, nominal.contains(slot) ? nominal[slot] : 1.0});
    wanted.push_back(model.graph.input(slot));
  }
  probe_ = std::make_shared<const ProbeFormulas>(reduction, plan, held, std::move(wanted), engine);
  for (std::size_t k = 0; k < equations_.size(); ++k) outputs.push_back(size_of_terms(model.graph, outputs[k]));
  residuals_ = Program(model.graph, outputs, engine);
  slots_ = std::max<std::size_t>(model.slots, residuals_.inputs());
}

EquationCheck::EquationCheck(std::shared_ptr<const EquationFormulas> formulas, const Equations& equations,
                             HeldValues held)
    : formulas_(std::move(formulas)),
      probe_(formulas_->probe_, equations, held),
      held_(std::move(held)),
      values_(formulas_->values_.size()),
      inputs_(formulas_->slots_, 0.0),
      residuals_(2 * formulas_->size()),
      moved_residuals_(2 * formulas_->size()),
      reach_(formulas_->size()) {
  for (std::size_t k = 0; k < held_.values.size(); ++k) inputs_[formulas_->held_[k]] = held_.values[k];
}

EquationCheck::Worst EquationCheck::worst(double t, ConstSpan state, double relative, double absolute) {
  const EquationFormulas& all = *formulas_;
  Worst result;
  const std::size_t n = all.size();
  if (n == 0) return result;
  if (!probe_.values(t, state, values_)) return {.evaluated = false};
  inputs_[all.time_] = t;
  for (std::size_t k = 0; k < values_.size(); ++k) inputs_[all.values_[k].slot] = values_[k];
  all.residuals_.run(inputs_.data(), residuals_.data(), held_.parameters.get());
  for (std::size_t e = 0; e < n; ++e) result.evaluated &= std::isfinite(residuals_[e]);
  const auto suspicious = [&](std::size_t e) { return std::abs(residuals_[e]) > rounding * residuals_[n + e]; };
  bool any = false;
  for (std::size_t e = 0; e < n && !any; ++e) any = suspicious(e);
  if (!any) return result;

  std::ranges::fill(reach_, 0.0);
  moved_ = inputs_;
  const int directions = random_directions + static_cast<int>(std::bit_width(values_.size()));
  for (int direction = 0; direction < directions; ++direction) {
    for (std::size_t k = 0; k < values_.size(); ++k)
      moved_[all.values_[k].slot] =
          values_[k] + sign(k, direction) * (relative * std::abs(values_[k]) + absolute * all.values_[k].nominal);
    all.residuals_.run(moved_.data(), moved_residuals_.data(), held_.parameters.get());
    for (std::size_t e = 0; e < n; ++e)
      if (const double change = std::abs(moved_residuals_[e] - residuals_[e]); std::isfinite(change))
        reach_[e] = std::max(reach_[e], change);
  }
  for (std::size_t e = 0; e < n; ++e) {
    if (!suspicious(e) || !std::isfinite(residuals_[e])) continue;
    const double ratio = std::abs(residuals_[e]) / (reach_[e] + rounding * residuals_[n + e]);
    if (ratio > result.ratio) result = {all.equations_[e], residuals_[e], ratio, result.evaluated};
  }
  return result;
}

}  // namespace driftless
