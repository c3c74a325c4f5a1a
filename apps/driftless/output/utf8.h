// Text from files and command lines: bytes that may be anything, as UTF-8 that readers and terminals can take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace driftless::cli {

// The character at the beginning of `text`, which is not empty. One byte and not valid where it is not UTF-8.
struct Character {
  char32_t code;
  std::size_t length;
  bool valid;
};
Character first_character(std::string_view text);

// Valid UTF-8: a byte that is not, is read as Latin-1, which is what it mostly is.
std::string utf8(std::string_view text);

// Whether a terminal obeys it instead of showing it: control characters, and those that turn the direction of writing.
bool is_control(char32_t code);

// For a terminal: what it would obey, and bytes that are not UTF-8, as \x1b, \u202e, \xe9. Line ends and tabs stay.
std::string shown(std::string_view text);

}  // namespace driftless::cli
