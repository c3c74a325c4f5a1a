#include "driftless/modelfile/text/token.h"

#include <algorithm>
#include <array>

namespace driftless {

namespace {

constexpr std::array punctuation{
    std::string_view("("),  std::string_view(")"),  std::string_view("["),  std::string_view("]"),
    std::string_view("{"),  std::string_view("}"),  std::string_view(","),  std::string_view(";"),
    std::string_view(":"),  std::string_view("."),  std::string_view("@"),  std::string_view("="),
    std::string_view(":="), std::string_view("+"),  std::string_view("-"),  std::string_view("*"),
    std::string_view("/"),  std::string_view("^"),  std::string_view(".+"), std::string_view(".-"),
    std::string_view(".*"), std::string_view("./"), std::string_view(".^"), std::string_view("<"),
    std::string_view("<="), std::string_view(">"),  std::string_view(">="), std::string_view("=="),
    std::string_view("<>"),
};

constexpr std::array keywords{
    std::string_view("algorithm"),    std::string_view("and"),
    std::string_view("annotation"),   std::string_view("block"),
    std::string_view("break"),        std::string_view("class"),
    std::string_view("connect"),      std::string_view("connector"),
    std::string_view("constant"),     std::string_view("constrainedby"),
    std::string_view("der"),          std::string_view("discrete"),
    std::string_view("each"),         std::string_view("else"),
    std::string_view("elseif"),       std::string_view("elsewhen"),
    std::string_view("encapsulated"), std::string_view("end"),
    std::string_view("enumeration"),  std::string_view("equation"),
    std::string_view("expandable"),   std::string_view("extends"),
    std::string_view("external"),     std::string_view("false"),
    std::string_view("final"),        std::string_view("flow"),
    std::string_view("for"),          std::string_view("function"),
    std::string_view("if"),           std::string_view("import"),
    std::string_view("impure"),       std::string_view("in"),
    std::string_view("initial"),      std::string_view("inner"),
    std::string_view("input"),        std::string_view("loop"),
    std::string_view("model"),        std::string_view("not"),
    std::string_view("operator"),     std::string_view("or"),
    std::string_view("outer"),        std::string_view("output"),
    std::string_view("package"),      std::string_view("parameter"),
    std::string_view("partial"),      std::string_view("protected"),
    std::string_view("public"),       std::string_view("pure"),
    std::string_view("record"),       std::string_view("redeclare"),
    std::string_view("replaceable"),  std::string_view("return"),
    std::string_view("stream"),       std::string_view("then"),
    std::string_view("true"),         std::string_view("type"),
    std::string_view("when"),         std::string_view("while"),
    std::string_view("within"),
};

constexpr auto first_punctuation = static_cast<std::size_t>(TokenKind::left_parenthesis);
constexpr auto first_keyword = static_cast<std::size_t>(TokenKind::key_algorithm);
static_assert(first_punctuation + punctuation.size() == first_keyword);
static_assert(first_keyword + keywords.size() == static_cast<std::size_t>(TokenKind::key_within) + 1);
static_assert(std::is_sorted(keywords.begin(), keywords.end()));

}  // namespace

std::string_view spelling(TokenKind kind) {
  switch (kind) {
    case TokenKind::end_of_file: return "the end of the file";
    case TokenKind::bad: return "a character that means nothing";
    case TokenKind::identifier: return "a name";
    case TokenKind::integer_number:
    case TokenKind::real_number: return "a number";
    case TokenKind::string: return "a string";
    default: break;
  }
  const auto index = static_cast<std::size_t>(kind);
  return index < first_keyword ? punctuation[index - first_punctuation] : keywords[index - first_keyword];
}

bool is_keyword(TokenKind kind) { return static_cast<std::size_t>(kind) >= first_keyword; }

TokenKind keyword_or_identifier(std::string_view text) {
  const auto found = std::lower_bound(keywords.begin(), keywords.end(), text);
  if (found == keywords.end() || *found != text) return TokenKind::identifier;
  return static_cast<TokenKind>(first_keyword + static_cast<std::size_t>(found - keywords.begin()));
}

}  // namespace driftless
