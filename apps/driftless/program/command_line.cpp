#include "apps/driftless/program/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/program/names.h"
#include "driftless/core/number_text.h"

namespace driftless::cli {

namespace {

[[noreturn]] void refuse(const Command& command, const std::string& message) {
  const bool whole = command.name == "driftless";
  throw Stop(ExitCode::usage, fmt::format("{}{}\n  try:   driftless {}--help", whole ? "" : command.name + ": ",
                                          message, whole ? "" : command.name + " "));
}

template <class Number>
Number number_from(const Command& command, const Option& option, const std::string& text, const char* kind) {
  const auto value = finite_number_in<Number>(text);
  if (!value) refuse(command, fmt::format("{} wants {}, not '{}'", option.name, kind, text));
  return *value;
}

void store(const Command& command, const Option& option, const std::string& text) {
  if (!option.choices.empty() && std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end())
    refuse(command, fmt::format("{} is one of {}, not '{}'{}", option.name, fmt::join(option.choices, ", "), text,
                                perhaps(text, option.choices)));
  struct Visitor {
    const Command& command;
    const Option& option;
    const std::string& text;
    void operator()(bool* target) const { *target = option.flag_value; }
    void operator()(std::string* target) const { *target = text; }
    void operator()(std::vector<std::string>* target) const { target->push_back(text); }
    void operator()(std::optional<double>* target) const {
      *target = number_from<double>(command, option, text, "a number");
    }
    void operator()(std::optional<std::size_t>* target) const {
      *target = number_from<std::size_t>(command, option, text, "a whole number");
    }
  };
  std::visit(Visitor{command, option, text}, option.target);
}

std::vector<std::string> names_of(const Command& command) {
  std::vector<std::string> names;
  for (const Option& option : command.options)
    if (!option.is_argument()) names.push_back(option.name);
  return names;
}

// One word or two: --name=value, --name value, -n value, -nvalue.
class Reader {
 public:
  Reader(const Command& command, const std::vector<std::string>& words) : command_(command), words_(words) {}

  void read() {
    bool only_arguments = false;
    while (next_ < words_.size()) {
      const std::string& word = words_[next_++];
      if (!only_arguments && word == "--")
        only_arguments = true;
      else if (!only_arguments && word.rfind("--", 0) == 0)
        read_long(word);
      else if (!only_arguments && word.size() > 1 && word[0] == '-')
        read_short(word);
      else
        read_argument(word);
    }
    for (const Option& option : command_.options)
      if (option.is_argument() && option.required && !filled(option))
        refuse(command_, fmt::format("{} is missing", option.name));
  }

 private:
  void read_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option* option = find_option(command_, name);
    if (option == nullptr)
      refuse(command_, fmt::format("there is no option {}{}", name, perhaps(name, names_of(command_))));
    if (option->is_flag() && equals != std::string::npos)
      refuse(command_, fmt::format("{} takes no value", option->name));
    if (option->is_flag())
      store(command_, *option, "");
    else
      store(command_, *option, equals != std::string::npos ? word.substr(equals + 1) : value_of(*option));
  }

  void read_short(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const Option* option = find_option(command_, std::string("-") + word[i]);
      if (option == nullptr) refuse(command_, fmt::format("there is no option -{}", word[i]));
      if (option->is_flag()) {
        store(command_, *option, "");
        continue;
      }
      store(command_, *option, i + 1 < word.size() ? word.substr(i + 1) : value_of(*option));
      return;
    }
  }

  void read_argument(const std::string& word) {
    for (const Option& option : command_.options) {
      if (!option.is_argument() || (filled(option) && !takes_many(option))) continue;
      store(command_, option, word);
      filled_.push_back(&option);
      return;
    }
    refuse(command_, fmt::format("cannot make sense of '{}'", word));
  }

  std::string value_of(const Option& option) {
    if (next_ == words_.size()) refuse(command_, fmt::format("{} wants a value: {}", option.name, option.value));
    return words_[next_++];
  }

  bool filled(const Option& option) const {
    return std::find(filled_.begin(), filled_.end(), &option) != filled_.end();
  }
  static bool takes_many(const Option& option) {
    return std::holds_alternative<std::vector<std::string>*>(option.target);
  }

  const Command& command_;
  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
  std::vector<const Option*> filled_;
};

}  // namespace

Option option(const std::string& spelled, Target target, std::string text, std::string group) {
  const std::size_t blank = std::min(spelled.find(' '), spelled.size() - 1);
  const bool has_value = spelled[blank] == ' ';
  return {.name = has_value ? spelled.substr(0, blank) : spelled,
          .target = target,
          .value = has_value ? spelled.substr(blank + 1) : "",
          .text = std::move(text),
          .group = std::move(group)};
}

std::vector<Option> one_after_another(std::initializer_list<std::vector<Option>> lists) {
  std::vector<Option> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

const Option* find_option(const Command& command, const std::string& word) {
  std::vector<const Option*> matches;
  for (const Option& option : command.options) {
    if (option.is_argument()) continue;
    if (option.name == word || (word.size() == 2 && option.letter == word[1])) return &option;
    if (word.size() > 2 && option.name.rfind(word, 0) == 0) matches.push_back(&option);
  }
  if (matches.size() > 1) {
    std::vector<std::string> names;
    for (const Option* option : matches) names.push_back(option->name);
    refuse(command, fmt::format("{} could be {}", word, fmt::join(names, " or ")));
  }
  return matches.empty() ? nullptr : matches.front();
}

void parse(const Command& command, const std::vector<std::string>& words) { Reader(command, words).read(); }

}  // namespace driftless::cli
