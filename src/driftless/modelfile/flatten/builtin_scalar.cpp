// Built-in functions of numbers.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "driftless/modelfile/flatten/evaluator.h"

namespace driftless {

Value Evaluator::builtin_elementwise(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id) {
  const Value argument = numeric(arguments[0], "the argument", builtin.name);
  const bool keeps = builtin.which == Builtin::absolute;
  const Type type{builtin.which == Builtin::sign || (keeps && argument.base() == BaseType::integer) ? BaseType::integer
                                                                                                    : BaseType::real};
  return map(
      argument, type,
      [&](Scalar s) {
        if (builtin.which == Builtin::sign && mode_.events && context_.builder.is_continuous(s)) return sign_of(s, id);
        const Scalar result = arithmetic_.apply(builtin.op, s);
        check_result(result, false, tree_.range(id));
        return result;
      },
      tree_.range(id));
}

Value Evaluator::builtin_binary(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id) {
  const Value a = numeric(arguments[0], "an argument", builtin.name);
  const Value b = numeric(arguments[1], "an argument", builtin.name);
  return map(
      a, b, Type{BaseType::real}, [&](Scalar x, Scalar y) { return arithmetic_.apply(builtin.op, x, y); },
      tree_.range(id));
}

// sign(x) jumps twice, from -1 to 0 and from 0 to 1: two relations.
Scalar Evaluator::sign_of(Scalar argument, NodeId id) {
  const Value x = Value::real(argument), zero = Value::real(Scalar::of(0.0));
  const Scalar positive = relate(TokenKind::greater, x, zero, tree_.range(id)).scalar();
  const Scalar negative = relate(TokenKind::less, x, zero, tree_.range(id)).scalar();
  return arithmetic_.select(positive, Scalar::of(1.0), arithmetic_.select(negative, Scalar::of(-1.0), Scalar::of(0.0)));
}

// floor(x) jumps, so outside of noEvent it is held, and the jumps are located.
Scalar Evaluator::floor_of(Scalar argument, NodeId id) {
  if (argument.is_expression() && mode_.events && context_.builder.is_continuous(argument)) {
    const SourceRange range = tree_.range(id);
    const std::string& function = tree_.name_of(tree_.child(id, 0));
    const bool is_floor = function == "floor" || function == "integer";
    const std::string name = is_floor ? context_.quote(range) : fmt::format("whole part in {}", context_.quote(range));
    return context_.builder.held_floor(argument, name, context_.place(range));
  }
  return arithmetic_.apply(Op::floor, argument);
}

// div(x, y) rounds x / y to zero, mod(x, y) = x - floor(x / y) y, rem(x, y) = x - div(x, y) y.
Value Evaluator::builtin_rounding(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id) {
  const SourceRange range = tree_.range(id);
  const Value a = numeric(arguments[0], "an argument", builtin.name);
  const auto minus_floor_of_minus = [&](Scalar s) { return arithmetic_.negate(floor_of(arithmetic_.negate(s), id)); };
  const Type integer{BaseType::integer};
  switch (builtin.which) {
    case Builtin::floor:
      return map(
          a, Type{BaseType::real}, [&](Scalar s) { return floor_of(s, id); }, range);
    case Builtin::ceil: return map(a, Type{BaseType::real}, minus_floor_of_minus, range);
    case Builtin::integer: {
      const auto whole = [&](Scalar s) {
        const Scalar result = floor_of(s, id);
        check_result(result, true, range);
        return result;
      };
      return map(a, integer, whole, range);
    }
    default: break;
  }
  const Value b = numeric(arguments[1], "an argument", builtin.name);
  const bool integers = a.base() == BaseType::integer && b.base() == BaseType::integer;
  const auto truncated = [&](Scalar quotient) {
    if (quotient.is_constant()) {
      const Number q = quotient.number;
      return Scalar::of(q < 0.0 ? -compute(Op::floor, -q) : compute(Op::floor, q));
    }
    const Scalar positive =
        relate(TokenKind::greater_equal, Value::real(quotient), Value::real(Scalar::of(0.0)), range).scalar();
    return arithmetic_.select(positive, floor_of(quotient, id), minus_floor_of_minus(quotient));
  };
  const auto function = [&](Scalar x, Scalar y) {
    const Scalar quotient = arithmetic(TokenKind::divide, x, y, false, range);
    if (builtin.which == Builtin::div) return truncated(quotient);
    const Scalar whole = builtin.which == Builtin::mod ? floor_of(quotient, id) : truncated(quotient);
    return arithmetic_.subtract(x, arithmetic_.multiply(whole, y));
  };
  return map(a, b, integers ? integer : Type{BaseType::real}, function, range);
}

Scalar Evaluator::reduce(Builtin which, Scalar a, Scalar b, bool integer, SourceRange range) {
  switch (which) {
    case Builtin::min: return arithmetic_.apply(Op::min, a, b);
    case Builtin::max: return arithmetic_.apply(Op::max, a, b);
    case Builtin::sum: return arithmetic(TokenKind::plus, a, b, integer, range);
    default: return arithmetic(TokenKind::times, a, b, integer, range);
  }
}

// sum(x), min(a, b), max(e for i in r), ...
Value Evaluator::builtin_reduction(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id) {
  const SourceRange range = tree_.range(id);
  std::vector<Scalar> terms;
  Type type{BaseType::integer};
  bool from_iterators = false;
  const auto take = [&](const Value& value, NodeId from) {
    const bool truths =
        value.base() == BaseType::boolean && builtin.which != Builtin::sum && builtin.which != Builtin::product;
    if (!value.type().is_numeric() && !truths && value.base() != BaseType::enumeration) {
      fail(from, fmt::format("an argument of '{}' must be a number, but this is {}", builtin.name,
                             context_.type_name(value.type())));
    }
    type = terms.empty() ? value.type() : common_type(Value(type, Scalar{}), value, range);
    terms.insert(terms.end(), value.elements().begin(), value.elements().end());
    context_.charge(value.size(), range);
  };
  const bool two = arguments.size() > 1 && arguments[1] != no_node;
  if (tree_.node(arguments[0]).kind == NodeKind::comprehension && tree_.node(id).children == 2) {
    from_iterators = true;
    const auto children = tree_.children(arguments[0]);
    for_each_iteration(children.subspan(1), children[0], [&] { take(evaluate(children[0]), children[0]); });
  } else {
    const Value first = evaluate(arguments[0]);
    if (two) {
      const Value second = evaluate(arguments[1]);
      if (!first.is_scalar() || !second.is_scalar()) {
        fail(id, fmt::format("'{}' takes two numbers or one array", builtin.name));
      }
      take(first, arguments[0]);
      take(second, arguments[1]);
    } else {
      take(first, arguments[0]);
    }
  }
  const bool integer = type.base == BaseType::integer;
  if (terms.empty()) {
    const bool least = builtin.which == Builtin::max;
    if (builtin.which == Builtin::sum) return {type, Scalar::of(0.0)};
    if (builtin.which == Builtin::product) return {type, Scalar::of(1.0)};
    if (type.base == BaseType::boolean) return {type, Scalar::of(least ? 0.0 : 1.0)};
    if (type.base == BaseType::enumeration) fail(id, fmt::format("'{}' of no literals is not covered", builtin.name));
    // The neutral element: what any other number is larger, or smaller, than.
    const bool whole = type.base == BaseType::integer && !from_iterators;
    const double largest = whole ? 2147483647.0 : std::numeric_limits<double>::max();
    return {whole ? type : Type{BaseType::real}, Scalar::of(least ? -largest : largest)};
  }
  Scalar result = terms[0];
  for (std::size_t k = 1; k < terms.size(); ++k) result = reduce(builtin.which, result, terms[k], integer, range);
  return {type, result};
}

// String(x, significantDigits, minimumLength, leftJustified) of a Real, String(x, minimumLength, leftJustified) of
// others, and String(x, format) of numbers.
Value Evaluator::builtin_text(const Arguments& arguments, NodeId id) {
  const Type string{BaseType::string};
  Value value = evaluate(arguments[0]);
  if (!value.is_single() || value.base() == BaseType::record) fail(id, "'String' takes one number");
  if (value.base() == BaseType::string) return value;
  const FlatMessageValue format = text_format(value.type(), arguments, id);
  if (!value.scalar().is_constant() || value.scalar().number.depends()) {
    FlatMessageValue shown = format;
    shown.value = arithmetic_.lift(value.scalar());
    return {string, context_.add_text({"", {shown}})};
  }
  return {string, context_.add_text({fill_in("", {format}, {value.scalar().number.at_compilation()}), {}})};
}

FlatMessageValue Evaluator::text_format(Type type, const Arguments& given, NodeId id) {
  Arguments arguments = given;
  if (arguments[4] == no_node && arguments[1] != no_node && tree_.node(arguments[1]).kind == NodeKind::string)
    std::swap(arguments[1], arguments[4]);
  if (type.base != BaseType::real && arguments[1] != no_node) {  // there are no digits to choose
    if (arguments[2] != no_node) arguments[3] = arguments[2];
    arguments[2] = std::exchange(arguments[1], no_node);
  }
  FlatMessageValue format;
  if (arguments[4] != no_node) {
    if (arguments[1] != no_node || arguments[2] != no_node || arguments[3] != no_node)
      fail(id, "'String' takes a format, or a length and digits, but not both");
    return pattern_format(type, arguments[4]);
  }
  const auto option = [&](std::size_t k, BaseType base, std::string_view name, double otherwise) {
    return arguments[k] == no_node ? otherwise : evaluate_number(arguments[k], base, name);
  };
  format.significant_digits =
      static_cast<int>(std::clamp(option(1, BaseType::integer, "significantDigits", 6.0), 1.0, 17.0));
  format.minimum_length = static_cast<int>(std::clamp(option(2, BaseType::integer, "minimumLength", 0.0), 0.0, 100.0));
  format.left_justified = option(3, BaseType::boolean, "leftJustified", 1.0) != 0.0;
  if (type.base == BaseType::integer) format.format = FlatMessageValue::Format::integer;
  if (type.base == BaseType::boolean) format.format = FlatMessageValue::Format::boolean;
  if (type.base == BaseType::enumeration) {
    format.format = FlatMessageValue::Format::literal;
    format.literals = context_.enumerations[type.definition].literals;
  }
  return format;
}

FlatMessageValue Evaluator::pattern_format(Type type, NodeId id) {
  const auto text = known_text(evaluate_text(id, "the format of 'String'"));
  const auto pattern = text ? number_pattern(*text) : std::nullopt;
  if (!pattern || !type.is_numeric())
    fail(id, "this is no format for a number", "write it as C does, without '%': \".3f\", \"10.4g\", \"-8d\"");
  if (pattern->whole != (type.base == BaseType::integer))
    fail(id, fmt::format("this format is for {}, but the number is {}", pattern->whole ? "an Integer" : "a Real",
                         context_.type_name(type)));
  FlatMessageValue format;
  format.format = pattern->whole ? FlatMessageValue::Format::whole_pattern : FlatMessageValue::Format::pattern;
  format.pattern = pattern->pattern;
  return format;
}

}  // namespace driftless
