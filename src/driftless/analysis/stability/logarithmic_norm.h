// Norms and logarithmic norms of matrices: mu[A] = lim_{h -> 0+} (|I + h A| - 1) / h, (1.3) of Higueras and Soderlind
// 2003, so that |exp(t A)| <= exp(t mu[A]).
#pragma once

#include "driftless/analysis/stability/vector_norm.h"

namespace driftless {

double operator_norm(const Matrix& a, const Norm& norm);
double logarithmic_norm(const Matrix& a, const Norm& norm);
// Greatest lower bounds: inf |A x| / |x|, and m[A] = -mu[-A].
double least_gain(const Matrix& a, const Norm& norm);
double lower_logarithmic_norm(const Matrix& a, const Norm& norm);

}  // namespace driftless
