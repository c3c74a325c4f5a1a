// fuzz_answers [--seed S] [--count N] [--program PATH] [--keep FOLDER] [--piece KIND] [--refused PERCENT]
// [--show-refused 1] [--print 1]
//              [--shrink 0]
//
// Makes models with known solutions, from the seeds S, S + 1, ..., solves each with the program's default options, and
// compares every unknown. A wrong answer is made smaller as long as it stays wrong, printed, and kept in FOLDER with
// the values that are right. Refusals are counted by message, and shown if wanted; more than PERCENT of a hundred fail.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>

#include "judge.h"
#include "plan.h"
#include "tally.h"

namespace {

using namespace driftless::fuzz;

struct Settings {
  std::uint64_t seed = 1, count = 1000;
  double refused = 2.0;
  bool print = false, shrink = true, show_refused = false;
  std::string program = DRIFTLESS_PROGRAM, keep, piece;
};

std::optional<Settings> parse_arguments(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = arguments[i];
    if (i + 1 == count) return std::nullopt;
    const std::string_view value = arguments[i + 1];
    const auto read = [&](auto& target) {
      return std::from_chars(value.data(), value.data() + value.size(), target).ec == std::errc();
    };
    int flag = 1;
    bool known = true;
    if (name == "--seed") {
      known = read(settings.seed);
    } else if (name == "--count") {
      known = read(settings.count);
    } else if (name == "--refused") {
      known = read(settings.refused);
    } else if (name == "--program") {
      settings.program = value;
    } else if (name == "--keep") {
      settings.keep = value;
    } else if (name == "--piece") {
      settings.piece = value;
      known = is_kind(settings.piece);
    } else if (name == "--print") {
      known = read(flag);
      settings.print = flag != 0;
    } else if (name == "--show-refused") {
      known = read(flag);
      settings.show_refused = flag != 0;
    } else if (name == "--shrink") {
      known = read(flag);
      settings.shrink = flag != 0;
    } else {
      known = false;
    }
    if (!known) return std::nullopt;
  }
  return settings;
}

// As small as its verdict stays the same: the first plan with less in it, again and again.
Plan shrunk(Plan plan, const Judge& judge, Verdict::Kind kind) {
  for (bool progress = true; progress;) {
    progress = false;
    for (const Plan& candidate : smaller(plan)) {
      const Made made = make(candidate);
      if (judge.judge(made.model, made.text).kind != kind) continue;
      plan = candidate;
      progress = true;
      break;
    }
  }
  return plan;
}

void report(const Settings& settings, const Judge& judge, const Plan& plan, const Verdict& verdict) {
  fmt::print("{}: seed {}: {}\n  {}\n", verdict.wrong() ? "wrong" : "refused", plan.seed, describe(plan),
             verdict.message);
  if (!settings.shrink) return;
  const Plan small = shrunk(plan, judge, verdict.kind);
  const Made made = make(small);
  const Verdict now = judge.judge(made.model, made.text), sharp = judge.judge(made.model, made.text, 1e-9);
  fmt::print("  made smaller: {}\n  {}\n  with a relative tolerance of 1e-9: {}\n{}\n", describe(small), now.message,
             sharp.message.empty() ? "right" : sharp.message, made.text);
  if (settings.keep.empty()) return;
  std::filesystem::create_directories(settings.keep);
  std::ofstream file(fmt::format("{}/seed_{}.mo", settings.keep, plan.seed));
  file << fmt::format("// {}\n// {}\n{}", describe(small), std::regex_replace(now.message, std::regex("\n"), "\n// "),
                      made.text);
  for (const auto& unknown : made.model.unknowns)
    file << fmt::format("// {} = {} at the end\n", unknown->name,
                        unknown->unit * value(unknown->exact, made.model.end()));
}

Verdict try_one(const Settings& settings, const Judge& judge, std::uint64_t seed) {
  const Plan plan = plan_for(seed, settings.piece);
  const Made made = make(plan);
  if (settings.print) fmt::print("// seed {}: {}\n{}", seed, describe(plan), made.text);
  const Verdict verdict = judge.judge(made.model, made.text);
  const bool refused = verdict.kind == Verdict::Kind::refused;
  if (verdict.wrong() || (refused && settings.show_refused)) report(settings, judge, plan, verdict);
  return verdict;
}

}  // namespace

int main(int count, char** arguments) {
  const std::optional<Settings> settings = parse_arguments(count, arguments);
  if (!settings) {
    fmt::print(
        "usage: fuzz_answers [--seed S] [--count N] [--program PATH] [--keep FOLDER] [--piece KIND] [--refused "
        "PERCENT] "
        "[--show-refused 1] [--print 1] [--shrink 0]\n");
    return 2;
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("fuzz_answers_{}", getpid());
  std::filesystem::create_directories(folder);
  const Judge judge(settings->program, folder.string());
  Tally tally;
  for (std::uint64_t seed = settings->seed; seed < settings->seed + settings->count; ++seed)
    tally.count(seed, try_one(*settings, judge, seed));
  std::filesystem::remove_all(folder);
  tally.print();
  return tally.passed(settings->refused) ? 0 : 1;
}
