#include "driftless/modelfile/instance/instantiate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "driftless/modelfile/instance/standard_package.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

namespace {

constexpr std::array builtin_types{std::string_view("Real"),        std::string_view("Integer"),
                                   std::string_view("Boolean"),     std::string_view("String"),
                                   std::string_view("StateSelect"), std::string_view("AssertionLevel")};

using Kind = ClassDefinition::Kind;

std::string subscripts_of(const Elements& element) {
  std::vector<std::size_t> all;
  for (const Element& one : element) all.push_back(one.subscript);
  return all.empty() ? "" : fmt::format("[{}]", fmt::join(all, ","));
}

}  // namespace

Instantiation::Instantiation(SyntaxTree& tree, Diagnostics& diagnostics, ParameterSettings& settings)
    : tree_(tree), diagnostics_(diagnostics), settings_(settings), scopes_(tree) {
  scopes_.add_standard(standard_package(tree, diagnostics));
}

void Instantiation::fail(SourceRange range, std::string message, std::string suggestion) {
  diagnostics_.error(range, std::move(message), std::move(suggestion));
  throw Fault{};
}

bool Instantiation::run(const std::string& wanted) {
  const ClassScope* chosen = choose_class(scopes_, tree_, wanted);
  if (chosen == nullptr) return false;
  Instance top;
  top.scope = chosen;
  attempt([&] { fill(top, chosen, {}); });
  for (; !components_.empty(); components_.pop_front()) attempt([&] { add_component(components_.front()); });
  for (const PendingVariable& each : variables_) attempt([&] { add_variable(each); });
  attempt([&] { add_all_sections(top); });
  add_connections();
  pin_declarations();
  model_.name = chosen->definition->name;
  model_.name_range = chosen->definition->name_range;
  model_.description = chosen->definition->description;
  root_.kind = Kind::package;
  root_.classes.push_back(std::move(model_));
  tree_.root = std::move(root_);
  return true;
}

bool Instantiation::is_filling(const ClassScope* scope) const {
  return std::ranges::any_of(filling_, [&](const ClassScope* one) { return one->definition == scope->definition; });
}

// A class as modifiers make it: what is changed in it counts for its functions and its packages, too.
const ClassScope* Instantiation::changed(const ClassScope* scope, const Modifiers& modifiers) {
  ScopeChanges changes;
  for (const Modifier& modifier : modifiers)
    if (modifier.depth == 0 && modifier.is_last() && (modifier.what->is_class || modifier.what->value != no_node))
      changes.push_back({modifier.what, modifier.writer.scope});
  return changes.empty() ? scope : scopes_.changed(scope, changes);
}

// Everything that a class declares, and what it extends.
void Instantiation::fill(Instance& instance, const ClassScope* scope, const Modifiers& modifiers) {
  if (is_filling(scope)) fail(scope->definition->name_range, fmt::format("{} extends itself", quoted(scope->name)));
  filling_.push_back(scope);
  struct Leave {
    ~Leave() { all.pop_back(); }
    std::vector<const ClassScope*>& all;
  } const leave{filling_};
  for (const Modifier& modifier : modifiers)
    if (modifier.what->is_class) instance.classes.try_emplace(modifier.what->name[0], modifier);
  const ClassDefinition& definition = *scope->definition;
  if (!definition.base.parts.empty())
    extend(instance, scope->outer, definition.base, definition.modifications, modifiers);
  for (const Extends& each : definition.extends)
    attempt([&] { extend(instance, scope, each.base, each.modifications, modifiers); });
  for (const Declaration& declaration : definition.declarations)
    attempt([&] { add_member(instance, scope, declaration, modifiers); });
}

void Instantiation::extend(Instance& instance, const ClassScope* scope, const TypeName& base,
                           const std::vector<Modification>& own, const Modifiers& modifiers) {
  const Writer writer{&instance, scope};
  const Type type = find_type(base, writer);
  if (type.scope == nullptr || is_variable(type))
    fail(base.range, fmt::format("{} cannot be extended by a model", quoted(std::string(tree_.text(base.range)))));
  const Modifiers mine = own_modifiers(own, writer);
  Modifiers all = modifiers;
  all.insert(all.end(), mine.begin(), mine.end());
  all.insert(all.end(), type.modifiers.begin(), type.modifiers.end());
  const ClassScope* as_changed = instance.bases[&base] = changed(type.scope, all);
  fill(instance, as_changed, all);
  require_names(instance, mine);
}

void Instantiation::require_names(const Instance& instance, const Modifiers& modifiers) {
  for (const Modifier& modifier : modifiers) {
    const std::uint32_t name = modifier.what->name[modifier.depth];
    if (modifier.what->is_class || instance.by_name.contains(name)) continue;
    diagnostics_.error(modifier.what->name_range,
                       fmt::format("{} has no {}", quoted(instance.scope->name), quoted(tree_.names.text(name))));
  }
}

Modifiers Instantiation::own_modifiers(const std::vector<Modification>& own, const Writer& writer) const {
  Modifiers all;
  for (const Modification& each : own) all.push_back({&each, 0, writer});
  return all;
}

// Those for what has this name, one level further in.
Modifiers Instantiation::inside(const Modifiers& modifiers, std::uint32_t name) {
  Modifiers found;
  for (const Modifier& modifier : modifiers) {
    if (modifier.what->name[modifier.depth] != name || modifier.what->is_class) continue;
    if (!modifier.is_last()) {
      found.push_back({modifier.what, modifier.depth + 1, modifier.writer, modifier.element});
      continue;
    }
    for (const Modification& nested : modifier.what->nested)
      found.push_back({&nested, 0, modifier.writer, modifier.element});
  }
  return found;
}

Instantiation::Type Instantiation::find_type(const TypeName& name, const Writer& writer) {
  const std::string& first = tree_.names.text(name.parts[0]);
  if (name.parts.size() == 1) {
    if (writer.instance != nullptr) {
      const auto redeclared = writer.instance->classes.find(name.parts[0]);
      if (redeclared != writer.instance->classes.end()) {
        const Modifier& modifier = redeclared->second;
        Type type = find_type(modifier.what->type, modifier.writer);
        const Modifiers own = own_modifiers(modifier.what->nested, modifier.writer);
        type.modifiers.insert(type.modifiers.begin(), own.begin(), own.end());
        return type;
      }
    }
    if (std::ranges::find(builtin_types, first) != builtin_types.end()) return {.builtin = name.parts[0]};
  }
  const ClassScope* scope = scopes_.find(name.parts, writer.scope);
  if (scope == nullptr && first == "Modelica")
    fail(name.range,
         fmt::format("{} is not covered: of the Modelica Standard Library only Constants, Math and Units are known",
                     quoted(std::string(tree_.text(name.range)))),
         "let a Modelica tool flatten the model, for example as Base Modelica: omc --baseModelica");
  if (scope == nullptr)
    fail(name.range, fmt::format("the type {} is not known", quoted(std::string(tree_.text(name.range)))),
         "classes are looked for in this file alone");
  return {.scope = scope};
}

// Numbers, records and enumerations are variables of the flat model; so is a connector that is another name of one.
bool Instantiation::is_variable(const Type& type) {
  if (type.scope == nullptr) return true;
  const ClassDefinition& definition = *type.scope->definition;
  if (definition.kind == Kind::connector && !definition.base.parts.empty())
    return is_variable(find_type(definition.base, {nullptr, type.scope->outer}));
  return definition.kind == Kind::type || definition.kind == Kind::record || definition.kind == Kind::enumeration;
}

const Member* Instantiation::find_inner(const Instance& instance, std::uint32_t name) {
  for (const Instance* above = instance.parent; above != nullptr; above = above->parent) {
    const auto found = above->by_name.find(name);
    if (found != above->by_name.end() && found->second->declaration->is_inner) return found->second;
  }
  return nullptr;
}

void Instantiation::add_member(Instance& instance, const ClassScope* scope, const Declaration& declaration,
                               const Modifiers& modifiers) {
  const std::string& name = tree_.names.text(declaration.name);
  if (const auto known = instance.by_name.find(declaration.name); known != instance.by_name.end()) {
    if (known->second->declaration == &declaration) return;  // inherited on two ways
    fail(declaration.name_range, fmt::format("{} is declared twice", quoted(name)));
  }
  const Writer writer{&instance, scope};
  Member& member = instance.members.emplace_back();
  member.name = declaration.name;
  member.declaration = &declaration;
  instance.by_name[declaration.name] = &member;
  if (declaration.is_outer) {
    member.inner = find_inner(instance, declaration.name);
    if (member.inner == nullptr)
      fail(declaration.name_range, fmt::format("there is no 'inner' {} around this 'outer' one", quoted(name)));
    member.kind = Member::Kind::outer;
    return;
  }
  Type type;
  for (const Modifier& modifier : modifiers)
    if (modifier.what->name[modifier.depth] == declaration.name && modifier.is_last() && !modifier.what->is_class) {
      if (declaration.is_final)
        fail(modifier.what->name_range, fmt::format("{} is final and cannot be modified", quoted(name)));
      if (!type.known() && !modifier.what->type.parts.empty()) type = find_type(modifier.what->type, modifier.writer);
      if (member.value.node == no_node && modifier.what->value != no_node)
        member.value = {modifier.what->value, modifier.writer, modifier.element};
    }
  if (!type.known()) type = find_type(declaration.type, writer);
  if (member.value.node == no_node) member.value = {declaration.value, writer};
  Modifiers own = inside(modifiers, declaration.name);
  const Modifiers declared = own_modifiers(declaration.modifications, writer);
  own.insert(own.end(), declared.begin(), declared.end());
  own.insert(own.end(), type.modifiers.begin(), type.modifiers.end());
  if (!is_variable(type)) {
    member.kind = Member::Kind::component;
    components_.push_back({&instance, &member, type, std::move(own), writer});
    return;
  }
  member.kind = Member::Kind::variable;
  member.flat_name = instance.prefix.empty() ? declaration.name : intern_quoted(instance.prefix + name);
  member.is_flow = declaration.is_flow;
  member.is_connector = type.scope != nullptr && type.scope->definition->kind == Kind::connector;
  member.is_known =
      declaration.variability == Variability::parameter || declaration.variability == Variability::constant;
  variables_.push_back({&instance, &member, type, std::move(own), writer});
}

void Instantiation::add_component(const PendingComponent& pending) {
  Member& member = *pending.member;
  const Declaration& declaration = *member.declaration;
  if (declaration.condition != no_node && structural(declaration.condition, pending.writer, "the condition") == 0.0) {
    member.kind = Member::Kind::absent;
    return;
  }
  for (const Instance* above = pending.instance; above != nullptr; above = above->parent)
    if (above->scope->definition == pending.type.scope->definition)
      fail(declaration.name_range, fmt::format("{} contains itself", quoted(above->scope->name)));
  const ClassDefinition& definition = *pending.type.scope->definition;
  if (definition.is_partial)
    fail(declaration.type.range,
         fmt::format("{} is partial: only what extends it can be a component", quoted(pending.type.scope->name)));
  if (definition.kind == Kind::function || definition.kind == Kind::package)
    fail(declaration.type.range, fmt::format("{} is no type of a component", quoted(pending.type.scope->name)));
  std::vector<NodeId> sizes = declaration.sizes;
  sizes.insert(sizes.end(), declaration.type_sizes.begin(), declaration.type_sizes.end());
  std::size_t count = 1;
  for (const NodeId size : sizes) {
    const double number = structural(size, pending.writer, "the number of components");
    if (!(number >= 0.0 && number <= 1e6 && number == static_cast<double>(static_cast<std::size_t>(number))))
      fail(tree_.range(size), fmt::format("there cannot be {} components", number));
    member.sizes.push_back(static_cast<std::size_t>(number));
    count *= member.sizes.back();
  }
  for (std::size_t k = 0; k < count; ++k) {
    Elements element(member.sizes.size());
    for (std::size_t rest = k, d = element.size(); d-- > 0; rest /= member.sizes[d])
      element[d] = {rest % member.sizes[d] + 1, member.sizes[d]};
    add_element(pending, element);
  }
}

void Instantiation::add_element(const PendingComponent& pending, const Elements& element) {
  check_stop();
  const Declaration& declaration = *pending.member->declaration;
  auto made = std::make_unique<Instance>();
  made->scope = changed(pending.type.scope, pending.modifiers);
  made->parent = pending.instance;
  made->prefix =
      fmt::format("{}{}{}.", pending.instance->prefix, tree_.names.text(declaration.name), subscripts_of(element));
  made->is_connector = scopes_.behind_alias(pending.type.scope)->definition->kind == Kind::connector;
  Modifiers modifiers = pending.modifiers;
  for (Modifier& modifier : modifiers)
    if (!modifier.what->each) modifier.element.insert(modifier.element.end(), element.begin(), element.end());
  fill(*made, made->scope, modifiers);
  require_names(*made, modifiers);
  for (const Modifier& modifier : modifiers)
    if (const auto own = made->by_name.find(modifier.what->name[modifier.depth]); own != made->by_name.end())
      attempt([&] { require_public(*own->second, *made, modifier.what->name_range); });
  if (made->is_connector) declare_flows(*made, declaration.name_range);
  pending.member->elements.push_back(std::move(made));
}

void Instantiation::declare_flows(const Instance& connector, SourceRange range) {
  for (const Member& member : connector.members)
    if (member.kind == Member::Kind::variable && member.is_flow) connections_.declare_flow(member, range);
}

void Instantiation::require_count(NodeId array, const Element& element) {
  const std::uint32_t count = tree_.node(array).children;
  if (count != element.size)
    fail(tree_.range(array), fmt::format("there are {} values for {} components", count, element.size),
         "give one for each, or the same to all: each p = value");
}

// A value of an array of components has one for each of them.
NodeId Instantiation::value_of(const BoundValue& value) {
  if (value.node == no_node) return no_node;
  std::vector<NodeId> children{rewrite(value.node, value.writer)};
  for (const Element& one : value.element) {
    if (children.size() == 1 && tree_.node(children[0]).kind == NodeKind::array) {
      require_count(children[0], one);
      children[0] = tree_.child(children[0], one.subscript - 1);
    } else {
      children.push_back(make_number(static_cast<double>(one.subscript), tree_.range(value.node)));
    }
  }
  if (children.size() == 1) return children[0];
  return make(NodeKind::subscripted, tree_.range(value.node), children);
}

// One modification for each name, the first of them winning.
std::vector<Modification> Instantiation::merged(const Modifiers& modifiers) {
  std::vector<Modification> all;
  for (const Modifier& modifier : modifiers) {
    const std::uint32_t name = modifier.what->name[modifier.depth];
    if (std::ranges::any_of(all, [&](const Modification& known) { return known.name[0] == name; })) continue;
    Modification& one = all.emplace_back();
    one.name = {name};
    one.each = modifier.what->each;
    one.range = modifier.what->range;
    one.name_range = modifier.what->name_range;
    one.nested = merged(inside(modifiers, name));
    one.has_nested = !one.nested.empty();
    for (const Modifier& other : modifiers)
      if (one.value == no_node && other.what->name[other.depth] == name && other.is_last())
        one.value = value_of({other.what->value, other.writer, other.element});
  }
  return all;
}

void Instantiation::add_variable(const PendingVariable& pending) {
  const Member& member = *pending.member;
  Declaration flat = *member.declaration;
  if (flat.condition != no_node && structural(flat.condition, pending.writer, "the condition") == 0.0) return;
  Modifiers modifiers = pending.modifiers;
  Type type = pending.type;
  while (type.scope != nullptr && type.scope->definition->kind == Kind::connector) {
    const ClassDefinition& alias = *type.scope->definition;
    if (flat.causality == Causality::none) flat.causality = alias.base_causality;
    const Modifiers own = own_modifiers(alias.modifications, {nullptr, type.scope->outer});
    modifiers.insert(modifiers.end(), own.begin(), own.end());
    for (const NodeId size : rewrite(alias.sizes, {nullptr, type.scope->outer})) flat.type_sizes.push_back(size);
    type = find_type(alias.base, {nullptr, type.scope->outer});
  }
  flat.name = member.flat_name;
  flat.type.parts = {type.builtin ? *type.builtin : flat_class(type.scope)};
  flat.sizes = rewrite(member.declaration->sizes, pending.writer);
  flat.type_sizes = rewrite(flat.type_sizes, pending.writer);
  flat.modifications = merged(modifiers);
  flat.value = value_of(member.value);
  flat.condition = no_node;
  if (pending.instance->parent != nullptr) flat.causality = Causality::none;  // only the model itself is driven
  places_[flat.name] = model_.declarations.size();
  model_.declarations.push_back(std::move(flat));
}

}  // namespace driftless
