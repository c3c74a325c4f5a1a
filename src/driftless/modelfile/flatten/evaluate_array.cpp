// Arrays made of parts: {...}, [...], ranges, and loops over them.
#include <fmt/format.h>

#include <cmath>

#include "driftless/modelfile/flatten/evaluator.h"

namespace driftless {

Value Evaluator::map(const Value& a, Type type, const std::function<Scalar(Scalar)>& function, SourceRange range) {
  if (a.is_single()) return {type, function(a.scalar())};
  std::vector<Scalar> elements(a.size());
  context_.charge(elements.size(), range);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = function(a[i]);
  return {type, a.dims(), std::move(elements)};
}

// Sizes must agree; a single value goes with any size.
Value Evaluator::map(const Value& a, const Value& b, Type type, const std::function<Scalar(Scalar, Scalar)>& function,
                     SourceRange range) {
  if (a.is_single() && b.is_single()) return {type, function(a.scalar(), b.scalar())};
  if (!a.is_scalar() && !b.is_scalar() && a.dims() != b.dims()) {
    Context::fail(range, fmt::format("the sizes {} and {} do not fit", to_text(a.dims()), to_text(b.dims())));
  }
  const Dims& dims = a.is_scalar() ? b.dims() : a.dims();
  std::vector<Scalar> elements(std::max(a.is_scalar() ? 0 : a.size(), b.is_scalar() ? 0 : b.size()));
  context_.charge(elements.size(), range);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = function(a.is_scalar() ? a.scalar() : a[i], b.is_scalar() ? b.scalar() : b[i]);
  }
  return {type, dims, std::move(elements)};
}

Type Evaluator::common_type(const Value& a, const Value& b, SourceRange range) const {
  if (a.type() == b.type()) return a.type();
  if (a.type().is_numeric() && b.type().is_numeric()) return Type{BaseType::real};
  Context::fail(
      range, fmt::format("{} and {} do not go together", context_.type_name(a.type()), context_.type_name(b.type())));
}

Value Evaluator::evaluate_array(NodeId id) {
  std::vector<Value> entries;
  entries.reserve(tree_.node(id).children);
  for (const NodeId child : tree_.children(id)) entries.push_back(evaluate(child));
  if (entries.empty()) fail(id, "'{}' has no type", "an empty array of numbers is written zeros(0)");
  return stack(std::move(entries), tree_.range(id));
}

// {a, b, ...}: one dimension more than the entries, which must be alike.
Value Evaluator::stack(std::vector<Value> entries, SourceRange range) {
  const Value& first = entries.front();
  Type type = first.type();
  Dims dims{static_cast<std::int64_t>(entries.size())};
  dims.insert(dims.end(), first.dims().begin(), first.dims().end());
  std::vector<Scalar> elements;
  elements.reserve(context_.checked_count(dims, range) * first.width());
  for (const Value& entry : entries) {
    if (entry.dims() != first.dims()) {
      Context::fail(range, fmt::format("the entries of an array must have equal sizes, but these have {} and {}",
                                       to_text(first.dims()), to_text(entry.dims())));
    }
    if (!(entry.type() == type)) type = common_type(Value(type, Scalar{}), Value(entry.type(), Scalar{}), range);
    elements.insert(elements.end(), entry.elements().begin(), entry.elements().end());
  }
  return {type, std::move(dims), std::move(elements), first.width()};
}

// [a, b; c, d]: rows of blocks, joined along dimension 2 and then along dimension 1.
Value Evaluator::evaluate_matrix(NodeId id) {
  std::vector<Value> rows;
  for (const NodeId row : tree_.children(id)) {
    std::vector<Value> blocks;
    for (const NodeId entry : tree_.children(row)) {
      Value block = numeric(entry, "an entry of a matrix");
      if (block.rank() > 2)
        fail(entry, fmt::format("an entry of a matrix may not have size {}", to_text(block.dims())));
      blocks.push_back(promoted(std::move(block), 2));
    }
    rows.push_back(concatenate(1, std::move(blocks), tree_.range(row)));
  }
  return concatenate(0, std::move(rows), tree_.range(id));
}

// With dimensions of size 1 added at the end.
Value Evaluator::promoted(Value value, std::size_t rank) const {
  Dims dims = value.dims();
  dims.resize(std::max(rank, dims.size()), 1);
  if (value.is_scalar() && !dims.empty()) return {value.type(), std::move(dims), {value.scalar()}};
  value.reshape(std::move(dims));
  return value;
}

// cat: all sizes but the one of `dimension` must be equal.
Value Evaluator::concatenate(std::size_t dimension, std::vector<Value> parts, SourceRange range) {
  Type type = parts.front().type();
  Dims dims = parts.front().dims();
  if (dimension >= dims.size()) {
    Context::fail(range,
                  fmt::format("arrays of size {} cannot be joined along dimension {}", to_text(dims), dimension + 1));
  }
  dims[dimension] = 0;
  for (const Value& part : parts) {
    Dims expected = dims;
    if (part.rank() == dims.size()) expected[dimension] = part.dims()[dimension];
    if (part.dims() != expected) {
      Context::fail(range, fmt::format("the sizes {} and {} do not fit along dimension {}",
                                       to_text(parts.front().dims()), to_text(part.dims()), dimension + 1));
    }
    dims[dimension] += part.dims()[dimension];
    type = common_type(Value(type, Scalar{}), Value(part.type(), Scalar{}), range);
  }
  std::vector<Scalar> elements;
  elements.reserve(context_.checked_count(dims, range));
  std::size_t outer = 1;
  for (std::size_t k = 0; k < dimension; ++k) outer *= static_cast<std::size_t>(dims[k]);
  for (std::size_t i = 0; i < outer; ++i) {
    for (const Value& part : parts) {
      const std::size_t block = outer > 0 ? part.size() / outer : 0;
      const auto from = part.elements().subspan(i * block, block);
      elements.insert(elements.end(), from.begin(), from.end());
    }
  }
  return {type, std::move(dims), std::move(elements)};
}

// from : step : to
Value Evaluator::evaluate_range(NodeId id) {
  const auto children = tree_.children(id);
  const Scope scope(*this);
  mode_.constant_only = true;
  mode_.purpose = "a bound of a range";
  Value bounds[3];
  for (std::size_t k = 0; k < children.size(); ++k) {
    bounds[k] = evaluate(children[k]);
    const BaseType base = bounds[k].base();
    if (!bounds[k].is_single() || !bounds[k].scalar().is_constant()) {
      fail(children[k], "the bounds of a range must be single numbers that are known before the run");
    }
    if (base != BaseType::real && base != BaseType::integer && base != BaseType::enumeration) {
      fail(children[k], fmt::format("a range cannot be made of {}", context_.type_name(bounds[k].type())));
    }
  }
  const double from = bounds[0].scalar().number.pinned(), to = bounds[children.size() - 1].scalar().number.pinned();
  const double step = children.size() == 3 ? bounds[1].scalar().number.pinned() : 1.0;
  if (step == 0.0) fail(id, "the step of a range may not be zero");
  Type type = bounds[0].type();
  for (std::size_t k = 1; k < children.size(); ++k) {
    type = common_type(Value(type, Scalar{}), bounds[k], tree_.range(id));
  }
  // The last one belongs to the range even if rounding puts it a little beyond.
  const double steps = (to - from) / step, slack = type.base == BaseType::real ? 1e-10 : 0.0;
  const double count = steps < 0.0 ? 0.0 : std::floor(steps * (1.0 + slack) + slack) + 1.0;
  if (!(count <= static_cast<double>(context_.limits.elements))) {
    fail(id, fmt::format("this range is too long: more than {} numbers", context_.limits.elements),
         "is it as long as it is meant to be? If so, raise the limit: --max-memory SIZE");
  }
  const Dims dims{static_cast<std::int64_t>(count)};
  std::vector<Scalar> elements(context_.checked_count(dims, tree_.range(id)));
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = Scalar::of(from + static_cast<double>(i) * step);
  return {type, dims, std::move(elements)};
}

std::optional<Evaluator::OpenRange> Evaluator::open_range(NodeId iterator) {
  if (tree_.node(iterator).children == 0) return std::nullopt;
  const NodeId range = tree_.child(iterator, 0);
  if (tree_.node(range).kind != NodeKind::range || mode_.constant_only) return std::nullopt;
  const auto children = tree_.children(range);
  std::vector<Value> bounds;
  bool known = true;
  for (const NodeId child : children) {
    bounds.push_back(evaluate(child));
    if (bounds.back().base() != BaseType::integer || !bounds.back().is_single()) return std::nullopt;
    known = known && bounds.back().is_constant();
  }
  if (known) return std::nullopt;
  OpenRange open{bounds[0].type(), bounds[0].scalar(), bounds.back().scalar()};
  if (children.size() == 3) {
    if (!bounds[1].is_constant()) fail(children[1], "the step of a range must be known before the run");
    open.step = bounds[1].scalar().number.pinned();
    if (open.step == 0.0) fail(range, "the step of a range may not be zero");
  }
  return open;
}

// The values that an index takes: the elements of its range, or 1 to the size that its use as subscript implies.
std::vector<Value> Evaluator::range_values(NodeId iterator, const std::vector<Statement>* body, NodeId expression) {
  const SyntaxNode& node = tree_.node(iterator);
  std::vector<Value> values;
  if (node.children == 0) {
    const auto size = body != nullptr ? size_from_use(node.text, *body) : size_from_use(node.text, expression);
    if (!size) {
      fail(iterator, fmt::format("the range of '{}' does not follow from its use", tree_.name_of(iterator)),
           fmt::format("write: for {} in 1:n", tree_.name_of(iterator)));
    }
    for (std::int64_t i = 1; i <= *size; ++i) values.push_back(Value::integer(i));
    return values;
  }
  const NodeId range_node = tree_.child(iterator, 0);
  // sum(x^2 for x in v): how many there are is known, and what they are need not be.
  const bool of_elements = (body == nullptr || mode_.in_function) && tree_.node(range_node).kind != NodeKind::range;
  const Scope scope(*this);
  if (!of_elements) {
    mode_.constant_only = true;
    mode_.purpose = "the range of a loop";
  }
  // An enumeration by its name stands for all its literals.
  if (tree_.node(range_node).kind == NodeKind::name) {
    const auto found = context_.classes.find(tree_.node(range_node).text);
    if (found != context_.classes.end() && found->second->kind == ClassDefinition::Kind::enumeration) {
      const Type type = symbols_->resolve({{tree_.node(range_node).text}, tree_.range(range_node)}).type;
      for (std::size_t i = 1; i <= context_.enumerations[type.definition].literals.size(); ++i) {
        values.emplace_back(type, Scalar::of(static_cast<double>(i)));
      }
      return values;
    }
    if (tree_.name_of(range_node) == "Boolean") return {Value::boolean(false), Value::boolean(true)};
  }
  const Value range = evaluate(range_node);
  if (range.rank() != 1 || range.width() != 1 || !(of_elements || range.is_constant())) {
    fail(range_node, "the range of a loop must be a vector of known numbers", "write: for i in 1:n");
  }
  for (const Scalar& scalar : range.elements()) values.emplace_back(range.type(), scalar);
  return values;
}

void Evaluator::for_each_iteration(std::span<const NodeId> iterators, NodeId body,
                                   const std::function<void()>& action) {
  if (iterators.empty()) {
    action();
    return;
  }
  const NodeId outer = iterators.back();
  for (Value& value : range_values(outer, nullptr, body)) {
    context_.charge(1, tree_.range(outer));
    const Iterating iterating(*this, tree_.node(outer).text, std::move(value));
    for_each_iteration(iterators.first(iterators.size() - 1), body, action);
  }
}

// {e for i in r, j in s} has one row for each j: the last index is the outermost.
Value Evaluator::evaluate_comprehension(NodeId id) {
  return comprehend(tree_.children(id).subspan(1), tree_.child(id, 0), tree_.range(id));
}

Value Evaluator::comprehend(std::span<const NodeId> iterators, NodeId body, SourceRange range) {
  const NodeId outer = iterators.back();
  const std::span<const NodeId> inner = iterators.first(iterators.size() - 1);
  std::vector<Value> entries;
  for (Value& value : range_values(outer, nullptr, body)) {
    const Iterating iterating(*this, tree_.node(outer).text, std::move(value));
    entries.push_back(inner.empty() ? evaluate(body) : comprehend(inner, body, range));
  }
  if (entries.empty()) return {Type{BaseType::real}, Dims{0}, {}};
  return stack(std::move(entries), range);
}

}  // namespace driftless
