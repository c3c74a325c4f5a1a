// The conditions on the method under which the invariance and
// convergence theorems of Schropp hold, with reasons for people.
#pragma once

#include <string>

#include "driftless/tableau/tableau.h"

namespace driftless {

struct ConditionVerdict {
  bool holds = false;
  std::string reason;  // one sentence: which numbers decide, and what it means for a run
};

// (B1)-(B3), or (B1')-(B3') for half-explicit methods. `overall` names the first condition that fails.
struct ConditionVerdicts {
  ConditionVerdict b1;
  ConditionVerdict b2;
  ConditionVerdict b3;
  ConditionVerdict overall;
};

// Schropp 2001: (B1) A invertible, (B2) |R(infinity)| < 1, (B3) order p >= stage order q >= 1.
ConditionVerdicts conditions_projected_index2(const Tableau& tableau);

// Schropp 2003: (B1), (B2) as above, (B3) p >= q + 1 and q >= 2.
ConditionVerdicts conditions_projected_index3(const Tableau& tableau);

// Schropp 2001: (B1') a_{i+1,i} != 0 and b_s != 0, (B2') order
// p and c = A 1, (B3') c_s = 1 and Lambda_s of order r <= p.
ConditionVerdicts conditions_half_explicit(const Tableau& tableau);

}  // namespace driftless
