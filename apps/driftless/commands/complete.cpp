// driftless complete: what the scripts in completions/ ask for; one candidate per line.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/output/streams.h"
#include "apps/driftless/program/program.h"

namespace driftless::cli {

namespace {

using Words = std::vector<std::string>;

// Files and folders that begin like `word` and may be meant.
Words files_like(const std::string& word, const std::vector<std::string>& endings) {
  Words found;
  const std::filesystem::path begin(word);
  const std::filesystem::path folder = begin.has_parent_path() ? begin.parent_path() : ".";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name =
        begin.has_parent_path() ? (folder / entry.path().filename()).string() : entry.path().filename().string();
    if (entry.path().filename().string()[0] == '.') continue;
    const std::string ending = entry.path().extension();
    if (entry.is_directory(error))
      found.push_back(name + "/");
    else if (std::find(endings.begin(), endings.end(), ending) != endings.end())
      found.push_back(name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Words values_of(const Option& option, const std::string& word) {
  Words values = option.choices;
  if (option.words) values = option.words();
  if (!option.file_endings.empty())
    for (std::string& file : files_like(word, option.file_endings)) values.push_back(std::move(file));
  return values;
}

const Option* option_named(const Command& command, const std::string& word) {
  try {
    return find_option(command, word);
  } catch (const Stop&) {
    return nullptr;  // could be several: nothing to offer
  }
}

// `words` after the name of the sub-command; the last one is being written.
Words candidates(const Command& command, const Words& words) {
  const std::string& word = words.back();
  const std::size_t equals = word.find('=');
  if (word.rfind("--", 0) == 0 && equals != std::string::npos) {
    Words result;
    const Option* option = option_named(command, word.substr(0, equals));
    if (option == nullptr) return {};
    for (const std::string& value : values_of(*option, word.substr(equals + 1)))
      result.push_back(option->name + "=" + value);
    return result;
  }
  if (words.size() > 1 && words[words.size() - 2].starts_with('-')) {
    const Option* option = option_named(command, words[words.size() - 2]);
    if (option != nullptr && !option->is_flag()) return values_of(*option, word);
  }
  Words result;
  for (const Option& option : command.options)
    if (option.is_argument() != word.starts_with('-'))
      for (std::string& value : option.is_argument() ? values_of(option, word) : Words{option.name})
        result.push_back(std::move(value));
  return result;
}

// The first words of the names of sub-commands, groups once.
Words first_words() {
  Words result;
  for (const Command& command : all_commands()) {
    const std::string word = command.name.substr(0, command.name.find(' '));
    if (!command.hidden && (result.empty() || result.back() != word)) result.push_back(word);
  }
  return result;
}

Words offered_after(const Words& words) {
  GlobalOptions unused;
  if (words.size() == 1) {
    Words offered = first_words();
    for (const Option& option : global_options(unused)) offered.push_back(option.name);
    return offered;
  }
  const std::vector<Command> members = members_of(words[0]);
  if (words.size() == 2 && !members.empty()) {
    Words offered;
    for (const Command& member : members) offered.push_back(member.name.substr(words[0].size() + 1));
    return offered;
  }
  const std::string name = members.empty() ? words[0] : words[0] + " " + words[1];
  try {
    return candidates(command_named(name, unused), {words.begin() + (members.empty() ? 1 : 2), words.end()});
  } catch (const Stop&) {
    return {};  // no such sub-command: nothing to offer
  }
}

ExitCode complete(const Words& words) {
  if (words.empty()) return ExitCode::ok;
  Words printed;  // two arguments may offer the same file
  for (const std::string& candidate : offered_after(words)) {
    if (candidate.rfind(words.back(), 0) != 0 || std::find(printed.begin(), printed.end(), candidate) != printed.end())
      continue;
    put(stdout, candidate + '\n');  // for the shell, which wants names as they are
    printed.push_back(candidate);
  }
  return ExitCode::ok;
}

}  // namespace

Command complete_command() {
  const auto words = std::make_shared<Words>();
  return {.name = "complete",
          .summary = "what may come next on a command line, for the completion of shells",
          .details = "The last word is the one being written. The scripts in completions/ call this.",
          .examples = "driftless complete -- solve --meth",
          .options = {{.name = "WORD", .target = words.get(), .text = "the words after `driftless`"}},
          .run = [words] { return complete(*words); },
          .hidden = true};
}

}  // namespace driftless::cli
