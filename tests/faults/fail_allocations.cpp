// fail_allocations [--points N] [--seed K] [--scenario NAME] [--show 1]
//
// Every allocation may fail. Runs the program again and again, each time with another one of its allocations failing
// once (fail_allocation.c), N of them spread evenly over each scenario. A run may survive, with the output that it has
// without a failure, or end with a sentence and a documented exit code; it may not crash, hang, leave a part of a file
// behind or replace a file by one that is not whole.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr const char* program = DRIFTLESS_PROGRAM;
constexpr const char* models = DRIFTLESS_SOURCE_DIR "/examples/models/";

struct Scenario {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs = {};
  unsigned long in_child = 0;  // allocations of its child, which are not counted, about
};

std::vector<Scenario> scenarios() {
  const std::string pendulum = std::string(models) + "pendulum_schropp.mo",
                    wall = std::string(models) + "pendulum_wall.mo";
  return {{"read", {"check", wall, "--json"}},
          {"csv", {"solve", wall, "--t-end", "2", "-o", "a.csv", "--no-metadata"}, {"a.csv"}},
          {"radau", {"solve", pendulum, "--method", "radau", "-o", "a.csv", "--no-metadata"}, {"a.csv"}},
          {"hdf5", {"solve", pendulum, "-o", "a.h5"}, {"a.h5"}, 3000},
          {"page", {"solve", pendulum, "--report", "a.html"}, {"a.html"}},
          {"report", {"report", "../result.h5", "-o", "a.html"}, {"a.html"}, 3000},
          {"analysis",
           {"analyse", "manifold", "problem:mms_index2_gamma", "--method", "radau-iia-2", "--step-sizes", "0.01",
            "--points", "1", "--threads", "2"}},
          {"pencil", {"analyse", "pencil", "../large.csv", "../large.csv"}},
          {"wrong", {"solve", "nowhere.mo"}}};
}

struct Outcome {
  int status = 0;
  std::string err;
};

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Outcome run(const Scenario& scenario, const std::string& wish) {
  std::fflush(nullptr);  // or the child writes it again
  const pid_t pid = fork();
  if (pid == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    alarm(120);
    setenv("LD_PRELOAD", FAIL_ALLOCATION_LIBRARY, 1);
    setenv("FAIL_ALLOCATION", wish.c_str(), 1);
    if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr)) _exit(127);
    std::vector<char*> words{const_cast<char*>(program)};
    for (const std::string& word : scenario.arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(program, words.data());
    _exit(127);
  }
  Outcome outcome;
  waitpid(pid, &outcome.status, 0);
  outcome.err = text_of("err");
  return outcome;
}

// Times of day and of the run differ from one run to the next.
bool same(const std::string& name, const std::string& before, const std::string& now) {
  if (name.ends_with(".csv")) return before == now;
  return now.size() + 4096 > before.size() && now.size() < before.size() + 4096;
}

// What is wrong with the end of a run; empty: nothing.
std::string complaint(const Scenario& scenario, const Outcome& outcome, int expected,
                      const std::map<std::string, std::string>& before) {
  if (WIFSIGNALED(outcome.status)) return fmt::format("it dies of signal {}", WTERMSIG(outcome.status));
  for (const auto& entry : fs::directory_iterator("."))
    if (entry.path().string().find(".partial") != std::string::npos)
      return "it leaves " + entry.path().filename().string() + " behind";
  for (const std::string& name : scenario.outputs)
    if (fs::exists(name) && !same(name, before.at(name), text_of(name))) return name + " is not whole";
  const int code = WEXITSTATUS(outcome.status);
  if (code == expected) {
    for (const std::string& name : scenario.outputs)
      if (!fs::exists(name)) return fmt::format("it says that all is well, but there is no {}", name);
    return {};
  }
  if (outcome.err.find("driftless:") == std::string::npos) return fmt::format("it ends with {} and no sentence", code);
  if (code == 1 && outcome.err.find("no memory left") == std::string::npos)
    return fmt::format("it ends with 1: {}", outcome.err);
  return code < 1 || code > 22 ? fmt::format("it ends with {}", code) : std::string();
}

void prepare(const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::current_path(folder);
}

// So many rows that singular values are computed in another way than those of small matrices.
void write_large_matrix(const fs::path& path) {
  std::ofstream file(path);
  for (int i = 0; i < 45; ++i)
    for (int j = 0; j < 45; ++j) file << (i == j ? 10 : (7 * i + 3 * j) % 5) << (j < 44 ? "," : "\n");
}

struct Settings {
  std::size_t points = 100, seed = 1, show = 0;
  std::string scenario;
};

std::optional<Settings> parse_arguments(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i], value = arguments[i + 1];
    std::size_t* target = name == "--points" ? &settings.points
                          : name == "--seed" ? &settings.seed
                          : name == "--show" ? &settings.show
                                             : nullptr;
    if (name == "--scenario")
      settings.scenario = value;
    else if (!target || std::from_chars(value.data(), value.data() + value.size(), *target).ec != std::errc())
      return std::nullopt;
  }
  return count % 2 == 1 ? std::optional(settings) : std::nullopt;
}

// How many runs were wrong.
std::size_t attack(const Scenario& scenario, const Settings& settings, const fs::path& folder) {
  prepare(folder / "before");
  const Outcome normal = run(scenario, "count=../count");
  std::map<std::string, std::string> before;
  for (const std::string& name : scenario.outputs) before[name] = text_of(name);
  const unsigned long total = std::stoul("0" + text_of("../count")) + scenario.in_child;
  std::mt19937_64 random(settings.seed);
  std::size_t survived = 0, wrong = 0, done = 0;
  std::map<std::string, std::size_t> kinds;
  const std::size_t points = std::min<std::size_t>(settings.points, total);
  for (; done < points; ++done) {
    const double place = static_cast<double>(done) + std::uniform_real_distribution(0.0, 1.0)(random);
    const auto number =
        1 + static_cast<unsigned long>(place * static_cast<double>(total) / static_cast<double>(points));
    prepare(folder / "now");
    const Outcome outcome = run(scenario, std::to_string(number));
    const std::string what = complaint(scenario, outcome, WEXITSTATUS(normal.status), before);
    survived += outcome.status == normal.status;
    if (what.empty()) continue;
    ++wrong;
    if (kinds[what]++ < 3 || settings.show > 0)
      fmt::print("{}: allocation {} of {}: {}\n", scenario.name, number, total, what);
  }
  fmt::print("{:10} {:8} allocations, {:5} failed one by one: {:5} survived, {:5} ended with a sentence, {} wrong\n",
             scenario.name, total, done, survived, done - survived - wrong, wrong);
  return wrong + (total == scenario.in_child ? 1 : 0);
}

}  // namespace

int main(int count, char** arguments) {
  const auto settings = parse_arguments(count, arguments);
  if (!settings) {
    fmt::print(stderr, "fail_allocations [--points N] [--seed K] [--scenario NAME] [--show 1]\n");
    return 2;
  }
  const fs::path folder = fs::temp_directory_path() / fmt::format("driftless_faults_{}", getpid());
  std::size_t wrong = 0;
  prepare(folder / "before");
  if (run({"", {"solve", std::string(models) + "pendulum_schropp.mo", "-o", "../result.h5", "-q"}}, "0").status != 0)
    return 1;
  write_large_matrix(folder / "large.csv");
  for (const Scenario& scenario : scenarios())
    if (settings->scenario.empty() || scenario.name == settings->scenario) wrong += attack(scenario, *settings, folder);
  fs::current_path("/");
  fs::remove_all(folder);
  return wrong == 0 ? 0 : 1;
}
