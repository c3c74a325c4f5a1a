// Solutions that grow until numbers of double precision cannot hold them, or their squares.
#pragma once

#include "driftless/core/failure.h"
#include "driftless/equations/layout.h"

namespace driftless {

// The failure of a run at this state, or if the state has outgrown double precision, one that says so: whatever went
// wrong there follows from it.
Failure blame_growth(Failure failure, const Layout& layout, double t, ConstSpan state);

}  // namespace driftless
