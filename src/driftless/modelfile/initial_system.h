// Everything that holds at the start: the equations of the model with as many of their derivatives as the index asks
// for, initial equations, and start values that are fixed. Its solution is as close to the start values as it can be.
#pragma once

#include <random>

#include "driftless/core/matrix.h"
#include "driftless/expression/program.h"
#include "driftless/modelfile/reduction.h"

namespace driftless {

// One thing that has to hold.
struct InitialCondition {
  enum class Kind { model, hidden, initial_equation, fixed } kind = Kind::model;
  Expr residual;
  std::size_t source = 0;  // a row, an initial equation, or a variable
};

// One number to find.
struct InitialUnknown {
  std::uint32_t slot = 0;
  std::size_t unknown = 0;  // in Reduction::unknowns
  int order = 0;            // of its derivative
  bool top = false;         // determined by the highest derivatives of the equations alone
  double guess = 0.0;
  double nominal = 1.0;
  bool fixed = false;
  bool given = false;  // has a start value

  // What moves only if all of higher rank cannot do it: states with a start value, then other states, then the rest.
  int rank() const { return top || order > 0 ? 2 : given ? 0 : 1; }
};

class InitialSystem {
 public:
  explicit InitialSystem(Reduction& reduction, double time);

  const std::vector<InitialUnknown>& unknowns() const { return unknowns_; }
  const std::vector<InitialCondition>& conditions() const { return conditions_; }

  struct Outcome {
    Vector values;  // by slot
    std::vector<Finding> errors;
    bool only_highest = false;  // all is found but the highest derivatives and the multipliers
    bool ok() const { return errors.empty(); }
  };
  // `inputs` holds what is held, by slot.
  Outcome solve(double time, const Vector& inputs) const;

  // What a slot is called in messages: x, der(x), der(der(x)).
  std::string name_of(std::uint32_t slot) const;

 private:
  void find_explicit_rates(Reduction& reduction);
  void differentiate_rows(Reduction& reduction);
  void guess_starts(Reduction& reduction, double time);
  void add_conditions(Reduction& reduction, double time);
  std::vector<Expr> resolved_initial_equations(Reduction& reduction) const;
  void compile(Reduction& reduction);
  Finding not_finite(const InitialCondition& condition, std::span<const double> inputs) const;
  Finding not_satisfied(const InitialCondition& condition, double residual) const;
  std::optional<Finding> guilty_equation(std::span<const double> inputs) const;
  std::string quote(const InitialCondition& condition) const;
  SourcePlace place(const InitialCondition& condition) const;

  // A part of the system: some of the conditions for some of the unknowns.
  struct Stage {
    std::vector<std::size_t> conditions, unknowns;
    Program residuals, jacobian;
    struct Entry {
      std::size_t row, column;
    };
    std::vector<Entry> entries;
  };
  Stage make_stage(Graph& graph, std::vector<std::size_t> conditions, std::vector<std::size_t> unknowns) const;
  std::vector<Finding> solve_stage(const Stage& stage, Vector& values) const;
  double moved(const Stage& stage, const Vector& values) const;
  Vector beside(const Vector& values, const std::vector<std::size_t>& movable, bool near, std::mt19937& random) const;
  std::vector<std::size_t> stuck_unknowns(const Stage& stage, const Vector& values) const;
  friend class InitialSolver;

  const Reduction& reduction_;
  std::vector<InitialUnknown> unknowns_;
  std::vector<InitialCondition> conditions_;
  std::vector<std::vector<std::uint32_t>> slots_;  // of each unknown: itself, its first and second derivative
  std::unordered_map<std::uint32_t, Expr> rates_;  // derivatives that have a formula
  Program rate_values_;
  std::vector<char> defines_rate_;                 // by row
  std::unordered_map<std::uint32_t, Expr> along_;  // the direction of the solution
  std::vector<Stage> stages_;
};

}  // namespace driftless
