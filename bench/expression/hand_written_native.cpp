// Compiled with -march=native.
#include "bench/expression/andrews.h"

namespace bench {
void hand_written_native(const double* y, double* F) { Andrews::residual(y, F); }
}  // namespace bench
