// fuzz_models [--iterations N] [--seconds S] [--seed K] [--keep FILE]
//
// Reads spoilt models, and analyses those that can be read, until the iterations or the seconds are over. Run it under
// the sanitizers for long:
//   cmake --preset asan && cmake --build --preset asan --target fuzz_models
//   build/asan/bin/fuzz_models --seconds 600 --keep last.mo
// The model at hand is written to FILE before it is read, so that a crash leaves it behind.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

#include "corpus.h"
#include "driftless/modelfile/compiled/compiled_model.h"
#include "driftless/modelfile/flatten/read_model.h"
#include "mutate.h"

namespace {

using namespace driftless;

struct Settings {
  std::uint64_t iterations = 0, seed = 1;  // 0 iterations: until the seconds are over
  double seconds = 0.0;
  std::string keep;
};

[[noreturn]] void stop(const std::string& message, const std::string& text) {
  fmt::print(stderr, "{}\n--- the model:\n{}\n", message, text);
  std::exit(1);
}

std::optional<Settings> parse_arguments(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = arguments[i];
    if (i + 1 == count) return std::nullopt;
    const std::string_view value = arguments[i + 1];
    const auto read = [&](auto& target) {
      return std::from_chars(value.data(), value.data() + value.size(), target).ec == std::errc();
    };
    bool known = true;
    if (name == "--iterations") {
      known = read(settings.iterations);
    } else if (name == "--seconds") {
      known = read(settings.seconds);
    } else if (name == "--seed") {
      known = read(settings.seed);
    } else if (name == "--keep") {
      settings.keep = value;
    } else {
      known = false;
    }
    if (!known) return std::nullopt;
  }
  if (settings.iterations == 0 && settings.seconds == 0.0) settings.iterations = 1000;
  return settings;
}

// What must hold of every model that is read: all inputs exist, all expressions can be evaluated, all places are in the
// text.
void check_model(const FlatModel& model, const std::string& text) {
  std::vector<Expr> all;
  for (const FlatEquation& equation : model.equations) all.push_back(equation.residual);
  for (const FlatEquation& equation : model.initial_equations) all.push_back(equation.residual);
  for (const FlatRelation& relation : model.relations) all.push_back(relation.root);
  for (const FlatAssert& assertion : model.asserts) all.push_back(assertion.condition);
  for (const FlatWhen& when : model.whens) {
    for (const FlatBranch& branch : when.branches) {
      all.push_back(branch.condition);
      for (const FlatAction& action : branch.actions) {
        all.push_back(action.value);
        const bool changes = action.kind == FlatAction::Kind::assign || action.kind == FlatAction::Kind::reinit;
        if (changes && action.variable >= model.variables.size()) stop("an action without a variable", text);
      }
    }
  }
  for (const FlatVariable& variable : model.variables) {
    if (variable.start) all.push_back(*variable.start);
    if (variable.slot >= model.slots || variable.derivative >= model.slots) stop("a variable without an input", text);
  }
  for (const std::uint32_t slot : inputs_of(model.graph, all)) {
    if (slot >= model.slots) stop("an input that does not exist", text);
  }
  const std::vector<double> inputs(model.slots, 0.5);
  for (std::size_t i = 0; i < all.size() && i < 100; ++i) (void)evaluate(model.graph, all[i], inputs);
}

// The structure of a small model may be refused, with words; its start may not be found, with words.
void check_structure(const FlatModel& model, const std::string& text) {
  constexpr std::size_t most_equations = 300;
  if (model.equations.size() > most_equations) return;
  const Compilation compilation = compile(model);
  if (compilation.ok() == !compilation.errors.empty()) stop("a structure and errors, or neither", text);
  for (const Finding& finding : compilation.errors)
    if (finding.message.empty()) stop("an empty message about the structure", text);
  if (!compilation.ok()) return;
  const ModelStart start = compilation.model->start();
  for (const Finding& finding : start.errors)
    if (finding.message.empty()) stop("an empty message about the start", text);
}

void check_reading(const ModelReading& reading, const std::string& text) {
  std::size_t errors = 0;
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    errors += diagnostic.severity == Severity::error ? 1 : 0;
    if (diagnostic.message.empty()) stop("an empty message", text);
    if (render(diagnostic).find(diagnostic.file) == std::string::npos) stop("a message without its file", text);
  }
  if (reading.ok() != (errors == 0)) stop("a model and errors, or neither", text);
  if (!reading.ok()) return;
  check_model(*reading.model, text);
  check_structure(*reading.model, text);
}

}  // namespace

int main(int count, char** arguments) {
  const std::optional<Settings> settings = parse_arguments(count, arguments);
  if (!settings) {
    fmt::print("usage: fuzz_models [--iterations N] [--seconds S] [--seed K] [--keep FILE]\n");
    return 2;
  }
  std::mt19937_64 random(settings->seed);
  // Small enough that no model takes long, large enough that the corpus passes.
  ReadOptions options;
  options.limits = {.elements = 20'000, .work = 200'000, .calls = 30};
  for (const std::string_view model : corpus()) {
    const ModelReading reading = read_model(model, "corpus.mo", options);
    if (!reading.ok()) stop(render(reading.diagnostics), std::string(model));
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  std::uint64_t done = 0, read = 0;
  double slowest = 0.0;
  for (; settings->iterations == 0 || done < settings->iterations; ++done) {
    if (settings->seconds > 0.0 && elapsed() > settings->seconds) break;
    const std::string text = spoilt_model(random);
    if (!settings->keep.empty()) std::ofstream(settings->keep, std::ios::binary) << text;
    options.parameters.clear();
    if (random() % 4 == 0)
      options.parameters.emplace_back(random() % 2 == 0 ? "n" : "e", spoilt_model(random).substr(0, random() % 12));
    const double before = elapsed();
    const ModelReading reading = read_model(text, "fuzz.mo", options);
    check_reading(reading, text);
    slowest = std::max(slowest, elapsed() - before);
    read += reading.ok() ? 1 : 0;
  }
  fmt::print("{} models, {} of them read, {:.1f} s, the slowest {:.3f} s\n", done, read, elapsed(), slowest);
  return 0;
}
