// Logarithmic norms of matrix pencils (Higueras and Garcia-Celayeta 1999), (1.8) of Higueras and Soderlind 2003: on an
// admissible subspace V, one that meets Ker A in 0 only,
//     |A, B|_V = max_{x in V} |B x| / |A x|,    mu_V[A, B] = lim_{h -> 0+} (|A, A + h B|_V - 1) / h,
// and solutions of A x' = B x in V satisfy |A x(t)| <= exp(t mu_V[A, B]) |A x(0)|.
#pragma once

#include "driftless/analysis/stability/vector_norm.h"

namespace driftless {

// Columns of `v` span V; Misuse if V meets Ker A.
double pencil_norm(const Matrix& a, const Matrix& b, const Matrix& v, const Norm& norm);
double pencil_logarithmic_norm(const Matrix& a, const Matrix& b, const Matrix& v, const Norm& norm);
// -mu_V[A, -B]: |A x(t)| >= exp(t m) |A x(0)|.
double lower_pencil_logarithmic_norm(const Matrix& a, const Matrix& b, const Matrix& v, const Norm& norm);

// Does V meet Ker A in 0 only?
bool is_admissible(const Matrix& a, const Matrix& v);

// { x : B x in Im A }, orthonormal: where the solutions of A x' = B x live if the pencil has index 1. It is admissible
// exactly then.
Matrix consistent_subspace(const Matrix& a, const Matrix& b);

}  // namespace driftless
