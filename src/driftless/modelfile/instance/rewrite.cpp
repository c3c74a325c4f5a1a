// Expressions as the flat model has them: copies in which every name says from the outermost instance or package on
// what it means.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/instance/instantiate.h"
#include "driftless/modelfile/text/suggest.h"
#include "driftless/modelfile/text/token.h"

namespace driftless {

NodeId Instantiation::make(NodeKind kind, SourceRange range, std::vector<NodeId> children, std::uint32_t text) {
  SyntaxNode node;
  node.kind = kind;
  node.source = range.source;
  node.begin = range.begin;
  node.end = range.end;
  node.first_child = static_cast<std::uint32_t>(tree_.links.size());
  node.children = static_cast<std::uint32_t>(children.size());
  node.text = text;
  tree_.links.insert(tree_.links.end(), children.begin(), children.end());
  tree_.nodes.push_back(node);
  return static_cast<NodeId>(tree_.nodes.size() - 1);
}

NodeId Instantiation::make_number(double value, SourceRange range) {
  const NodeId id = make(NodeKind::number, range, {});
  tree_.nodes[id].number = value;
  tree_.nodes[id].op = value == static_cast<double>(static_cast<std::int64_t>(value)) ? 1 : 0;
  return id;
}

const Instantiation::Local* Instantiation::find_local(std::uint32_t name) const {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local)
    if (local->name == name) return &*local;
  return nullptr;
}

std::vector<NodeId> Instantiation::rewrite(const std::vector<NodeId>& several, const Writer& writer) {
  std::vector<NodeId> all;
  for (const NodeId id : several) all.push_back(rewrite(id, writer));
  return all;
}

NodeId Instantiation::rewrite(NodeId id, const Writer& writer) {
  const SyntaxNode node = tree_.node(id);
  switch (node.kind) {
    case NodeKind::none:
    case NodeKind::number:
    case NodeKind::string:
    case NodeKind::boolean:
    case NodeKind::end:
    case NodeKind::colon: return id;
    case NodeKind::name:
    case NodeKind::reference: return rewrite_reference(id, writer);
    case NodeKind::comprehension: return rewrite_scoped(id, writer);
    default: break;
  }
  std::vector<NodeId> children(tree_.children(id).begin(), tree_.children(id).end());
  const bool operators = node.kind == NodeKind::sum || node.kind == NodeKind::product;  // in every other place
  for (std::size_t k = 0; k < children.size(); k += operators ? 2 : 1)
    if (children[k] != no_node)
      children[k] =
          k == 0 && node.kind == NodeKind::call ? rewrite_callee(children[k], writer) : rewrite(children[k], writer);
  const bool of_array = node.kind == NodeKind::call && children.size() == 2 && tree_.name_of(children[0]) == "array";
  if (of_array && tree_.node(children[1]).kind == NodeKind::array &&
      tree_.node(tree_.child(id, 1)).kind == NodeKind::comprehension)
    return children[1];  // array(e for i in r), unrolled
  const NodeId copy = make(node.kind, tree_.range(id), std::move(children), node.text);
  tree_.nodes[copy].op = node.op;
  tree_.nodes[copy].number = node.number;
  return copy;
}

// e for i in r: the names of its loops are its own.
NodeId Instantiation::rewrite_scoped(NodeId id, const Writer& writer) {
  if (must_unroll(tree_.child(id, 0), writer)) return unroll_scoped(id, writer);
  std::vector<NodeId> children(tree_.children(id).begin(), tree_.children(id).end());
  const std::size_t before = locals_.size();
  for (std::size_t k = 1; k < children.size(); ++k) {
    const std::uint32_t name = tree_.node(children[k]).text;
    children[k] = rewrite(children[k], writer);
    locals_.push_back({name, std::nullopt});
  }
  children[0] = rewrite(children[0], writer);
  locals_.resize(before);
  return make(NodeKind::comprehension, tree_.range(id), std::move(children));
}

// Components are different variables: {m[i].x for i in 1:2} becomes {m[1].x, m[2].x}.
NodeId Instantiation::unroll_scoped(NodeId id, const Writer& writer) {
  const std::vector<NodeId> children(tree_.children(id).begin(), tree_.children(id).end());
  if (children.size() != 2 || tree_.node(children[1]).children == 0)
    fail(tree_.range(id), "over components there can be one loop with a written range only");
  std::vector<NodeId> all;
  for (const double value : known_range(tree_.child(children[1], 0), writer)) {
    locals_.push_back({tree_.node(children[1]).text, value});
    all.push_back(rewrite(children[0], writer));
    locals_.pop_back();
  }
  return make(NodeKind::array, tree_.range(id), all);
}

std::vector<std::uint32_t> Instantiation::path_of(NodeId id) const {
  if (tree_.node(id).kind != NodeKind::reference) return {tree_.node(id).text};
  std::vector<std::uint32_t> path;
  for (const NodeId part : tree_.children(id)) path.push_back(tree_.node(part).text);
  return path;
}

// A function or a record of the file, or one that is built in: Modelica.Math.sin is sin.
NodeId Instantiation::rewrite_callee(NodeId id, const Writer& writer) {
  const std::vector<std::uint32_t> path = path_of(id);
  const bool in_function = writer.instance != nullptr && writer.scope != nullptr &&
                           writer.scope->definition->kind == ClassDefinition::Kind::function;
  if (path.size() == 1 && in_function && writer.instance->by_name.contains(path[0])) return id;  // an input
  if (path.size() == 1 && writer.instance != nullptr && writer.instance->classes.contains(path[0])) {
    const Type type = find_type({path, tree_.range(id)}, writer);
    if (type.scope != nullptr) return make_name(flat_class(type.scope), tree_.range(id));
  }
  const ClassScope* found = scopes_.find(path, writer.scope);
  if (found != nullptr) {
    found = scopes_.behind_alias(found);
    const ClassDefinition& definition = *found->definition;
    const bool builtin = found->name.starts_with("Modelica.Math.") && definition.algorithms.empty();
    if (builtin) return make_name(definition.name, tree_.range(id));
    return make_name(flat_class(found), tree_.range(id));
  }
  if (path.size() > 1)
    fail(tree_.range(id),
         fmt::format("the function {} is not known", quoted(std::string(tree_.text(tree_.range(id))))));
  return id;
}

NodeId Instantiation::rewrite_reference(NodeId id, const Writer& writer) {
  const bool single = tree_.node(id).kind == NodeKind::name;
  std::vector<NodeId> parts{id};
  if (!single) parts.assign(tree_.children(id).begin(), tree_.children(id).end());
  const std::uint32_t first = tree_.node(parts[0]).text;
  if (const Local* local = find_local(first)) return local->value ? make_number(*local->value, tree_.range(id)) : id;
  if (tree_.dotted && !single)
    if (const auto found = rewrite_dotted(id, parts, writer)) return *found;
  if (writer.instance != nullptr && writer.instance->by_name.contains(first))
    return rewrite_member(*writer.instance, parts, writer, id);
  return rewrite_constant(id, parts, writer);
}

// a[1].b as it is written, if it was declared like this.
std::optional<NodeId> Instantiation::rewrite_dotted(NodeId id, std::span<const NodeId> parts, const Writer& writer) {
  if (writer.instance == nullptr) return std::nullopt;
  for (std::size_t count = parts.size(); count > 1; --count) {
    const SourceRange last = tree_.range(parts[count - 1]);
    const std::string& name = tree_.names.text(tree_.node(parts[count - 1]).text);
    SourceRange range{tree_.range(parts[0]).begin, last.begin, last.source};
    std::string path;
    for (const char c : tree_.text(range))
      if (c != ' ' && c != '\n' && c != '\t' && c != '\r') path += c;
    const Member* member = writer.instance->find(tree_.names.intern(fmt::format("'{}{}'", path, name)));
    if (member == nullptr) continue;
    const std::vector<NodeId> subscripts(tree_.children(parts[count - 1]).begin(),
                                         tree_.children(parts[count - 1]).end());
    if (subscripts.empty() && count == parts.size()) return make_name(member->flat_name, tree_.range(id));
    std::vector<NodeId> rest{make(NodeKind::part, last, rewrite(subscripts, writer), member->flat_name)};
    for (std::size_t k = count; k < parts.size(); ++k) rest.push_back(parts[k]);
    return make(NodeKind::reference, tree_.range(id), rest);
  }
  return std::nullopt;
}

std::vector<const Instance*> Instantiation::chosen(const Member& member, std::span<const NodeId> subscripts,
                                                   const Writer& writer, SourceRange range, bool& is_list) {
  std::vector<const Instance*> all;
  if (subscripts.empty() && member.sizes.size() <= 1) {
    is_list |= !member.sizes.empty();
    for (const auto& element : member.elements) all.push_back(element.get());
    return all;
  }
  if (subscripts.size() != member.sizes.size())
    fail(range, fmt::format("{} subscripts are needed here", member.sizes.size()));
  std::vector<std::size_t> places{0};
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    const bool whole = tree_.node(subscripts[d]).kind == NodeKind::colon;
    const auto outer_end = std::exchange(end_, static_cast<double>(member.sizes[d]));
    std::vector<double> values;
    if (whole)
      for (std::size_t k = 1; k <= member.sizes[d]; ++k) values.push_back(static_cast<double>(k));
    else
      values = known_range(subscripts[d], writer);
    end_ = outer_end;
    const NodeKind kind = tree_.node(subscripts[d]).kind;
    is_list |= whole || kind == NodeKind::range || kind == NodeKind::array;
    std::vector<std::size_t> next;
    for (const std::size_t place : places)
      for (const double value : values) {
        if (!(value >= 1.0 && value <= static_cast<double>(member.sizes[d])))
          fail(tree_.range(subscripts[d]),
               fmt::format("the subscript {} is out of range: there are {}", value, member.sizes[d]));
        next.push_back(place * member.sizes[d] + static_cast<std::size_t>(value) - 1);
      }
    places = std::move(next);
  }
  for (const std::size_t place : places) all.push_back(member.elements[place].get());
  return all;
}

// Only a class itself, and what extends it, may name its protected elements.
void Instantiation::require_public(const Member& member, const Instance& owner, SourceRange range) {
  if (!member.declaration->is_protected) return;
  const std::string name = tree_.names.text(member.name);
  fail(range,
       fmt::format("{} is protected in {}: it cannot be used from outside", quoted(name), quoted(owner.scope->name)),
       fmt::format("declare it above 'protected', or give {} a public variable that is equal to it",
                   quoted(owner.scope->name)));
}

NodeId Instantiation::rewrite_member(const Instance& instance, std::span<const NodeId> parts, const Writer& writer,
                                     NodeId whole) {
  const std::uint32_t name = tree_.node(parts[0]).text;
  const Member* member = instance.find(name);
  const SourceRange range = tree_.range(whole);
  const auto shown = [&] { return quoted(instance.prefix + tree_.names.text(name)); };
  if (member == nullptr)
    fail(tree_.range(parts[0]),
         fmt::format("{} has no {}", quoted(instance.scope->name), quoted(tree_.names.text(name))));
  if (member->kind == Member::Kind::faulty) throw Fault{};
  if (&instance != writer.instance) require_public(*member, instance, tree_.range(parts[0]));
  if (member->kind == Member::Kind::absent)
    fail(range, fmt::format("{} is not there: its condition is false", shown()));
  const std::vector<NodeId> subscripts(tree_.children(parts[0]).begin(), tree_.children(parts[0]).end());
  if (member->kind == Member::Kind::variable) {
    if (subscripts.empty() && parts.size() == 1) return make_name(member->flat_name, range);
    std::vector<NodeId> all{
        make(NodeKind::part, tree_.range(parts[0]), rewrite(subscripts, writer), member->flat_name)};
    for (const NodeId part : parts.subspan(1)) {
      const std::vector<NodeId> own(tree_.children(part).begin(), tree_.children(part).end());
      all.push_back(make(NodeKind::part, tree_.range(part), rewrite(own, writer), tree_.node(part).text));
    }
    return make(NodeKind::reference, range, all);
  }
  if (parts.size() == 1) fail(range, fmt::format("{} is a component and has no value of its own", shown()));
  bool is_list = false;
  std::vector<NodeId> found;
  for (const Instance* element : chosen(*member, subscripts, writer, range, is_list))
    found.push_back(rewrite_member(*element, parts.subspan(1), writer, whole));
  return is_list ? make(NodeKind::array, range, found) : found[0];
}

// A constant of a package, a literal of an enumeration, or what is built in, such as time.
NodeId Instantiation::rewrite_constant(NodeId id, std::span<const NodeId> parts, const Writer& writer) {
  const std::vector<std::uint32_t> path = path_of(id);
  std::uint32_t first = path[0];
  std::size_t used = 1;
  for (std::size_t count = 1; count <= path.size(); ++count) {
    const std::span<const std::uint32_t> begin(path.data(), count);
    if (const auto constant = scopes_.find_constant(begin, writer.scope)) {
      if (constant->declaration->variability != Variability::constant)
        fail(tree_.range(id),
             fmt::format("{} is no constant: of classes around this one only constants can be used",
                         quoted(std::string(tree_.text(tree_.range(id))))),
             "hand it over as a parameter");
      if (count > 1 && constant->declaration->is_protected)
        fail(tree_.range(id), fmt::format("{} is protected: it cannot be used from outside of its package",
                                          quoted(std::string(tree_.text(tree_.range(id))))));
      first = flat_constant(*constant);
      used = count;
      break;
    }
    const ClassScope* found = scopes_.find(begin, writer.scope);
    if (found != nullptr && found->definition->kind == ClassDefinition::Kind::enumeration) {
      first = flat_class(found);
      used = count;
      break;
    }
    const bool whole = count == path.size();
    if (whole && found != nullptr && found->definition->kind == ClassDefinition::Kind::function)
      return rewrite_callee(id, writer);  // an argument of another function
    if (whole && path.size() > 1 && found == nullptr && tree_.names.text(path[0]) == "Modelica")
      fail(tree_.range(id), fmt::format("{} is not known: of the Modelica Standard Library only Constants, Math and "
                                        "Units are",
                                        quoted(std::string(tree_.text(tree_.range(id))))));
  }
  const std::vector<NodeId> subscripts(tree_.children(parts[used - 1]).begin(), tree_.children(parts[used - 1]).end());
  const bool plain = tree_.node(id).kind == NodeKind::name || (subscripts.empty() && used == parts.size());
  if (plain) return make_name(first, tree_.range(id));
  std::vector<NodeId> all{make(NodeKind::part, tree_.range(parts[used - 1]), rewrite(subscripts, writer), first)};
  for (const NodeId part : parts.subspan(used)) {
    const std::vector<NodeId> own(tree_.children(part).begin(), tree_.children(part).end());
    all.push_back(make(NodeKind::part, tree_.range(part), rewrite(own, writer), tree_.node(part).text));
  }
  return make(NodeKind::reference, tree_.range(id), all);
}

}  // namespace driftless
