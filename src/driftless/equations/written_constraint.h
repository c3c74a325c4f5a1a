// How a constraint of the equations stands to the equation that the user wrote.
#pragma once

namespace driftless {

struct WrittenConstraint {
  int integrated = 0;  // the equation is this derivative of the constraint: z = 0 stands for 0 = z'
  double scale = 1.0;  // otherwise, or besides, the constraint is the equation times this
};

}  // namespace driftless
