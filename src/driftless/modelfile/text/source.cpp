#include "driftless/modelfile/text/source.h"

#include <algorithm>

namespace driftless {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

std::vector<std::uint32_t> find_line_begins(std::string_view text) {
  std::vector<std::uint32_t> begins{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool lone_return = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (text[i] == '\n' || lone_return) begins.push_back(static_cast<std::uint32_t>(i + 1));
  }
  return begins;
}

constexpr std::size_t block = 256;

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

std::vector<std::uint32_t> count_in_blocks(std::string_view text) {
  if (is_ascii(text)) return {};
  std::vector<std::uint32_t> before{0};
  for (std::size_t i = block; i <= text.size(); i += block) {
    before.push_back(before.back() + static_cast<std::uint32_t>(count_characters(text.substr(i - block, block))));
  }
  return before;
}

// The end of the comment or quoted thing that begins at `i`, or `i` if none does.
std::size_t skip_comment(std::string_view text, std::size_t i) {
  if (text.substr(i, 2) == "//") return std::min(text.find_first_of("\r\n", i), text.size());
  if (text.substr(i, 2) != "/*") return i;
  const std::size_t end = text.find("*/", i + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}
std::size_t skip_quoted(std::string_view text, std::size_t i) {
  if (text[i] != '"' && text[i] != '\'') return i;
  const char quote = text[i++];
  while (i < text.size() && text[i] != quote) i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

}  // namespace

std::size_t count_characters(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) { return !is_continuation(c); }));
}

Source::Source(std::string_view file, std::string_view text)
    : file_(file), text_(text), line_begins_(find_line_begins(text_)), characters_(count_in_blocks(text_)) {}

std::size_t Source::characters_before(std::size_t byte) const {
  if (characters_.empty()) return byte;
  const std::size_t whole = byte / block;
  return characters_[whole] + count_characters(text().substr(whole * block, byte - whole * block));
}

SourcePlace Source::place(SourceRange range) const {
  const std::uint32_t begin = std::min(range.begin, static_cast<std::uint32_t>(text_.size()));
  const auto next = std::upper_bound(line_begins_.begin(), line_begins_.end(), begin);
  const auto number = static_cast<std::uint32_t>(next - line_begins_.begin());
  const std::uint32_t line_begin = line_begins_[number - 1];
  const std::string_view line_text = line(number);
  const std::size_t line_end = line_begin + line_text.size();
  const std::size_t end = std::min<std::size_t>(std::max(range.end, begin), line_end);
  SourcePlace place;
  place.line = number;
  place.column = static_cast<std::uint32_t>(characters_before(begin) - characters_before(line_begin)) + 1;
  const std::size_t length = end > begin ? characters_before(end) - characters_before(begin) : 1;
  place.length = static_cast<std::uint32_t>(std::max<std::size_t>(length, 1));
  return place;
}

std::string_view Source::line(std::uint32_t number) const {
  if (number == 0 || number > line_begins_.size()) return {};
  const std::size_t begin = line_begins_[number - 1];
  std::size_t end = number < line_begins_.size() ? line_begins_[number] : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return text().substr(begin, end - begin);
}

std::string collapsed(std::string_view text, std::size_t limit) {
  std::string out;
  for (std::size_t i = 0; i < text.size() && out.size() <= limit;) {
    std::size_t next = i;
    while (next < text.size() && is_blank(text[next])) ++next;
    if (next == i) next = skip_comment(text, i);
    if (next > i) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      next = std::max(skip_quoted(text, i), i + 1);
      out += text.substr(i, next - i);
    }
    i = next;
  }
  if (out.size() > limit) {
    std::size_t cut = limit;
    while (cut > 0 && is_continuation(out[cut])) --cut;
    out.resize(cut);
    out += " ...";
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace driftless
