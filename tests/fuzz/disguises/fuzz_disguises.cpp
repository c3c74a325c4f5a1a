// fuzz_disguises [--seed S] [--count N] [--mechanism NAME] [--print 1]
//
// Writes each of a few plane mechanisms in N disguises: other velocities, names, orders, units, forces in parts. Each
// must be recognised as mechanical, and end where the plain one does, forces of constraints included.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"
#include "mechanism.h"

namespace {

using namespace driftless;
using namespace driftless::fuzz;

constexpr double end_time = 0.2, tolerance = 1e-12, allowed = 1e-9;

struct Outcome {
  std::string trouble, form;
  std::map<std::string, double> values = {};
};

Outcome solved(const MechanismText& mechanism) {
  try {
    const TextModel model({"m.mo", mechanism.text});
    SimulateOptions options;
    options.solve.span = {0.0, end_time};
    options.solve.tolerance = {.relative = tolerance, .absolute = tolerance};
    options.solve.output_times = {0.0, end_time};
    const Simulation run = simulate(model, options);
    if (!run.ok()) return {run.failure->message(), model.compiled().form()};
    Outcome outcome{"", model.compiled().form()};
    for (const std::string& name : mechanism.compared) outcome.values[name] = run.final(name);
    return outcome;
  } catch (const std::exception& error) {
    return {error.what(), ""};
  }
}

std::string fault(const Outcome& expected, const Outcome& found) {
  if (!found.trouble.empty()) return "does not run: " + found.trouble;
  if (!found.form.starts_with("mechanical system")) return "is not recognised: " + found.form;
  for (const auto& [name, value] : expected.values)
    if (!(std::abs(found.values.at(name) - value) <= allowed * std::max(1.0, std::abs(value))))
      return fmt::format("{} is {:.14g} instead of {:.14g}", name, found.values.at(name), value);
  return "";
}

struct Asked {
  std::uint64_t seed = 1, count = 25;
  std::string mechanism;
  bool print = false;
};

Asked asked_for(int count, char** arguments) {
  Asked asked;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    if (name == "--seed") asked.seed = std::strtoull(arguments[i + 1], nullptr, 10);
    if (name == "--count") asked.count = std::strtoull(arguments[i + 1], nullptr, 10);
    if (name == "--mechanism") asked.mechanism = arguments[i + 1];
    if (name == "--print") asked.print = true;
  }
  return asked;
}

}  // namespace

int main(int count, char** arguments) {
  const Asked asked = asked_for(count, arguments);
  std::size_t models = 0, wrong = 0, wide = 0;
  std::map<std::string, std::size_t> tricks;
  for (const std::string& name : mechanism_names()) {
    if (!asked.mechanism.empty() && asked.mechanism != name) continue;
    const Outcome expected = solved(plain(name));
    if (const std::string trouble = fault(expected, expected); !trouble.empty()) {
      fmt::print("{}, plain: {}\n{}", name, trouble, plain(name).text);
      ++wrong;
    }
    for (std::uint64_t seed = asked.seed; seed < asked.seed + asked.count; ++seed) {
      Random random(seed);
      const MechanismText text = disguised(name, random);
      const Outcome found = solved(text);
      const std::string trouble = fault(expected, found);
      ++models;
      wide += found.form.find("wide") != std::string::npos ? 1 : 0;
      for (const std::string& trick : text.tricks) ++tricks[trick];
      if (!trouble.empty()) ++wrong;
      if (!trouble.empty()) fmt::print("{}, seed {} ({}): {}\n", name, seed, fmt::join(text.tricks, ", "), trouble);
      if (asked.print) fmt::print("{}", text.text);
    }
  }
  fmt::print("{} disguises, {} of them in the wide form; {} wrong\n", models, wide, wrong);
  for (const auto& [trick, times] : tricks) fmt::print("  {}: {}\n", trick, times);
  return wrong == 0 && models > 0 ? 0 : 1;
}
