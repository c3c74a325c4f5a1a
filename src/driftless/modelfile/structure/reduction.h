// A flat model with everything taken out that can be computed from the rest: aliases, constants, variables given by an
// explicit equation, results that nothing depends on. What remains is what a solver has to know.
#pragma once

#include <unordered_map>

#include "driftless/modelfile/structure/finding.h"
#include "driftless/modelfile/structure/structural_index.h"

namespace driftless {

inline constexpr std::size_t no_variable = SIZE_MAX;

struct Unknown {
  std::size_t variable = no_variable;  // in FlatModel::variables; none: introduced by the analysis
  std::uint32_t slot = 0, derivative = 0;
  bool differentiated = false;  // its derivative occurs in a row
  std::string name;
};

// 0 = residual.
struct Row {
  Expr residual;
  std::vector<std::size_t> equations;     // the flat equations that it is made of, ascending
  std::vector<Occurrence> unknowns = {};  // those in it, and whether their derivatives are
  bool has_derivative = false;
};

// What the unknown is called that takes the place of all where there is nothing to solve for.
inline constexpr std::string_view nothing_to_solve = "(nothing)";

struct Reduction {
  FlatModel model;  // its graph and slots grow
  std::vector<Unknown> unknowns;
  std::vector<Row> rows;  // as many as unknowns, affine in the derivatives
  // What was taken out, as expressions of the unknowns, their derivatives, time and held slots; by slot. Derivatives
  // of eliminated states are there too.
  std::unordered_map<std::uint32_t, Expr> values;

  std::uint32_t new_slot() { return model.slots++; }
  std::size_t add_unknown(std::string name);  // with slots for itself and its derivative
  void add_row(Expr residual, std::vector<std::size_t> equations);
  void refresh(Row& row);  // `unknowns` and `has_derivative` from the residual

 private:
  struct SlotMeaning {
    std::uint32_t unknown = UINT32_MAX;
    int order = 0;
  };
  std::vector<SlotMeaning> meaning_;  // by slot, of the unknowns that were there at the last call of refresh()
  std::size_t unknowns_with_meaning_ = 0;
};

// Throws Refusal if equations are missing, too many, repeated or contradict each other.
Reduction reduce(FlatModel model);

// "'x^2 + y^2 = 1' (line 7)", or the several equations that a row is a combination of.
std::string quote(const FlatModel& model, const Row& row);
SourcePlace place_of(const FlatModel& model, const Row& row);

}  // namespace driftless
