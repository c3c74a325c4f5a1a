// Singular values of matrices too large for Jacobi's method: bidiagonal form, then implicit QR steps. It looks for a
// stop all the way, and a failed allocation leaves nothing half done.
#pragma once

#include "driftless/linalg/jacobi_svd.h"

namespace driftless {

// Finite entries; `vectors` none or full. Values are exact to rounding of the largest.
Svd large_svd(const Eigen::MatrixXd& m, SingularVectors vectors);

}  // namespace driftless
