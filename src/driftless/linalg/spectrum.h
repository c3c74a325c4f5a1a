// Eigenvalues and functions of small dense matrices.
#pragma once

#include <complex>
#include <vector>

#include "driftless/core/matrix.h"

namespace driftless {

// By descending modulus; of a conjugate pair the one with positive imaginary part first.
std::vector<std::complex<double>> eigenvalues_of(ConstMatrixView a);

// Unsorted, each with an eigenvector, which are the columns of `vectors`, of any length.
struct Eigenpairs {
  std::vector<std::complex<double>> values = {};
  std::vector<std::vector<std::complex<double>>> vectors = {};
};
Eigenpairs eigenpairs_of(ConstMatrixView a);

// The largest eigenvalue of (A + A^T) / 2, which is the logarithmic norm mu_2(A); NaN if A is not finite.
double largest_symmetric_eigenvalue(ConstMatrixView a);

// All eigenvalues of (A + A^T) / 2, ascending, and the eigenvector of the smallest.
struct SymmetricSpectrum {
  Vector values = {};
  Vector lowest_vector = {};
};
SymmetricSpectrum symmetric_spectrum(ConstMatrixView a);

// exp(A).
Matrix exponential_of(ConstMatrixView a);

}  // namespace driftless
