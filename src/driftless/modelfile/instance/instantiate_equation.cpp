// Equations and algorithms of all instances, and what follows from connections.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/instance/instantiate.h"
#include "driftless/modelfile/text/suggest.h"
#include "driftless/modelfile/text/token.h"

namespace driftless {

void Instantiation::add_all_sections(const Instance& instance) {
  add_sections(instance, instance.scope);
  for (const Member& member : instance.members)
    for (const auto& element : member.elements) add_all_sections(*element);
}

void Instantiation::add_sections(const Instance& instance, const ClassScope* scope) {
  const ClassDefinition& definition = *scope->definition;
  const Writer writer{&instance, scope};
  const auto add_base = [&](const TypeName& name) {
    const auto base = instance.bases.find(&name);
    if (base != instance.bases.end()) attempt([&] { add_sections(instance, base->second); });
  };
  if (!definition.base.parts.empty()) add_base(definition.base);
  for (const Extends& extends : definition.extends) add_base(extends.base);
  const auto append = [&](std::vector<Statement>& to, const std::vector<Statement>& from) {
    auto all = copies(from, writer);
    std::move(all.begin(), all.end(), std::back_inserter(to));
  };
  append(model_.equations, definition.equations);
  append(model_.initial_equations, definition.initial_equations);
  for (const auto& section : definition.algorithms) model_.algorithms.push_back(copies(section, writer));
  for (const auto& section : definition.initial_algorithms)
    model_.initial_algorithms.push_back(copies(section, writer));
  if (instance.parent != nullptr) return;
  for (const Modification& annotation : definition.annotations)
    for (Modification& one : merged(own_modifiers({annotation}, writer))) model_.annotations.push_back(std::move(one));
}

std::vector<Statement> Instantiation::copies(const std::vector<Statement>& statements, const Writer& writer) {
  std::vector<Statement> all;
  for (const Statement& statement : statements) attempt([&] { copy(statement, writer, all); });
  return all;
}

void Instantiation::copy(const Statement& statement, const Writer& writer, std::vector<Statement>& into) {
  using Kind = Statement::Kind;
  if (statement.kind == Kind::connect) return connect(statement, writer);
  const bool connects = must_unroll({statement}, writer);
  if (statement.kind == Kind::loop && connects) return unroll(statement, 0, writer, into);
  if (statement.kind == Kind::choice && connects && known(statement.branches[0].condition, writer)) {
    for (const Statement::Branch& branch : statement.branches)
      if (branch.condition == no_node || structural(branch.condition, writer, "the condition") != 0.0) {
        for (const Statement& each : branch.body) copy(each, writer, into);
        return;
      }
    return;
  }
  Statement made = statement;
  const std::size_t before = locals_.size();
  made.iterators.clear();
  for (const NodeId iterator : statement.iterators) {
    made.iterators.push_back(rewrite(iterator, writer));
    locals_.push_back({tree_.node(iterator).text, std::nullopt});
  }
  if (statement.left != no_node) made.left = rewrite(statement.left, writer);
  if (statement.right != no_node) made.right = rewrite(statement.right, writer);
  for (Statement::Branch& branch : made.branches) {
    if (branch.condition != no_node) branch.condition = rewrite(branch.condition, writer);
    branch.body = copies(branch.body, writer);
  }
  locals_.resize(before);
  into.push_back(std::move(made));
}

void Instantiation::unroll(const Statement& statement, std::size_t iterator, const Writer& writer,
                           std::vector<Statement>& into) {
  if (iterator == statement.iterators.size()) {
    for (const Statement& each : statement.branches[0].body) copy(each, writer, into);
    return;
  }
  const NodeId loop = statement.iterators[iterator];
  if (tree_.node(loop).children == 0)
    fail(tree_.range(loop), "the range of this loop must be written: it is about components", "for i in 1:n loop");
  for (const double value : known_range(tree_.child(loop, 0), writer)) {
    locals_.push_back({tree_.node(loop).text, value});
    unroll(statement, iterator + 1, writer, into);
    locals_.pop_back();
  }
}

// Loops over components, and over connections, are loops over different variables.
bool Instantiation::must_unroll(const std::vector<Statement>& statements, const Writer& writer) const {
  return std::ranges::any_of(statements, [&](const Statement& statement) {
    if (statement.kind == Statement::Kind::connect) return true;
    if (must_unroll(statement.left, writer) || must_unroll(statement.right, writer)) return true;
    return std::ranges::any_of(statement.branches, [&](const Statement::Branch& branch) {
      return must_unroll(branch.condition, writer) || must_unroll(branch.body, writer);
    });
  });
}

bool Instantiation::must_unroll(NodeId id, const Writer& writer) const {
  const SyntaxNode& node = tree_.node(id);
  if (id == no_node || node.kind == NodeKind::name) return false;
  if (node.kind == NodeKind::reference && writer.instance != nullptr) {
    const Member* member = writer.instance->find(tree_.node(tree_.child(id, 0)).text);
    if (member != nullptr && member->kind == Member::Kind::component) return true;
  }
  const bool operators = node.kind == NodeKind::sum || node.kind == NodeKind::product;
  for (std::size_t k = 0; k < node.children; k += operators ? 2 : 1)
    if (must_unroll(tree_.child(id, k), writer)) return true;
  return false;
}

// The connectors that an argument of connect() means; none if they are not there.
std::vector<ConnectorEnd> Instantiation::connector_ends(NodeId id, const Writer& writer) {
  std::vector<NodeId> parts{id};
  if (tree_.node(id).kind == NodeKind::reference) parts.assign(tree_.children(id).begin(), tree_.children(id).end());
  const std::string shown(tree_.text(tree_.range(id)));
  std::vector<ConnectorEnd> ends{{.connector = writer.instance, .inside = false, .name = shown}};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    std::vector<ConnectorEnd> next;
    const std::vector<NodeId> subscripts(tree_.children(parts[k]).begin(), tree_.children(parts[k]).end());
    for (const ConnectorEnd& end : ends) {
      const Member* member = end.connector == nullptr ? nullptr : end.connector->find(tree_.node(parts[k]).text);
      if (member == nullptr)
        fail(tree_.range(parts[k]), fmt::format("there is no {} here", quoted(tree_.name_of(parts[k]))));
      if (member->kind == Member::Kind::faulty) throw Fault{};
      if (k > 0) require_public(*member, *end.connector, tree_.range(parts[k]));
      if (member->kind == Member::Kind::absent) return {};
      if (member->kind == Member::Kind::variable) {
        if (!subscripts.empty() && member->is_flow) fail(tree_.range(id), "elements of a flow cannot be connected");
        if (!member->is_connector && !end.connector->is_connector)
          fail(tree_.range(id), fmt::format("{} is no connector", quoted(shown)));
        next.push_back({nullptr, member, end.inside, shown, !subscripts.empty()});
        continue;
      }
      bool is_list = false;
      for (const Instance* element : chosen(*member, subscripts, writer, tree_.range(id), is_list))
        next.push_back({element, nullptr, end.inside || (k == 0 && !element->is_connector), shown});
    }
    ends = std::move(next);
  }
  for (const ConnectorEnd& end : ends)
    if (end.variable == nullptr && !end.connector->is_connector)
      fail(tree_.range(id), fmt::format("{} is no connector", quoted(shown)));
  return ends;
}

void Instantiation::connect(const Statement& statement, const Writer& writer) {
  const auto left = connector_ends(statement.left, writer), right = connector_ends(statement.right, writer);
  if (left.empty() || right.empty()) return;
  const auto is_single = [](const ConnectorEnd& end) { return end.variable != nullptr && !end.variable->is_flow; };
  const bool single = std::ranges::all_of(left, is_single) && std::ranges::all_of(right, is_single);
  const bool elements =
      std::ranges::any_of(left, &ConnectorEnd::is_element) || std::ranges::any_of(right, &ConnectorEnd::is_element);
  if (elements && !single)
    fail(statement.range, fmt::format("{} and {} cannot be connected: one is a variable and the other a connector",
                                      quoted(left[0].name), quoted(right[0].name)));
  if (elements || (single && left.size() != right.size())) {
    Statement equal;  // inputs and outputs have no flows: a connection of them is an equation
    equal.range = statement.range;
    equal.left = rewrite(statement.left, writer);
    equal.right = rewrite(statement.right, writer);
    model_.equations.push_back(std::move(equal));
    return;
  }
  if (left.size() != right.size())
    fail(statement.range, fmt::format("{} connectors cannot be connected with {}", left.size(), right.size()));
  for (std::size_t k = 0; k < left.size(); ++k)
    if (const std::string trouble = connections_.add(left[k], right[k], statement.range); !trouble.empty())
      fail(statement.range,
           fmt::format("{} and {} cannot be connected: {}", quoted(left[k].name), quoted(right[k].name), trouble));
}

void Instantiation::add_connections() {
  for (const Connections::Equation& equation : connections_.equations()) {
    const SourceRange range = equation.range;
    const auto term = [&](const Connections::Term& one) {
      const NodeId name = make_name(one.variable->flat_name, range);
      return one.negative ? make(NodeKind::negate, range, {name}) : name;
    };
    Statement made;
    made.range = range;
    made.left = term(equation.terms[0]);
    if (!equation.sum) {
      made.right = term(equation.terms[1]);
    } else if (equation.terms.size() == 1) {  // x = -x is x = 0 for arrays, too
      const Declaration& declared = *equation.terms[0].variable->declaration;
      const bool array = !declared.sizes.empty() || !declared.type_sizes.empty();
      made.right = array ? make(NodeKind::negate, range, {made.left}) : make_number(0.0, range);
    } else {
      std::vector<NodeId> rest;
      for (std::size_t k = 1; k < equation.terms.size(); ++k) {
        if (k > 1) rest.push_back(static_cast<NodeId>(TokenKind::plus));
        rest.push_back(term(equation.terms[k]));
      }
      const NodeId sum = rest.size() == 1 ? rest[0] : make(NodeKind::sum, range, rest);
      made.right = make(NodeKind::negate, range, {sum});
    }
    model_.equations.push_back(std::move(made));
  }
}

}  // namespace driftless
