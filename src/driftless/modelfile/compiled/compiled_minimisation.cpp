#include "driftless/modelfile/compiled/compiled_minimisation.h"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/core/scratch.h"
#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/minimisation_plan.h"
#include "driftless/modelfile/structure/reduction_state.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

namespace {

// A program of the chosen variables and the multipliers; its arguments lie where the flat model has its slots.
class ChosenProgram {
 public:
  ChosenProgram(const MinimisationPlan& plan, std::span<const Expr> outputs, std::span<const std::uint32_t> multipliers,
                Engine engine)
      : program_(plan.model.graph, outputs, engine), slots_(plan.model.slots) {
    for (const std::size_t k : plan.chosen) chosen_.push_back(plan.model.variables[k].slot);
    multipliers_.assign(multipliers.begin(), multipliers.end());
  }

  void run(ConstSpan u, ConstSpan lambda, Span out) const {
    Scratch scratch;
    const auto inputs = scratch.take<double>(slots_);
    std::fill(inputs.begin(), inputs.end(), 0.0);
    for (std::size_t i = 0; i < chosen_.size(); ++i) inputs[chosen_[i]] = u[i];
    for (std::size_t i = 0; i < lambda.size(); ++i) inputs[multipliers_[i]] = lambda[i];
    program_.run(inputs.data(), out.data());
  }
  std::size_t outputs() const { return program_.outputs(); }

 private:
  Program program_;
  std::size_t slots_;
  std::vector<std::uint32_t> chosen_, multipliers_;
};

// A matrix of which only the entries that are not structurally zero are computed.
class ChosenMatrix {
 public:
  struct Entry {
    std::size_t row, column;
  };
  ChosenMatrix(const MinimisationPlan& plan, const std::vector<std::vector<Partial>>& rows,
               std::span<const std::uint32_t> multipliers, Engine engine)
      : program_(plan, collect(plan, rows), multipliers, engine) {}

  void fill(ConstSpan u, ConstSpan lambda, MatrixView out) const {
    Scratch scratch;
    const auto values = scratch.take<double>(entries_.size());
    program_.run(u, lambda, values);
    out.fill(0.0);
    for (std::size_t k = 0; k < entries_.size(); ++k) out(entries_[k].row, entries_[k].column) = values[k];
  }

 private:
  std::vector<Expr> collect(const MinimisationPlan& plan, const std::vector<std::vector<Partial>>& rows) {
    std::unordered_map<std::uint32_t, std::size_t> column;
    for (std::size_t j = 0; j < plan.chosen.size(); ++j) column[plan.model.variables[plan.chosen[j]].slot] = j;
    std::vector<Expr> values;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const Partial& partial : rows[i])
        if (const auto found = column.find(partial.slot); found != column.end()) {
          entries_.push_back({i, found->second});
          values.push_back(partial.derivative);
        }
    return values;
  }

  std::vector<Entry> entries_;
  ChosenProgram program_;
};

class CompiledObjective final : public Minimisation::Functions {
 public:
  // Adds multipliers to the inputs of the plan.
  CompiledObjective(MinimisationPlan& plan, Expr objective, Engine engine)
      : multipliers_(new_slots(plan)),
        n_(plan.chosen.size()),
        objective_(plan, std::span(&objective, 1), {}, engine),
        gradient_(plan, jacobian(plan.model.graph, std::span(&objective, 1)), {}, engine),
        constraint_(plan, plan.residuals, {}, engine),
        constraint_jacobian_(plan, jacobian(plan.model.graph, plan.residuals), {}, engine),
        hessian_(plan, second_derivatives(plan, objective), multipliers_, engine) {}

  double objective(ConstSpan u) const override {
    double value = 0.0;
    objective_.run(u, {}, Span(&value, 1));
    return value;
  }
  void gradient(ConstSpan u, Span out) const override { gradient_.fill(u, {}, MatrixView{out.data(), 1, n_, 1}); }
  void constraint(ConstSpan u, Span out) const override { constraint_.run(u, {}, out); }
  void constraint_jacobian(ConstSpan u, MatrixView j) const override { constraint_jacobian_.fill(u, {}, j); }
  void lagrangian_hessian(ConstSpan u, ConstSpan lambda, MatrixView h) const override { hessian_.fill(u, lambda, h); }

 private:
  static std::vector<std::uint32_t> new_slots(MinimisationPlan& plan) {
    std::vector<std::uint32_t> slots;
    for (std::size_t k = 0; k < plan.constraints.size(); ++k) slots.push_back(plan.model.slots++);
    return slots;
  }
  std::vector<std::vector<Partial>> second_derivatives(MinimisationPlan& plan, Expr objective) const {
    Graph& graph = plan.model.graph;
    Expr lagrangian = objective;
    for (std::size_t k = 0; k < multipliers_.size(); ++k)
      lagrangian = graph.add(lagrangian, graph.multiply(graph.input(multipliers_[k]), plan.residuals[k]));
    std::vector<Expr> slopes;
    for (const std::size_t k : plan.chosen)
      slopes.push_back(differentiate(graph, lagrangian, plan.model.variables[k].slot));
    return jacobian(graph, slopes);
  }

  std::vector<std::uint32_t> multipliers_;
  std::size_t n_;
  ChosenProgram objective_;
  ChosenMatrix gradient_;
  ChosenProgram constraint_;
  ChosenMatrix constraint_jacobian_, hessian_;
};

Minimisation::Shape shape_of(const MinimisationPlan& plan) {
  Minimisation::Shape shape;
  for (const std::size_t k : plan.chosen) shape.u_names.push_back(plan.model.variables[k].name);
  for (const std::size_t e : plan.constraints) shape.constraint_names.push_back(quote_equation(plan.model, e));
  return shape;
}

Minimisation problem_of(MinimisationPlan& plan, const MinimisationRequest& request) {
  Expr objective = plan.values[plan.objective];
  if (request.maximise) objective = plan.model.graph.negate(objective);
  return Minimisation(shape_of(plan), std::make_shared<const CompiledObjective>(plan, objective, request.engine));
}

std::optional<double> as_it_is(const std::optional<Number>& number) {
  return number ? std::optional(number->pinned()) : std::nullopt;
}

void describe_variables(const MinimisationPlan& plan, Engine engine, ModelMinimisation& result) {
  std::vector<Expr> values;
  for (std::size_t k = 0; k < plan.model.variables.size(); ++k) {
    const FlatVariable& variable = plan.model.variables[k];
    if (variable.introduced) continue;
    if (k == plan.objective) result.objective = result.variables.size();
    const bool chosen = std::ranges::find(plan.chosen, k) != plan.chosen.end();
    result.variables.push_back(
        {variable.name, variable.unit, variable.description, as_it_is(variable.min), as_it_is(variable.max), chosen});
    values.push_back(plan.values[k]);
  }
  const auto program = std::make_shared<const ChosenProgram>(plan, values, std::span<const std::uint32_t>{}, engine);
  result.values = [program](ConstSpan u, Span out) { program->run(u, {}, out); };
}

// Conditions, what their relations compare, and the numbers of their messages, in terms of the chosen variables.
class AssertCheck {
 public:
  explicit AssertCheck(const MinimisationPlan& plan) : plan_(std::make_shared<const MinimisationPlan>(plan)) {}

  std::vector<Finding> operator()(ConstSpan u) const {
    const FlatModel& model = plan_->model;
    Vector inputs(model.slots, 0.0);
    for (std::size_t i = 0; i < u.size(); ++i) inputs[model.variables[plan_->chosen[i]].slot] = u[i];
    Vector all(model.variables.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = evaluate(model.graph, plan_->values[k], inputs);
    for (std::size_t k = 0; k < all.size(); ++k) inputs[model.variables[k].slot] = all[k];
    for (const FlatRelation& relation : model.relations) {
      const double root = evaluate(model.graph, relation.root, inputs);
      inputs[relation.slot] = root == 0.0 ? relation.at_zero : (root < 0.0) == relation.holds_if_negative;
    }
    std::vector<Finding> failed;
    for (const FlatAssert& one : model.asserts) {
      if (evaluate(model.graph, one.condition, inputs) != 0.0) continue;
      Vector numbers;
      for (const FlatMessageValue& value : one.message_values)
        numbers.push_back(evaluate(model.graph, value.value, inputs));
      failed.push_back({one.place, fill_in(one.message, one.message_values, numbers), ""});
    }
    return failed;
  }

 private:
  std::shared_ptr<const MinimisationPlan> plan_;
};

ModelMinimisation made_of(MinimisationPlan plan, const MinimisationRequest& request) {
  ModelMinimisation result{.problem = problem_of(plan, request), .sign = request.maximise ? -1.0 : 1.0};
  for (const std::size_t k : plan.chosen)
    result.start.push_back(start_value(plan.model, plan.model.variables[k], 0.0).pinned());
  for (const std::size_t e : plan.constraints)
    result.constraints.push_back({plan.model.equations[e].text, plan.model.equations[e].place});
  describe_variables(plan, request.engine, result);
  result.failed_asserts = AssertCheck(plan);
  return result;
}

}  // namespace

MinimisationCompilation compile_minimisation(FlatModel model, const MinimisationRequest& request) {
  MinimisationCompilation result;
  forget_parameters(model);
  try {
    result.minimisation.emplace(made_of(plan_minimisation(std::move(model), request), request));
  } catch (Refusal& refusal) {
    result.errors = std::move(refusal.findings);
  }
  return result;
}

}  // namespace driftless
