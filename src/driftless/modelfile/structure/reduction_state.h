// What the steps of a reduction share.
#pragma once

#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/reduction.h"

namespace driftless {

struct SlotRole {
  enum class Kind : std::uint8_t { known, value, derivative } kind = Kind::known;
  std::uint32_t unknown = 0;
};

struct WorkRow {
  Expr residual;
  LinearRow linear;
  std::vector<std::uint32_t> inside;  // slots in the nonlinear terms, ascending
  std::vector<Occurrence> unknowns;   // in it, ascending, and whether their derivatives are
  std::vector<std::size_t> equations;
  bool alive = true;
  bool has_derivative = false;
};

// What has been computed from an unknown so far: how much its errors have grown there, and whether it enters
// nonlinearly.
struct EliminationMemory {
  Number growth = 1.0;
  bool curved = false;
};

class ReductionState {
 public:
  explicit ReductionState(FlatModel flat);

  FlatModel model;
  std::vector<Unknown> unknowns;
  std::vector<char> alive;                // by unknown
  std::vector<char> must_be_explicit;     // discrete variables that an equation defines
  std::vector<EliminationMemory> memory;  // by unknown
  std::vector<WorkRow> rows;
  std::vector<SlotRole> roles;  // by slot

  SlotRole role(std::uint32_t slot) const { return slot < roles.size() ? roles[slot] : SlotRole{}; }
  SlotRole role(const LinearRow::Term& term) const {
    return model.graph.op(term.node) == Op::input ? role(model.graph.slot(term.node)) : SlotRole{};
  }
  bool is_linear(const WorkRow& row) const { return row.inside.empty(); }

  void set_residual(WorkRow& row, Expr residual);
  // The unknowns whose derivatives occur in the rows that are left.
  std::vector<char> differentiated() const;
  // For every unknown the rows that are left and contain it or its derivative.
  std::vector<std::vector<std::uint32_t>> rows_by_unknown() const;

  // Takes the unknowns out; values may refer to each other only in the order given (earlier ones first).
  struct Definition {
    std::uint32_t unknown;
    Expr value;
    std::vector<std::size_t> equations;  // the flat equations that say so
    Expr derivative = {};                // used only if the unknown is differentiated
  };
  void eliminate(const std::vector<Definition>& definitions);

  const std::vector<std::size_t>& defined_by(std::uint32_t unknown) const { return defined_by_[unknown]; }
  // The equations by which eliminated variables of these equations were eliminated, and theirs, up to a few.
  std::vector<std::size_t> with_definitions(const std::vector<std::size_t>& equations) const;

  Reduction finish();

 private:
  void find_unknowns(WorkRow& row) const;
  void complete_derivative(std::uint32_t slot, Reduction& result);

  std::vector<std::vector<std::size_t>> defined_by_;                  // by unknown
  std::vector<std::vector<std::pair<std::uint32_t, Expr>>> batches_;  // slot := value, in the order of elimination
};

// Each returns whether it changed anything.
bool eliminate_aliases(ReductionState& state);
enum class Explicit { written, solvable };  // written: as y = ...
bool eliminate_explicit(ReductionState& state, Explicit which);
bool substitute_explicit_derivatives(ReductionState& state);
bool combine_dependent_derivatives(ReductionState& state);
bool eliminate_measured_rates(ReductionState& state);
bool eliminate_derivative_aliases(ReductionState& state);
bool eliminate_results(ReductionState& state);
bool eliminate_driven(ReductionState& state);

// The model as written: throws Refusal with the equations that are too many and the variables that are too many.
void require_well_posed(const ReductionState& state);
// An equation that says 0 = 0 or 0 = 1 after the eliminations.
[[noreturn]] void refuse_empty_row(const ReductionState& state, const WorkRow& row, double constant,
                                   const std::vector<std::size_t>& with = {});

std::string quote_equation(const FlatModel& model, std::size_t equation);

}  // namespace driftless
