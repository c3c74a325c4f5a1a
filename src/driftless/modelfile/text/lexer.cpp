#include "driftless/modelfile/text/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "driftless/core/stop.h"

namespace driftless {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_character(char c) { return is_letter(c) || is_digit(c); }

struct Slip {
  std::string_view written, meant;
};
// What other languages write.
constexpr Slip slips[] = {
    {"!=", "'not equal' is written '<>'"},
    {"~=", "'not equal' is written '<>'"},
    {"&&", "write 'and'"},
    {"||", "write 'or'"},
    {"!", "write 'not'"},
    {"%", "write mod(a, b)"},
    {"#", "comments begin with '//'"},
    {"?", "write: if a then b else c"},
    {"~", "write 'not'"},
    {"&", "write 'and'"},
    {"|", "write 'or'"},
};

// Operators by their first character: the one of that character alone, and those of two.
struct OperatorTable {
  struct Entry {
    TokenKind single = TokenKind::bad;
    std::vector<TokenKind> pairs;
  };
  std::array<Entry, 128> entries;

  OperatorTable() {
    for (auto kind = TokenKind::left_parenthesis; !is_keyword(kind);
         kind = static_cast<TokenKind>(static_cast<int>(kind) + 1)) {
      Entry& entry = entries[static_cast<unsigned char>(spelling(kind)[0])];
      if (spelling(kind).size() == 1) entry.single = kind;
      if (spelling(kind).size() == 2) entry.pairs.push_back(kind);
    }
  }
};

// The longest operator that these two characters begin with: '<=' is not '<' and '='.
TokenKind operator_at(std::string_view two) {
  static const OperatorTable table;
  const auto first = static_cast<unsigned char>(two[0]);
  if (first >= table.entries.size()) return TokenKind::bad;
  for (const TokenKind pair : table.entries[first].pairs) {
    if (spelling(pair) == two) return pair;
  }
  return table.entries[first].single;
}

class Lexer {
 public:
  Lexer(const Source& source, std::uint16_t source_number, Diagnostics& diagnostics)
      : text_(source.text()), source_number_(source_number), diagnostics_(diagnostics) {}

  Words run() {
    words_.tokens.reserve(text_.size() / 4 + 1);
    read_header();
    SparseCheck<4096> check;
    while (skip_blanks_and_comments()) {
      check();
      read_token();
    }
    const auto end = static_cast<std::uint32_t>(text_.size());
    words_.tokens.push_back({TokenKind::end_of_file, end, end});
    return std::move(words_);
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  bool has(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  void error(std::size_t begin, std::size_t end, std::string message, std::string suggestion = {}) {
    diagnostics_.error({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), source_number_},
                       std::move(message), std::move(suggestion));
  }

  void read_header();
  bool skip_blanks_and_comments();
  void read_token();
  void read_number();
  void read_quoted_name();
  void read_string();
  void read_operator();
  void complain_about_character();

  void emit(TokenKind kind, std::size_t begin, std::size_t end) {
    words_.tokens.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    at_ = end;
  }

  std::string_view text_;
  std::uint16_t source_number_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  Words words_;
};

// "//! base 0.1.0" in the first line. Minor versions may add what we would refuse by name anyway.
void Lexer::read_header() {
  if (has("\xEF\xBB\xBF")) at_ = 3;
  if (!has("//!")) return;
  const std::size_t line_end = std::min(text_.find_first_of("\r\n", at_), text_.size());
  std::string_view rest = text_.substr(at_ + 3, line_end - at_ - 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (rest.substr(0, 5) != "base " && rest != "base") return;
  words_.base_modelica = true;
  rest.remove_prefix(std::min<std::size_t>(5, rest.size()));
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const std::size_t dot = rest.find('.');
  const std::string_view major = rest.substr(0, dot);
  if (major != "0" && major != "1" && major != "3") {
    error(at_, line_end, fmt::format("Base Modelica of version '{}' is not known", rest),
          "versions 0.x, 1.x and 3.x are read; the first line is: //! base 0.1.0");
  }
}

// False at the end of the text.
bool Lexer::skip_blanks_and_comments() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (has("//")) {
      at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
    } else if (has("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) error(at_, at_ + 2, "this comment does not end", "it ends with '*/'");
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      return true;
    }
  }
  return false;
}

void Lexer::read_token() {
  const char c = text_[at_];
  if (is_letter(c)) {
    std::size_t end = at_ + 1;
    while (is_word_character(at(end))) ++end;
    emit(keyword_or_identifier(text_.substr(at_, end - at_)), at_, end);
  } else if (is_digit(c) || (c == '.' && is_digit(at(at_ + 1)))) {
    read_number();
  } else if (c == '\'') {
    read_quoted_name();
  } else if (c == '"') {
    read_string();
  } else {
    read_operator();
  }
}

// digits [. digits] [e [+-] digits]
void Lexer::read_number() {
  const std::size_t begin = at_;
  std::size_t end = at_;
  const auto skip_digits = [&] {
    while (is_digit(at(end))) ++end;
  };
  if (at(end) == '.') {
    error(begin, begin + 1, "a number needs a digit before the point", "write 0.5, not .5");
  }
  skip_digits();
  bool real = false;
  const bool elementwise = at(end) == '.' && std::string_view("+-*/^").find(at(end + 1)) != std::string_view::npos;
  if (at(end) == '.' && !elementwise) {
    real = true;
    ++end;
    skip_digits();
  }
  if (at(end) == 'e' || at(end) == 'E') {
    const std::size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
    if (is_digit(at(end + 1 + sign))) {
      real = true;
      end += 1 + sign;
      skip_digits();
    }
  }
  if (is_letter(at(end))) {
    std::size_t last = end;
    while (is_word_character(at(last))) ++last;
    error(begin, last, fmt::format("'{}' is neither a number nor a name", text_.substr(begin, last - begin)),
          "products need a '*', and names begin with a letter");
    emit(TokenKind::bad, begin, last);
    return;
  }
  emit(real ? TokenKind::real_number : TokenKind::integer_number, begin, end);
}

void Lexer::read_quoted_name() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '\'' && text_[end] != '\n' && text_[end] != '\r') {
    end += text_[end] == '\\' && end + 1 < text_.size() ? 2 : 1;
  }
  end = std::min(end, text_.size());
  if (at(end) != '\'') {
    error(at_, end, "this quoted name does not end", "close it with ' on the same line; strings are in \"...\"");
    emit(TokenKind::bad, at_, end);
    return;
  }
  if (end == at_ + 1) {
    error(at_, end + 1, "a quoted name may not be empty");
    emit(TokenKind::bad, at_, end + 1);
    return;
  }
  emit(TokenKind::identifier, at_, end + 1);
}

void Lexer::read_string() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) {
    error(at_, at_ + 1, "this string does not end", "close it with '\"'; a '\"' inside is written \\\"");
    emit(TokenKind::bad, at_, text_.size());
    return;
  }
  emit(TokenKind::string, at_, end + 1);
}

void Lexer::read_operator() {
  if (has("**")) {
    error(at_, at_ + 2, "'**' is no operator of Modelica", "powers are written a^b");
    emit(TokenKind::power, at_, at_ + 2);
    return;
  }
  const TokenKind kind = operator_at(text_.substr(at_, 2));
  if (kind != TokenKind::bad) {
    emit(kind, at_, at_ + spelling(kind).size());
    return;
  }
  for (const auto& [written, meant] : slips) {
    if (has(written)) {
      error(at_, at_ + written.size(), fmt::format("'{}' is no operator of Modelica", written), std::string(meant));
      emit(TokenKind::bad, at_, at_ + written.size());
      return;
    }
  }
  complain_about_character();
}

void Lexer::complain_about_character() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
  const auto byte = static_cast<unsigned char>(text_[at_]);
  const bool printable = byte > 0x20 && byte != 0x7F;
  const std::string shown =
      printable ? fmt::format("'{}'", text_.substr(at_, end - at_)) : fmt::format("with code {}", byte);
  error(at_, end, fmt::format("the character {} is not expected here", shown),
        byte >= 0x80 ? "names are made of a-z, A-Z, 0-9 and _; others go in quotes, as in 'a.b'" : "");
  emit(TokenKind::bad, at_, end);
}

}  // namespace

Words split_into_words(const Source& source, std::uint16_t source_number, Diagnostics& diagnostics) {
  return Lexer(source, source_number, diagnostics).run();
}

std::string unescaped(std::string_view quoted_text) {
  std::string out;
  if (quoted_text.size() < 2) return out;
  const std::string_view inside = quoted_text.substr(1, quoted_text.size() - 2);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\' || i + 1 == inside.size()) {
      out += inside[i];
      continue;
    }
    constexpr std::string_view codes = "abfnrtv", meanings = "\a\b\f\n\r\t\v";
    const std::size_t code = codes.find(inside[++i]);
    out += code == std::string_view::npos ? inside[i] : meanings[code];
  }
  return out;
}

}  // namespace driftless
