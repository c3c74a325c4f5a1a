// Two models have the same equations if their residuals agree wherever one looks.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "driftless/modelfile/flatten/read_model.h"

namespace driftless {

inline FlatModel flat(std::string_view text, const ReadOptions& options = {}) {
  ModelReading reading = read_model(text, "m.mo", options);
  EXPECT_TRUE(reading.ok()) << render(reading.diagnostics) << text;
  return reading.ok() ? std::move(*reading.model) : FlatModel{};
}

inline std::string messages(std::string_view text, const ReadOptions& options = {}) {
  const ModelReading reading = read_model(text, "m.mo", options);
  EXPECT_FALSE(reading.ok()) << text;
  return render(reading.diagnostics);
}

inline std::string without_quotes(std::string name) {
  std::erase(name, '\'');
  return name;
}

// What each input of the graph is called: x, der(x), pre(n), relation 0, time.
inline std::map<std::uint32_t, std::string> input_names(const FlatModel& model) {
  std::map<std::uint32_t, std::string> names{{model.time_slot, "time"}};
  for (const FlatVariable& variable : model.variables) {
    const std::string name = without_quotes(variable.name);
    names[variable.slot] = name;
    if (variable.has_derivative) names[variable.derivative] = fmt::format("der({})", name);
    if (variable.discrete) names[variable.derivative] = fmt::format("pre({})", name);
    if (variable.before) names[*variable.before] = fmt::format("pre({})", name);
  }
  for (std::size_t i = 0; i < model.relations.size(); ++i) {
    names[model.relations[i].slot] = fmt::format("relation {}", i);
  }
  if (model.initial_slot) names[*model.initial_slot] = "initial()";
  if (model.terminal_slot) names[*model.terminal_slot] = "terminal()";
  return names;
}

// Some number for each name, the same in every model; flags are 0 or 1.
inline double number_for(const std::string& name, int round) {
  std::mt19937 engine(static_cast<unsigned>(std::hash<std::string>{}(name) + 77u * static_cast<unsigned>(round)));
  const double number = std::uniform_real_distribution<double>(0.2, 1.8)(engine);
  const bool flag = name.rfind("relation", 0) == 0 || name == "initial()" || name == "terminal()";
  return flag ? static_cast<double>(number > 1.0) : number;
}

inline std::vector<double> inputs_for(const FlatModel& model, int round) {
  std::vector<double> inputs(model.slots);
  for (const auto& [slot, name] : input_names(model)) inputs[slot] = number_for(name, round);
  return inputs;
}

inline double value(const FlatModel& model, Expr e, const std::map<std::string, double>& given = {}) {
  std::vector<double> inputs(model.slots);
  for (const auto& [slot, name] : input_names(model)) {
    const auto found = given.find(name);
    if (found != given.end()) inputs[slot] = found->second;
  }
  return evaluate(model.graph, e, inputs);
}

inline void expect_same(const FlatModel& a, Expr ea, const FlatModel& b, Expr eb, const std::string& what) {
  for (int round = 0; round < 3; ++round) {
    const double va = evaluate(a.graph, ea, inputs_for(a, round)), vb = evaluate(b.graph, eb, inputs_for(b, round));
    EXPECT_NEAR(va, vb, 1e-12 * (1.0 + std::abs(vb))) << what;
  }
}

inline void expect_same_equations(const FlatModel& a, const FlatModel& b) {
  ASSERT_EQ(a.variables.size(), b.variables.size());
  for (std::size_t i = 0; i < a.variables.size(); ++i) {
    EXPECT_EQ(without_quotes(a.variables[i].name), without_quotes(b.variables[i].name));
    EXPECT_EQ(a.variables[i].discrete, b.variables[i].discrete) << a.variables[i].name;
    EXPECT_EQ(a.variables[i].has_derivative, b.variables[i].has_derivative) << a.variables[i].name;
    EXPECT_EQ(a.variables[i].start.has_value(), b.variables[i].start.has_value()) << a.variables[i].name;
    if (a.variables[i].start && b.variables[i].start) {
      expect_same(a, *a.variables[i].start, b, *b.variables[i].start, a.variables[i].name);
    }
  }
  ASSERT_EQ(a.relations.size(), b.relations.size());
  for (std::size_t i = 0; i < a.relations.size(); ++i) {
    expect_same(a, a.relations[i].root, b, b.relations[i].root, a.relations[i].text);
    EXPECT_EQ(a.relations[i].holds_if_negative, b.relations[i].holds_if_negative) << a.relations[i].text;
    EXPECT_EQ(a.relations[i].at_zero, b.relations[i].at_zero) << a.relations[i].text;
  }
  ASSERT_EQ(a.equations.size(), b.equations.size());
  for (std::size_t i = 0; i < a.equations.size(); ++i) {
    expect_same(a, a.equations[i].residual, b, b.equations[i].residual, a.equations[i].text);
  }
  ASSERT_EQ(a.initial_equations.size(), b.initial_equations.size());
  for (std::size_t i = 0; i < a.initial_equations.size(); ++i) {
    expect_same(a, a.initial_equations[i].residual, b, b.initial_equations[i].residual, a.initial_equations[i].text);
  }
}

// Declarations and equations, without the words around them.
inline FlatModel flat_body(std::string_view declarations, std::string_view equations) {
  return flat(fmt::format("model M\n{}\nequation\n{}\nend M;\n", declarations, equations));
}

struct Equivalent {
  std::string declarations, equations, plain_declarations, plain_equations;
};

inline void expect_equivalent(const Equivalent& row) {
  SCOPED_TRACE(row.declarations + "\n" + row.equations);
  expect_same_equations(flat_body(row.declarations, row.equations),
                        flat_body(row.plain_declarations, row.plain_equations));
}

// The value of an expression that is known before the run, or the first message.
inline std::string constant(const std::string& expression, const std::string& declarations = "") {
  const ModelReading reading =
      read_model(fmt::format("model M {} parameter Real result = {}; end M;", declarations, expression), "m.mo");
  if (!reading.ok()) return reading.diagnostics.empty() ? "?" : reading.diagnostics[0].message;
  for (const FlatParameter& parameter : reading.model->parameters) {
    if (parameter.name == "result") return fmt::format("{}", parameter.value);
  }
  return "?";
}

}  // namespace driftless
