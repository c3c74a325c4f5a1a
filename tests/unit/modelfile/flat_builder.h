// Flat models for tests, written with operators instead of text.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless::testing_models {

class FlatBuilder;

// An expression of the model that is being built.
struct Formula {
  FlatBuilder* builder = nullptr;
  Expr e;
};

struct Attributes {
  std::optional<double> start = {};
  bool fixed = false;
  bool discrete = false;
  std::optional<double> nominal = {};
};

class FlatBuilder {
 public:
  explicit FlatBuilder(std::string name = "M") {
    model_.name = std::move(name);
    model_.time_slot = model_.slots++;
  }

  Formula variable(const std::string& name, Attributes attributes = {}) {
    FlatVariable variable;
    variable.name = name;
    variable.slot = model_.slots++;
    variable.discrete = attributes.discrete;
    if (attributes.discrete) variable.derivative = model_.slots++;
    if (attributes.start) variable.start = model_.graph.constant(*attributes.start);
    variable.fixed = attributes.fixed;
    variable.nominal = attributes.nominal;
    variable.place = {.line = ++line_, .column = 3, .length = static_cast<std::uint32_t>(name.size())};
    index_[name] = model_.variables.size();
    model_.variables.push_back(variable);
    return of(name);
  }
  Formula of(const std::string& name) { return {this, model_.graph.input(model_.variables[index_.at(name)].slot)}; }
  Formula der(const std::string& name) {
    FlatVariable& variable = model_.variables[index_.at(name)];
    if (!variable.has_derivative) variable.derivative = model_.slots++;
    variable.has_derivative = true;
    return {this, model_.graph.input(variable.derivative)};
  }
  Formula pre(const std::string& name) {
    return {this, model_.graph.input(model_.variables[index_.at(name)].derivative)};
  }
  Formula time() { return {this, model_.graph.input(model_.time_slot)}; }
  Formula number(double value) { return {this, model_.graph.constant(value)}; }

  void equation(Formula left, Formula right, std::string text) {
    model_.equations.push_back({model_.graph.subtract(left.e, right.e), std::move(text), next_place()});
  }
  void equation(Formula left, double right, std::string text) { equation(left, number(right), std::move(text)); }
  void initial(Formula left, Formula right, std::string text) {
    model_.initial_equations.push_back({model_.graph.subtract(left.e, right.e), std::move(text), next_place()});
  }
  void initial(Formula left, double right, std::string text) { initial(left, number(right), std::move(text)); }
  // a < b, or a > b with `greater`.
  Formula relation(Formula a, Formula b, std::string text, bool greater = false) {
    FlatRelation relation;
    relation.root = model_.graph.subtract(a.e, b.e);
    relation.slot = model_.slots++;
    relation.holds_if_negative = !greater;
    relation.text = std::move(text);
    relation.place = next_place();
    model_.relations.push_back(relation);
    return {this, model_.graph.input(relation.slot)};
  }
  FlatAction action(FlatAction::Kind kind, const std::string& name, Formula value, std::string message = {}) {
    FlatAction action;
    action.kind = kind;
    action.variable = name.empty() ? 0 : index_.at(name);
    action.value = value.e;
    action.message = std::move(message);
    action.place = next_place();
    return action;
  }
  void when(Formula condition, std::vector<FlatAction> actions, bool at_initial = false) {
    model_.whens.push_back({{{condition.e, at_initial, std::move(actions)}}, at_initial, next_place()});
  }
  void assertion(Formula condition, std::string message, bool warning = false) {
    model_.asserts.push_back({condition.e, std::move(message), {}, warning, next_place()});
  }

  Graph& graph() { return model_.graph; }
  FlatModel& model() { return model_; }
  FlatModel finish() { return std::move(model_); }

 private:
  SourcePlace next_place() { return {.line = ++line_, .column = 3, .length = 5}; }
  FlatModel model_;
  std::map<std::string, std::size_t> index_;
  std::uint32_t line_ = 0;
};

inline Formula apply(Op op, Formula a, Formula b) { return {a.builder, a.builder->graph().apply(op, a.e, b.e)}; }
inline Formula apply(Op op, Formula a) { return {a.builder, a.builder->graph().apply(op, a.e)}; }
inline Formula operator+(Formula a, Formula b) { return apply(Op::add, a, b); }
inline Formula operator-(Formula a, Formula b) { return apply(Op::subtract, a, b); }
inline Formula operator*(Formula a, Formula b) { return apply(Op::multiply, a, b); }
inline Formula operator/(Formula a, Formula b) { return apply(Op::divide, a, b); }
inline Formula operator-(Formula a) { return apply(Op::negate, a); }
inline Formula operator+(double a, Formula b) { return b.builder->number(a) + b; }
inline Formula operator-(double a, Formula b) { return b.builder->number(a) - b; }
inline Formula operator*(double a, Formula b) { return b.builder->number(a) * b; }
inline Formula operator/(double a, Formula b) { return b.builder->number(a) / b; }
inline Formula operator+(Formula a, double b) { return a + a.builder->number(b); }
inline Formula operator-(Formula a, double b) { return a - a.builder->number(b); }
inline Formula operator*(Formula a, double b) { return a * a.builder->number(b); }
inline Formula operator/(Formula a, double b) { return a / a.builder->number(b); }
inline Formula sin(Formula a) { return apply(Op::sin, a); }
inline Formula cos(Formula a) { return apply(Op::cos, a); }
inline Formula exp(Formula a) { return apply(Op::exp, a); }
inline Formula sqrt(Formula a) { return apply(Op::sqrt, a); }
inline Formula log(Formula a) { return apply(Op::log, a); }
inline Formula square(Formula a) { return a * a; }

}  // namespace driftless::testing_models
