// Expressions as a list of steps on numbered values: what both engines are made from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

// Values are numbered: first the inputs, then the constants, then the results of the steps in their order.
struct Tape {
  struct Step {
    Op op;
    bool with_cosine = false;  // a sine whose cosine is wanted as well: that is value result + 1
    std::uint32_t result;
    std::uint32_t operand[3];

    int operands() const { return arity(op); }
    int results() const { return with_cosine ? 2 : 1; }
  };

  // `part_sizes` cut the outputs into arrays of their own; empty: one array.
  Tape(const Graph& graph, std::span<const Expr> expressions, std::span<const std::size_t> part_sizes = {});

  std::uint32_t first_constant() const { return static_cast<std::uint32_t>(slots.size()); }
  std::uint32_t first_result() const { return static_cast<std::uint32_t>(slots.size() + constants.size()); }
  std::size_t operations() const { return values - first_result(); }

  std::vector<std::uint32_t> slots;  // of the graph, one per input
  std::vector<double> constants;
  // Constants that depend on parameters are not in the code: constants[parameters[k].constant] is entry `place` of the
  // table that comes with a run.
  struct Parameter {
    std::uint32_t constant, place;
  };
  std::vector<Parameter> parameters;
  std::vector<Step> steps;
  std::vector<std::uint32_t> outputs;     // values
  std::vector<std::uint32_t> part_begin;  // the first output of each part; at least one
  std::uint32_t values = 0;
};

}  // namespace driftless
