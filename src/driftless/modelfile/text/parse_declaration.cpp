#include <fmt/format.h>

#include <array>

#include "driftless/modelfile/text/parser.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

namespace {

constexpr std::array section_words{std::string_view("equation"),         std::string_view("algorithm"),
                                   std::string_view("initial equation"), std::string_view("parameter"),
                                   std::string_view("constant"),         std::string_view("annotation")};

}  // namespace

// [final] [flow] [discrete | parameter | constant] [input | output] Type[sizes] a(...) = ..., b, c;
void Parser::parse_element(ClassDefinition& owner, bool is_protected) {
  skip_decoration();
  if (is(TokenKind::key_parameter) && ahead().kind == TokenKind::key_equation) {
    owner.guesses.push_back(parse_guess());
    return;
  }
  Declaration prefix;
  prefix.is_protected = is_protected;
  for (bool more = true; more;) {
    refuse_if_not_covered();
    switch (current().kind) {
      case TokenKind::key_final: prefix.is_final = true; break;
      case TokenKind::key_flow: prefix.is_flow = true; break;
      case TokenKind::key_stream:
        fail(range(current()), "stream variables of connectors are not covered",
             "let a Modelica tool flatten the model (omc --baseModelica), or make what flows a potential and write how "
             "it mixes as equations");
      case TokenKind::key_inner: tree_.hierarchical = prefix.is_inner = true; break;
      case TokenKind::key_outer: tree_.hierarchical = prefix.is_outer = true; break;
      case TokenKind::key_redeclare:
      case TokenKind::key_replaceable: tree_.hierarchical = true; break;
      case TokenKind::key_discrete: prefix.variability = Variability::discrete; break;
      case TokenKind::key_parameter: prefix.variability = Variability::parameter; break;
      case TokenKind::key_constant: prefix.variability = Variability::constant; break;
      case TokenKind::key_input: prefix.causality = Causality::input; break;
      case TokenKind::key_output: prefix.causality = Causality::output; break;
      default: more = false;
    }
    if (more) advance();
  }
  prefix.type = is(TokenKind::key_enumeration) ? parse_enumeration_type() : parse_type_name();
  if (is(TokenKind::left_bracket)) prefix.type_sizes = parse_sizes();
  refuse_misspelt_section(prefix.type);
  parse_components(owner, prefix);
}

// 'equations' on a line of its own, or before what cannot be declared, is meant as a key word.
void Parser::refuse_misspelt_section(const TypeName& type) {
  const std::string_view word = tree_.text(type.range);
  const std::string_view between = source_text_.substr(last_end_, current().begin - last_end_);
  const bool alone = between.find('\n') != std::string_view::npos || !is(TokenKind::identifier);
  if (!alone || is_keyword(current().kind)) return;
  for (const std::string_view meant : section_words) {
    if (edit_distance(word, meant, 2.0) <= 1.0)
      fail(type.range, "this is no declaration", did_you_mean(word, section_words));
  }
}

void Parser::parse_components(ClassDefinition& owner, const Declaration& prefix) {
  do {
    Declaration declaration = prefix;
    const Token name = current();
    declaration.name = parse_declared_name();
    declaration.name_range = range_from(name.begin);
    if (is(TokenKind::left_bracket)) declaration.sizes = parse_sizes();
    if (is(TokenKind::left_parenthesis)) declaration.modifications = parse_modifications();
    if (is(TokenKind::equals) || is(TokenKind::assign)) {
      advance();
      declaration.value = parse_expression();
    }
    declaration.range = range_from(name.begin);
    if (accept(TokenKind::key_if)) {
      declaration.condition = parse_expression();
      tree_.hierarchical = true;
    }
    skip_constraining();
    skip_decoration();
    declaration.description = parse_description();
    if (is(TokenKind::key_annotation)) parse_annotation();
    owner.declarations.push_back(std::move(declaration));
  } while (accept(TokenKind::comma));
  skip_decoration();
  expect(TokenKind::semicolon, "after the declaration");
}

// A name, or a path such as a[1].b as flat dumps have it: one name, which gets quotes.
std::uint32_t Parser::parse_declared_name() {
  const std::uint32_t first = expect_name("for the variable");
  std::size_t next = 0;
  const auto behind_subscripts = [&] {
    if (ahead(next).kind != TokenKind::left_bracket) return;
    std::size_t k = next + 1;
    while (ahead(k).kind == TokenKind::integer_number || ahead(k).kind == TokenKind::comma) ++k;
    if (ahead(k).kind == TokenKind::right_bracket && ahead(k + 1).kind == TokenKind::dot) next = k + 1;
  };
  behind_subscripts();
  if (ahead(next).kind != TokenKind::dot) return first;
  std::string path = tree_.names.text(first);
  while (ahead(next).kind == TokenKind::dot || next > 0) {
    for (; next > 0; --next) path += text(advance());
    advance();
    path += "." + tree_.names.text(expect_name("after '.'"));
    behind_subscripts();
  }
  tree_.hierarchical = tree_.dotted = true;
  return tree_.names.intern("'" + path + "'");
}

// parameter equation guess(x) = value or prioritize(value, priority)
Guess Parser::parse_guess() {
  Guess guess;
  const std::uint32_t begin = current().begin;
  advance();
  advance();
  if (!is_word(current(), "guess")) {
    fail_here(fmt::format("expected 'guess' after 'parameter equation', found {}", found()),
              "write: parameter equation guess(x) = value;");
  }
  advance();
  expect(TokenKind::left_parenthesis, "after 'guess'");
  guess.variable = parse_reference();
  expect(TokenKind::right_parenthesis, "to close '('");
  expect(TokenKind::equals, "after 'guess(...)'");
  if (is_word(current(), "prioritize") && ahead().kind == TokenKind::left_parenthesis) {
    advance();
    advance();
    guess.value = parse_expression();
    expect(TokenKind::comma, "before the priority");
    guess.priority = parse_expression();
    expect(TokenKind::right_parenthesis, "to close '('");
  } else {
    guess.value = parse_expression();
  }
  guess.range = range_from(begin);
  finish_statement();
  return guess;
}

std::vector<NodeId> Parser::parse_sizes() {
  const std::size_t from = pending_.size();
  parse_subscripts();
  std::vector<NodeId> sizes(pending_.begin() + static_cast<std::ptrdiff_t>(from), pending_.end());
  pending_.resize(from);
  return sizes;
}

TypeName Parser::parse_type_name() {
  TypeName type;
  accept(TokenKind::dot);
  const std::uint32_t begin = current().begin;
  do {
    type.parts.push_back(expect_name("of a type"));
  } while (accept(TokenKind::dot));
  type.range = range_from(begin);
  tree_.hierarchical |= type.parts.size() > 1;
  return type;
}

// constrainedby Type(modifications): what a replacement must be like.
void Parser::skip_constraining() {
  if (!accept(TokenKind::key_constrainedby)) return;
  parse_type_name();
  if (is(TokenKind::left_parenthesis)) parse_modifications();
}

// (a = 1, each final b(c = 2))
std::vector<Modification> Parser::parse_modifications() {
  const Nesting nesting(*this);
  std::vector<Modification> modifications;
  expect(TokenKind::left_parenthesis, "before the modifications");
  while (!is(TokenKind::right_parenthesis)) {
    skip_decoration();
    modifications.push_back(parse_modification());
    if (!accept(TokenKind::comma)) break;
  }
  expect(TokenKind::right_parenthesis, "to close '('");
  return modifications;
}

Modification Parser::parse_modification() {
  Modification modification;
  const std::uint32_t begin = current().begin;
  for (;;) {
    refuse_if_not_covered();
    if (accept(TokenKind::key_each)) {
      modification.each = true;
    } else if (is(TokenKind::key_redeclare) || is(TokenKind::key_replaceable)) {
      advance();
      parse_redeclaration(modification);
      modification.range = range_from(begin);
      return modification;
    } else if (!accept(TokenKind::key_final)) {
      break;
    }
  }
  const std::uint32_t name_begin = current().begin;
  do {
    modification.name.push_back(expect_name("of what is modified"));
  } while (accept(TokenKind::dot));
  modification.name_range = range_from(name_begin);
  if (is(TokenKind::left_parenthesis)) {
    modification.nested = parse_modifications();
    modification.has_nested = true;
  }
  if (is(TokenKind::equals) || is(TokenKind::assign)) {
    advance();
    modification.value = parse_expression();
  }
  modification.range = range_from(begin);
  parse_description();
  return modification;
}

// redeclare [prefixes] Type name(...) = value, or redeclare model Name = Type(...)
void Parser::parse_redeclaration(Modification& modification) {
  tree_.hierarchical = true;
  while (is(TokenKind::key_each) || is(TokenKind::key_final) || is(TokenKind::key_replaceable) ||
         is(TokenKind::key_parameter) || is(TokenKind::key_constant))
    modification.each |= advance().kind == TokenKind::key_each;
  modification.is_class = at_class();
  if (modification.is_class) {
    advance();
    modification.name_range = range(current());
    modification.name.push_back(expect_name("of what is redeclared"));
    expect(TokenKind::equals, "after the name of the class");
    modification.type = parse_type_name();
    if (is(TokenKind::left_parenthesis)) modification.nested = parse_modifications();
  } else {
    modification.type = parse_type_name();
    modification.name_range = range(current());
    modification.name.push_back(expect_name("of what is redeclared"));
    if (is(TokenKind::left_bracket)) fail_here("sizes in a redeclaration are not covered");
    if (is(TokenKind::left_parenthesis)) modification.nested = parse_modifications();
    if (accept(TokenKind::equals)) modification.value = parse_expression();
  }
  modification.has_nested = true;
  skip_constraining();
  parse_description();
}

// annotation(...): only what is honoured is kept, the rest need not even be understood.
std::vector<Modification> Parser::parse_annotation() {
  std::vector<Modification> kept;
  advance();
  expect(TokenKind::left_parenthesis, "after 'annotation'");
  while (!is(TokenKind::right_parenthesis)) {
    if (is_word(current(), "experiment") || is_word(current(), "__driftless")) {
      kept.push_back(parse_modification());
    } else {
      skip_annotation_entry();
    }
    if (!accept(TokenKind::comma)) break;
  }
  expect(TokenKind::right_parenthesis, "to close the annotation");
  return kept;
}

// To the ',' or ')' that ends this entry; brackets inside come in pairs.
void Parser::skip_annotation_entry() {
  std::size_t open = 0;
  for (;; advance()) {
    switch (current().kind) {
      case TokenKind::left_parenthesis:
      case TokenKind::left_bracket:
      case TokenKind::left_brace: ++open; break;
      case TokenKind::right_parenthesis:
      case TokenKind::right_bracket:
      case TokenKind::right_brace:
        if (open == 0) return;
        --open;
        break;
      case TokenKind::comma:
        if (open == 0) return;
        break;
      case TokenKind::end_of_file: return;
      default: break;
    }
  }
}

}  // namespace driftless
