// The words of the language.
#pragma once

#include <cstdint>
#include <string_view>

#include "driftless/modelfile/text/source.h"

namespace driftless {

enum class TokenKind : std::uint8_t {
  end_of_file,
  bad,  // already complained about
  identifier,
  integer_number,
  real_number,
  string,
  // punctuation
  left_parenthesis,
  right_parenthesis,
  left_bracket,
  right_bracket,
  left_brace,
  right_brace,
  comma,
  semicolon,
  colon,
  dot,
  at,
  equals,
  assign,
  plus,
  minus,
  times,
  divide,
  power,
  dot_plus,
  dot_minus,
  dot_times,
  dot_divide,
  dot_power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  // key words, in alphabetical order, first to last as in `keywords`
  key_algorithm,
  key_and,
  key_annotation,
  key_block,
  key_break,
  key_class,
  key_connect,
  key_connector,
  key_constant,
  key_constrainedby,
  key_der,
  key_discrete,
  key_each,
  key_else,
  key_elseif,
  key_elsewhen,
  key_encapsulated,
  key_end,
  key_enumeration,
  key_equation,
  key_expandable,
  key_extends,
  key_external,
  key_false,
  key_final,
  key_flow,
  key_for,
  key_function,
  key_if,
  key_import,
  key_impure,
  key_in,
  key_initial,
  key_inner,
  key_input,
  key_loop,
  key_model,
  key_not,
  key_operator,
  key_or,
  key_outer,
  key_output,
  key_package,
  key_parameter,
  key_partial,
  key_protected,
  key_public,
  key_pure,
  key_record,
  key_redeclare,
  key_replaceable,
  key_return,
  key_stream,
  key_then,
  key_true,
  key_type,
  key_when,
  key_while,
  key_within,
};

struct Token {
  TokenKind kind = TokenKind::end_of_file;
  std::uint32_t begin = 0, end = 0;
};

// As it is written in a model; for kinds with many spellings what it is called, such as "a name".
std::string_view spelling(TokenKind kind);
bool is_keyword(TokenKind kind);
// The key word that is written like this, or `identifier`.
TokenKind keyword_or_identifier(std::string_view text);

}  // namespace driftless
