#include "driftless/analysis/geometric/stability_function.h"

#include <fmt/format.h>

#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"

namespace driftless {

std::optional<Matrix> stability_function(const Tableau& tableau, const Matrix& z) {
  const std::size_t s = tableau.stages(), m = z.rows();
  if (z.cols() != m) throw Misuse(fmt::format("R(Z) needs a square Z, but it is {} x {}", m, z.cols()));
  Matrix system = Matrix::identity(s * m);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j)
      for (std::size_t k = 0; k < m; ++k)
        for (std::size_t l = 0; l < m; ++l) system(i * m + k, j * m + l) -= tableau.a(i, j) * z(k, l);
  const auto solved = inverse(system);
  if (!solved) return std::nullopt;
  // Stages V_i of the columns of I, then I + sum b_i Z V_i.
  Matrix weighted(m, m);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j)
      for (std::size_t k = 0; k < m; ++k)
        for (std::size_t l = 0; l < m; ++l) weighted(k, l) += tableau.b[i] * (*solved)(i * m + k, j * m + l);
  Matrix r = product(z, weighted);
  for (std::size_t k = 0; k < m; ++k) r(k, k) += 1.0;
  return r;
}

}  // namespace driftless
