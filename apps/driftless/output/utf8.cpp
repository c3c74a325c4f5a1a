#include "apps/driftless/output/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace driftless::cli {

namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

void append_two_bytes(std::string& text, unsigned latin1) {
  text += static_cast<char>(0xC0 | latin1 >> 6);
  text += static_cast<char>(0x80 | (latin1 & 0x3F));
}

}  // namespace

Character first_character(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  const Character alone{first, 1, first < 0x80};
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length < 2 || text.size() < length) return alone;
  char32_t code = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return alone;
    code = code << 6 | (byte_at(text, i) & 0x3F);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (too_long || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return alone;
  return {code, length, true};
}

std::string utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (true) {
    const auto plain = std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    const auto length = static_cast<std::size_t>(plain - text.begin());
    result += text.substr(0, length);
    text.remove_prefix(length);
    if (text.empty()) return result;
    const Character c = first_character(text);
    if (c.valid)
      result += text.substr(0, c.length);
    else if (c.code >= 0xA0)
      append_two_bytes(result, c.code);
    else
      result += "\xEF\xBF\xBD";  // Latin-1 has no character there: U+FFFD
    text.remove_prefix(c.length);
  }
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E || code == 0x200F ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string shown(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.valid || (c.code < 0x80 && is_control(c.code) && c.code != '\n' && c.code != '\t'))
      fmt::format_to(std::back_inserter(result), "\\x{:02x}", static_cast<unsigned>(c.code));
    else if (c.code >= 0x80 && is_control(c.code))
      fmt::format_to(std::back_inserter(result), "\\u{:04x}", static_cast<unsigned>(c.code));
    else
      result += text.substr(0, c.length);
    text.remove_prefix(c.length);
  }
  return result;
}

}  // namespace driftless::cli
