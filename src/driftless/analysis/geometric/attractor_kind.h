// What a run settles on: an equilibrium, a periodic orbit, or something else that Lyapunov exponents describe.
#pragma once

#include "driftless/analysis/geometric/equilibrium.h"
#include "driftless/analysis/geometric/lyapunov.h"
#include "driftless/analysis/geometric/periodic_orbit.h"

namespace driftless {

enum class AttractorKind {
  equilibrium,
  periodic,
  neutral,    // a periodic orbit whose neighbours neither approach it nor leave: as in conservative systems
  chaotic,    // the largest Lyapunov exponent is positive, by more than three standard errors
  undecided,  // it is not: quasi-periodic, or not yet settled
};
const char* name_of(AttractorKind kind);

struct RecognitionOptions {
  FlowOptions flow = {};  // of the DAE, or of a method with fixed steps
  double transient = 100.0;
  double longest_period = 100.0;  // that is looked for
  LyapunovOptions lyapunov = {};  // for the rest; its flow and transient are those above
  double bound = 1e6;
  Execution execution = {};
};

struct RecognisedAttractor {
  AttractorKind kind = AttractorKind::undecided;
  Vector state = {};  // where the run was after the transient
  std::optional<Equilibrium> equilibrium = {};
  // For a method with fixed steps: eigenvalues of one step, beside the exponents of the equilibrium.
  std::vector<std::complex<double>> step_multipliers = {};
  std::optional<PeriodicOrbit> periodic = {};
  std::optional<LyapunovExponents> lyapunov = {};
};

// Runs from the start through the transient, then looks where it is: equilibria are refined by Newton's method, returns
// to a section are refined to periodic orbits, and accepted if they are stable and near; else exponents are computed.
Result<RecognisedAttractor> recognise_attractor(const Index2& equations, ConstSpan start,
                                                const RecognitionOptions& options = {});

}  // namespace driftless
