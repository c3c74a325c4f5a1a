// Values of parameters of shipped models without a second compilation, beside fresh compilations with the same values:
// to the last bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::parameter_values_test {
namespace {

ModelText shipped(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return {file.filename().string(), text.str()};
}
ModelText shipped(const std::string& name) {
  return shipped(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "examples/models" / (name + ".mo"));
}

bool same_bits(const Vector& a, const Vector& b) {
  return std::ranges::equal(
      a, b, [](double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); });
}

std::vector<Setting> as_settings(const std::vector<Parameter>& values) {
  std::vector<Setting> settings;
  for (const Parameter& p : values) settings.push_back({p.name, fmt::format("{}", p.value)});
  return settings;
}

SimulateOptions run_until(const Model& model, double end) {
  SimulateOptions options = usual_options(model);
  options.solve.span.end = end;
  options.solve.output_times.clear();
  return options;
}

struct Sweep {
  std::string model;
  std::vector<std::string> parameters;
  double end;
  std::size_t runs;
};

class ParameterSweep : public testing::TestWithParam<Sweep> {};

TEST_P(ParameterSweep, IsOneCompilationAndTheSameBits) {
  const Sweep& sweep = GetParam();
  const ModelText text = shipped(sweep.model);
  TextModel model(text);
  const Parameters usual = model.parameters();
  ASSERT_TRUE(simulate(model, run_until(model, sweep.end)).ok());
  const std::size_t compiled = compilations();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> factor(0.9, 1.1);
  std::vector<std::vector<Parameter>> values(sweep.runs);
  std::vector<Simulation> runs;
  std::size_t made = 0;
  for (auto& value : values) {
    for (const std::string& name : sweep.parameters) value.push_back({name, factor(random) * usual[name]});
    model.set(value);
    runs.push_back(simulate(model, run_until(model, sweep.end)));
    EXPECT_TRUE(runs.back().ok());
    if (runs.size() == 3) made = programs_made();  // what only some values need is there by now
  }
  EXPECT_EQ(compilations(), compiled);
  EXPECT_LE(programs_made(), made + 2);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const TextModel fresh(text, as_settings(values[k]));
    const Simulation run = simulate(fresh, run_until(fresh, sweep.end));
    ASSERT_TRUE(same_bits(run.recording.values, runs[k].recording.values)) << "run " << k;
    ASSERT_EQ(run.events, runs[k].events);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, ParameterSweep,
    testing::Values(Sweep{"pendulum_wall", {"L", "g", "wall", "e"}, 2.0, 1000},
                    Sweep{"locking_elbow", {"g", "opens"}, 2.0, 200},
                    Sweep{"andrews_squeezer", {"m3", "I5", "c0", "mom", "xc"}, 0.003, 1000},
                    Sweep{"transistor_amplifier", {"Ub", "R", "R0", "C1", "C3", "beta"}, 0.004, 1000}),
    [](const auto& one) { return one.param.model; });

// What a run of a model says, in bits and words.
struct Outcome {
  std::string words;
  Vector values;
};
template <class Make>
Outcome outcome_of(const Make& make) {
  try {
    const TextModel model = make();
    SimulateOptions options = run_until(model, model.begin + 0.01 * (model.end - model.begin));
    options.solve.stepping.limit = 200;
    const Simulation run = simulate(model, options);
    return {run.failure ? run.failure->what_happened : model.compiled().form(), run.recording.values};
  } catch (const std::exception& e) {
    return {e.what(), {}};
  }
}

// Mostly a little off, sometimes 0, 1 or of the other sign; whole numbers and truths change now and then.
double other_value(const FlatParameter& parameter, std::mt19937& random) {
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  if (parameter.type == FlatParameter::Type::boolean) return one_in(2) ? 1.0 - parameter.value : parameter.value;
  if (parameter.type == FlatParameter::Type::integer) return parameter.value + (one_in(8) ? 1.0 : 0.0);
  if (one_in(60)) return 0.0;
  if (one_in(60)) return 1.0;
  if (one_in(60)) return -parameter.value;
  return parameter.value * std::uniform_real_distribution<double>(0.8, 1.25)(random);
}

// A decision that nobody recorded would show here: what was compiled for other values would be taken, and be wrong.
TEST(ParameterFuzz, NoShippedModelTakesWhatDoesNotFit) {
  std::mt19937 random(11);
  std::size_t reused = 0, compared = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "examples/models")) {
    if (file.path().extension() != ".mo" || file.path().parent_path().filename() == "minimise") continue;
    const ModelText text = shipped(file.path());
    const TextModel usual(text);
    if (usual.parameters().names().empty()) continue;
    for (int round = 0; round < 6; ++round) {
      std::vector<Parameter> values;
      std::vector<Setting> settings;
      for (const FlatParameter& parameter : usual.compiled().flat().parameters) {
        if (!parameter.setting || random() % 3 == 0) continue;
        const double value = other_value(parameter, random);
        values.push_back({parameter.name, value});
        const bool truth = parameter.type == FlatParameter::Type::boolean;
        settings.push_back({parameter.name, truth ? (value != 0.0 ? "true" : "false") : fmt::format("{}", value)});
      }
      const std::size_t before = compilations();
      const Outcome set = outcome_of([&] {
        TextModel model = usual;
        model.set(values);
        return model;
      });
      reused += compilations() == before;
      const Outcome fresh = outcome_of([&] { return TextModel(text, settings); });
      ++compared;
      EXPECT_EQ(set.words, fresh.words) << text.file;
      EXPECT_TRUE(same_bits(set.values, fresh.values)) << text.file << ", round " << round;
    }
  }
  EXPECT_GT(2 * reused, compared);
}

}  // namespace
}  // namespace driftless::parameter_values_test
