#include "driftless/modelfile/flatten/flatten_model.h"

#include <fmt/format.h>

#include "driftless/modelfile/flatten/flatten_attempt.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

ModelFlattener::ModelFlattener(Context& context, const ClassDefinition& model)
    : context_(context), tree_(context.tree), definition_(model), evaluator_(context), symbols_(context, evaluator_) {
  evaluator_.connect(symbols_);
}

FlatModel ModelFlattener::flatten(const ReadOptions& options) {
  FlatModel& model = context_.builder.model();
  model.name = tree_.names.text(definition_.name);
  model.description = definition_.description;
  collect_classes(tree_.root);
  collect_classes(definition_);
  symbols_.declare(tree_.root, definition_);
  mark_discrete(definition_.equations, false);
  for (const auto& section : definition_.algorithms) mark_discrete(section, false);
  symbols_.set_from_outside(options.parameters);
  find_all_values();
  read_experiment();
  for (Symbol& symbol : symbols_.all()) {
    if (symbol.valuing != Symbol::Progress::done) continue;
    attempt([&] { add_declaration_equation(symbol); });
  }
  add_section(definition_.equations, Part::equations);
  for (const auto& section : definition_.algorithms) attempt([&] { add_algorithm(section, false); });
  add_section(definition_.initial_equations, Part::initial_equations);
  for (const auto& section : definition_.initial_algorithms) attempt([&] { add_algorithm(section, true); });
  for (const Guess& guess : definition_.guesses) attempt([&] { add_guess(guess); });
  attempt([&] { read_drawing(); });
  check_discrete_reals();
  context_.builder.determine_inputs();
  return context_.builder.finish();
}

void ModelFlattener::collect_classes(const ClassDefinition& owner) {
  for (const ClassDefinition& definition : owner.classes) {
    if (definition.kind == ClassDefinition::Kind::model) continue;
    const auto [known, added] = context_.classes.emplace(definition.name, &definition);
    if (!added && &owner == &tree_.root) {
      context_.diagnostics.error(definition.name_range,
                                 fmt::format("{} is defined twice", quoted(tree_.names.text(definition.name))));
    }
    known->second = &definition;
  }
}

// What a when assigns changes at events only, whatever its declaration says.
void ModelFlattener::mark_discrete(const std::vector<Statement>& statements, bool in_when) {
  for (const Statement& statement : statements) {
    const bool when = in_when || statement.kind == Statement::Kind::when;
    if (in_when && (statement.kind == Statement::Kind::equation || statement.kind == Statement::Kind::assignment)) {
      mark_target(statement.left);
    }
    for (const Statement::Branch& branch : statement.branches) mark_discrete(branch.body, when);
  }
}

void ModelFlattener::mark_target(NodeId target) {
  if (target == no_node) return;
  const NodeKind kind = tree_.node(target).kind;
  if (kind == NodeKind::tuple) {
    for (const NodeId each : tree_.children(target)) mark_target(each);
  } else if (kind == NodeKind::name || kind == NodeKind::reference) {
    if (Symbol* symbol = symbols_.find(evaluator_.base_name(target))) symbol->discrete = true;
  }
}

void ModelFlattener::find_all_values() {
  for (Symbol& symbol : symbols_.all()) {
    attempt([&] { symbols_.valued(symbol, symbol.declaration->name_range); });
  }
  for (Symbol& symbol : symbols_.all()) {
    if (symbol.valuing != Symbol::Progress::done) continue;
    attempt([&] {
      if (symbol.is_parameter() && !symbol.is_computed) {
        describe_parameters(symbol);
      } else {
        describe_variables(symbol);
      }
    });
  }
}

void ModelFlattener::read_experiment() {
  for (const Modification& annotation : definition_.annotations) {
    attempt([&] { read_annotation(annotation); });
  }
}

void ModelFlattener::read_annotation(const Modification& annotation) {
  FlatModel& model = context_.builder.model();
  if (tree_.names.text(annotation.name[0]) == "__driftless") return;  // the drawing, below
  for (const Modification& entry : annotation.nested) {
    const std::string name(tree_.text(entry.name_range));
    const std::pair<std::string_view, std::optional<double>*> known[] = {{"StartTime", &model.experiment.start_time},
                                                                         {"StopTime", &model.experiment.stop_time},
                                                                         {"Tolerance", &model.experiment.tolerance},
                                                                         {"Interval", &model.experiment.interval}};
    for (const auto& [known_name, target] : known) {
      if (name == known_name && entry.value != no_node) {
        *target = evaluator_.evaluate_number(entry.value, BaseType::real, fmt::format("'{}'", name));
      }
    }
  }
}

// parameter equation guess(x) = value: where to begin looking for x, unless its start says so already.
void ModelFlattener::add_guess(const Guess& guess) {
  const Value target = evaluator_.evaluate(guess.variable);
  const Evaluator::Isolation isolation(evaluator_, Mode{.events = false, .constant_only = true, .purpose = "a guess"});
  const Value value = evaluator_.evaluate_as(guess.value, target.type(), "a guess");
  if (value.dims() != target.dims() && !value.is_single()) {
    Context::fail(guess.range, fmt::format("the guess has size {}, but the variable has size {}", to_text(value.dims()),
                                           to_text(target.dims())));
  }
  std::optional<double> priority;
  if (guess.priority != no_node) priority = evaluator_.evaluate_number(guess.priority, BaseType::real, "a priority");
  for (std::size_t i = 0; i < target.size(); ++i) {
    const auto index = context_.builder.variable_of(target[i]);
    if (!index) Context::fail(tree_.range(guess.variable), "only variables have guesses");
    FlatVariable& variable = context_.builder.variable(*index);
    if (!variable.start) variable.start = context_.arithmetic.lift(value.is_single() ? value.scalar() : value[i]);
    if (priority) variable.start_priority = priority;
  }
}

}  // namespace driftless
