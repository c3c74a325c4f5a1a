// Subscripts and fields: which numbers of an array a reference means.
#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

// `end` in a subscript is the size of its dimension. What is assigned must have known ones.
Value Evaluator::evaluate_subscript(NodeId subscript, std::int64_t size) {
  if (const auto fixed = fixed_subscripts_.find(subscript); fixed != fixed_subscripts_.end())
    return {Type{BaseType::integer}, Scalar::of(fixed->second)};
  struct End {
    std::vector<std::int64_t>& ends;
    ~End() { ends.pop_back(); }
  };
  ends_.push_back(size);
  const End end{ends_};
  const Scope scope(*this);
  const bool may_vary = std::exchange(may_vary_, false);
  struct Restore {
    bool& target;
    bool value;
    ~Restore() { target = value; }
  };
  const Restore restore{may_vary_, may_vary};
  if (!may_vary) {
    mode_.constant_only = true;
    mode_.purpose = "a subscript";
  }
  Value value = evaluate(subscript);
  if (value.base() == BaseType::boolean && size == 2) {  // false is the first one
    return map(
        value, Type{BaseType::integer}, [&](Scalar s) { return arithmetic_.add(s, Scalar::of(1.0)); },
        tree_.range(subscript));
  }
  if (value.base() != BaseType::integer && value.base() != BaseType::enumeration) {
    fail(subscript, fmt::format("a subscript must be Integer, but this is {}", context_.type_name(value.type())));
  }
  return value;
}

// From 0.
std::size_t Evaluator::position_of(const Scalar& subscript, std::int64_t size, NodeId id) const {
  if (!subscript.is_constant()) {
    if (may_vary_) throw VaryingSubscript{id, subscript, size};
    fail(id, "subscripts that change are not covered here", "use a loop index, a parameter or a number");
  }
  const double number = subscript.number.pinned();
  if (!(number >= 1.0 && number <= static_cast<double>(size))) {
    throw SubscriptError{{tree_.range(id),
                          size == 0 ? fmt::format("the subscript {} is out of range: the array is empty", number)
                                    : fmt::format("the subscript {} is out of range: 1 to {}", number, size),
                          {}}};
  }
  return static_cast<std::size_t>(number) - 1;
}

// The positions that one subscript selects out of `size`; one that is no vector takes its dimension away.
std::vector<std::size_t> Evaluator::subscript_positions(NodeId subscript, std::int64_t size, bool& is_scalar) {
  std::vector<std::size_t> positions;
  is_scalar = false;
  if (subscript == no_node || tree_.node(subscript).kind == NodeKind::colon) {
    positions.resize(static_cast<std::size_t>(size));
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    return positions;
  }
  const Value value = evaluate_subscript(subscript, size);
  if (value.rank() > 1) fail(subscript, fmt::format("a subscript may not have size {}", to_text(value.dims())));
  for (const Scalar& scalar : value.elements()) positions.push_back(position_of(scalar, size, subscript));
  is_scalar = value.is_scalar();
  return positions;
}

// The index of x[i, j] if each subscript is one number; nothing if this is not so simple.
std::optional<std::size_t> Evaluator::single_index(NodeId part, const Dims& dims) {
  const auto subscripts = tree_.children(part);
  if (subscripts.size() != dims.size() || subscripts.empty()) return std::nullopt;
  for (const NodeId subscript : subscripts) {
    const NodeKind kind = tree_.node(subscript).kind;
    if (kind == NodeKind::colon || kind == NodeKind::range || kind == NodeKind::array) return std::nullopt;
  }
  std::size_t index = 0;
  for (std::size_t k = 0; k < dims.size(); ++k) {
    const Value value = evaluate_subscript(subscripts[k], dims[k]);
    if (!value.is_single()) return std::nullopt;
    index = index * static_cast<std::size_t>(dims[k]) + position_of(value.scalar(), dims[k], subscripts[k]);
  }
  return index;
}

// Appends the first numbers of the elements that the subscripts select out of an array at `offset`.
void Evaluator::select_elements(Selection& selection, std::span<const NodeId> subscripts, Type type,
                                std::uint32_t width, const Dims& dims, std::size_t offset, NodeId id) {
  if (subscripts.size() > dims.size()) {
    fail(id, dims.empty() ? std::string("this is not an array and has no subscripts")
                          : fmt::format("too many subscripts: the size is {}", to_text(dims)));
  }
  selection.type = type;
  selection.width = width;
  std::vector<std::size_t> starts{0};
  Dims selected;
  for (std::size_t k = 0; k < dims.size(); ++k) {
    bool is_scalar = false;
    const auto positions = subscript_positions(k < subscripts.size() ? subscripts[k] : no_node, dims[k], is_scalar);
    if (!is_scalar) selected.push_back(static_cast<std::int64_t>(positions.size()));
    context_.checked_count({static_cast<std::int64_t>(starts.size()), static_cast<std::int64_t>(positions.size())},
                           tree_.range(id));
    std::vector<std::size_t> finer;
    finer.reserve(starts.size() * positions.size());
    for (const std::size_t start : starts) {
      for (const std::size_t position : positions) {
        finer.push_back(start * static_cast<std::size_t>(dims[k]) + position);
      }
    }
    starts = std::move(finer);
  }
  selection.dims = std::move(selected);
  for (const std::size_t start : starts) {
    for (std::uint32_t w = 0; w < width; ++w) selection.indices.push_back(offset + start * width + w);
  }
}

// a[i].b[j]: the elements of a, then within each of them the elements of its field b, and so on.
Selection Evaluator::select(NodeId reference, Type type, std::uint32_t width, const Dims& dims) {
  Selection selection;
  if (tree_.node(reference).kind == NodeKind::name) {
    select_elements(selection, {}, type, width, dims, 0, reference);
    return selection;
  }
  const auto parts = tree_.children(reference);
  select_elements(selection, tree_.children(parts[0]), type, width, dims, 0, parts[0]);
  for (const NodeId part : parts.subspan(1)) {
    if (selection.type.base != BaseType::record) {
      fail(part, fmt::format("{} has no parts", context_.type_name(selection.type)),
           "names with a dot in them are written in quotes: 'a.b'");
    }
    const RecordType& record = context_.records[selection.type.definition];
    if (record.is_open)
      fail(part, fmt::format("the fields of this {} have no sizes yet", quoted(record.name)),
           fmt::format("assign all of it first: r := {}(...)", record.name));
    const RecordField* field = record.find(tree_.node(part).text);
    if (field == nullptr) {
      std::vector<std::string_view> known;
      for (const RecordField& f : record.fields) known.push_back(tree_.names.text(f.name));
      fail(part, fmt::format("the record {} has no {}", quoted(record.name), quoted(tree_.name_of(part))),
           did_you_mean(tree_.name_of(part), known));
    }
    Selection finer;
    for (std::size_t i = 0; i < selection.indices.size(); i += selection.width) {
      Selection one;
      select_elements(one, tree_.children(part), field->type, field->width, field->dims,
                      selection.indices[i] + field->offset, part);
      finer.indices.insert(finer.indices.end(), one.indices.begin(), one.indices.end());
      if (i == 0) finer.dims = one.dims;
    }
    finer.type = field->type;
    finer.width = field->width;
    Dims all = selection.dims;
    all.insert(all.end(), finer.dims.begin(), finer.dims.end());
    finer.dims = std::move(all);
    selection = std::move(finer);
  }
  return selection;
}

// Sizes without values, so that size(x, 1) may stand where x itself may not.
Dims Evaluator::dims_of(NodeId id) {
  const SyntaxNode& node = tree_.node(id);
  const bool hidden = [&] {
    for (std::size_t i = hidden_; i < iterations_.size(); ++i) {
      if (node.kind == NodeKind::name && iterations_[i].name == node.text) return true;
    }
    return false;
  }();
  if ((node.kind != NodeKind::name && node.kind != NodeKind::reference) || hidden) return evaluate(id).dims();
  const std::uint32_t name = base_name(id);
  if (frame_ != nullptr && !behind_frame_) {
    if (const Local* local = frame_->find(name)) {
      return select(id, local->value.type(), local->value.width(), local->value.dims()).dims;
    }
  }
  Symbol* symbol = symbols_->find(name);
  if (symbol == nullptr || (mode_.in_function && symbol->role != Symbol::Role::constant)) return evaluate(id).dims();
  const Symbol& sized = symbols_->sized(*symbol, tree_.range(id));
  return select(id, sized.type.type, sized.type.width, sized.dims).dims;
}

// for i loop x[i] = ...: the size of the dimension that `index` is a subscript of.
std::optional<std::int64_t> Evaluator::size_from_use(std::uint32_t index, NodeId id) {
  if (id == no_node) return std::nullopt;
  const SyntaxNode& node = tree_.node(id);
  if (node.kind == NodeKind::reference && node.children == 1) {
    const NodeId part = tree_.child(id, 0);
    const auto subscripts = tree_.children(part);
    for (std::size_t k = 0; k < subscripts.size(); ++k) {
      const SyntaxNode& subscript = tree_.node(subscripts[k]);
      if (subscript.kind != NodeKind::name || subscript.text != index) continue;
      Symbol* symbol = symbols_->find(tree_.node(part).text);
      const Local* local = frame_ != nullptr ? frame_->find(tree_.node(part).text) : nullptr;
      if (local != nullptr && k < local->value.rank()) return local->value.dims()[k];
      if (local == nullptr && symbol != nullptr) {
        const Dims& dims = symbols_->sized(*symbol, tree_.range(id)).dims;
        if (k < dims.size()) return dims[k];
      }
    }
  }
  const bool operators = node.kind == NodeKind::sum || node.kind == NodeKind::product;
  const auto children = tree_.children(id);
  for (std::size_t k = 0; k < children.size(); k += operators ? 2 : 1) {
    if (const auto size = size_from_use(index, children[k])) return size;
  }
  return std::nullopt;
}

std::optional<std::int64_t> Evaluator::size_from_use(std::uint32_t index, const std::vector<Statement>& body) {
  for (const Statement& statement : body) {
    if (const auto size = size_from_use(index, statement.left)) return size;
    if (const auto size = size_from_use(index, statement.right)) return size;
    for (const Statement::Branch& branch : statement.branches) {
      if (const auto size = size_from_use(index, branch.condition)) return size;
      if (const auto size = size_from_use(index, branch.body)) return size;
    }
  }
  return std::nullopt;
}

}  // namespace driftless
