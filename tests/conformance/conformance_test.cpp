// Small models, one for each rule of the language, with values that were computed by hand. Each file of `models` says
// in its comments what must come out:
//   // expect n = 3              the value at the end
//   // expect at 0.25: n = 1     and at other times
//   // expect events = 5         how many times of events there are after the start
//   // expect ends: TEXT         terminate() ends the run with this message
//   // expect fails: TEXT        the run fails, and the message contains TEXT
//   // expect refused: TEXT      the model is refused, and the message contains TEXT
// Discrete values are exact, others right to 1e-8.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::conformance_test {
namespace {

struct ExpectedValue {
  std::optional<double> time;  // none: the end
  std::string name;
  double value;
};

struct Expectations {
  std::vector<ExpectedValue> values;
  std::optional<std::size_t> events;
  std::optional<std::string> ends, fails, refused;
  bool empty() const { return values.empty() && !events && !ends && !fails && !refused; }
};

std::string text_of_file(const std::filesystem::path& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

double number_in(const std::string& text) {
  if (text == "true") return 1.0;
  if (text == "false") return 0.0;
  return std::stod(text);
}

Expectations expectations_in(const std::string& text) {
  const std::string mark = "// expect ";
  Expectations all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(mark, 0) != 0) continue;
    std::string rest = line.substr(mark.size());
    const auto behind = [&](const std::string& word) -> std::optional<std::string> {
      return rest.rfind(word, 0) == 0 ? std::optional(rest.substr(word.size())) : std::nullopt;
    };
    if (const auto count = behind("events = "))
      all.events = std::stoul(*count);
    else if (const auto end = behind("ends: "))
      all.ends = *end;
    else if (const auto failure = behind("fails: "))
      all.fails = *failure;
    else if (const auto refusal = behind("refused: "))
      all.refused = *refusal;
    else {
      ExpectedValue value{};
      if (const auto timed = behind("at ")) {
        const std::size_t colon = timed->find(": ");
        value.time = std::stod(timed->substr(0, colon));
        rest = timed->substr(colon + 2);
      }
      const std::size_t equals = rest.find(" = ");
      if (equals == std::string::npos) throw std::runtime_error("not an expectation: " + line);
      value.name = rest.substr(0, equals);
      value.value = number_in(rest.substr(equals + 3));
      all.values.push_back(std::move(value));
    }
  }
  return all;
}

// The last row at this time: what an event makes of it.
std::size_t row_at(const Simulation& run, double time) {
  const Vector times = run.column("time");
  for (std::size_t i = times.size(); i-- > 0;)
    if (std::abs(times[i] - time) <= 1e-12 * std::max(1.0, std::abs(time))) return i;
  throw std::runtime_error("there is no row at this time");
}

void judge(const Simulation& run, const TextModel& model, const ExpectedValue& expected) {
  const double found = expected.time ? run.value(expected.name, row_at(run, *expected.time)) : run.final(expected.name);
  const auto column = std::ranges::find(model.results, expected.name, &ResultColumn::name);
  ASSERT_NE(column, model.results.end());
  const bool exact = column->group == "discrete";
  const double allowed = exact ? 0.0 : 1e-8 * std::max(1.0, std::abs(expected.value));
  EXPECT_NEAR(found, expected.value, allowed) << expected.name << " at t = " << expected.time.value_or(run.t);
}

SimulateOptions options_for(const TextModel& model, const Expectations& expected) {
  SimulateOptions options;
  options.solve.span = {model.begin, model.end};
  options.solve.tolerance = {.relative = 1e-11, .absolute = 1e-12};
  Vector times{model.begin, model.end};
  for (const ExpectedValue& value : expected.values)
    if (value.time) times.push_back(*value.time);
  std::ranges::sort(times);
  options.solve.output_times = std::move(times);
  return options;
}

class Conformance : public testing::TestWithParam<std::string> {};

TEST_P(Conformance, Model) {
  const std::filesystem::path path =
      std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "tests/conformance/models" / (GetParam() + ".mo");
  const std::string text = text_of_file(path);
  const Expectations expected = expectations_in(text);
  ASSERT_FALSE(expected.empty()) << "the file expects nothing";
  std::optional<TextModel> model;
  std::optional<Simulation> run;
  try {
    model.emplace(ModelText{GetParam() + ".mo", text});
    run.emplace(simulate(*model, options_for(*model, expected)));
  } catch (const RefusedModel& refusal) {
    ASSERT_TRUE(expected.refused.has_value()) << refusal.what();
    EXPECT_NE(std::string(refusal.what()).find(*expected.refused), std::string::npos) << refusal.what();
    return;
  }
  ASSERT_FALSE(expected.refused.has_value()) << "the model was not refused";
  if (expected.fails) {
    ASSERT_FALSE(run->ok());
    EXPECT_NE(run->failure->message().find(*expected.fails), std::string::npos) << run->failure->message();
    return;
  }
  ASSERT_TRUE(run->ok()) << run->failure->message();
  EXPECT_EQ(run->ended_by.value_or(""), expected.ends.value_or(""));
  if (expected.events) {
    EXPECT_EQ(run->events, *expected.events);
  }
  for (const ExpectedValue& value : expected.values) judge(*run, *model, value);
}

std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "tests/conformance/models"))
    if (entry.path().extension() == ".mo") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Specification, Conformance, testing::ValuesIn(models()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace driftless::conformance_test
