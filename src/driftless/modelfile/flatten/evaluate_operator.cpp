// Operators between values.
#include <fmt/format.h>

#include <cmath>

#include "driftless/modelfile/flatten/evaluator.h"

namespace driftless {

namespace {

Op operation(TokenKind op) {
  switch (op) {
    case TokenKind::plus:
    case TokenKind::dot_plus: return Op::add;
    case TokenKind::minus:
    case TokenKind::dot_minus: return Op::subtract;
    case TokenKind::times:
    case TokenKind::dot_times: return Op::multiply;
    case TokenKind::divide:
    case TokenKind::dot_divide: return Op::divide;
    default: return Op::power;
  }
}

bool keeps_integers(Op op) { return op == Op::add || op == Op::subtract || op == Op::multiply; }

}  // namespace

Value Evaluator::numeric(NodeId id, std::string_view what, std::string_view function) {
  Value value = evaluate(id);
  if (!value.type().is_numeric()) {
    const std::string of = function.empty() ? std::string{} : fmt::format(" of '{}'", function);
    fail(id, fmt::format("{}{} must be a number, but this is {}", what, of, context_.type_name(value.type())));
  }
  return value;
}

Value Evaluator::evaluate_sum(NodeId id) {
  const auto children = tree_.children(id);
  Value sum = evaluate(children[0]);
  if (sum.base() == BaseType::string && children.size() > 3) return evaluate_text_sum(id, sum);
  for (std::size_t k = 1; k + 1 < children.size(); k += 2) {
    const SourceRange range{tree_.node(id).begin, tree_.node(children[k + 1]).end, tree_.node(id).source};
    sum = arithmetic(static_cast<TokenKind>(children[k]), sum, evaluate(children[k + 1]), range);
  }
  return sum;
}

Value Evaluator::evaluate_product(NodeId id) { return evaluate_sum(id); }

Value Evaluator::evaluate_power(NodeId id) {
  const Value base = evaluate(tree_.child(id, 0)), exponent = evaluate(tree_.child(id, 1));
  const TokenKind op = tree_.node(id).op == 1 ? TokenKind::dot_power : TokenKind::power;
  return arithmetic(op, base, exponent, tree_.range(id));
}

Value Evaluator::evaluate_negate(NodeId id) {
  const Value value = numeric(tree_.child(id, 0), "what '-' stands before");
  if (value.is_single()) return {value.type(), arithmetic_.negate(value.scalar())};
  return map(
      value, value.type(), [&](Scalar s) { return arithmetic_.negate(s); }, tree_.range(id));
}

Value Evaluator::arithmetic(TokenKind op, const Value& a, const Value& b, SourceRange range) {
  if (op == TokenKind::plus && a.base() == BaseType::string && b.base() == BaseType::string) {
    return concatenate_texts(a, b, range);
  }
  for (const Value* side : {&a, &b}) {
    if (side->type().is_numeric()) continue;
    Context::fail(range, fmt::format("'{}' needs numbers, but the {} side is {}", spelling(op),
                                     side == &a ? "left" : "right", context_.type_name(side->type())));
  }
  const bool integers = a.base() == BaseType::integer && b.base() == BaseType::integer && keeps_integers(operation(op));
  const Type type{integers ? BaseType::integer : BaseType::real};
  if (a.is_single() && b.is_single()) return {type, arithmetic(op, a.scalar(), b.scalar(), integers, range)};
  if (op == TokenKind::times) return multiply(a, b, type, range);
  if (op == TokenKind::power) return raise_matrix(a, b, range);
  if (op == TokenKind::divide && !b.is_scalar()) {
    Context::fail(range, "only numbers may stand below '/', and this is an array", "element by element: a ./ b");
  }
  return elementwise(op, a, b, type, range);
}

Scalar Evaluator::arithmetic(TokenKind op, Scalar a, Scalar b, bool integer, SourceRange range) {
  const Op operation_ = operation(op);
  if (operation_ == Op::divide && b.is_constant(0.0) && !mode_.guarded) {
    Context::fail(range, fmt::format("division by zero: {}", context_.quote(range)));
  }
  Scalar result = arithmetic_.apply(operation_, a, b);
  if (integer) result = joined_offsets(result);
  check_result(result, integer, range);
  return result;
}

// (n - 1) - 1 is n - 2, without rounding for Integers: recursions meet the same formulas again.
Scalar Evaluator::joined_offsets(Scalar sum) const {
  const Graph& graph = context_.builder.graph();
  struct Offset {
    Expr rest;
    Scalar number;
  };
  const auto offset = [&](Expr e) -> std::optional<Offset> {
    if (graph.op(e) != Op::add && graph.op(e) != Op::subtract) return std::nullopt;
    const Expr left = graph.child(e, 0), right = graph.child(e, 1);
    if (graph.is_constant(right)) {
      const Scalar number = Scalar::of(graph.number(right));
      return Offset{left, graph.op(e) == Op::add ? number : arithmetic_.negate(number)};
    }
    if (graph.is_constant(left) && graph.op(e) == Op::add) return Offset{right, Scalar::of(graph.number(left))};
    return std::nullopt;
  };
  if (!sum.is_expression()) return sum;
  const auto outer = offset(sum.expr);
  const auto inner = outer ? offset(outer->rest) : std::nullopt;
  if (!inner) return sum;
  return arithmetic_.add(Scalar::of(inner->rest), arithmetic_.add(inner->number, outer->number));
}

namespace {

void append(Text& text, const Text& tail) {
  for (FlatMessageValue value : tail.values) {
    value.offset += text.text.size();
    text.values.push_back(value);
  }
  text.text += tail.text;
}

}  // namespace

// Many strings are joined at once: one after the other would keep every part of the sum.
Value Evaluator::evaluate_text_sum(NodeId id, const Value& first) {
  const auto children = tree_.children(id);
  const SourceRange range = tree_.range(id);
  if (!first.is_scalar()) Context::fail(range, "arrays of strings cannot be joined");
  Text joined = context_.text_of(first.scalar());
  for (std::size_t k = 1; k + 1 < children.size(); k += 2) {
    const auto op = static_cast<TokenKind>(children[k]);
    const Value next = evaluate(children[k + 1]);
    if (op != TokenKind::plus || next.base() != BaseType::string || !next.is_scalar())  // which has no value
      return arithmetic(op, first, next, {tree_.node(id).begin, tree_.node(children[k + 1]).end, range.source});
    append(joined, context_.text_of(next.scalar()));
  }
  return kept_text(std::move(joined), range);
}

Value Evaluator::concatenate_texts(const Value& a, const Value& b, SourceRange range) {
  if (!a.is_scalar() || !b.is_scalar()) Context::fail(range, "arrays of strings cannot be joined");
  Text joined = context_.text_of(a.scalar());
  append(joined, context_.text_of(b.scalar()));
  return kept_text(std::move(joined), range);
}

// Texts are kept until the model is read: they count as numbers of the same size.
Value Evaluator::kept_text(Text text, SourceRange range) {
  context_.charge(text.text.size() / 16, range);
  context_.claim_elements(text.text.size() / 64 + text.values.size(), range);
  return {Type{BaseType::string}, context_.add_text(std::move(text))};
}

Value Evaluator::evaluate_not(NodeId id) {
  const Value value = evaluate_as(tree_.child(id, 0), Type{BaseType::boolean}, "what 'not' stands before");
  return map(
      value, value.type(), [&](Scalar s) { return arithmetic_.logical_not(s); }, tree_.range(id));
}

// What is decided by the first operands is not evaluated further.
Value Evaluator::evaluate_logical(NodeId id) {
  const bool is_and = tree_.node(id).kind == NodeKind::logical_and;
  const auto children = tree_.children(id);
  const std::string_view what = is_and ? "an operand of 'and'" : "an operand of 'or'";
  Value result = evaluate_as(children[0], Type{BaseType::boolean}, what);
  const Scope scope(*this);
  for (std::size_t k = 1; k < children.size(); ++k) {
    if (result.is_single() && result.scalar().is_constant(is_and ? 0.0 : 1.0)) return result;
    if (result.is_single() && !result.scalar().is_constant()) mode_.guarded = true;
    const Value next = evaluate_as(children[k], Type{BaseType::boolean}, what);
    result = map(
        result, next, result.type(),
        [&](Scalar a, Scalar b) { return is_and ? arithmetic_.logical_and(a, b) : arithmetic_.logical_or(a, b); },
        tree_.range(id));
  }
  return result;
}

Value Evaluator::evaluate_relation(NodeId id) {
  const Value a = evaluate(tree_.child(id, 0)), b = evaluate(tree_.child(id, 1));
  return relate(static_cast<TokenKind>(tree_.node(id).op), a, b, tree_.range(id));
}

Value Evaluator::relate(TokenKind op, const Value& a, const Value& b, SourceRange range) {
  if (!a.is_scalar() || !b.is_scalar()) {
    Context::fail(range, "only single values can be compared", "compare element by element in a 'for' loop");
  }
  if (a.base() == BaseType::string && b.base() == BaseType::string)
    return Value::boolean(compare_texts(op, a, b, range));
  const bool comparable =
      a.base() != BaseType::record && (a.type() == b.type() || (a.type().is_numeric() && b.type().is_numeric()));
  if (!comparable) {
    Context::fail(
        range, fmt::format("{} and {} cannot be compared", context_.type_name(a.type()), context_.type_name(b.type())));
  }
  const Scalar left = a.scalar(), right = b.scalar();
  const Scalar difference = arithmetic_.subtract(left, right);
  const bool moves = context_.builder.is_continuous(left) || context_.builder.is_continuous(right);
  const bool equality = op == TokenKind::equal || op == TokenKind::not_equal;
  if (equality && moves && !mode_.in_function && !mode_.in_when) {
    Context::fail(range, fmt::format("'{}' of Real numbers that change with time is not allowed", spelling(op)),
                  "no one can say when two such numbers are equal; compare with '<' or '>'");
  }
  if (mode_.events && moves && difference.is_expression() && context_.builder.is_continuous(difference)) {
    const bool less = op == TokenKind::less || op == TokenKind::less_equal;
    const bool at_zero = op == TokenKind::less_equal || op == TokenKind::greater_equal;
    const Scalar flag =
        context_.builder.relation({difference.expr, 0, less, at_zero, context_.quote(range), context_.place(range)});
    return {Type{BaseType::boolean}, flag};
  }
  Scalar truth;
  switch (op) {
    case TokenKind::less: truth = arithmetic_.apply(Op::less, left, right); break;
    case TokenKind::less_equal: truth = arithmetic_.apply(Op::less_equal, left, right); break;
    case TokenKind::greater: truth = arithmetic_.apply(Op::less, right, left); break;
    case TokenKind::greater_equal: truth = arithmetic_.apply(Op::less_equal, right, left); break;
    case TokenKind::equal: truth = arithmetic_.apply(Op::equal, left, right); break;
    default: truth = arithmetic_.apply(Op::not_equal, left, right); break;
  }
  return {Type{BaseType::boolean}, truth};
}

bool Evaluator::compare_texts(TokenKind op, const Value& a, const Value& b, SourceRange range) const {
  const Text &left = context_.text_of(a.scalar()), &right = context_.text_of(b.scalar());
  if (!left.values.empty() || !right.values.empty()) {
    Context::fail(range, "strings with numbers that change cannot be compared");
  }
  const int order = left.text.compare(right.text);
  switch (op) {
    case TokenKind::less: return order < 0;
    case TokenKind::less_equal: return order <= 0;
    case TokenKind::greater: return order > 0;
    case TokenKind::greater_equal: return order >= 0;
    case TokenKind::equal: return order == 0;
    default: return order != 0;
  }
}

// Only what can be taken is evaluated: a condition that is known chooses at once.
Value Evaluator::evaluate_choice(NodeId id) {
  const auto children = tree_.children(id);
  struct Open {
    Scalar condition;
    Value value;
  };
  std::vector<Open> open;
  const Scope scope(*this);
  std::size_t k = 0;
  for (; k + 1 < children.size(); k += 2) {
    const Scalar condition = evaluate_scalar(children[k], BaseType::boolean, "the condition of 'if'");
    if (condition.is_constant(0.0)) continue;
    if (condition.is_constant()) {
      ++k;
      break;
    }
    mode_.guarded = true;
    path_.push_back({condition, false});
    open.push_back({condition, evaluate(children[k + 1])});
    path_.back().negated = true;
  }
  Value value = evaluate(children[std::min<std::size_t>(k, children.size() - 1)]);
  for (; !open.empty(); open.pop_back()) {
    value = choose(open.back().condition, open.back().value, value, tree_.range(id));
  }
  return value;
}

Value Evaluator::choose(Scalar condition, const Value& yes, const Value& no, SourceRange range) {
  const Type type = common_type(yes, no, range);
  if (yes.dims() != no.dims()) {
    Context::fail(range, fmt::format("the branches of 'if' have different sizes: {} and {}", to_text(yes.dims()),
                                     to_text(no.dims())));
  }
  if (type.base == BaseType::string) Context::fail(range, "strings cannot be chosen by a condition that changes");
  if (yes.is_single()) return {type, arithmetic_.select(condition, yes.scalar(), no.scalar())};
  std::vector<Scalar> elements(yes.size());
  context_.charge(elements.size(), range);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = arithmetic_.select(condition, yes[i], no[i]);
  return {type, yes.dims(), std::move(elements), yes.width()};
}

}  // namespace driftless
