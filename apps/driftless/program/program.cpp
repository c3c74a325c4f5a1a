#include "apps/driftless/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/streams.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/interrupt.h"
#include "apps/driftless/program/limits.h"
#include "apps/driftless/program/names.h"
#include "apps/driftless/program/watch.h"
#include "driftless/core/memory.h"

namespace driftless::cli {

namespace {

Command whole_program(GlobalOptions& global) {
  return {.name = "driftless",
          .summary = "differential-algebraic equations of index 1, 2 and 3, without drift",
          .details =
              "Write the equations of a mechanism, a circuit or a process down as flat Modelica, and run them. "
              "No index reduction by hand, no initial multipliers, no step sizes.",
          .examples =
              "driftless new swing                          # writes swing.mo, a commented model to start from\n"
              "driftless check swing.mo                     # index, structure, consistency of the start\n"
              "driftless solve swing.mo --output swing.csv  # a table for pandas, R, gnuplot, a spreadsheet\n"
              "driftless solve problem:car_axis             # a reference problem, beside its trusted digits",
          .options = global_options(global),
          .run = {}};
}

std::string overview(GlobalOptions& global) {
  std::string list = bold("Sub-commands") + "\n";
  for (const Command& command : all_commands())
    if (!command.hidden) list += help_entry(command.name, command.summary);
  std::string text = help_text(whole_program(global));
  text.insert(text.find(bold("Options")), list + "\n");
  return text +
         "\n`driftless SUB-COMMAND --help` has the options of a sub-command, `driftless explain` the exit codes.\n";
}

std::string group_overview(const std::string& group) {
  std::string text = fmt::format("{} driftless {} SUB-COMMAND [options]\n\n", bold("Usage:"), group);
  for (const Command& command : members_of(group)) text += help_entry(command.name, command.summary);
  return text + fmt::format("\n`driftless {} SUB-COMMAND --help` has the options.\n", group);
}

// Of the options that may come before a sub-command: whether the next word is its value.
bool takes_next_word(const std::string& word) {
  GlobalOptions ignored;
  const auto all = global_options(ignored);
  return std::any_of(all.begin(), all.end(),
                     [&](const Option& option) { return option.name == word && !option.is_flag(); });
}

// Takes the first word that is no option out of a command line; empty if there is none.
std::string take_name(std::vector<std::string>& words) {
  auto first = words.begin();
  while (first != words.end() && first->rfind("-", 0) == 0)
    first += takes_next_word(*first) && first + 1 != words.end() ? 2 : 1;
  if (first == words.end()) return {};
  std::string name = std::move(*first);
  words.erase(first);
  return name;
}

bool wants_help(const std::vector<std::string>& words) {
  const auto end_of_options = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end_of_options, [](const auto& w) { return w == "--help" || w == "-h"; });
}

// The name of a sub-command, of one word or two. A group without a member gets its list.
std::string name_of_command(std::vector<std::string>& words) {
  std::string name = take_name(words);
  if (name.empty() || members_of(name).empty()) return name;
  const std::string member = take_name(words);
  if (!member.empty()) return name + " " + member;
  if (!wants_help(words)) {
    say(stderr, "{}\n", group_overview(name));
    throw Stop(ExitCode::usage, fmt::format("{}: a sub-command is missing", name));
  }
  return name;
}

void print_error(const std::string& message) { say(stderr, "{} {}\n", alarm("driftless:"), message); }

// --json, or what is short for it.
bool wants_json(const std::vector<std::string>& words) {
  const auto end_of_options = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end_of_options, [](const std::string& word) {
    return word.size() > 2 && std::string_view("--json").substr(0, word.size()) == word;
  });
}

// A reader that has seen enough, `| head`, is no error: the program ends as any other does then, its files written.
ExitCode after_output(ExitCode code) {
  const int error = output_error();
  if (error == EPIPE && code == ExitCode::ok) end_by_broken_pipe();
  if (error == 0 || (error == EPIPE && code != ExitCode::ok)) return code;
  print_error(fmt::format("standard output could not be written: {}", std::strerror(error)));
  return code == ExitCode::ok ? ExitCode::file : code;
}

ExitCode run_watched(const Command& command, const GlobalOptions& global) {
  set_limits(limits_from(global.max_memory, global.max_work, global.time_limit));
  const Watch watch(command.name, when_from(global.progress), limits().seconds);
  return command.run();
}

// What was asked for did not come to its end, and there is nothing to write.
std::string stopped_message() {
  const char* phase = last_phase();
  return fmt::format("stopped{}: {}", phase == nullptr ? "" : fmt::format(" ({})", phase), stop_reason());
}

// One JSON object where that is asked for, as on every other path.
ExitCode tell_help(const std::string& text, const std::vector<std::string>& words) {
  if (wants_json(words))
    answer({{"status", explanation_of(ExitCode::ok).name}, {"help", text}});
  else
    say("{}", text);
  return ExitCode::ok;
}

ExitCode run(std::vector<std::string> words, GlobalOptions& global) {
  if (words == std::vector<std::string>{"help", "--markdown"}) return tell_help(option_reference(), words);
  // `driftless help solve` is what people type, too.
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  const std::string name = name_of_command(words);
  const bool has_command = !name.empty();
  // Help first: who asks for it has perhaps not written the rest yet.
  global.help = wants_help(words);
  if (global.help && !members_of(name).empty()) return tell_help(group_overview(name), words);
  const Command command = has_command ? command_named(name, global) : whole_program(global);
  if (global.help) return tell_help(has_command ? help_text(command) : overview(global), words);
  parse(command, words);
  use_colours(when_from(global.colour));
  if (global.version) {
    say("driftless {}\n", DRIFTLESS_VERSION);
    return ExitCode::ok;
  }
  if (has_command) return run_watched(command, global);
  say(stderr, "{}\n", overview(global));
  throw Stop(ExitCode::usage, "a sub-command is missing");
}

}  // namespace

std::vector<Option> global_options(GlobalOptions& target) {
  const std::vector<std::string> when = {"auto", "always", "never"};
  return {{.name = "--help", .target = &target.help, .text = "this text", .group = "Options", .letter = 'h'},
          option("--version", &target.version, "the version", "Options"),
          {.name = "--color",
           .target = &target.colour,
           .value = "WHEN",
           .text = "auto (on a terminal, the default), always, never",
           .group = "Options",
           .choices = when},
          {.name = "--progress",
           .target = &target.progress,
           .value = "WHEN",
           .text = "a line that shows what is done and how far it is: auto (on a terminal after a second, the "
                   "default), always, never",
           .group = "Options",
           .choices = when},
          option("--max-memory SIZE", &target.max_memory,
                 "how much memory it may take: 500M, 8G (default: three quarters of the machine's)", "Options"),
          option("--max-work N", &target.max_work,
                 "how many evaluations the loops, arrays and functions of a model may take while it is read "
                 "(default: 2e8, and more for a large model)",
                 "Options"),
          option("--time-limit SECONDS", &target.time_limit,
                 "stop after so long, as Ctrl-C does: what was computed is written (default: none)", "Options")};
}

std::vector<Command> members_of(const std::string& group) {
  std::vector<Command> members = all_commands();
  std::erase_if(members, [&](const Command& command) { return command.name.rfind(group + " ", 0) != 0; });
  return members;
}

Command command_named(const std::string& name, GlobalOptions& global) {
  std::vector<std::string> names;
  for (Command& command : all_commands()) {
    if (command.name == name) {
      for (Option& option : global_options(global)) {
        option.group = "Other";
        if (option.name != "--version") command.options.push_back(std::move(option));
      }
      return std::move(command);
    }
    if (!command.hidden) names.push_back(command.name);
  }
  throw Stop(ExitCode::usage,
             fmt::format("there is no sub-command '{}'{}\n  try:   driftless --help", name, perhaps(name, names)));
}

int run_program(std::vector<std::string> words) {
  hold_standard_streams();
  catch_signals();
  use_colours(When::automatic);
  const bool json = wants_json(words);
  tell_end_in_json(json);
  GlobalOptions global;
  ExitCode code = ExitCode::internal_error;
  std::string message;
  try {
    code = run(std::move(words), global);
  } catch (const Stop& stop) {
    code = stop.code();
    message = stop.what();
  } catch (const Misuse& misuse) {
    code = ExitCode::usage;
    message = misuse.what();
  } catch (const RefusedModel& refused) {
    code = exit_code_of(refused.stage());
    message = refused.what();
  } catch (const FailedRun& failed) {
    code = exit_code_of(failed.failure().kind);
    message = failed.what();
  } catch (const Stopped&) {
    code = stop_code();
    message = stopped_message();
  } catch (const OutOfMemory& refusal) {
    code = ExitCode::limit;
    message = memory_message(refusal.what(), last_phase());
  } catch (const std::bad_alloc&) {
    code = ExitCode::limit;
    message = memory_message("", last_phase());
  } catch (const std::system_error& error) {
    const bool no_thread = error.code() == std::errc::resource_unavailable_try_again;
    if (no_thread) code = ExitCode::limit;
    message = no_thread ? memory_message("no memory left for another thread", last_phase()) : error.what();
  } catch (const std::exception& error) {
    message = error.what();
  }
  const Interrupt interrupt;  // what is left to be said is said
  tell_end_in_json(false);
  if (!message.empty()) {
    const bool in_a_run = static_cast<int>(code) >= static_cast<int>(ExitCode::not_finite);
    print_error(in_a_run ? message + "\n  more:  driftless explain " + explanation_of(code).name : message);
    if (json) answer({{"status", explanation_of(code).name}, {"message", message}});
  }
  put(stdout, take_answer());
  return static_cast<int>(after_output(code));
}

}  // namespace driftless::cli
