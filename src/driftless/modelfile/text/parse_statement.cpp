// Equations, and the statements of algorithms.
#include <fmt/format.h>

#include "driftless/modelfile/text/parser.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

std::vector<Statement> Parser::parse_statements(Section section) {
  std::vector<Statement> statements;
  while (!at_section_end() && !diagnostics_.full()) {
    const std::size_t before = at_;
    const int depth = depth_;
    try {
      statements.push_back(parse_statement(section));
    } catch (const SyntaxError&) {
      depth_ = depth;
      pending_.clear();
      recover();
      if (at_ == before) advance();
    }
  }
  return statements;
}

Statement Parser::parse_statement(Section section) {
  const Nesting nesting(*this);
  skip_decoration();
  refuse_if_not_covered();
  const std::uint32_t begin = current().begin;
  Statement statement;
  switch (current().kind) {
    case TokenKind::key_if: statement = parse_branches(Statement::Kind::choice, section); break;
    case TokenKind::key_when: statement = parse_branches(Statement::Kind::when, section); break;
    case TokenKind::key_for: statement = parse_loop(section); break;
    case TokenKind::key_connect: statement = parse_connect(); break;
    case TokenKind::key_parameter:
    case TokenKind::key_constant:
    case TokenKind::key_discrete:
    case TokenKind::key_input:
    case TokenKind::key_output:
    case TokenKind::key_final: fail_here("declarations may not follow equations", "move it above 'equation'");
    default:
      if (section == Section::algorithm) {
        statement = parse_assignment();
      } else if (section == Section::initial_equation && is_word(current(), "prioritize") &&
                 ahead().kind == TokenKind::left_parenthesis) {
        statement = parse_prioritize();
      } else {
        statement = parse_equation(section);
      }
  }
  statement.range = range_from(begin);
  finish_statement();
  return statement;
}

// "description" annotation(...) ;
void Parser::finish_statement() {
  skip_decoration();
  parse_description();
  if (is(TokenKind::key_annotation)) parse_annotation();
  expect(TokenKind::semicolon, "at the end");
}

Statement Parser::parse_equation(Section section) {
  if ((is_word(current(), "partition") || is_word(current(), "subpartition")) &&
      (ahead().kind == TokenKind::identifier || ahead().kind == TokenKind::string ||
       ahead().kind == TokenKind::left_parenthesis)) {
    fail_here("clocked partitions are not covered", "use when sample(start, interval) then ... end when");
  }
  Statement statement;
  const Token first = current();
  statement.left = parse_simple_expression();
  skip_decoration();
  if (accept(TokenKind::equals)) {
    statement.right = parse_expression();
    return statement;
  }
  if (is(TokenKind::assign)) {
    fail_here("':=' is for algorithms", "an equation is written with '='");
  }
  const SyntaxNode& left = tree_.node(statement.left);
  if (left.kind == NodeKind::call) {
    statement.kind = Statement::Kind::call;
    return statement;
  }
  if (left.kind == NodeKind::relation && left.op == static_cast<std::uint8_t>(TokenKind::equal)) {
    fail(tree_.range(statement.left), "'==' compares and makes no equation", "an equation is written with '='");
  }
  if (left.kind == NodeKind::name && is(TokenKind::identifier)) {
    if (section == Section::equation) {
      fail(range(first), "declarations may not follow equations", "move it above 'equation'");
    }
    fail_here(fmt::format("expected '=' in the equation, found {}", found()));
  }
  fail_here(fmt::format("expected '=' in the equation, found {}", found()));
}

// a := b, (a, b) := f(x), f(x), break, return
Statement Parser::parse_assignment() {
  Statement statement;
  switch (current().kind) {
    case TokenKind::key_while: return parse_while();
    case TokenKind::key_break:
      advance();
      statement.kind = Statement::Kind::leave;
      return statement;
    case TokenKind::key_return:
      advance();
      statement.kind = Statement::Kind::give_back;
      return statement;
    default: break;
  }
  statement.left = parse_primary();
  if (accept(TokenKind::assign)) {
    statement.kind = Statement::Kind::assignment;
    statement.right = parse_expression();
    return statement;
  }
  if (tree_.node(statement.left).kind == NodeKind::call) {
    statement.kind = Statement::Kind::call;
    return statement;
  }
  if (is(TokenKind::equals)) fail_here("'=' is for equations", "in an algorithm, values are assigned with ':='");
  fail_here(fmt::format("expected ':=' in the statement, found {}", found()));
}

// if ... elseif ... else ... end if, and when ... elsewhen ... end when
Statement Parser::parse_branches(Statement::Kind kind, Section section) {
  Statement statement;
  statement.kind = kind;
  const bool when = kind == Statement::Kind::when;
  const TokenKind first = when ? TokenKind::key_when : TokenKind::key_if;
  const TokenKind next = when ? TokenKind::key_elsewhen : TokenKind::key_elseif;
  do {
    advance();
    Statement::Branch branch;
    branch.condition = parse_expression();
    expect(TokenKind::key_then, fmt::format("after the condition of '{}'", spelling(first)));
    branch.body = parse_statements(section);
    statement.branches.push_back(std::move(branch));
  } while (is(next));
  if (is(TokenKind::key_else)) {
    if (when) fail_here("'when' has no 'else'", "write 'elsewhen condition then'");
    const SourceRange opened{current().begin, ahead().end, source_};
    const bool nested = ahead().kind == TokenKind::key_if;
    advance();
    statement.branches.push_back({no_node, parse_statements(section)});
    if (nested && !(is(TokenKind::key_end) && ahead().kind == TokenKind::key_if))
      fail(opened, "'else if' opens another 'if' with an 'end if' of its own", "write 'elseif' as one word");
  }
  expect_end_of(first);
  return statement;
}

Statement Parser::parse_loop(Section section) {
  Statement statement;
  statement.kind = Statement::Kind::loop;
  const std::size_t from = pending_.size();
  parse_iterators();
  statement.iterators.assign(pending_.begin() + static_cast<std::ptrdiff_t>(from), pending_.end());
  pending_.resize(from);
  expect(TokenKind::key_loop, "after the range of 'for'");
  statement.branches.push_back({no_node, parse_statements(section)});
  expect_end_of(TokenKind::key_for);
  return statement;
}

Statement Parser::parse_while() {
  Statement statement;
  statement.kind = Statement::Kind::repeat;
  advance();
  const NodeId condition = parse_expression();
  expect(TokenKind::key_loop, "after the condition of 'while'");
  statement.branches.push_back({condition, parse_statements(Section::algorithm)});
  expect_end_of(TokenKind::key_while);
  return statement;
}

// prioritize(variable, priority)
Statement Parser::parse_prioritize() {
  Statement statement;
  statement.kind = Statement::Kind::prioritize;
  advance();
  expect(TokenKind::left_parenthesis, "after 'prioritize'");
  statement.left = parse_reference();
  expect(TokenKind::comma, "before the priority");
  statement.right = parse_expression();
  expect(TokenKind::right_parenthesis, "to close '('");
  return statement;
}

// connect(a, b)
Statement Parser::parse_connect() {
  Statement statement;
  statement.kind = Statement::Kind::connect;
  tree_.hierarchical = true;
  advance();
  expect(TokenKind::left_parenthesis, "after 'connect'");
  statement.left = parse_reference();
  expect(TokenKind::comma, "between what is connected");
  statement.right = parse_reference();
  expect(TokenKind::right_parenthesis, "to close '('");
  return statement;
}

void Parser::expect_end_of(TokenKind kind) {
  if (is(TokenKind::key_end) && ahead().kind == kind) {
    advance();
    advance();
    return;
  }
  const std::string wanted = fmt::format("end {}", spelling(kind));
  fail_here(fmt::format("expected '{}', found {}", wanted, found()),
            fmt::format("every '{}' is closed with '{};'", spelling(kind), wanted));
}

}  // namespace driftless
