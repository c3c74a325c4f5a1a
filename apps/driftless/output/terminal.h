// What is at the other end of standard output and standard error, and text for it.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::cli {

enum class When { automatic, always, never };
When when_from(std::string_view word);  // auto, always, never

// Everything for people is printed by these. Names, titles and paths may hold anything: what a terminal would obey, and
// bytes that are not UTF-8, are shown as \x1b; the colours below alone pass. Nothing is thrown if it cannot be written.
template <class... Values>
void say(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values);
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values);  // on standard output
void say_text(std::FILE* stream, std::string_view text);
void clear_line(std::FILE* stream);  // of progress

bool is_terminal(std::FILE* stream);
std::size_t terminal_width();  // of standard output, at most 100; 80 if it is no terminal

// Colours on a terminal only, never if NO_COLOR is set; --color=always insists.
void use_colours(When when);
std::string bold(std::string_view text);
std::string faint(std::string_view text);
std::string good(std::string_view text);
// For messages, on standard error.
std::string alarm(std::string_view text);
std::string caution(std::string_view text);

// Lines of at most `width` characters, broken at blanks; each begins with `indent` blanks. Ends with a line end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);
// The same with a label in the margin; one that does not fit gets a line of its own.
std::string labelled(std::string_view label, std::string_view text, std::size_t width, std::size_t indent);
std::vector<std::string_view> lines_of(std::string_view text);

// How many columns a text takes when it is said, colours not counted.
std::size_t visible_width(std::string_view text);

template <class... Values>
void say(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  say_text(stream, fmt::format(format, std::forward<Values>(values)...));
}
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  say_text(stdout, fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace driftless::cli
