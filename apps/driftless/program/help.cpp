// What --help prints: usage, what it is about, options by group, examples.
#include <fmt/format.h>

#include <algorithm>

#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/command_line.h"

namespace driftless::cli {

namespace {

constexpr std::size_t margin = 28;  // for an option with its value

std::string entry(const std::string& name, std::string_view text, std::size_t width) {
  return labelled("  " + name, text, width, margin);
}

std::string spelling(const Option& option) {
  std::string result = option.letter != '\0' ? fmt::format("-{}, {}", option.letter, option.name) : option.name;
  return option.is_flag() || option.is_argument() ? result : result + " " + option.value;
}

}  // namespace

std::vector<std::string> option_groups(const Command& command) {
  std::vector<std::string> groups;
  for (const Option& option : command.options)
    if (!option.is_argument() && std::find(groups.begin(), groups.end(), option.group) == groups.end())
      groups.push_back(option.group);
  std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group != "Other"; });
  return groups;
}

std::string usage_line(const Command& command) {
  std::string line = command.name == "driftless" ? "driftless SUB-COMMAND" : "driftless " + command.name;
  for (const Option& option : command.options)
    if (option.is_argument()) line += option.required ? " " + option.name : fmt::format(" [{}]", option.name);
  return line + " [options]";
}

std::string help_entry(const std::string& name, const std::string& text) { return entry(name, text, terminal_width()); }

std::string help_text(const Command& command) {
  const std::size_t width = terminal_width();
  const std::string title = command.name == "driftless" ? "driftless" : "driftless " + command.name;
  std::string text = fmt::format("{}: {}\n\n{} {}\n", title, command.summary, bold("Usage:"), usage_line(command));
  for (const std::string_view paragraph : lines_of(command.details)) text += "\n" + wrapped(paragraph, width, 0);
  std::string arguments;
  for (const Option& option : command.options)
    if (option.is_argument()) arguments += entry(option.name, option.text, width);
  if (!arguments.empty()) text += "\n" + arguments;
  for (const std::string& group : option_groups(command)) {
    text += "\n" + bold(group) + "\n";
    for (const Option& option : command.options)
      if (option.group == group && !option.is_argument()) text += entry(spelling(option), option.text, width);
  }
  if (!command.examples.empty()) text += "\n" + bold("Examples") + "\n";
  for (const std::string_view line : lines_of(command.examples)) {
    const std::size_t comment = std::min(line.find(" #"), line.size());
    text += "  " + std::string(line.substr(0, comment)) + faint(line.substr(comment)) + '\n';
  }
  return text;
}

}  // namespace driftless::cli
