#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "driftless/modelfile/text/parser.h"

namespace driftless {

namespace {

constexpr double largest_integer_written = 9007199254740992.0;  // 2^53

bool is_add_operator(TokenKind kind) {
  return kind == TokenKind::plus || kind == TokenKind::minus || kind == TokenKind::dot_plus ||
         kind == TokenKind::dot_minus;
}
bool is_multiply_operator(TokenKind kind) {
  return kind == TokenKind::times || kind == TokenKind::divide || kind == TokenKind::dot_times ||
         kind == TokenKind::dot_divide;
}
bool is_power_operator(TokenKind kind) { return kind == TokenKind::power || kind == TokenKind::dot_power; }
// Of a number outside of the range of doubles: whether it is below, and not above. Its first digit tells.
bool is_tiny(std::string_view digits) {
  const std::size_t exponent_at = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, exponent_at);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = std::min(mantissa.find_first_not_of("0."), mantissa.size());
  const std::string_view exponent = digits.substr(std::min(exponent_at + 1, digits.size()));
  return !exponent.empty() ? exponent.front() == '-' : first > point;
}
bool is_relation_operator(TokenKind kind) { return kind >= TokenKind::less && kind <= TokenKind::not_equal; }

}  // namespace

NodeId Parser::make_node(NodeKind kind, std::uint32_t begin, std::size_t pending_from) {
  SyntaxNode node;
  node.kind = kind;
  node.source = source_;
  node.begin = begin;
  node.end = std::max(last_end_, begin);
  node.first_child = static_cast<std::uint32_t>(tree_.links.size());
  node.children = static_cast<std::uint32_t>(pending_.size() - pending_from);
  tree_.links.insert(tree_.links.end(), pending_.begin() + static_cast<std::ptrdiff_t>(pending_from), pending_.end());
  pending_.resize(pending_from);
  tree_.nodes.push_back(node);
  return static_cast<NodeId>(tree_.nodes.size() - 1);
}

NodeId Parser::make_node(NodeKind kind, std::uint32_t begin, std::initializer_list<NodeId> children) {
  const std::size_t from = pending_.size();
  pending_.insert(pending_.end(), children.begin(), children.end());
  return make_node(kind, begin, from);
}

NodeId Parser::make_name(const Token& token) {
  const NodeId id = make_node(NodeKind::name, token.begin, {});
  tree_.nodes[id].end = token.end;
  tree_.nodes[id].text = tree_.names.intern(text(token));
  return id;
}

NodeId Parser::parse_only_expression() {
  try {
    const NodeId id = parse_expression();
    if (!is(TokenKind::end_of_file)) fail_here(fmt::format("expected one expression, but it goes on with {}", found()));
    return id;
  } catch (const SyntaxError&) {
    return no_node;
  }
}

NodeId Parser::parse_expression() {
  const Nesting nesting(*this);
  const NodeId id = is(TokenKind::key_if) ? parse_choice() : parse_simple_expression();
  skip_decoration();
  return id;
}

// if c then a elseif d then b else e; 'else if' is the same, so that long chains of it are not nested.
NodeId Parser::parse_choice() {
  const std::uint32_t begin = current().begin;
  const std::size_t from = pending_.size();
  for (;;) {
    advance();
    pending_.push_back(parse_expression());
    expect(TokenKind::key_then, "after the condition of 'if'");
    pending_.push_back(parse_expression());
    if (is(TokenKind::key_elseif)) continue;
    if (!is(TokenKind::key_else)) {
      fail_here(fmt::format("expected 'else', found {}", found()),
                "an 'if' inside an expression needs an 'else', since it must have a value");
    }
    advance();
    if (!is(TokenKind::key_if)) break;
  }
  pending_.push_back(parse_expression());
  return make_node(NodeKind::choice, begin, from);
}

// a or a:b or a:step:b
NodeId Parser::parse_simple_expression() {
  const std::uint32_t begin = current().begin;
  const std::size_t from = pending_.size();
  pending_.push_back(parse_or());
  while (is(TokenKind::colon) && pending_.size() < from + 3) {
    advance();
    pending_.push_back(parse_or());
  }
  if (pending_.size() == from + 1) {
    const NodeId only = pending_.back();
    pending_.pop_back();
    return only;
  }
  return make_node(NodeKind::range, begin, from);
}

NodeId Parser::parse_or() {
  const std::uint32_t begin = current().begin;
  const NodeId first = parse_and();
  if (!is(TokenKind::key_or)) return first;
  const std::size_t from = pending_.size();
  pending_.push_back(first);
  while (accept(TokenKind::key_or)) pending_.push_back(parse_and());
  return make_node(NodeKind::logical_or, begin, from);
}

NodeId Parser::parse_and() {
  const std::uint32_t begin = current().begin;
  const NodeId first = parse_not();
  if (!is(TokenKind::key_and)) return first;
  const std::size_t from = pending_.size();
  pending_.push_back(first);
  while (accept(TokenKind::key_and)) pending_.push_back(parse_not());
  return make_node(NodeKind::logical_and, begin, from);
}

NodeId Parser::parse_not() {
  const std::uint32_t begin = current().begin;
  if (!accept(TokenKind::key_not)) return parse_relation();
  if (is(TokenKind::key_not)) fail_here("'not' may not follow 'not'", "write parentheses: not (not a)");
  return make_node(NodeKind::logical_not, begin, {parse_relation()});
}

NodeId Parser::parse_relation() {
  const std::uint32_t begin = current().begin;
  const NodeId left = parse_sum();
  if (!is_relation_operator(current().kind)) return left;
  const TokenKind op = advance().kind;
  const NodeId right = parse_sum();
  if (is_relation_operator(current().kind)) {
    fail_here("comparisons do not chain", "write: a < b and b < c");
  }
  const NodeId id = make_node(NodeKind::relation, begin, {left, right});
  tree_.nodes[id].op = static_cast<std::uint8_t>(op);
  return id;
}

// [sign] term { (+|-|.+|.-) term }: the sign belongs to the first term, so that -x^2 = -(x^2).
NodeId Parser::parse_sum() {
  const std::uint32_t begin = current().begin;
  NodeId first;
  if (is_add_operator(current().kind)) {
    const TokenKind sign = advance().kind;
    if (is_add_operator(current().kind)) fail_here("a sign may not follow a sign", "write parentheses: -(-x)");
    const bool minus = sign == TokenKind::minus || sign == TokenKind::dot_minus;
    first = make_node(minus ? NodeKind::negate : NodeKind::plus, begin, {parse_product()});
  } else {
    first = parse_product();
  }
  if (!is_add_operator(current().kind)) return first;
  const std::size_t from = pending_.size();
  pending_.push_back(first);
  while (is_add_operator(current().kind)) {
    const TokenKind op = advance().kind;
    if (is_add_operator(current().kind)) {
      fail_here(fmt::format("a sign may not follow '{}'", spelling(op)), "write parentheses: a + (-b)");
    }
    pending_.push_back(static_cast<std::uint32_t>(op));
    pending_.push_back(parse_product());
  }
  return make_node(NodeKind::sum, begin, from);
}

NodeId Parser::parse_product() {
  const std::uint32_t begin = current().begin;
  const NodeId first = parse_power();
  if (!is_multiply_operator(current().kind)) return first;
  const std::size_t from = pending_.size();
  pending_.push_back(first);
  while (is_multiply_operator(current().kind)) {
    const TokenKind op = advance().kind;
    if (is_add_operator(current().kind)) {
      fail_here(fmt::format("a sign may not follow '{}'", spelling(op)), "write parentheses: a * (-b)");
    }
    pending_.push_back(static_cast<std::uint32_t>(op));
    pending_.push_back(parse_power());
  }
  return make_node(NodeKind::product, begin, from);
}

NodeId Parser::parse_power() {
  const std::uint32_t begin = current().begin;
  const NodeId base = parse_primary();
  if (is(TokenKind::left_bracket)) {
    fail_here("subscripts of a value that is not a variable need parentheses around it", "write: (f(x))[1]");
  }
  if (!is_power_operator(current().kind)) return base;
  const TokenKind op = advance().kind;
  if (is_add_operator(current().kind)) {
    fail_here(fmt::format("a sign may not follow '{}'", spelling(op)), "write parentheses: a^(-b)");
  }
  const NodeId exponent = parse_primary();
  if (is_power_operator(current().kind)) {
    fail_here("powers do not chain", "write (a^b)^c or a^(b^c)");
  }
  const NodeId id = make_node(NodeKind::power, begin, {base, exponent});
  tree_.nodes[id].op = op == TokenKind::dot_power ? 1 : 0;
  return id;
}

NodeId Parser::parse_primary() {
  switch (current().kind) {
    case TokenKind::integer_number:
    case TokenKind::real_number: return parse_number();
    case TokenKind::string: return parse_string();
    case TokenKind::key_true:
    case TokenKind::key_false: {
      const Token token = advance();
      const NodeId id = make_node(NodeKind::boolean, token.begin, {});
      tree_.nodes[id].number = token.kind == TokenKind::key_true ? 1.0 : 0.0;
      return id;
    }
    case TokenKind::key_end: {
      const Token token = advance();
      return make_node(NodeKind::end, token.begin, {});
    }
    case TokenKind::left_parenthesis: return parse_parenthesis();
    case TokenKind::left_brace: return parse_array();
    case TokenKind::left_bracket: return parse_matrix();
    case TokenKind::dot:
    case TokenKind::identifier: return parse_reference_or_call();
    case TokenKind::key_der:
    case TokenKind::key_initial:
    case TokenKind::key_pure: {
      const Token token = advance();
      const NodeId callee = make_name(token);
      if (!is(TokenKind::left_parenthesis)) {
        fail_here(fmt::format("expected '(' after '{}', found {}", text(token), found()));
      }
      return parse_call(callee);
    }
    case TokenKind::key_if:
      fail_here("an 'if' inside a larger expression needs parentheses", "write: a + (if c then b else d)");
    case TokenKind::key_function: {
      advance();
      const NodeId callee = parse_reference();
      if (!is(TokenKind::left_parenthesis))
        fail_here(fmt::format("expected '(' after the function, found {}", found()));
      const NodeId id = parse_call(callee);
      tree_.nodes[id].op = 1;
      return id;
    }
    default: fail_here(fmt::format("expected an expression, found {}", found()));
  }
}

NodeId Parser::parse_number() {
  const Token token = advance();
  const std::string_view digits = text(token);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem == std::errc::result_out_of_range && !is_tiny(digits)) {
    fail(range(token), "this number is too large", "the largest number is 1.7976931348623157e308");
  }
  const bool integer = token.kind == TokenKind::integer_number;
  if (integer && value > largest_integer_written) {
    fail(range(token), "this integer is too large: beyond 2^53 they are not exact",
         fmt::format("write a Real: {}.0", collapsed(digits, 40)));
  }
  const NodeId id = make_node(NodeKind::number, token.begin, {});
  tree_.nodes[id].number = value;
  tree_.nodes[id].op = integer ? 1 : 0;
  return id;
}

NodeId Parser::parse_string() {
  const Token token = advance();
  const NodeId id = make_node(NodeKind::string, token.begin, {});
  tree_.nodes[id].text = static_cast<std::uint32_t>(tree_.strings.size());
  tree_.strings.push_back(unescaped(text(token)));
  return id;
}

// (a), or (a, , b) on the left of functions with several results; (a)[i] is a subscript of a value.
NodeId Parser::parse_parenthesis() {
  const Nesting nesting(*this);
  const std::uint32_t begin = advance().begin;
  const std::size_t from = pending_.size();
  bool list = false;
  while (!is(TokenKind::right_parenthesis)) {
    if (is(TokenKind::comma)) {
      pending_.push_back(no_node);
    } else {
      pending_.push_back(parse_expression());
    }
    if (!is(TokenKind::comma)) break;
    advance();
    list = true;
    if (is(TokenKind::right_parenthesis)) pending_.push_back(no_node);
  }
  expect(TokenKind::right_parenthesis, "to close '('");
  if (pending_.size() == from) fail(range_from(begin), "there is nothing between these parentheses");
  NodeId id = pending_.back();
  if (list) {
    id = make_node(NodeKind::tuple, begin, from);
  } else {
    pending_.pop_back();
  }
  if (is(TokenKind::left_bracket)) {
    const std::size_t subscripts = pending_.size();
    pending_.push_back(id);
    parse_subscripts();
    id = make_node(NodeKind::subscripted, begin, subscripts);
  }
  return id;
}

}  // namespace driftless
