#include "driftless/modelfile/text/parser.h"

#include <fmt/format.h>

#include <utility>

#include "driftless/core/stop.h"
#include "driftless/modelfile/text/parse.h"

namespace driftless {

Parser::Parser(SyntaxTree& tree, std::uint16_t source, std::vector<Token> tokens, Diagnostics& diagnostics)
    : tree_(tree),
      source_(source),
      source_text_(tree.sources[source].text()),
      tokens_(std::move(tokens)),
      diagnostics_(diagnostics) {}

bool Parser::is_word(const Token& token, std::string_view word) const {
  return token.kind == TokenKind::identifier && text(token) == word;
}

Token Parser::advance() {
  const Token token = current();
  last_end_ = token.end;
  if (at_ + 1 < tokens_.size()) ++at_;
  if (at_ % 4096 == 0) check_stop();
  return token;
}

bool Parser::accept(TokenKind kind) {
  if (!is(kind)) return false;
  advance();
  return true;
}

std::string Parser::found() const {
  if (is(TokenKind::end_of_file)) return "the end of the file";
  return fmt::format("'{}'", collapsed(text(current()), 40));
}

// What is missing is missing after the last word, not before the next one, which may be lines below.
SourceRange Parser::place_of_missing(TokenKind kind) const {
  const std::string_view between = source_text_.substr(last_end_, current().begin - last_end_);
  const bool next_line = between.find('\n') != std::string_view::npos;
  const bool closes = kind == TokenKind::semicolon || kind == TokenKind::right_parenthesis ||
                      kind == TokenKind::right_bracket || kind == TokenKind::right_brace;
  if (closes && (next_line || is(TokenKind::end_of_file))) return {last_end_, last_end_ + 1, source_};
  return range(current());
}

Token Parser::expect(TokenKind kind, std::string_view where) {
  if (is(kind)) return advance();
  const bool has_spelling = kind > TokenKind::string;
  const std::string wanted = has_spelling ? fmt::format("'{}'", spelling(kind)) : std::string(spelling(kind));
  if (is(TokenKind::bad)) throw SyntaxError{};
  missing_semicolon_ = kind == TokenKind::semicolon;
  fail(place_of_missing(kind), fmt::format("expected {} {}, found {}", wanted, where, found()));
}

std::uint32_t Parser::expect_name(std::string_view where) {
  if (is_keyword(current().kind)) {
    fail_here(fmt::format("expected a name {}, but '{}' is a key word", where, text(current())),
              fmt::format("in quotes it is a name: '{}'", text(current())));
  }
  return tree_.names.intern(text(expect(TokenKind::identifier, where)));
}

void Parser::fail(SourceRange range, std::string message, std::string suggestion) {
  diagnostics_.error(range, std::move(message), std::move(suggestion));
  throw SyntaxError{};
}

void Parser::fail_here(std::string message, std::string suggestion) {
  if (is(TokenKind::bad)) throw SyntaxError{};
  fail(range(current()), std::move(message), std::move(suggestion));
}

void Parser::fail_too_deep() {
  --depth_;  // the guard that called is not alive
  fail(range(current()), fmt::format("nested more than {} levels deep", deepest),
       "give parts of it names of their own");
}

namespace {

constexpr std::string_view flatten_first =
    "let a Modelica tool flatten the model, for example as Base Modelica: omc --baseModelica";

}  // namespace

void Parser::refuse_if_not_covered() {
  switch (current().kind) {
    case TokenKind::key_expandable:
    case TokenKind::key_operator:
      fail_here(fmt::format("'{}' is not covered", text(current())), std::string(flatten_first));
    default: break;
  }
}

void Parser::skip_decoration() {
  while (accept(TokenKind::at)) expect(TokenKind::integer_number, "after '@'");
}

std::string Parser::parse_description() {
  std::string description;
  while (is(TokenKind::string)) {
    description += unescaped(text(advance()));
    if (is(TokenKind::plus) && ahead().kind == TokenKind::string) advance();
  }
  return description;
}

bool Parser::at_section_end() const {
  switch (current().kind) {
    case TokenKind::end_of_file:
    case TokenKind::key_end:
    case TokenKind::key_else:
    case TokenKind::key_elseif:
    case TokenKind::key_elsewhen:
    case TokenKind::key_equation:
    case TokenKind::key_algorithm:
    case TokenKind::key_public:
    case TokenKind::key_protected:
    case TokenKind::key_annotation:
    case TokenKind::key_external: return true;
    case TokenKind::key_initial:
      return ahead().kind == TokenKind::key_equation || ahead().kind == TokenKind::key_algorithm;
    default: return false;
  }
}

// To behind the next ';', or before what surely begins or ends a section: 'end' and 'else' occur in expressions, too,
// unless just a ';' was missing before them.
void Parser::recover() {
  if (std::exchange(missing_semicolon_, false) && at_section_end()) return;
  while (!is(TokenKind::end_of_file)) {
    if (accept(TokenKind::semicolon)) return;
    const TokenKind next = ahead().kind;
    switch (current().kind) {
      case TokenKind::key_end:
        if (next == TokenKind::identifier || is_keyword(next)) return;
        break;
      case TokenKind::key_else:
      case TokenKind::key_elseif:
      case TokenKind::key_elsewhen:
      case TokenKind::key_annotation: break;
      default:
        if (at_section_end()) return;
    }
    advance();
  }
}

void parse_model_text(SyntaxTree& tree, Diagnostics& diagnostics) {
  Words words = split_into_words(tree.sources[0], 0, diagnostics);
  tree.base_modelica = words.base_modelica;
  Parser(tree, 0, std::move(words.tokens), diagnostics).parse_file();
}

void parse_package_text(SyntaxTree& tree, std::uint16_t number, Diagnostics& diagnostics) {
  Words words = split_into_words(tree.sources[number], number, diagnostics);
  Parser(tree, number, std::move(words.tokens), diagnostics).parse_file();
}

NodeId parse_expression_text(SyntaxTree& tree, std::uint16_t number, Diagnostics& diagnostics) {
  Words words = split_into_words(tree.sources[number], number, diagnostics);
  return Parser(tree, number, std::move(words.tokens), diagnostics).parse_only_expression();
}

}  // namespace driftless
