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

namespace driftless {
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
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
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
                    Sweep{"andrews_squeezer", {"m3", "I5", "c0", "mom", "xc"}, 0.003, 1000},
                    Sweep{"transistor_amplifier", {"Ub", "R", "R0", "C1", "C3", "beta"}, 0.004, 1000}),
    [](const auto& info) { return info.param.model; });

}  // namespace
}  // namespace driftless
