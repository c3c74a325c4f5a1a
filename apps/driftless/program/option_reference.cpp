// The page docs/options.md: every sub-command with its options, from the records that parse the command line.
#include <fmt/format.h>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/program.h"

namespace driftless::cli {

namespace {

constexpr std::size_t page_width = 120;

// Outside of code Markdown would take these for its own.
std::string plain(std::string_view text) {
  std::string result;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (!code && std::string_view("*<>[]\\").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string item(const Option& option) {
  const std::string value = option.is_flag() || option.is_argument() ? "" : " " + option.value;
  const std::string letter = option.letter != '\0' ? fmt::format(", `-{}`", option.letter) : "";
  std::string text =
      wrapped(fmt::format("`{}{}`{}: {}", option.name, value, letter, plain(option.text)), page_width, 2);
  text[0] = '-';
  return text;
}

std::string options_by_group(const Command& command) {
  std::string text, arguments;
  for (const Option& option : command.options)
    if (option.is_argument()) arguments += item(option);
  if (!arguments.empty()) text += "\n" + arguments;
  for (const std::string& group : option_groups(command)) {
    text += fmt::format("\n{}:\n\n", group);
    for (const Option& option : command.options)
      if (option.group == group && !option.is_argument()) text += item(option);
  }
  return text;
}

std::string chapter(const Command& command) {
  std::string text = fmt::format("\n## {}\n\n", command.name);
  text += wrapped(fmt::format("`{}`: {}.", usage_line(command), plain(command.summary)), page_width);
  for (const std::string_view paragraph : lines_of(command.details))
    text += "\n" + wrapped(plain(paragraph), page_width);
  text += options_by_group(command);
  if (!command.examples.empty()) text += "\nExamples:\n\n";
  for (const std::string_view line : lines_of(command.examples)) text += fmt::format("    {}\n", line);
  return text;
}

}  // namespace

std::string option_reference() {
  GlobalOptions global;
  std::string text =
      "# Options\n\n"
      "All options of all sub-commands. `driftless help --markdown` prints this page from the records that the program "
      "itself\nuses; a test compares them. [command_line.md](command_line.md) explains what files and exit codes "
      "mean.\n\n"
      "Every sub-command has these:\n\n";
  for (const Option& option : global_options(global)) text += item(option);
  for (const Command& command : all_commands())
    if (!command.hidden) text += chapter(command);
  return text;
}

}  // namespace driftless::cli
