// Puts results back into the equations of the model as written while a run goes on: those that the solver does not see
// at every step, all of them at the beginning and the end of a stretch, and at every row of the output if asked for.
#pragma once

#include <optional>

#include "driftless/integrate/solve.h"
#include "driftless/simulate/stretch.h"

namespace driftless {

class EquationWatch {
 public:
  EquationWatch(const SolveOptions& options, bool every_row);

  struct Sight {
    EquationState equation = {};
    double time = 0.0;
  };

  void begin_stretch() { at_begin_ = true; }
  void see_step(const Stretch& stretch, double t, ConstSpan state);
  void see_row(const Stretch& stretch, double t, ConstSpan state);
  void see_end(const Stretch& stretch, double t, ConstSpan state);

  // The first equation that is off by far more than the tolerance explains.
  const std::optional<Sight>& broken() const { return broken_; }
  // Of all rows, if asked for.
  const Sight& worst() const { return worst_; }
  std::size_t looks() const { return looks_; }
  std::size_t not_evaluated() const { return not_evaluated_; }

 private:
  void look(const Stretch::Check& check, double t, ConstSpan state, bool keep);

  Tolerance tolerance_;
  bool all_;  // equations are meant to hold: nobody switched the projection off
  bool rows_;
  bool at_begin_ = true;
  std::optional<Sight> broken_;
  Sight worst_;
  std::size_t looks_ = 0, not_evaluated_ = 0;
};

Failure failure_of(const EquationWatch::Sight& sight);  // of a run that breaks an equation

}  // namespace driftless
