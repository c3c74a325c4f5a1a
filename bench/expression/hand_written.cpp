#include "bench/expression/andrews.h"

namespace bench {
void hand_written(const double* y, double* F) { Andrews::residual(y, F); }
}  // namespace bench
