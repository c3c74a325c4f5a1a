// Which method, with which projection, and where the multiplier of the new point comes from.
#pragma once

#include "driftless/equations/equations.h"
#include "driftless/tableau/families.h"

namespace driftless {

enum class Projection {
  automatic,  // what the method needs: `hidden` if it is stiffly accurate (g = 0 holds already), else `full`
  none,       // the classical method, which drifts
  hidden,     // only the velocity level, (2.8) of Schropp 2003; nothing for index 2 and 1
  full,       // position and velocity, (2.7) of Schropp 2003 and of Schropp 2001
};

enum class MultiplierRule {
  stages,             // (2.5): lambda_{n+1} = R(infinity) lambda_n + b^T A^-1 Lambda, resp. (2.9): Lambda_s
  hidden_constraint,  // lambda_{n+1} = psi_0(u_{n+1}, v_{n+1})
};

// Radau IIA with three stages, computed once.
const Tableau& default_tableau();

struct Method {
  Tableau tableau = default_tableau();
  Projection projection = Projection::automatic;
  MultiplierRule multiplier = MultiplierRule::stages;
  // Use a tableau although the papers' conditions on it fail.
  bool despite_conditions = false;

  friend bool operator==(const Method&, const Method&) = default;
};

// Throws Misuse, with the reason in words, if the conditions of the papers on this method for these equations fail and
// the caller neither insists nor takes lambda from the hidden constraint (which needs no damping of lambda).
void require_conditions(const Method& method, const Equations& equations);

// `automatic` resolved.
Projection projection_of(const Method& method);

}  // namespace driftless
