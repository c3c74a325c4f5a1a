// Sub-commands and their options as records that document themselves: for the parser, for --help and for completion.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apps/driftless/program/exit_codes.h"

namespace driftless::cli {

// Where the value of an option goes; a vector takes the option any number of times.
using Target =
    std::variant<bool*, std::string*, std::optional<double>*, std::optional<std::size_t>*, std::vector<std::string>*>;

struct Option {
  std::string name;  // "--output"; an argument has none of the dashes: "MODEL"
  Target target;
  std::string value = {};  // what --help calls the value: "FILE"; empty for flags
  std::string text = {};   // what it does, for --help
  std::string group = "Other";
  char letter = '\0';  // 'o' for -o
  bool flag_value = true;
  bool required = false;                  // arguments only
  std::vector<std::string> choices = {};  // if not empty, nothing else is allowed
  // What a shell may offer beside the choices.
  std::function<std::vector<std::string>()> words = {};
  std::vector<std::string> file_endings = {};  // files with these endings

  bool is_argument() const { return name[0] != '-'; }
  bool is_flag() const { return std::holds_alternative<bool*>(target); }
};

// The usual one: "--points N", or "--json" for a flag, which takes no value.
Option option(const std::string& spelled, Target target, std::string text, std::string group = "Other");
std::vector<Option> one_after_another(std::initializer_list<std::vector<Option>> lists);

struct Command {
  std::string name;
  std::string summary = {};   // one line, no full stop
  std::string details = {};   // paragraphs, one per line
  std::string examples = {};  // lines "command   # what it does"
  std::vector<Option> options = {};
  std::function<ExitCode()> run = {};
  bool hidden = false;  // not in the help
};

// Puts the values into their targets. GNU: --name=value and --name value, -n value and -nvalue, names shortened as long
// as they are unique, options and arguments in any order, everything after -- an argument. Stop with a suggestion for
// what it does not know.
void parse(const Command& command, const std::vector<std::string>& words);

// The option that a word such as "--out" or "-o" names; null if there is none, Stop if there are several.
const Option* find_option(const Command& command, const std::string& word);

// The text of --help.
std::string help_text(const Command& command);
std::string help_entry(const std::string& name, const std::string& text);  // one line of a list in it
std::string usage_line(const Command& command);
std::vector<std::string> option_groups(const Command& command);  // in the order in which they are shown

}  // namespace driftless::cli
