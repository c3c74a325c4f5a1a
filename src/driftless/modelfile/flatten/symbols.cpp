#include "driftless/modelfile/flatten/symbols.h"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

const Modification* find_modification(const SyntaxTree& tree, const ModificationLayers& layers, std::string_view name) {
  for (const auto* layer : layers) {
    for (const Modification& modification : *layer) {
      if (modification.name.size() == 1 && tree.names.text(modification.name[0]) == name) return &modification;
    }
  }
  return nullptr;
}

std::string subscript_text(const Dims& dims, std::size_t index) {
  if (dims.empty()) return {};
  std::vector<std::size_t> position(dims.size());
  for (std::size_t k = dims.size(); k-- > 0;) {
    position[k] = index % static_cast<std::size_t>(dims[k]) + 1;
    index /= static_cast<std::size_t>(dims[k]);
  }
  return fmt::format("[{}]", fmt::join(position, ","));
}

void Symbols::declare(const ClassDefinition& package, const ClassDefinition& model) {
  for (const Declaration& declaration : package.declarations) declare_one(declaration, true);
  for (const Declaration& declaration : model.declarations) declare_one(declaration, false);
}

void Symbols::declare_one(const Declaration& declaration, bool is_global) {
  const auto known = by_name_.find(declaration.name);
  if (known != by_name_.end() && known->second->is_global == is_global) {
    const SourcePlace place = context_.place(known->second->declaration->name_range);
    context_.diagnostics.error(declaration.name_range, fmt::format("{} is declared twice", quoted(known->second->name)),
                               fmt::format("the first declaration is in line {}", place.line));
    return;
  }
  Symbol& symbol = symbols_.emplace_back();
  symbol.name = context_.tree.names.text(declaration.name);
  symbol.declaration = &declaration;
  symbol.order = symbols_.size();
  symbol.is_global = is_global;
  if (declaration.variability == Variability::constant) symbol.role = Symbol::Role::constant;
  if (declaration.variability == Variability::parameter) symbol.role = Symbol::Role::parameter;
  symbol.discrete = declaration.variability == Variability::discrete;
  by_name_[declaration.name] = &symbol;
}

Symbol* Symbols::find(std::uint32_t name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

// Runs `find` for a symbol unless that was done before. What is wrong with a declaration is reported once, there; those
// who need it only learn that it is faulty.
template <class Find>
void Symbols::find_once(Symbol& symbol, Symbol::Progress Symbol::*progress, SourceRange asked, Find find) {
  using Progress = Symbol::Progress;
  if (symbol.*progress == Progress::done) return;
  if (symbol.*progress == Progress::faulty) throw KnownFault{};
  if (symbol.*progress == Progress::busy) fail_circle(symbol, asked);
  symbol.*progress = Progress::busy;
  in_progress_.push_back(&symbol);
  try {
    find();
  } catch (const ModelError& error) {
    context_.report(error);
    in_progress_.pop_back();
    symbol.*progress = Progress::faulty;
    throw KnownFault{};
  } catch (...) {
    in_progress_.pop_back();
    symbol.*progress = Progress::faulty;
    throw;
  }
  in_progress_.pop_back();
  symbol.*progress = Progress::done;
}

const Symbol& Symbols::sized(Symbol& symbol, SourceRange asked) {
  find_once(symbol, &Symbol::sizing, asked, [&] { find_size(symbol); });
  return symbol;
}

const Symbol& Symbols::valued(Symbol& symbol, SourceRange asked) {
  if (symbol.valuing == Symbol::Progress::done) return symbol;
  sized(symbol, asked);
  find_once(symbol, &Symbol::valuing, asked, [&] { find_value(symbol); });
  return symbol;
}

void Symbols::fail_circle(const Symbol& symbol, SourceRange asked) {
  std::string chain;
  bool inside = false;
  const Symbol* last = nullptr;
  for (const Symbol* each : in_progress_) {
    inside = inside || each == &symbol;
    if (inside && each != last) chain += quoted(each->name) + " needs ";
    last = each;
  }
  chain += quoted(symbol.name);
  Context::fail(asked, fmt::format("{} depends on itself: {}", quoted(symbol.name), chain));
}

void Symbols::find_size(Symbol& symbol) {
  const Declaration& declaration = *symbol.declaration;
  const std::string purpose = fmt::format("the size of {}", quoted(symbol.name));
  const Evaluator::Isolation isolation(evaluator_, Mode{.events = false, .constant_only = true, .purpose = purpose});
  symbol.type = resolve(declaration.type);
  std::vector<NodeId> sizes = declaration.sizes;
  sizes.insert(sizes.end(), declaration.type_sizes.begin(), declaration.type_sizes.end());
  symbol.dims = evaluate_sizes(sizes);
  symbol.dims.insert(symbol.dims.end(), symbol.type.dims.begin(), symbol.type.dims.end());
  if (std::find(symbol.dims.begin(), symbol.dims.end(), -1) != symbol.dims.end()) {
    const NodeId value = symbol.new_value != no_node ? symbol.new_value : declaration.value;
    if (value == no_node) {
      Context::fail(
          declaration.name_range,
          fmt::format("the size of {} is open, and there is no value that would tell it", quoted(symbol.name)),
          "write a number instead of ':'");
    }
    if (!symbol.is_parameter()) evaluator_.mode() = Mode{.events = false};
    const Dims found = evaluator_.evaluate(value).dims();
    bool fits = found.size() == symbol.dims.size();
    for (std::size_t k = 0; fits && k < found.size(); ++k) fits = symbol.dims[k] < 0 || symbol.dims[k] == found[k];
    if (!fits) {
      Context::fail(context_.tree.range(value),
                    fmt::format("the value of {} has size {}, which does not fit its declaration", quoted(symbol.name),
                                to_text(found)));
    }
    symbol.dims = found;
  }
  if (context_.is_open(symbol.type.type)) close_record(symbol);
  if (symbol.role == Symbol::Role::parameter)
    symbol.is_computed = symbol.type.type.base != BaseType::string && symbol.type.type.base != BaseType::record &&
                         (is_computed(symbol) || is_written_computed(symbol));
}

bool Symbols::is_integer_field(const ClassDefinition& record, NodeId part) {
  const auto field = std::ranges::find(record.declarations, context_.tree.node(part).text, &Declaration::name);
  return field != record.declarations.end() && resolve(field->type).type.base == BaseType::integer;
}

// The sizes of its fields are those of its value, or of what modifies them.
void Symbols::close_record(Symbol& symbol) {
  const Declaration& declaration = *symbol.declaration;
  const ClassDefinition& definition = *context_.records[symbol.type.type.definition].definition;
  if (!symbol.is_parameter()) evaluator_.mode() = Mode{.events = false};
  const NodeId whole = symbol.new_value != no_node ? symbol.new_value : declaration.value;
  if (whole != no_node) {
    const Value value = evaluator_.evaluate_as(whole, symbol.type.type, quoted(symbol.name));
    symbol.type.type = value.type();
    symbol.type.width = value.width();
    return;
  }
  for (const auto& [target, value] : symbol.new_elements)
    if (const NodeId field = context_.tree.children(target).back(); is_integer_field(definition, field))
      Context::fail(context_.tree.range(target),
                    fmt::format("{} may tell the size of other fields and cannot be set from outside",
                                quoted(context_.tree.name_of(field))));
  ModificationLayers layers{&declaration.modifications};
  layers.insert(layers.end(), symbol.type.modifications.rbegin(), symbol.type.modifications.rend());
  const auto value_of = [&](const Declaration& field) -> std::optional<Value> {
    const Modification* own = find_modification(context_.tree, layers, context_.tree.names.text(field.name));
    if (own == nullptr || own->value == no_node) return std::nullopt;
    Value value = evaluator_.evaluate(own->value);
    if (symbol.dims.empty() || own->each) return value;
    const auto outer = static_cast<std::ptrdiff_t>(symbol.dims.size());
    const auto elements = value.elements();
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(count_elements(symbol.dims), 1));
    if (value.rank() < symbol.dims.size() || elements.empty()) return value;
    const std::vector<Scalar> first(elements.begin(),
                                    elements.begin() + static_cast<std::ptrdiff_t>(elements.size() / count));
    for (std::size_t i = 0; value.base() == BaseType::integer && i < elements.size(); ++i)
      if (!(elements[i] == first[i % first.size()]))
        Context::fail(own->range, "records of an array have fields of the same sizes", "declare them one by one");
    return Value(value.type(), {value.dims().begin() + outer, value.dims().end()}, first, value.width());
  };
  const ResolvedType closed = closed_record(definition, value_of, declaration.name_range);
  symbol.type.type = closed.type;
  symbol.type.width = closed.width;
}

// fixed = false, or a value that follows from such a parameter.
bool Symbols::is_written_computed(const Symbol& symbol) {
  if (symbol.role != Symbol::Role::parameter || symbol.new_value != no_node) return false;
  const auto [known, added] = written_computed_.try_emplace(&symbol, false);
  if (!added) return known->second;
  const Modification* fixed = find_modification(context_.tree, {&symbol.declaration->modifications}, "fixed");
  const SyntaxNode& node = context_.tree.node(fixed == nullptr ? no_node : fixed->value);
  const bool written = node.kind == NodeKind::boolean && node.number == 0.0;
  return written_computed_[&symbol] = written || reads_computed(symbol.declaration->value);
}

bool Symbols::reads_computed(NodeId id) {
  const SyntaxTree& tree = context_.tree;
  const SyntaxNode& node = tree.node(id);
  if (id == no_node) return false;
  if (node.kind == NodeKind::name || node.kind == NodeKind::part) {
    const Symbol* symbol = find(node.text);
    if (symbol != nullptr && is_written_computed(*symbol)) return true;
  }
  const bool operators = node.kind == NodeKind::sum || node.kind == NodeKind::product;
  for (std::size_t k = 0; k < node.children; k += operators ? 2 : 1)
    if (reads_computed(tree.child(id, k))) return true;
  return false;
}

// fixed = false makes a parameter an unknown of the start.
bool Symbols::is_computed(const Symbol& symbol) {
  const Modification* fixed = find_modification(context_.tree, {&symbol.declaration->modifications}, "fixed");
  if (fixed == nullptr || fixed->value == no_node || symbol.new_value != no_node) return false;
  if (evaluator_.evaluate_number(fixed->value, BaseType::boolean, "'fixed'") != 0.0) return false;
  return true;
}

Dims Symbols::evaluate_sizes(const std::vector<NodeId>& sizes) {
  Dims dims;
  for (const NodeId size : sizes) {
    const SyntaxNode& node = context_.tree.node(size);
    if (node.kind == NodeKind::colon) {
      dims.push_back(-1);
      continue;
    }
    const auto found = node.kind == NodeKind::name ? context_.classes.find(node.text) : context_.classes.end();
    if (found != context_.classes.end() && found->second->kind == ClassDefinition::Kind::enumeration) {
      dims.push_back(static_cast<std::int64_t>(found->second->literals.size()));
      continue;
    }
    if (node.kind == NodeKind::name && context_.tree.name_of(size) == "Boolean") {
      dims.push_back(2);
      continue;
    }
    const double number = evaluator_.evaluate_number(size, BaseType::integer, "a size");
    if (number < 0.0) {
      Context::fail(context_.tree.range(size), fmt::format("a size may not be negative, but this is {}", number));
    }
    dims.push_back(static_cast<std::int64_t>(number));
  }
  return dims;
}

std::vector<Leaf> Symbols::leaves(const Symbol& symbol) {
  std::vector<Leaf> list;
  Leaf whole;
  whole.name = symbol.name;
  whole.type = symbol.type.type;
  whole.layers = {&symbol.declaration->modifications};
  whole.layers.insert(whole.layers.end(), symbol.type.modifications.rbegin(), symbol.type.modifications.rend());
  add_leaves(list, std::move(whole), symbol.dims);
  return list;
}

namespace {

// Body b[2](m = {1, 3}): one value for each element.
NodeId element_of(const SyntaxTree& tree, const Modification& modification, const Dims& dims, std::size_t index) {
  const SyntaxNode& node = tree.node(modification.value);
  const bool each = modification.each || dims.size() != 1 || node.kind != NodeKind::array;
  if (each || node.children != static_cast<std::size_t>(dims[0])) return modification.value;
  return tree.child(modification.value, index);
}

}  // namespace

// A record falls apart into its fields, an array of records into its elements first.
void Symbols::add_leaves(std::vector<Leaf>& list, Leaf leaf, const Dims& dims) {
  if (leaf.type.base != BaseType::record) {
    leaf.dims = dims;
    list.push_back(std::move(leaf));
    return;
  }
  const RecordType& record = context_.records[leaf.type.definition];
  const auto count = static_cast<std::size_t>(count_elements(dims));
  for (std::size_t i = 0; i < count; ++i) {
    for (const RecordField& field : record.fields) {
      Leaf part;
      const std::string& field_name = context_.tree.names.text(field.name);
      part.name = fmt::format("{}{}.{}", leaf.name, subscript_text(dims, i), field_name);
      part.type = field.type;
      part.offset = leaf.offset + i * record.width + field.offset;
      part.value = field.declaration->value;
      for (auto layer = leaf.layers.rbegin(); layer != leaf.layers.rend(); ++layer) {
        if (const Modification* found = find_modification(context_.tree, {*layer}, field_name)) {
          part.layers.insert(part.layers.begin(), &found->nested);
          if (found->value != no_node) part.value = element_of(context_.tree, *found, dims, i);
        }
      }
      part.layers.push_back(&field.declaration->modifications);
      part.layers.insert(part.layers.end(), field.modifications.rbegin(), field.modifications.rend());
      add_leaves(list, std::move(part), field.dims);
    }
  }
}

}  // namespace driftless
