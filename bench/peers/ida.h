// IDA of SUNDIALS (Hindmarsh and others), with its own dense or KLU's sparse linear algebra.
#pragma once

#include "bench/run.h"
#include "bench/systems.h"

namespace bench {

// Was it there when this was compiled?
bool ida_is_here();

enum class KluOrdering { amd = 0, colamd = 1 };  // COLAMD is what SUNDIALS takes if nothing is said

// first_step 0: chosen by the code. Storage must not be a band.
Outcome ida(FullyImplicit& system, double begin, double end, double tolerance, double first_step, double seconds,
            KluOrdering ordering = KluOrdering::colamd);

}  // namespace bench
