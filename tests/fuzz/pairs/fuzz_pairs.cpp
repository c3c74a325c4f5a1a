// fuzz_pairs [--seed S] [--count N] [--seconds T] [--each E] [--print 1]
//
// Writes each of N random models in several ways - renamed, reordered, wrapped into components, with arrays, with
// parameters folded - and compares the results: discrete ones must be equal, others to a hundred tolerances. One of a
// hundred models may end with a message, in all ways alike: where relations that chatter read each other. A run that
// computes for more than E seconds (60) is a finding, too. Ends after T seconds; says once a minute how far it is.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "driftless/core/stop.h"
#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"
#include "source_model.h"

namespace {

using namespace driftless;
using namespace driftless::fuzz;

constexpr double tolerance = 1e-9;

struct Outcome {
  std::string trouble;
  std::map<std::string, double> values;  // by the name in the source
  bool endless = false;
};

double computed() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Asks the clock now and then, because that takes longer than everything else between two questions.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : end_(computed() + seconds) {}
  bool stop_requested() const {
    if (++asked_ % 64 == 0) over_ = computed() > end_;
    return over_;
  }

 private:
  double end_;
  mutable std::size_t asked_ = 0;
  mutable bool over_ = false;
};

// What does not ask whether it may go on: nothing but the seed is left to say.
std::uint64_t seed_at_work = 0;
void give_up(int) {
  fmt::print("seed {}: goes on and on, and cannot be stopped\n", seed_at_work);
  std::fflush(stdout);
  std::_Exit(1);
}

Outcome solved(const Rendering& rendering, double seconds) {
  try {
    const StopScope limit{TimeLimit(seconds)};
    const TextModel model({"m.mo", rendering.text});
    SimulateOptions options;
    options.solve.span = {0.0, 2.0};
    options.solve.tolerance = {.relative = tolerance, .absolute = tolerance};
    options.solve.output_times = {0.0, 2.0};
    const Simulation run = simulate(model, options);
    if (!run.ok()) return {run.failure->message(), {}, run.failure->kind == FailureKind::stopped};
    Outcome outcome;
    for (const auto& [own, name] : rendering.names) outcome.values[own] = run.final(name);
    return outcome;
  } catch (const Stopped& stopped) {  // before the run
    return {stopped.what(), {}, true};
  } catch (const std::exception& error) {
    return {error.what(), {}};
  }
}

// Empty if both say the same.
std::string difference(const Outcome& a, const Outcome& b) {
  if (!a.trouble.empty() || !b.trouble.empty())
    return a.trouble.empty() == b.trouble.empty() ? "" : fmt::format("only one runs: {}{}", a.trouble, b.trouble);
  for (const auto& [name, value] : a.values) {
    const double allowed = name[0] == 'n' ? 0.0 : 100.0 * tolerance * std::max(1.0, std::abs(value));
    if (!(std::abs(value - b.values.at(name)) <= allowed))
      return fmt::format("{} is {:.12g} and {:.12g}", name, value, b.values.at(name));
  }
  return "";
}

struct Tally {
  std::size_t models = 0, pairs = 0, different = 0, refused = 0, endless = 0;
};

void compare(std::uint64_t seed, double seconds, bool print, Tally& tally) {
  Random random(seed);
  const SourceModel model = random_model(random);
  const std::vector<Rendering> all = renderings(model, random);
  seed_at_work = seed;
  alarm(static_cast<unsigned>(100.0 * seconds));  // by the clock, which also goes on for others
  const Outcome first = solved(all[0], seconds);
  ++tally.models;
  if (first.endless) ++tally.endless;
  if (!first.trouble.empty()) {
    ++tally.refused;
    fmt::print("seed {}: {}\n{}\n", seed, first.trouble, all[0].text);
  }
  for (std::size_t k = 1; k < all.size() && !first.endless; ++k) {
    ++tally.pairs;
    const std::string found = difference(first, solved(all[k], seconds));
    if (print) fmt::print("// {}\n{}\n", all[k].kind, all[k].text);
    if (found.empty()) continue;
    ++tally.different;
    fmt::print("seed {}: {}: {}\n{}\n{}\n", seed, all[k].kind, found, all[0].text, all[k].text);
  }
}

struct Asked {
  std::uint64_t seed = 1, models = 200;
  double seconds = 1e9, each = 60.0;
  bool print = false;
};

Asked asked_for(int count, char** arguments) {
  Asked asked;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    if (name == "--seed") asked.seed = std::strtoull(arguments[i + 1], nullptr, 10);
    if (name == "--count") asked.models = std::strtoull(arguments[i + 1], nullptr, 10);
    if (name == "--seconds") asked.seconds = std::strtod(arguments[i + 1], nullptr);
    if (name == "--each") asked.each = std::strtod(arguments[i + 1], nullptr);
    if (name == "--print") asked.print = true;
  }
  return asked;
}

}  // namespace

int main(int count, char** arguments) {
  const Asked asked = asked_for(count, arguments);
  std::signal(SIGALRM, give_up);
  const auto begin = std::chrono::steady_clock::now();
  Tally tally;
  double told = 0.0;
  for (std::uint64_t k = 0; k < asked.models; ++k) {
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (passed > asked.seconds) break;
    if (passed > told + 60.0) {
      told = passed;
      fmt::print("{:.0f} s, {:.0f} s of computing: {} models to seed {}, {} pairs differ, {} do not end\n", passed,
                 computed(), tally.models, asked.seed + k - 1, tally.different, tally.endless);
      std::fflush(stdout);
    }
    compare(asked.seed + k, asked.each, asked.print, tally);
  }
  fmt::print("{} models, {} pairs: {} differ; {} models do not run, {} of them do not end\n", tally.models, tally.pairs,
             tally.different, tally.refused, tally.endless);
  const bool good = tally.different == 0 && tally.endless == 0 && 100 * tally.refused <= tally.models;
  return good && tally.models > 0 ? 0 : 1;
}
