#include "apps/driftless/output/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "apps/driftless/output/streams.h"
#include "apps/driftless/output/utf8.h"

namespace driftless::cli {

namespace {

bool colours_out = false, colours_err = false;

// What colours begin with until they are printed: no text can hold a number that is drawn when the program starts.
const std::string& colour_mark() {
  static const std::string mark = fmt::format("\033{:08x}{:08x};", std::random_device()(), std::random_device()());
  return mark;
}

std::string painted(bool paint, const char* code, std::string_view text) {
  return paint ? fmt::format("{0}{1}m{2}{0}0m", colour_mark(), code, text) : std::string(text);
}

// Calls either of the two for each piece: text, or what comes behind a mark, up to and with its 'm'.
void for_each_piece(std::string_view text, auto plain, auto colour) {
  while (true) {
    const std::size_t begin = text.find(colour_mark());
    plain(text.substr(0, begin));
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin + colour_mark().size());
    const std::size_t end = text.find('m') + 1;
    colour(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

void say_text(std::FILE* stream, std::string_view text) {
  std::string all;
  for_each_piece(
      text, [&](std::string_view piece) { all += shown(piece); },
      [&](std::string_view code) { all.append("\033[").append(code); });
  if (stream == stderr) output_error();  // what was said before comes before
  put(stream, all);
}

void clear_line(std::FILE* stream) { put(stream, "\r\033[K"); }

When when_from(std::string_view word) {
  return word == "always" ? When::always : word == "never" ? When::never : When::automatic;
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

std::size_t terminal_width() {
  winsize size{};
  if (is_terminal(stdout) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp<std::size_t>(size.ws_col, 40, 100);
  return 80;
}

void use_colours(When when) {
  const char* no_colour = std::getenv("NO_COLOR");
  const bool unwanted = no_colour != nullptr && *no_colour != '\0';
  const auto choose = [&](std::FILE* stream) {
    return when == When::always || (when == When::automatic && !unwanted && is_terminal(stream));
  };
  colours_out = choose(stdout);
  colours_err = choose(stderr);
}

std::string bold(std::string_view text) { return painted(colours_out, "1", text); }
std::string faint(std::string_view text) { return painted(colours_out, "2", text); }
std::string good(std::string_view text) { return painted(colours_out, "32", text); }
std::string alarm(std::string_view text) { return painted(colours_err, "1;31", text); }
std::string caution(std::string_view text) { return painted(colours_err, "1;33", text); }

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = width;  // full: the first word begins a line
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) break;
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    const std::size_t length = visible_width(word);
    if (column + 1 + length > width) {
      if (!result.empty()) result += '\n';
      result += std::string(indent, ' ');
      column = indent;
    } else {
      result += ' ';
      ++column;
    }
    result += word;
    column += length;
  }
  return result + '\n';
}

std::string labelled(std::string_view label, std::string_view text, std::size_t width, std::size_t indent) {
  const std::string body = wrapped(text, width, indent);
  const std::size_t length = visible_width(label);
  if (length + 1 > indent) return std::string(label) + '\n' + body;
  return std::string(label) + body.substr(std::min(length, body.size()));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t visible_width(std::string_view text) {
  std::size_t width = 0;
  const auto count = [&](std::string_view piece) {
    for (const char letter : shown(piece))
      if ((static_cast<unsigned char>(letter) & 0xC0) != 0x80) ++width;  // not inside a character of UTF-8
  };
  for_each_piece(text, count, [](std::string_view) {});
  return width;
}

}  // namespace driftless::cli
