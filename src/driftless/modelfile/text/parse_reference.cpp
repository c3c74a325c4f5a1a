// Names, subscripts, calls and arrays: the expressions with brackets.
#include <fmt/format.h>

#include "driftless/modelfile/text/parser.h"

namespace driftless {

// {a, b} or {e for i in r, j in s}
NodeId Parser::parse_array() {
  const Nesting nesting(*this);
  const std::uint32_t begin = advance().begin;
  const std::size_t from = pending_.size();
  while (!is(TokenKind::right_brace)) {
    pending_.push_back(parse_expression());
    if (is(TokenKind::key_for) && pending_.size() == from + 1) {
      const NodeId body = pending_.back();
      pending_.pop_back();
      const NodeId id = parse_comprehension(body, begin);
      expect(TokenKind::right_brace, "to close '{'");
      return id;
    }
    if (!accept(TokenKind::comma)) break;
  }
  expect(TokenKind::right_brace, "to close '{'");
  return make_node(NodeKind::array, begin, from);
}

// [a, b; c, d]
NodeId Parser::parse_matrix() {
  const Nesting nesting(*this);
  const std::uint32_t begin = advance().begin;
  const std::size_t from = pending_.size();
  do {
    const std::uint32_t row_begin = current().begin;
    const std::size_t row = pending_.size();
    do {
      pending_.push_back(parse_expression());
    } while (accept(TokenKind::comma));
    pending_.push_back(make_node(NodeKind::matrix_row, row_begin, row));
  } while (accept(TokenKind::semicolon));
  expect(TokenKind::right_bracket, "to close '['");
  return make_node(NodeKind::matrix, begin, from);
}

NodeId Parser::parse_comprehension(NodeId body, std::uint32_t begin) {
  const std::size_t from = pending_.size();
  pending_.push_back(body);
  parse_iterators();
  return make_node(NodeKind::comprehension, begin, from);
}

// for i in range, j in range: pushed as pending children
void Parser::parse_iterators() {
  expect(TokenKind::key_for, "before the index");
  do {
    const std::uint32_t begin = current().begin;
    const std::uint32_t name = expect_name("for the index after 'for'");
    const std::size_t from = pending_.size();
    if (accept(TokenKind::key_in)) pending_.push_back(parse_expression());
    const NodeId id = make_node(NodeKind::iterator, begin, from);
    tree_.nodes[id].text = name;
    pending_.push_back(id);
  } while (accept(TokenKind::comma));
}

NodeId Parser::parse_reference_or_call() {
  const NodeId reference = parse_reference();
  return is(TokenKind::left_parenthesis) ? parse_call(reference) : reference;
}

// [.] name[subscripts].name[subscripts]
NodeId Parser::parse_reference() {
  accept(TokenKind::dot);
  if (is(TokenKind::identifier) && ahead().kind != TokenKind::dot && ahead().kind != TokenKind::left_bracket) {
    return make_name(advance());
  }
  const std::uint32_t begin = current().begin;
  const std::size_t from = pending_.size();
  do {
    const std::uint32_t part_begin = current().begin;
    const std::uint32_t name = expect_name("here");
    const std::size_t subscripts = pending_.size();
    if (is(TokenKind::left_bracket)) parse_subscripts();
    tree_.hierarchical |= pending_.size() == from && tree_.names.text(name) == "Modelica";
    const NodeId part = make_node(NodeKind::part, part_begin, subscripts);
    tree_.nodes[part].text = name;
    pending_.push_back(part);
  } while (accept(TokenKind::dot));
  return make_node(NodeKind::reference, begin, from);
}

// [i, :, 2:end]: pushed as pending children
void Parser::parse_subscripts() {
  const Nesting nesting(*this);
  expect(TokenKind::left_bracket, "before subscripts");
  do {
    const TokenKind next = ahead().kind;
    if (is(TokenKind::colon) && (next == TokenKind::comma || next == TokenKind::right_bracket)) {
      const std::uint32_t begin = advance().begin;
      pending_.push_back(make_node(NodeKind::colon, begin, {}));
    } else {
      pending_.push_back(parse_expression());
    }
  } while (accept(TokenKind::comma));
  expect(TokenKind::right_bracket, "to close '['");
}

NodeId Parser::parse_call(NodeId callee) {
  const Nesting nesting(*this);
  const std::uint32_t begin = tree_.nodes[callee].begin;
  const std::size_t from = pending_.size();
  pending_.push_back(callee);
  expect(TokenKind::left_parenthesis, "before the arguments");
  while (!is(TokenKind::right_parenthesis)) {
    const std::uint32_t argument_begin = current().begin;
    const NodeId argument = parse_argument();
    if (is(TokenKind::key_for) && pending_.size() == from + 1) {
      pending_.push_back(parse_comprehension(argument, argument_begin));
      break;
    }
    pending_.push_back(argument);
    if (!accept(TokenKind::comma)) break;
    if (is(TokenKind::right_parenthesis)) fail_here("an argument is missing after ','");
  }
  expect(TokenKind::right_parenthesis, "to close '('");
  return make_node(NodeKind::call, begin, from);
}

NodeId Parser::parse_argument() {
  if (!is(TokenKind::identifier) || ahead().kind != TokenKind::equals) return parse_expression();
  const Token name = advance();
  advance();
  const NodeId id = make_node(NodeKind::named_argument, name.begin, {parse_expression()});
  tree_.nodes[id].text = tree_.names.intern(text(name));
  return id;
}

}  // namespace driftless
