// fuzz_pairs [--seed S] [--count N] [--seconds T] [--print 1]
//
// Writes each of N random models in several ways - renamed, reordered, wrapped into components, with arrays, with
// parameters folded - and compares the results: discrete ones must be equal, others to a hundred tolerances. One of a
// hundred models may end with a message, in all ways alike: where relations that chatter read each other. Ends after T
// seconds at the latest.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>

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
};

Outcome solved(const Rendering& rendering) {
  try {
    const TextModel model({"m.mo", rendering.text});
    SimulateOptions options;
    options.solve.span = {0.0, 2.0};
    options.solve.tolerance = {.relative = tolerance, .absolute = tolerance};
    options.solve.output_times = {0.0, 2.0};
    const Simulation run = simulate(model, options);
    if (!run.ok()) return {run.failure->message(), {}};
    Outcome outcome;
    for (const auto& [own, name] : rendering.names) outcome.values[own] = run.final(name);
    return outcome;
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
  std::size_t models = 0, pairs = 0, different = 0, refused = 0;
};

void compare(std::uint64_t seed, bool print, Tally& tally) {
  Random random(seed);
  const SourceModel model = random_model(random);
  const std::vector<Rendering> all = renderings(model, random);
  const Outcome first = solved(all[0]);
  ++tally.models;
  if (!first.trouble.empty()) {
    ++tally.refused;
    fmt::print("seed {}: {}\n{}\n", seed, first.trouble, all[0].text);
  }
  for (std::size_t k = 1; k < all.size(); ++k) {
    ++tally.pairs;
    const std::string found = difference(first, solved(all[k]));
    if (print) fmt::print("// {}\n{}\n", all[k].kind, all[k].text);
    if (found.empty()) continue;
    ++tally.different;
    fmt::print("seed {}: {}: {}\n{}\n{}\n", seed, all[k].kind, found, all[0].text, all[k].text);
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::uint64_t seed = 1, models = 200;
  double seconds = 1e9;
  bool print = false;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    if (name == "--seed") seed = std::strtoull(arguments[i + 1], nullptr, 10);
    if (name == "--count") models = std::strtoull(arguments[i + 1], nullptr, 10);
    if (name == "--seconds") seconds = std::strtod(arguments[i + 1], nullptr);
    if (name == "--print") print = true;
  }
  const auto begin = std::chrono::steady_clock::now();
  Tally tally;
  for (std::uint64_t k = 0; k < models; ++k) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > seconds) break;
    compare(seed + k, print, tally);
  }
  fmt::print("{} models, {} pairs: {} differ; {} models do not run\n", tally.models, tally.pairs, tally.different,
             tally.refused);
  return tally.different == 0 && 100 * tally.refused <= tally.models && tally.models > 0 ? 0 : 1;
}
