// What flat dumps of other tools have and no one writes: functions with dotted names, and enumerations without one.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "driftless/modelfile/text/parser.h"

namespace driftless {

// function Modelica.Math.asin: one name, as if it stood in quotes.
std::uint32_t Parser::expect_class_name(std::string_view where) {
  const std::uint32_t first = expect_name(where);
  if (!is(TokenKind::dot)) return first;
  std::string whole = tree_.names.text(first);
  while (accept(TokenKind::dot)) whole += "." + tree_.names.text(expect_name("after '.'"));
  std::erase(whole, '\'');
  tree_.hierarchical = true;
  return tree_.names.intern("'" + whole + "'");
}

void Parser::parse_literals(ClassDefinition& enumeration) {
  enumeration.kind = ClassDefinition::Kind::enumeration;
  expect(TokenKind::left_parenthesis, "after 'enumeration'");
  if (is(TokenKind::colon)) fail_here("enumerations without literals are not covered", "list the literals");
  while (!is(TokenKind::right_parenthesis)) {
    enumeration.literals.push_back(expect_name("of a literal"));
    parse_description();
    if (is(TokenKind::key_annotation)) parse_annotation();
    if (!accept(TokenKind::comma)) break;
  }
  expect(TokenKind::right_parenthesis, "to close '('");
}

// enumeration(a, b) x: the list of its literals is its name, until one is found.
TypeName Parser::parse_enumeration_type() {
  ClassDefinition enumeration;
  enumeration.name_range = range(current());
  advance();
  parse_literals(enumeration);
  std::string text;
  for (const std::uint32_t literal : enumeration.literals) text += " " + tree_.names.text(literal);
  std::erase(text, '\'');
  enumeration.name = tree_.names.intern(fmt::format("'enumeration{}'", text));
  tree_.hierarchical = true;
  TypeName type{{enumeration.name}, range_from(enumeration.name_range.begin)};
  anonymous_.emplace(enumeration.name, std::move(enumeration));
  return type;
}

// x = Modelica.Blocks.Types.Init.NoInit says what the enumeration of x is called; nothing if it says nothing.
std::optional<std::uint32_t> Parser::enumeration_named_by(NodeId value, const ClassDefinition& enumeration) {
  if (value == no_node || tree_.node(value).kind != NodeKind::reference) return std::nullopt;
  const auto parts = tree_.children(value);
  const auto& literals = enumeration.literals;
  if (parts.size() < 2 || std::ranges::find(literals, tree_.node(parts.back()).text) == literals.end())
    return std::nullopt;
  std::string path;
  for (const NodeId part : parts.first(parts.size() - 1)) path += (path.empty() ? "" : ".") + tree_.name_of(part);
  std::erase(path, '\'');
  return tree_.names.intern(path.find('.') == std::string::npos ? path : fmt::format("'{}'", path));
}

void Parser::name_enumerations() {
  if (anonymous_.empty()) return;
  std::map<std::uint32_t, std::uint32_t> names;      // by the list of literals
  std::map<std::uint32_t, ClassDefinition> by_name;  // what is to be defined
  for (ClassDefinition& definition : tree_.root.classes) {
    for (Declaration& declaration : definition.declarations) {
      const auto found = anonymous_.find(declaration.type.parts[0]);
      if (found == anonymous_.end()) continue;
      const auto name = enumeration_named_by(declaration.value, found->second);
      if (!name) continue;
      names.emplace(found->first, *name);
      by_name.emplace(*name, found->second).first->second.name = *name;
      declaration.type.parts = {*name};
    }
  }
  for (ClassDefinition& definition : tree_.root.classes) {
    by_name.erase(definition.name);
    for (Declaration& declaration : definition.declarations)
      if (const auto name = names.find(declaration.type.parts[0]); name != names.end())
        declaration.type.parts = {name->second};
  }
  for (const char* builtin : {"StateSelect", "AssertionLevel"}) by_name.erase(tree_.names.intern(builtin));
  for (const auto& [list, enumeration] : anonymous_)
    if (!names.contains(list)) by_name.emplace(list, enumeration);
  // Before the models, the last of which counts.
  for (auto& [name, enumeration] : by_name)
    tree_.root.classes.insert(tree_.root.classes.begin(), std::move(enumeration));
}

}  // namespace driftless
