// The flat model while it grows: inputs of the graph, what each stands for, and the events that expressions make.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "driftless/modelfile/flatten/arithmetic.h"
#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless {

class ModelBuilder {
 public:
  ModelBuilder();

  FlatModel& model() { return model_; }
  Graph& graph() { return model_.graph; }

  Expr time() { return graph().input(model_.time_slot); }
  Expr initial_flag();
  Expr terminal_flag();

  // Fills in the slots. `order`: where the variable is declared; the finished model is sorted by it.
  std::size_t add_variable(FlatVariable variable, std::uint64_t order);
  FlatVariable& variable(std::size_t index) { return model_.variables[index]; }
  // The variable that an expression is, if it is nothing but one.
  std::optional<std::size_t> variable_of(const Scalar& scalar) const;
  // The discrete variable v that an expression is pre(v) of.
  std::optional<std::size_t> variable_before(const Scalar& scalar) const;
  Expr value_of(std::size_t variable) { return graph().input(model_.variables[variable].slot); }
  Expr pre_of(std::size_t variable);
  Expr derivative_of(std::size_t variable);
  // With respect to time, by the chain rule. Derivatives of derivatives make a variable that is the first one.
  Scalar total_derivative(Scalar value);

  // Whether it may change between events.
  bool is_continuous(const Scalar& scalar);
  bool has_unknown(const Scalar& scalar) const;  // whether it reads a continuous variable or a derivative
  // a op b as an input that is held between events.
  Scalar relation(FlatRelation relation);
  // floor(argument), changed at events alone; `name` is what the integer that holds it is called.
  Scalar held_floor(Scalar argument, const std::string& name, SourcePlace place);
  // True at start + k * interval.
  Scalar sample(Number start, Number interval, const std::string& text, SourcePlace place);

  // An input that the model gives a value by an equation of its own is an unknown like others.
  void determine_inputs();

  FlatModel finish();

 private:
  enum class SlotKind : std::uint8_t { time, flag, continuous, discrete, derivative, pre, relation };
  struct Slot {
    SlotKind kind;
    std::size_t variable = 0;
  };
  std::uint32_t add_slot(SlotKind kind, std::size_t variable = 0);
  std::size_t second_order_variable(std::size_t variable);
  std::size_t add_held_integer(std::string name, std::optional<Expr> start, SourcePlace place);
  void sort_variables();
  void sort_whens();
  std::unordered_map<std::uint32_t, std::vector<Expr>> equation_values() const;
  std::vector<std::uint32_t> slots_behind(std::vector<Expr> read,
                                          const std::unordered_map<std::uint32_t, std::vector<Expr>>& values) const;

  FlatModel model_;
  Arithmetic arithmetic_;
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> orders_;  // of the variables
  std::vector<bool> continuous_;       // of the nodes of the graph, as far as asked
  std::map<std::tuple<std::uint32_t, bool, bool>, Expr> relations_;
  std::unordered_map<std::uint32_t, Expr> floors_;  // by argument
  struct Sampling {
    Number start, interval;
    Expr flag;
  };
  std::vector<Sampling> samplings_;
  std::unordered_map<std::size_t, std::size_t> second_order_;  // variable -> the variable that is its derivative
};

}  // namespace driftless
