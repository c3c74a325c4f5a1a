#include "driftless/step/collocation.h"

#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <mutex>

#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

// v -> v / v_s for each complex eigenvector x + i y: a rotation and scaling of the two columns of T, undone in T^-1.
void normalise_pairs(Eigenbasis& basis) {
  const std::size_t s = basis.t.rows();
  for (std::size_t k = 0; k < basis.pairs.size(); ++k) {
    const std::size_t x = basis.real.size() + 2 * k, y = x + 1;
    const std::complex<double> last(basis.t(s - 1, x), basis.t(s - 1, y));
    for (std::size_t i = 0; i < s; ++i) {
      const std::complex<double> v = std::complex<double>(basis.t(i, x), basis.t(i, y)) / last;
      basis.t(i, x) = v.real();
      basis.t(i, y) = v.imag();
      // (w_x, w_y) = coordinates: x w_x + y w_y = Re((x + i y)(w_x - i w_y)), so w_x - i w_y is multiplied by v_s.
      const std::complex<double> w = std::complex<double>(basis.t_inverse(x, i), -basis.t_inverse(y, i)) * last;
      basis.t_inverse(x, i) = w.real();
      basis.t_inverse(y, i) = -w.imag();
    }
  }
}

// The embedded method y^ = y_0 + h (gamma_0 f(y_0) + sum b^_i f_i), gamma_0 = 1/gamma, of order s: its difference d_i
// from b_i solves sum_i d_i c_i^{k-1} = -gamma_0 delta_{k1}, k = 1..s; in the increments Z the weights are d^T A^-1
// (Hairer and Wanner II, IV.8).
Vector error_weights(const RadauConstants& constants) {
  const std::size_t s = constants.c.size();
  Matrix powers(s, s);
  for (std::size_t k = 0; k < s; ++k)
    for (std::size_t i = 0; i < s; ++i) powers(k, i) = std::pow(constants.c[i], static_cast<double>(k));
  const Matrix inverse = inverse_of(powers);
  Vector weights(s, 0.0);
  for (std::size_t j = 0; j < s; ++j)
    for (std::size_t i = 0; i < s; ++i) weights[j] -= inverse(i, 0) * constants.omega(i, j);
  return weights;  // gamma_0 cancels against the factor gamma
}

Vector lagrange_factors(ConstSpan c) {
  Vector factors(c.size());
  for (std::size_t j = 0; j < c.size(); ++j) {
    double product = c[j];
    for (std::size_t k = 0; k < c.size(); ++k)
      if (k != j) product *= c[j] - c[k];
    factors[j] = 1.0 / product;
  }
  return factors;
}

}  // namespace

const RadauConstants& radau_constants(int stages) {
  static std::array<std::unique_ptr<RadauConstants>, most_stages + 1> known;
  static std::mutex mutex;
  if (stages < 1 || stages > most_stages || stages % 2 == 0)
    throw Misuse("radau_constants: the stage number must be 1, 3, 5, 7 or 9");
  const std::lock_guard lock(mutex);
  auto& entry = known[static_cast<std::size_t>(stages)];
  if (!entry) {
    const Tableau tableau = radau_iia(stages);
    RadauConstants constants;
    constants.stages = stages;
    constants.c = tableau.c;
    constants.a = tableau.a;
    constants.a_squared = product(tableau.a, tableau.a);
    constants.omega = inverse_of(tableau.a);
    constants.basis = eigenbasis_of(tableau);
    normalise_pairs(constants.basis);
    constants.gamma = constants.basis.real.front();
    constants.error = error_weights(constants);
    constants.lagrange = lagrange_factors(constants.c);
    entry = std::make_unique<RadauConstants>(std::move(constants));
  }
  return *entry;
}

void stage_weights(ConstSpan c, double tau, Span weights) {
  for (std::size_t j = 0; j < c.size(); ++j) {
    double w = 1.0;
    for (std::size_t k = 0; k < c.size(); ++k)
      if (k != j) w *= (tau - c[k]) / (c[j] - c[k]);
    weights[j] = w;
  }
}

void collocation_weights(ConstSpan c, double tau, Span weights) {
  stage_weights(c, tau, weights);
  for (std::size_t j = 0; j < c.size(); ++j) weights[j] *= tau / c[j];
}

void collocation_weights(const RadauConstants& radau, double tau, Span weights) {
  const std::size_t s = radau.c.size();
  // Products of the differences before and after j.
  double before = tau;
  for (std::size_t j = 0; j < s; ++j) {
    weights[j] = before * radau.lagrange[j];
    before *= tau - radau.c[j];
  }
  double after = 1.0;
  for (std::size_t j = s; j-- > 0;) {
    weights[j] *= after;
    after *= tau - radau.c[j];
  }
}

}  // namespace driftless
