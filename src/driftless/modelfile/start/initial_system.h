// Everything that holds at the start: the equations of the model with as many of their derivatives as the index asks
// for, initial equations, and start values that are fixed. Its solution is as close to the start values as it can be:
// stated ones move only as far as they must, and what is not stated makes room for them.
#pragma once

#include <random>

#include "driftless/core/matrix.h"
#include "driftless/expression/program.h"
#include "driftless/modelfile/structure/reduction.h"

namespace driftless {

// One thing that has to hold.
struct InitialCondition {
  enum class Kind { model, hidden, initial_equation, fixed } kind = Kind::model;
  Expr residual;
  std::size_t source = 0;  // a row, an initial equation, or a variable
};

// How much a start value is trusted. What comes first is met as well as the conditions allow, whatever that does to
// what comes later. Fixed values are conditions.
enum class Trust {
  stated_state,  // a variable with a derivative in the model: what a start is for
  stated,        // another variable: where to look, unless something open can be set by it
  none,          // not stated; its guess is 0
  follows,       // derivatives and multipliers, which the rest determines
};
inline constexpr std::size_t trust_levels = 4;

// One number to find.
struct InitialUnknown {
  std::uint32_t slot = 0;
  std::size_t unknown = 0;  // in Reduction::unknowns
  int order = 0;            // of its derivative
  bool top = false;         // determined by the highest derivatives of the equations alone
  double guess = 0.0;
  double scale = 1.0;  // unit of its distance from the guess: nominal, else the size of what is stated, else 1
  bool fixed = false;
  bool given = false;  // has a start value, its own or that of an alias
  Trust trust = Trust::none;
};

// A variable with a start value.
struct StatedValue {
  std::size_t variable = 0;  // in FlatModel::variables
  double start = 0.0, scale = 1.0;
  Expr value;                           // in terms of the unknowns
  std::vector<std::size_t> reads = {};  // the unknowns in it
  bool beyond = false;                  // there is a derivative in it that the start does not determine
  bool eliminated = false;              // not an unknown itself
  bool given_to_unknown = false;        // its start is the guess of an unknown
};

// value = target, as far as it goes.
struct InitialWish {
  Expr value;
  double target = 0.0, scale = 1.0;
  Trust trust = Trust::none;
};

class InitialSystem {
 public:
  explicit InitialSystem(Reduction& reduction, double time);

  const std::vector<InitialUnknown>& unknowns() const { return unknowns_; }
  const std::vector<InitialCondition>& conditions() const { return conditions_; }
  const std::vector<StatedValue>& stated() const { return stated_; }

  struct Outcome {
    Vector values;  // by slot
    std::vector<Finding> errors;
    bool only_highest = false;             // all is found but the highest derivatives and the multipliers
    std::vector<std::size_t> chosen = {};  // unknowns that nothing determines, or only one of several solutions
    bool ok() const { return errors.empty(); }
  };
  // `inputs` holds what is held, by slot.
  Outcome solve(double time, const Vector& inputs) const;

  // What a slot is called in messages: x, der(x), der(der(x)).
  std::string name_of(std::uint32_t slot) const;

 private:
  double unit_of(std::uint32_t slot) const;
  std::string name_in_solver_unit(std::uint32_t slot) const;
  void find_explicit_rates(Reduction& reduction, const StructuralIndex& levels);
  void differentiate_rows(Reduction& reduction);
  void find_slots();
  void read_stated_values(Reduction& reduction, double time);
  void guess_starts();
  void guess_from(StatedValue& stated);
  void find_unknowns_in(StatedValue& stated) const;
  Trust trust_of(const StatedValue& stated) const;
  void rate_unknowns(const std::vector<char>& algebraic);
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
    std::vector<std::size_t> settled;  // columns that the conditions have enough rows for, whatever is wished
    std::vector<InitialWish> wishes;   // those of eliminated variables first, then one of each unknown
    std::size_t eliminated_wishes = 0;
    Program wish_values, wish_jacobian;  // of the eliminated variables
    std::vector<Entry> wish_entries;
  };
  // The highest derivatives follow from the rest, and come last.
  struct Split {
    std::vector<std::size_t> low_conditions, top_conditions, low_unknowns, top_unknowns;
  };
  Split split() const;
  bool separable(const Split& split) const;
  std::vector<char> algebraic_unknowns(const Split& split) const;
  void join_algebraic(Split& split, const std::vector<char>& algebraic) const;
  std::vector<std::size_t> columns_in(Expr e) const;
  std::vector<std::size_t> concerned(const Split& split) const;
  Stage make_stage(Graph& graph, std::vector<std::size_t> conditions, std::vector<std::size_t> unknowns);
  void add_wishes(Graph& graph, Stage& stage);
  struct Differentiated {
    Program program;
    std::vector<Stage::Entry> entries;
  };
  Differentiated differentiated(Graph& graph, const Stage& stage, const std::vector<Expr>& values) const;

  struct Found {
    Vector values;
    double moved = 0.0;                    // how far from what is stated
    bool elsewhere = false;                // not from the start values but from a point beside them
    std::vector<std::size_t> missed = {};  // wishes that are not met
  };
  std::vector<Finding> solve_stage(const Stage& stage, Outcome& outcome) const;
  void try_from_stated(const Stage& stage, const Vector& values, Found& best) const;
  class StatedPath;
  Vector follow_stated(const Stage& stage, const Vector& values) const;
  void try_missed(const Stage& stage, const Vector& values, Found& best) const;
  Vector beside(const Vector& values, const std::vector<std::size_t>& movable, bool near, std::mt19937& random) const;
  std::vector<std::size_t> stuck_unknowns(const Stage& stage, const Vector& values) const;
  void note_chosen(const Stage& stage, const Found& found, Outcome& outcome) const;
  friend class InitialSearch;

  const Reduction& reduction_;
  std::vector<InitialUnknown> unknowns_;
  std::vector<InitialCondition> conditions_;
  std::vector<StatedValue> stated_;
  std::vector<char> placed_;  // by stated value: a stage has it as a wish
  std::vector<char> solved_;  // by unknown: known after the first stage
  std::vector<std::size_t> unknown_of_slot_;
  std::vector<char> beyond_;                       // by slot: a derivative that is no unknown
  std::vector<std::vector<std::uint32_t>> slots_;  // of each unknown: itself, its first and second derivative
  std::unordered_map<std::uint32_t, Expr> rates_;  // derivatives that have a formula
  Program rate_values_;
  std::vector<char> defines_rate_;                 // by row
  std::unordered_map<std::uint32_t, Expr> along_;  // the direction of the solution
  std::vector<Stage> stages_;
};

}  // namespace driftless
