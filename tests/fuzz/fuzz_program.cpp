// fuzz_program [--count N] [--seed K] [--keep FOLDER] [--seconds S] [--program FILE]
//
// Gives spoilt models to the program: check, solve, report and every analysis, each under limits of time and memory.
// Whatever the model is, the program ends by itself, in time, with an exit code that is documented and, unless that is
// 0, a sentence. A model that broke this is written to FOLDER; the seed of a model is its number: --seed 17 --count 1
// is model 17. Under the sanitizers, with their reports in files, as the program's child is silent:
//   cmake --preset asan && cmake --build --preset asan --target app_driftless
//   ASAN_OPTIONS=log_path=/tmp/asan:detect_leaks=0:report_globals=0 UBSAN_OPTIONS=log_path=/tmp/ubsan
//     build/release/bin/fuzz_program --program build/asan/bin/driftless --count 10000 --keep broken
// Without report_globals=0 a command takes three times as long, most of it to start.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "mutate.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
  std::uint64_t count = 100, seed = 1;
  double seconds = 2.0;  // that a command may take; it is ended, and wrong, after ten times that of computing
  std::string keep, program = DRIFTLESS_PROGRAM;
};

struct Outcome {
  int code = -1;  // minus the signal, if one ended it
  double seconds = 0.0;
  std::string error;
};

using Words = std::vector<std::string>;

const char* const results = "rows.h5";  // of one command, for another

const std::vector<Words>& commands() {
  static const std::vector<Words> all = {
      {"check", "model.mo"},
      {"solve", "model.mo", "--t-end", "0.5", "--output", "-"},
      {"solve", "model.mo", "--json", "--every-step", "--output", "rows.csv", "--output", results},
      {"report", results, "--output", "page.html"},
      {"init", "model.mo"},
      {"analyse", "manifold", "model.mo"},
      {"analyse", "embedding", "model.mo"},
      {"analyse", "attractor", "model.mo"},
      {"analyse", "minimise", "model.mo"},
      {"analyse", "stability", "--along", "model.mo"},
      {"analyse", "errors", "model.mo"}};
  return all;
}

std::string file_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Outcome run(Words words, const Settings& settings) {
  words.insert(words.begin(), settings.program);
  for (const std::string& word : {std::string("--max-memory"), std::string("1G"), std::string("--time-limit"),
                                  fmt::format("{}", settings.seconds)})
    words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto begin = Clock::now();
  const pid_t child = fork();
  if (child == 0) {
    const int out = open("/dev/null", O_WRONLY), err = open("stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    // Computing is what counts: on a machine that others use, too, the clock tells little.
    const auto most = static_cast<unsigned>(10.0 * settings.seconds) + 1;
    const rlimit computing{most, most};
    setrlimit(RLIMIT_CPU, &computing);
    alarm(10 * most);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), elapsed(), file_text("stderr.txt")};
}

// Empty if it ended as it should.
std::string what_is_wrong(const Outcome& outcome) {
  if (outcome.code == -SIGALRM || outcome.code == -SIGXCPU || outcome.code == -SIGKILL)
    return fmt::format("it did not end within {:.1f} s", outcome.seconds);
  if (outcome.code < 0) return fmt::format("signal {}", -outcome.code);
  const bool documented =
      outcome.code == 0 || (outcome.code >= 2 && outcome.code <= 6) || (outcome.code >= 10 && outcome.code <= 22);
  if (!documented) return fmt::format("exit code {}", outcome.code);
  const bool said = outcome.error.find("driftless: ") != std::string::npos;
  return outcome.code != 0 && !said ? fmt::format("exit code {} without a sentence", outcome.code) : "";
}

struct Tally {
  std::uint64_t models = 0, runs = 0, wrong = 0;
  std::map<int, std::uint64_t> codes;
  double slowest = 0.0;
  std::string slowest_command;
};

// A text that cannot be read is the same to all commands: one of them is enough.
void try_model(std::uint64_t seed, const Settings& settings, Tally& tally) {
  std::mt19937_64 random(seed);
  const std::string text = spoilt_model(random);
  std::ofstream("model.mo", std::ios::binary) << text;
  const std::size_t other = 1 + random() % (commands().size() - 1);
  bool readable = true;
  std::filesystem::remove(results);
  for (std::size_t k = 0; k < commands().size(); ++k) {
    if (!readable && k != other) continue;
    if (commands()[k][0] == "report" && !std::filesystem::exists(results)) continue;
    const Outcome outcome = run(commands()[k], settings);
    if (k == 0) readable = outcome.code != 4 && outcome.code != 5 && outcome.code != 6;
    ++tally.runs;
    ++tally.codes[outcome.code];
    if (outcome.seconds > tally.slowest) {
      tally.slowest = outcome.seconds;
      tally.slowest_command = fmt::format("{}, seed {}", fmt::join(commands()[k], " "), seed);
    }
    const std::string wrong = what_is_wrong(outcome);
    if (wrong.empty()) continue;
    ++tally.wrong;
    fmt::print("seed {}, {}: {}\n{}\n", seed, fmt::join(commands()[k], " "), wrong, outcome.error.substr(0, 400));
    if (!settings.keep.empty()) std::ofstream(fmt::format("{}/{}.mo", settings.keep, seed), std::ios::binary) << text;
  }
  ++tally.models;
}

bool parse(int count, char** words, Settings& settings) {
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = words[i], value = words[i + 1];
    const auto read = [&](auto& target) {
      return std::from_chars(value.data(), value.data() + value.size(), target).ec == std::errc();
    };
    const bool known = name == "--count"     ? read(settings.count)
                       : name == "--seed"    ? read(settings.seed)
                       : name == "--seconds" ? read(settings.seconds)
                       : name == "--program" ? !(settings.program = std::filesystem::absolute(value)).empty()
                       : name == "--keep"    ? !(settings.keep = std::filesystem::absolute(value)).empty()
                                             : false;
    if (!known) return false;
  }
  return count % 2 == 1;
}

}  // namespace

int main(int count, char** words) {
  Settings settings;
  if (!parse(count, words, settings)) {
    fmt::print("usage: fuzz_program [--count N] [--seed K] [--seconds S] [--keep FOLDER] [--program FILE]\n");
    return 2;
  }
  if (!settings.keep.empty()) std::filesystem::create_directories(settings.keep);
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("fuzz_program_{}", getpid());
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  Tally tally;
  for (std::uint64_t seed = settings.seed; seed < settings.seed + settings.count; ++seed)
    try_model(seed, settings, tally);
  std::filesystem::current_path("/");
  std::filesystem::remove_all(folder);
  std::vector<std::string> codes;
  for (const auto& [code, times] : tally.codes) codes.push_back(fmt::format("{}: {}", code, times));
  fmt::print("{} models, {} runs, {} wrong; exit codes {}\nslowest {:.2f} s: {}\n", tally.models, tally.runs,
             tally.wrong, fmt::join(codes, ", "), tally.slowest, tally.slowest_command);
  return tally.wrong == 0 ? 0 : 1;
}
