// The modes of a model: which branches of its if-equations and if-expressions are active between two events, and which
// structure the equations have then. A form is made for one structure; a mode with another one has a form of its own,
// made of its branches alone (branch_model.h).
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "driftless/modelfile/compiled/branch_model.h"
#include "driftless/modelfile/compiled/model_events.h"

namespace driftless {

// What is left of a model if all branches that are not active are cut away.
struct ModeStructure {
  int index = 0;               // of the equations as they are written
  int reduced_index = 0;       // after eliminations
  std::size_t freedom = 0;     // values that can be chosen at the start: states less the constraints on them
  std::vector<Finding> fault;  // why its equations do not determine its unknowns, if they do not

  // Eliminations can take an index away (x = 0), and results can add one (w = der(x^2)): neither decides alone.
  bool same_as(const ModeStructure& other) const {
    const auto same = [](int a, int b) { return std::max(a, 1) == std::max(b, 1); };
    return fault.empty() && other.fault.empty() && freedom == other.freedom &&
           (same(index, other.index) || same(reduced_index, other.reduced_index));
  }
};

class ModelModes {
 public:
  ModelModes(Reduction& reduction, const HeldLayout& held);

  // Whether other branches are active for `b` than for `a`.
  bool differ(ConstSpan a, ConstSpan b, const ParameterValues* parameters = nullptr) const;
  ModeStructure structure(ConstSpan held) const;

  // Where a branch is written that is active for `held` and has unknowns of its own. If `before` is given, one that was
  // not active for that; without unknowns of its own if there is no other.
  std::optional<SourcePlace> active(ConstSpan held, ConstSpan before = {}) const;

  // Branches with another structure than the mode given. One after the other is made active, with as little else
  // changed as possible.
  std::vector<OtherStructure> other_structures(ConstSpan held) const;

  bool has_branches() const {
    return std::ranges::any_of(choices_, [](const Choice& choice) { return choice.own_unknowns; });
  }
  // Which branches with unknowns of their own are active for these values of all slots, and which lead there: twice the
  // number of a choice, and one more if its condition holds. A condition without a value is as it was in `before`.
  ModeBranches branches(ConstSpan inputs, const ModeBranches& before = {},
                        const ParameterValues* parameters = nullptr) const;
  std::vector<FixedBranch> fixed(const ModeBranches& branches) const;

  static ModeStructure structure_of(const FormPlan& plan);
  // "index 3 with 0 degrees of freedom instead of ...", or "too few equations: ...": how one mode differs from another.
  static std::string difference(const ModeStructure& from, const ModeStructure& to);

 private:
  // A condition between events, and what it chooses between.
  struct Choice {
    Expr select;        // as it is in the equations
    Expr condition;     // of held slots alone
    std::size_t path;   // of choices that lead to it, in paths_; no_path: it is always reached
    bool own_unknowns;  // its branches do not have the same unknowns
    SourcePlace yes, no;
    bool leads_on = false;  // to another one whose branches do not
  };
  static constexpr std::size_t no_path = SIZE_MAX;
  struct Link {
    std::size_t before;
    Expr condition;
    bool yes;
    std::size_t choice;  // that it belongs to
  };

  void find_choices(std::size_t equation);
  void add_choice(std::size_t equation, Expr select, Expr condition, std::size_t path);
  std::optional<Expr> resolved(Expr condition) const;
  std::unordered_set<std::uint32_t> moving_nodes(Expr e) const;
  std::vector<std::uint32_t> unknowns_in(Expr e) const;
  Vector inputs_for(ConstSpan held) const;
  bool reached(const Choice& choice, ConstSpan inputs, const ParameterValues* parameters = nullptr) const;
  std::optional<Vector> mode_with(const Choice& choice, bool yes, ConstSpan held) const;
  std::vector<double> candidates(std::uint32_t slot, double now, std::span<const Link> conditions) const;

  Reduction& reduction_;
  const HeldLayout& held_;
  std::vector<char> is_held_, is_unknown_;  // by slot; unknowns and derivatives that vary between events
  std::vector<Choice> choices_;
  std::vector<Link> paths_;
};

}  // namespace driftless
