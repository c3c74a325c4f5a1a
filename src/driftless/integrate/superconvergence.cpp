#include "driftless/integrate/superconvergence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrate/error_scale.h"

namespace driftless {

LastDifferences last_differences(const RadauConstants& radau, const Matrix& increments, ConstSpan weights) {
  const std::size_t s = radau.c.size();
  LastDifferences found{0.0, std::numeric_limits<double>::min()};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    double d = 0.0, e = 0.0;
    for (std::size_t j = 0; j < s; ++j) {
      const double term = radau.lagrange[j] * increments(i, j);
      d += term;
      e += (radau.c[j] - radau.c[s - 1]) * term;
    }
    found.last += weighted_square(d, weights[i]);
    found.before += weighted_square(e, weights[i]);
  }
  return found;
}

double least_share(const LastDifferences& differences, int stages) {
  const double ratio = calibrated::trust_in_decay * calibrated::trust_in_decay * differences.last / differences.before;
  return std::pow(std::min(1.0, ratio), 0.5 * static_cast<double>(stages - 1));
}

namespace {

// The last two divided differences of exp(z tau) have the ratio q = z/s, and the error of the method is below q^(s-1)
// estimates, for real and for imaginary z, as far as q = 1. Of the two ratios that tell q the smaller one counts, since
// a difference may vanish by chance.
double share_of_differences(const RadauConstants& radau, const Matrix& increments, std::size_t i, double estimate) {
  const std::size_t s = radau.c.size();
  double d = 0.0, e = std::numeric_limits<double>::min();
  for (std::size_t j = 0; j < s; ++j) {
    const double term = radau.lagrange[j] * increments(i, j);
    d += term;
    e += (radau.c[j] - radau.c[s - 1]) * term;
  }
  const double expected = calibrated::estimate_of_difference[calibrated::row_of(radau.stages)] * std::abs(d);
  double q = std::min(1.0, std::abs(d / e));
  if (estimate < q * expected) q = estimate / expected;
  const double square = q * q;
  return radau.stages == 3 ? square : radau.stages == 5 ? square * square : square * square * square;
}

}  // namespace

void credit_superconvergence(const RadauConstants& radau, const Matrix& increments, const Credit& credit, Span error) {
  const int stages = radau.stages;
  // x^((s - 1)/(s + 1)) = x^(1/2), x^(2/3), x^(3/4), without the cost of a power.
  auto gain = [stages](double x) {
    if (stages == 3) return std::sqrt(x);
    return stages == 5 ? std::cbrt(x * x) : std::sqrt(x * std::sqrt(x));
  };
  for (std::size_t i = 0; i < error.size(); ++i) {
    double size = std::numeric_limits<double>::min();
    for (std::size_t j = 0; j < radau.c.size(); ++j) size = std::max(size, std::abs(increments(i, j)));
    const double estimate = std::abs(error[i]);
    double share = credit.factor * std::max(credit.least, gain(std::min(1.0, estimate / size)));
    if (credit.by_differences) share = std::max(share, share_of_differences(radau, increments, i, estimate));
    error[i] *= share;
  }
}

double error_between_steps(const RadauConstants& radau, const Matrix& increments, ConstSpan weights) {
  const auto [last, before] = last_differences(radau, increments, weights);
  return calibrated::largest_product[calibrated::row_of(radau.stages)] * std::min(1.0, std::sqrt(last / before)) *
         std::sqrt(last / static_cast<double>(std::max<std::size_t>(1, weights.size())));
}

}  // namespace driftless
