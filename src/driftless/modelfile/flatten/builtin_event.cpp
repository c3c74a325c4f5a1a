// Built-in functions that have to do with time: derivatives, the past, events.
#include <fmt/format.h>

#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

Value Evaluator::builtin_der(NodeId argument, NodeId id) {
  if (mode_.in_function) fail(id, "a function may not use 'der'", "hand the derivative over as an input");
  if (mode_.constant_only) fail(id, fmt::format("{} may not depend on a derivative", mode_.purpose));
  const Value value = numeric(argument, "the argument of 'der'");
  for (const Scalar& scalar : value.elements()) {
    const auto variable = context_.builder.variable_of(scalar);
    if (!variable || !context_.builder.variable(*variable).discrete) continue;
    fail(argument,
         fmt::format("{} changes at events only and has no derivative",
                     quoted(context_.builder.variable(*variable).name)),
         "what 'when' assigns is discrete; to set a continuous variable at an event use reinit(x, value)");
  }
  return map(
      value, Type{BaseType::real}, [&](Scalar s) { return context_.builder.total_derivative(s); }, tree_.range(id));
}

// pre(x), edge(b) = b and not pre(b), change(x) = x <> pre(x)
Value Evaluator::builtin_pre(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id) {
  const NodeKind kind = tree_.node(arguments[0]).kind;
  if (kind != NodeKind::name && kind != NodeKind::reference) {
    fail(arguments[0], fmt::format("the argument of '{}' must be a variable", builtin.name),
         "give the expression a variable of its own");
  }
  if (mode_.in_function) fail(id, fmt::format("a function may not use '{}'", builtin.name));
  const Value now = evaluate(arguments[0]);
  behind_frame_ = true;
  Value declared;
  try {
    declared = evaluate(arguments[0]);
  } catch (...) {
    behind_frame_ = false;
    throw;
  }
  behind_frame_ = false;
  if (builtin.which == Builtin::edge && now.base() != BaseType::boolean) {
    fail(arguments[0],
         fmt::format("the argument of 'edge' must be Boolean, but this is {}", context_.type_name(now.type())),
         "change(x) is true whenever x changes");
  }
  const auto before = [&](Scalar s) {
    if (s.is_constant()) return s;
    const auto variable = context_.builder.variable_of(s);
    if (variable && (context_.builder.variable(*variable).discrete || mode_.in_when))
      return Scalar::of(context_.builder.pre_of(*variable));
    fail(arguments[0], fmt::format("'{}' of something continuous is allowed inside 'when' only", builtin.name));
  };
  const Type truth{BaseType::boolean};
  std::vector<Scalar> elements(now.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Scalar old = before(declared[i]);
    if (builtin.which == Builtin::pre) elements[i] = old;
    if (builtin.which == Builtin::edge) elements[i] = arithmetic_.logical_and(now[i], arithmetic_.logical_not(old));
    if (builtin.which == Builtin::change) elements[i] = arithmetic_.apply(Op::not_equal, now[i], old);
  }
  return {builtin.which == Builtin::pre ? now.type() : truth, now.dims(), std::move(elements), now.width()};
}

Value Evaluator::builtin_sample(const Arguments& arguments, NodeId id) {
  if (mode_.in_function) fail(id, "a function may not use 'sample'");
  const Number start = evaluate_known(arguments[0], BaseType::real, "the start of 'sample'");
  const Number interval = evaluate_known(arguments[1], BaseType::real, "the interval of 'sample'");
  if (!(interval > 0.0))
    fail(arguments[1],
         fmt::format("the interval of 'sample' must be positive, but it is {}", interval.at_compilation()));
  const SourceRange range = tree_.range(id);
  return {Type{BaseType::boolean},
          context_.builder.sample(start, interval, context_.quote(range), context_.place(range))};
}

Value Evaluator::builtin_event(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id) {
  const Type truth{BaseType::boolean};
  const bool flag = builtin.which == Builtin::initial || builtin.which == Builtin::terminal;
  if (flag && (mode_.in_function || mode_.constant_only))
    fail(id, fmt::format("'{}()' is not known here", builtin.name));
  switch (builtin.which) {
    case Builtin::no_event:
    case Builtin::smooth: {
      const Scope scope(*this);
      mode_.events = false;
      if (builtin.which == Builtin::no_event) return evaluate(arguments[0]);
      const double order = evaluate_number(arguments[0], BaseType::integer, "the first argument of 'smooth'");
      if (order < 0.0) fail(arguments[0], "the first argument of 'smooth' may not be negative");
      return evaluate(arguments[1]);
    }
    case Builtin::sample: return builtin_sample(arguments, id);
    case Builtin::initial:
      if (mode_.in_initial) return Value::boolean(true);
      return {truth, Scalar::of(context_.builder.initial_flag())};
    case Builtin::terminal:
      if (mode_.in_initial) return Value::boolean(false);
      return {truth, Scalar::of(context_.builder.terminal_flag())};
    case Builtin::semi_linear: {
      // x >= 0 ? slope_up x : slope_down x, which is continuous: no event.
      const Scalar x = evaluate_scalar(arguments[0], BaseType::real, "an argument of 'semiLinear'");
      const Scalar up = evaluate_scalar(arguments[1], BaseType::real, "an argument of 'semiLinear'");
      const Scalar down = evaluate_scalar(arguments[2], BaseType::real, "an argument of 'semiLinear'");
      const Scalar positive = arithmetic_.apply(Op::less_equal, Scalar::of(0.0), x);
      return Value::real(arithmetic_.select(positive, arithmetic_.multiply(up, x), arithmetic_.multiply(down, x)));
    }
    case Builtin::homotopy: return evaluate(arguments[0]);  // the simplified one would only help a start
    case Builtin::pure:
      if (tree_.node(arguments[0]).kind != NodeKind::call) fail(arguments[0], "'pure' takes a call of a function");
      return evaluate(arguments[0]);
    default: return {Type{BaseType::string}, context_.add_text({context_.builder.model().name, {}})};
  }
}

}  // namespace driftless
