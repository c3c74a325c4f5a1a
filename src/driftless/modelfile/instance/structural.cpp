// Numbers that decide what there is: how many components, which of them, which are connected.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/core/number_text.h"
#include "driftless/modelfile/instance/instantiate.h"
#include "driftless/modelfile/text/suggest.h"
#include "driftless/modelfile/text/token.h"

namespace driftless {

namespace {

constexpr int most_evaluations = 200;  // parameters in terms of parameters

double compare(TokenKind op, double a, double b) {
  switch (op) {
    case TokenKind::less: return a < b;
    case TokenKind::less_equal: return a <= b;
    case TokenKind::greater: return a > b;
    case TokenKind::greater_equal: return a >= b;
    case TokenKind::equal: return a == b;
    default: return a != b;
  }
}

double apply(TokenKind op, double a, double b) {
  switch (op) {
    case TokenKind::plus:
    case TokenKind::dot_plus: return a + b;
    case TokenKind::minus:
    case TokenKind::dot_minus: return a - b;
    case TokenKind::times:
    case TokenKind::dot_times: return a * b;
    default: return a / b;
  }
}

}  // namespace

std::optional<double> Instantiation::known(NodeId id, const Writer& writer) {
  const SyntaxNode node = tree_.node(id);
  const auto child = [&](std::size_t k) { return known(tree_.child(id, k), writer); };
  switch (node.kind) {
    case NodeKind::number:
    case NodeKind::boolean: return node.number;
    case NodeKind::end: return end_;
    case NodeKind::plus: return child(0);
    case NodeKind::name:
    case NodeKind::reference: return known_reference(id, writer);
    case NodeKind::call: return known_call(id, writer);
    case NodeKind::negate:
    case NodeKind::logical_not: {
      const auto value = child(0);
      if (!value) return std::nullopt;
      return node.kind == NodeKind::negate ? -*value : (*value == 0.0 ? 1.0 : 0.0);
    }
    case NodeKind::power:
    case NodeKind::relation: {
      const auto a = child(0), b = child(1);
      if (!a || !b) return std::nullopt;
      return node.kind == NodeKind::power ? std::pow(*a, *b) : compare(static_cast<TokenKind>(node.op), *a, *b);
    }
    case NodeKind::sum:
    case NodeKind::product: {
      auto value = child(0);
      for (std::size_t k = 1; value && k + 1 < node.children; k += 2) {
        const auto next = child(k + 1);
        value = next ? std::optional(apply(static_cast<TokenKind>(tree_.child(id, k)), *value, *next)) : std::nullopt;
      }
      return value;
    }
    case NodeKind::logical_and:
    case NodeKind::logical_or: {
      const bool all = node.kind == NodeKind::logical_and;
      for (std::size_t k = 0; k < node.children; ++k) {
        const auto value = child(k);
        if (!value) return std::nullopt;
        if ((*value != 0.0) != all) return *value;
      }
      return all ? 1.0 : 0.0;
    }
    case NodeKind::choice:
      for (std::size_t k = 0; k + 1 < node.children; k += 2) {
        const auto condition = child(k);
        if (!condition) return std::nullopt;
        if (*condition != 0.0) return child(k + 1);
      }
      return child(node.children - 1);
    default: return std::nullopt;
  }
}

std::optional<double> Instantiation::known_call(NodeId id, const Writer& writer) {
  const std::vector<NodeId> children(tree_.children(id).begin(), tree_.children(id).end());
  if (tree_.node(children[0]).kind != NodeKind::name) return std::nullopt;
  const std::string name = tree_.name_of(children[0]);
  std::vector<double> values;
  for (std::size_t k = 1; k < children.size(); ++k) {
    const auto value = known(children[k], writer);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() == 1) {
    if (name == "integer" || name == "floor") return std::floor(values[0]);
    if (name == "ceil") return std::ceil(values[0]);
    if (name == "abs") return std::abs(values[0]);
  }
  if (values.size() == 2) {
    if (name == "max") return std::max(values[0], values[1]);
    if (name == "min") return std::min(values[0], values[1]);
    if (name == "div") return std::trunc(values[0] / values[1]);
    if (name == "mod") return values[0] - std::floor(values[0] / values[1]) * values[1];
  }
  return std::nullopt;
}

std::optional<double> Instantiation::known_reference(NodeId id, const Writer& writer) {
  std::vector<NodeId> parts{id};
  if (tree_.node(id).kind == NodeKind::reference) parts.assign(tree_.children(id).begin(), tree_.children(id).end());
  const std::uint32_t first = tree_.node(parts[0]).text;
  if (const Local* local = find_local(first)) return local->value;
  const Instance* instance = writer.instance;
  if (instance != nullptr && instance->by_name.contains(first)) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Member* member = instance->find(tree_.node(parts[k]).text);
      if (member == nullptr || member->kind == Member::Kind::absent) return std::nullopt;
      if (member->kind == Member::Kind::faulty) throw Fault{};
      if (k > 0) require_public(*member, *instance, tree_.range(parts[k]));
      const std::vector<NodeId> subscripts(tree_.children(parts[k]).begin(), tree_.children(parts[k]).end());
      if (member->kind == Member::Kind::variable)
        return k + 1 == parts.size() && subscripts.empty() ? known_member(*member, tree_.range(id)) : std::nullopt;
      bool is_list = false;
      const auto elements = chosen(*member, subscripts, writer, tree_.range(id), is_list);
      if (is_list || elements.size() != 1) return std::nullopt;
      instance = elements[0];
    }
    return std::nullopt;
  }
  const auto constant = scopes_.find_constant(path_of(id), writer.scope);
  if (!constant || constant->declaration->value == no_node) return std::nullopt;
  return known(constant->declaration->value, {nullptr, constant->scope});
}

// A parameter that decides cannot be given another value afterwards, when all is made.
std::optional<double> Instantiation::known_member(const Member& member, SourceRange asked) {
  if (!member.is_known || evaluating_ > most_evaluations) return std::nullopt;
  std::string name = tree_.names.text(member.flat_name);
  std::erase(name, '\'');
  const auto setting = std::ranges::find_if(settings_, [&](const auto& each) {
    std::string plain = each.first;
    std::erase(plain, '\'');
    return plain == name;
  });
  std::optional<double> set;
  if (setting != settings_.end()) {
    set = setting->second == "true" ? 1.0 : setting->second == "false" ? 0.0 : finite_number_in(setting->second);
    if (!set)
      fail(asked, fmt::format("the setting of {} decides how the model is built and must be a number", quoted(name)));
    settings_.erase(setting);
  }
  const auto [pinned, added] = pinned_.try_emplace(&member, set);
  if (pinned->second) return pinned->second;
  NodeId node = member.value.node;
  for (const Element& one : member.value.element) {
    if (tree_.node(node).kind != NodeKind::array) return std::nullopt;
    require_count(node, one);
    node = tree_.child(node, one.subscript - 1);
  }
  if (node == no_node) return std::nullopt;
  ++evaluating_;
  const auto value = known(node, member.value.writer);
  --evaluating_;
  return value;
}

double Instantiation::structural(NodeId id, const Writer& writer, std::string_view what) {
  const auto value = known(id, writer);
  if (!value)
    fail(tree_.range(id), fmt::format("{} must be known when the model is built", what),
         "use constants and parameters with values, and + - * / of them");
  return *value;
}

// a : b, a : s : b, {a, b}, or one number.
std::vector<double> Instantiation::known_range(NodeId id, const Writer& writer) {
  const SyntaxNode node = tree_.node(id);
  std::vector<double> bounds;
  if (node.kind == NodeKind::range || node.kind == NodeKind::array)
    for (std::size_t k = 0; k < node.children; ++k) bounds.push_back(structural(tree_.child(id, k), writer, "a range"));
  else
    return {structural(id, writer, "a subscript")};
  if (node.kind == NodeKind::array) return bounds;
  const double step = bounds.size() == 3 ? bounds[1] : 1.0, from = bounds[0], to = bounds.back();
  std::vector<double> all;
  if (step == 0.0 || !((to - from) / step < 1e6)) fail(tree_.range(id), "this range is too long");
  for (double k = 0.0; k <= (to - from) / step + 1e-9; ++k) all.push_back(from + k * step);
  return all;
}

void Instantiation::pin_declarations() {
  for (const auto& [member, set] : pinned_) {
    const auto place = places_.find(member->flat_name);
    if (place == places_.end()) continue;
    Declaration& declaration = model_.declarations[place->second];
    declaration.is_final = true;
    if (!set) continue;
    if (tree_.names.text(declaration.type.parts[0]) == "Boolean") {
      declaration.value = make(NodeKind::boolean, declaration.name_range, {});
      tree_.nodes[declaration.value].number = *set;
    } else {
      declaration.value = make_number(*set, declaration.name_range);
    }
  }
}

}  // namespace driftless
