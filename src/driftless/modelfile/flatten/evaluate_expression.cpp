// Which rule an expression is evaluated by, literals, conversions.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "driftless/modelfile/flatten/evaluator.h"

namespace driftless {

namespace {

constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53

}  // namespace

Evaluator::Isolation::Isolation(Evaluator& evaluator, Mode mode)
    : evaluator_(evaluator),
      scope_(evaluator),
      ends_(std::exchange(evaluator.ends_, {})),
      path_(std::exchange(evaluator.path_, {})),
      when_actions_(std::exchange(evaluator.when_actions_, nullptr)),
      behind_frame_(std::exchange(evaluator.behind_frame_, false)) {
  evaluator.mode_ = mode;
  evaluator.frame_ = nullptr;
  evaluator.hide_iterators();
}

Evaluator::Isolation::~Isolation() {
  evaluator_.ends_ = std::move(ends_);
  evaluator_.path_ = std::move(path_);
  evaluator_.when_actions_ = when_actions_;
  evaluator_.behind_frame_ = behind_frame_;
}

Value Evaluator::evaluate(NodeId id) {
  const Depth depth(*this, tree_.range(id));
  context_.charge(1, tree_.range(id));
  const SyntaxNode& node = tree_.node(id);
  switch (node.kind) {
    case NodeKind::number: return {Type{node.op == 1 ? BaseType::integer : BaseType::real}, Scalar::of(node.number)};
    case NodeKind::string: return {Type{BaseType::string}, context_.add_text({tree_.strings[node.text], {}})};
    case NodeKind::boolean: return Value::boolean(node.number == 1.0);
    case NodeKind::name: return evaluate_name(id);
    case NodeKind::reference: return evaluate_reference(id);
    case NodeKind::call: return evaluate_call(id);
    case NodeKind::negate: return evaluate_negate(id);
    case NodeKind::plus: return numeric(tree_.child(id, 0), "what '+' stands before");
    case NodeKind::logical_not: return evaluate_not(id);
    case NodeKind::sum: return evaluate_sum(id);
    case NodeKind::product: return evaluate_product(id);
    case NodeKind::power: return evaluate_power(id);
    case NodeKind::relation: return evaluate_relation(id);
    case NodeKind::logical_and:
    case NodeKind::logical_or: return evaluate_logical(id);
    case NodeKind::choice: return evaluate_choice(id);
    case NodeKind::range: return evaluate_range(id);
    case NodeKind::array: return evaluate_array(id);
    case NodeKind::matrix: return evaluate_matrix(id);
    case NodeKind::comprehension: return evaluate_comprehension(id);
    case NodeKind::subscripted: return evaluate_subscripted(id);
    case NodeKind::end:
      if (ends_.empty()) fail(id, "'end' stands for the last index and is known in subscripts only");
      return Value::integer(ends_.back());
    case NodeKind::colon: fail(id, "':' is known in subscripts and sizes only");
    case NodeKind::tuple:
      fail(id, "a list in parentheses is no value",
           "arrays are written {a, b}; lists stand on the left of functions with several results");
    case NodeKind::named_argument: fail(id, "arguments with names belong to calls of functions");
    default: break;
  }
  fail(id, "this is no expression");
}

void Evaluator::fail_too_deep(SourceRange range) const {
  Context::fail(range, fmt::format("the evaluation is nested more than {} levels deep", deepest),
                "give parts of it names of their own");
}

std::string Evaluator::iterations_text() const {
  std::string out;
  for (std::size_t i = hidden_; i < iterations_.size(); ++i) {
    const Value& value = iterations_[i].value;
    if (!value.is_single() || !value.scalar().is_constant()) continue;
    out += fmt::format("{}{} = {}", out.empty() ? "for " : ", ", tree_.names.text(iterations_[i].name),
                       value.scalar().number.at_compilation());
  }
  if (!out.empty()) out += ": ";
  return out;
}

// A number that is not finite, or an integer that is not exact, is found where it arises.
void Evaluator::check_result(Scalar result, bool integer, SourceRange range) const {
  if (!result.is_constant() || mode_.guarded) return;
  if (!isfinite(result.number)) {
    Context::fail(range, fmt::format("{} is not a finite number", context_.quote(range)));
  }
  if (integer && abs(result.number) > largest_exact_integer) {
    Context::fail(range,
                  fmt::format("{} is too large for an Integer: beyond 2^53 they are not exact", context_.quote(range)));
  }
}

void Evaluator::convert(Value& value, Type type, SourceRange range, std::string_view what) const {
  if (value.type() == type || (context_.is_open(type) && context_.is_same_record(value.type(), type))) return;
  if (context_.is_same_record(value.type(), type))
    Context::fail(range, fmt::format("{} has fields of other sizes than this {}", what, context_.type_name(type)));
  if (type.base == BaseType::real && value.base() == BaseType::integer) {
    value.set_type(type);
    return;
  }
  std::string suggestion;
  if (type.base == BaseType::integer && value.base() == BaseType::real) {
    suggestion = "round it: integer(x) is the largest Integer that is not above x";
  } else if (type.is_numeric() && value.base() == BaseType::boolean) {
    suggestion = "write: if condition then 1 else 0";
  }
  Context::fail(
      range,
      fmt::format("{} must be {}, but this is {}", what, context_.type_name(type), context_.type_name(value.type())),
      suggestion);
}

Value Evaluator::evaluate_as(NodeId id, Type type, std::string_view what) {
  Value value = evaluate(id);
  convert(value, type, tree_.range(id), what);
  return value;
}

Scalar Evaluator::evaluate_scalar(NodeId id, BaseType base, std::string_view what) {
  const Value value = evaluate_as(id, Type{base}, what);
  if (!value.is_scalar())
    fail(id, fmt::format("{} must be one number, but this has size {}", what, to_text(value.dims())));
  return value.scalar();
}

Number Evaluator::evaluate_known(NodeId id, BaseType base, std::string_view what) {
  const Scope scope(*this);
  mode_.constant_only = true;
  mode_.purpose = what;
  const Scalar scalar = evaluate_scalar(id, base, what);
  if (!scalar.is_constant()) {
    fail(id, fmt::format("{} must be known before the run", what), "use numbers, constants and parameters");
  }
  mode_.guarded = false;  // it is used here and now
  check_result(scalar, base == BaseType::integer, tree_.range(id));
  return scalar.number;
}

}  // namespace driftless
