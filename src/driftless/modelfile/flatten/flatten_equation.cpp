#include <fmt/format.h>

#include "driftless/modelfile/flatten/flatten_attempt.h"
#include "driftless/modelfile/flatten/flatten_model.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

const ModelFlattener::Quote& ModelFlattener::quote_of(const Statement& statement) {
  const auto [found, added] = quotes_.try_emplace(&statement);
  if (added) found->second = {context_.quote(statement.range), context_.place(statement.range)};
  return found->second;
}

std::vector<FlatEquation> ModelFlattener::finished(std::vector<Equation> equations) {
  std::vector<FlatEquation> out;
  out.reserve(equations.size());
  for (Equation& equation : equations) {
    const Scalar residual = context_.arithmetic.subtract(equation.left, equation.right);
    out.push_back(
        {context_.arithmetic.lift(residual), std::move(equation.text), equation.place, std::move(equation.choices)});
  }
  return out;
}

void ModelFlattener::keep_equations(bool initial) {
  FlatModel& model = context_.builder.model();
  if (initial) std::erase_if(equations_, [&](const Equation& one) { return keep_initial_assignment(one); });
  auto& target = initial ? model.initial_equations : model.equations;
  for (FlatEquation& equation : finished(std::move(equations_))) target.push_back(std::move(equation));
  equations_.clear();
}

// v = value or pre(v) = value with a discrete variable on one side: no equation for the solver.
bool ModelFlattener::keep_initial_assignment(const Equation& equation) {
  ModelBuilder& builder = context_.builder;
  for (const auto& [target, value] : {std::pair(equation.left, equation.right), {equation.right, equation.left}}) {
    const auto before = builder.variable_before(target);
    const auto variable = before ? before : builder.variable_of(target);
    if (!variable || !builder.variable(*variable).discrete) continue;
    if (target == equation.right && builder.has_unknown(value)) continue;  // x = n is an equation for x
    builder.model().initial_assignments.push_back(
        {*variable, context_.arithmetic.lift(value), before.has_value(), equation.text, equation.place});
    return true;
  }
  return false;
}

// Real x = value; and parameters that the start has to find: they do not change afterwards.
void ModelFlattener::add_declaration_equation(Symbol& symbol) {
  FlatModel& model = context_.builder.model();
  if (symbol.is_parameter() && !symbol.is_computed) return;
  const Declaration& declaration = *symbol.declaration;
  const Value variable(symbol.type.type, symbol.dims, symbol.values, symbol.type.width);
  equations_.clear();
  part_ = Part::equations;
  const auto add = [&](const Value& left, NodeId value, const std::string& name) {
    Value right = evaluator_.evaluate(value);
    if (left.base() == BaseType::integer && right.base() == BaseType::real)
      evaluator_.convert(right, left.type(), tree_.range(value), quoted(name));  // says that it cannot be
    const std::string text = fmt::format("{} = {}", name, context_.quote(tree_.range(value)));
    const SourceRange range{declaration.name_range.begin, tree_.range(value).end, declaration.name_range.source};
    add_equations(left, right, {text, context_.place(range)}, range);
  };
  if (symbol.is_computed) {
    const SourcePlace place = context_.place(declaration.name_range);
    for (const Scalar& scalar : symbol.values) {
      const auto index = context_.builder.variable_of(scalar);
      const bool discrete = index && context_.builder.variable(*index).discrete;
      const Scalar rate = discrete ? context_.arithmetic.subtract(scalar, Scalar::of(context_.builder.pre_of(*index)))
                                   : context_.builder.total_derivative(scalar);
      model.equations.push_back(
          {rate.expr, fmt::format("the parameter {} does not change", quoted(symbol.name)), place});
    }
  }
  const Evaluator::Scope scope(evaluator_);
  evaluator_.mode() = Mode{.events = !symbol.is_computed, .in_initial = symbol.is_computed};
  if (declaration.value != no_node) {
    add(variable, declaration.value, symbol.name);
  } else if (symbol.type.type.base == BaseType::record) {
    for (const Leaf& leaf : symbols_.leaves(symbol)) {
      if (leaf.value == no_node) continue;
      const auto count = static_cast<std::size_t>(count_elements(leaf.dims));
      const auto first = symbol.values.begin() + static_cast<std::ptrdiff_t>(leaf.offset);
      add(Value(leaf.type, leaf.dims, {first, first + static_cast<std::ptrdiff_t>(count)}), leaf.value, leaf.name);
    }
  }
  const bool discrete = symbol.type.type.base != BaseType::real;  // of a parameter with a value: it is given that
  if (symbol.is_computed && discrete)
    std::erase_if(equations_, [&](const Equation& one) { return keep_initial_assignment(one); });
  auto& target = symbol.is_computed ? model.initial_equations : model.equations;
  for (FlatEquation& equation : finished(std::move(equations_))) target.push_back(std::move(equation));
  equations_.clear();
}

void ModelFlattener::add_section(const std::vector<Statement>& statements, Part part) {
  const bool initial = part == Part::initial_equations;
  for (const Statement& statement : statements) {
    part_ = part;
    open_choices_ = 0;
    equations_.clear();
    const Evaluator::Scope scope(evaluator_);
    evaluator_.mode() = Mode{.events = !initial, .in_initial = initial};
    if (!attempt([&] { add_statement(statement); })) continue;
    keep_equations(initial);
  }
  equations_.clear();
}

void ModelFlattener::add_statements(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) add_statement(statement);
}

void ModelFlattener::add_statement(const Statement& statement) {
  const Evaluator::Depth depth(evaluator_, statement.range);
  context_.charge(1, statement.range);
  switch (statement.kind) {
    case Statement::Kind::equation: add_equation(statement); return;
    case Statement::Kind::call: add_call(statement); return;
    case Statement::Kind::choice: add_choice(statement); return;
    case Statement::Kind::loop: add_loop(statement, 0); return;
    case Statement::Kind::when: add_when(statement); return;
    case Statement::Kind::prioritize: add_priority(statement); return;
    default: Context::fail(statement.range, "this is a statement for algorithms, and no equation");
  }
}

void ModelFlattener::add_loop(const Statement& statement, std::size_t iterator) {
  const std::vector<Statement>& body = statement.branches[0].body;
  if (iterator == statement.iterators.size()) {
    add_statements(body);
    return;
  }
  const NodeId node = statement.iterators[iterator];
  for (Value& value : evaluator_.range_values(node, &body, no_node)) {
    context_.charge(1, statement.range);
    const Evaluator::Iterating iterating(evaluator_, tree_.node(node).text, std::move(value));
    add_loop(statement, iterator + 1);
  }
}

void ModelFlattener::add_equation(const Statement& statement) {
  std::vector<Value> lefts, rights;
  if (tree_.node(statement.left).kind == NodeKind::tuple) {
    const auto targets = tree_.children(statement.left);
    std::vector<Value> results = evaluator_.evaluate_results(statement.right);
    if (targets.size() > results.size()) {
      Context::fail(tree_.range(statement.left), fmt::format("there are {} targets, but {} result{}", targets.size(),
                                                             results.size(), results.size() == 1 ? "" : "s"));
    }
    for (std::size_t k = 0; k < targets.size(); ++k) {
      if (targets[k] == no_node) continue;
      lefts.push_back(evaluator_.evaluate(targets[k]));
      rights.push_back(std::move(results[k]));
    }
  } else {
    lefts.push_back(evaluator_.evaluate(statement.left));
    rights.push_back(evaluator_.evaluate(statement.right));
  }
  for (std::size_t k = 0; k < lefts.size(); ++k) {
    if (part_ == Part::when_body) {
      add_assignments(lefts[k], std::move(rights[k]), statement.range);
    } else {
      const Quote& quote = quote_of(statement);
      add_equations(lefts[k], rights[k], {evaluator_.iterations_text() + quote.text, quote.place}, statement.range);
    }
  }
}

void ModelFlattener::add_equations(const Value& left, const Value& right, const Quote& quote, SourceRange range) {
  const bool numbers = left.type().is_numeric() && right.type().is_numeric();
  if ((!numbers && !(left.type() == right.type())) || left.base() == BaseType::string) {
    Context::fail(range,
                  fmt::format("the left side is {}, but the right side is {}", context_.type_name(left.type()),
                              context_.type_name(right.type())),
                  left.base() == BaseType::string ? "there are no equations between strings" : "");
  }
  if (left.dims() != right.dims()) {
    Context::fail(range,
                  fmt::format("the left side has size {}, but the right side has size {}", to_text(left.dims()),
                              to_text(right.dims())),
                  right.is_scalar() ? "fill(x, n) is an array of n times x" : "");
  }
  for (const Value* side : {&left, &right}) {
    if (left.base() != BaseType::real && right.base() != BaseType::real) check_discrete(*side, range);
  }
  if (left.base() == BaseType::integer && right.base() == BaseType::real) require_unknown(left, right, range);
  if (right.base() == BaseType::integer && left.base() == BaseType::real) require_unknown(right, left, range);
  context_.claim_elements(left.size(), range);
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::string element;
    if (!left.is_scalar()) element = fmt::format("element {} of ", subscript_text(left.dims(), i / left.width()));
    equations_.push_back({left[i], right[i], element + quote.text, range, quote.place});
  }
}

// n = 2*x may determine x; without an x the Integer n would have to be a Real.
void ModelFlattener::require_unknown(const Value& integer, const Value& real, SourceRange range) {
  for (std::size_t i = 0; i < real.size(); ++i) {
    if (!context_.builder.variable_of(integer[i]) || context_.builder.has_unknown(real[i])) continue;
    Context::fail(range, "one side is Integer, but the other one is Real and has no unknown",
                  "round it: integer(x) is the largest Integer that is not above x");
  }
}

// Booleans and Integers change at events, and what they are given must do so, too.
void ModelFlattener::check_discrete(const Value& value, SourceRange range) {
  if (part_ == Part::initial_equations || value.base() == BaseType::record) return;
  for (const Scalar& scalar : value.elements()) {
    if (!context_.builder.is_continuous(scalar)) continue;
    Context::fail(range, fmt::format("this {} would change between events", context_.type_name(value.type())),
                  "there are no events inside of noEvent, smooth and functions: compare outside of them");
  }
}

void ModelFlattener::add_call(const Statement& statement) {
  const NodeId callee = tree_.child(statement.left, 0);
  const std::string_view name = tree_.text(tree_.range(callee));
  if (name == "assert") {
    evaluator_.add_assertion(statement.left);
  } else if (name == "reinit" || name == "terminate") {
    if (part_ != Part::when_body && name == "reinit") {
      Context::fail(statement.range, fmt::format("'{}' acts at an event and belongs in a 'when'", name),
                    fmt::format("write: when condition then {} end when;", context_.quote(statement.range) + ";"));
    }
    if (name == "reinit") {
      add_reinit(statement.left);
    } else {
      add_terminate(statement.left);
    }
  } else {
    // Called for its assertions; a value that goes nowhere is surely a slip.
    const std::vector<Value> results = evaluator_.evaluate_results(statement.left);
    if (!results.empty())
      Context::fail(statement.range, "this is a value, and no equation", "an equation is written with '='");
  }
}

void ModelFlattener::add_priority(const Statement& statement) {
  const Value target = evaluator_.evaluate(statement.left);
  const double priority = evaluator_.evaluate_number(statement.right, BaseType::real, "a priority");
  for (const Scalar& scalar : target.elements()) {
    const auto index = context_.builder.variable_of(scalar);
    if (!index) Context::fail(tree_.range(statement.left), "only variables have priorities");
    context_.builder.variable(*index).start_priority = priority;
  }
}

}  // namespace driftless
