// One Newton correction after an event: constraints are satisfied, states are left alone as far as they can be.
#pragma once

#include "driftless/core/matrix.h"

namespace driftless {

// d with J d = -r, where J (m x n) has zeros in the columns of what must not move, and D (n x k) zeros in its rows:
// along D alone if that is enough, d = D mu; what D cannot do is done by the smallest change w beside it, d = D mu + w.
// Of the r that no d can remove nothing is removed.
Vector event_step(const Matrix& jacobian, const Matrix& directions, ConstSpan residual);

}  // namespace driftless
