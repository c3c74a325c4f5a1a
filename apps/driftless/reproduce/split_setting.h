// One problem in one norm: its four constants of Definition 3.1, as they are enclosed and as pairs of states show them.
#pragma once

#include "apps/driftless/reproduce/random_states.h"
#include "testset/stability/cases.h"

namespace reproduce {

struct SplitSetting {
  const driftless::stability::Case& problem;
  driftless::Norm norm;
  driftless::Index1Split split;
  driftless::SplitConstants c;  // enclosed

  SplitSetting(const driftless::stability::Case& one, const char* norm_name);
  Vector p(const Vector& x) const { return times(split.p(), x); }
  Vector q(const Vector& x) const { return times(split.q(), x); }
  Vector f(const Vector& x, double t) const;

  // The largest quotients of (3.13) and (3.14), by the definition, over pairs that differ by a little.
  driftless::SplitConstants seen_in_pairs() const;
};

// (enclosed - seen) / (1 + |seen|): not below 0, since a constant is a supremum, and not far above, since it is the
// smallest bound.
Line enclosed_beside_seen(std::string id, std::string what, double enclosed, double seen, double most);

}  // namespace reproduce
