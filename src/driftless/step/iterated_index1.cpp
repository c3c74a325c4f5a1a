#include "driftless/step/iterated_index1.h"

#include <algorithm>

#include "driftless/linalg/gmres.h"

namespace driftless {

namespace {

// What is left of a correction: far less than simplified matrices leave anyway.
constexpr GmresOptions accuracy{.reduction = 1e-3, .limit = 40};

const PreconditionedFunctions* preconditioned(const Index1& form) {
  return dynamic_cast<const PreconditionedFunctions*>(&form.functions());
}

}  // namespace

bool IteratedIndex1Stage::suits(const Index1& form) { return preconditioned(form) != nullptr; }

IteratedIndex1Stage::IteratedIndex1Stage(const Index1& form)
    : StageEquations(std::vector<int>(form.size(), 0)),
      f_(form.share()),
      parts_(form.share_parts()),
      pattern_(form.pattern()),
      jacobian_(pattern_.count()),
      inverse_(preconditioned(form)->make_preconditioner()) {}

void IteratedIndex1Stage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  f_->f(x, t, r);
  for (double& value : r) value = -value;
  parts_->p.add_product(slope, r);
}

void IteratedIndex1Stage::linearise(double t, ConstSpan x, ConstSpan) {
  f_->f_values(x, t, jacobian_);
  inverse_->linearise(x, t);
}

void IteratedIndex1Stage::reserve(std::size_t real, std::size_t complex) {
  real_.resize(real);
  complex_.resize(complex);
}

bool IteratedIndex1Stage::factorise_real(std::size_t slot, double c) {
  real_[slot] = c;
  const auto open = inverse_->prepare_real(slot, c);
  undetermined_ = open.value_or(0);
  return !open;
}

bool IteratedIndex1Stage::factorise_complex(std::size_t slot, Complex c) {
  complex_[slot] = c;
  const auto open = inverse_->prepare_complex(slot, c);
  undetermined_ = open.value_or(0);
  return !open;
}

void IteratedIndex1Stage::subtract_jacobian(ConstSpan x, Span out) const {
  for (std::size_t j = 0, k = 0; j < pattern_.cols; ++j)
    for (; k < pattern_.begin[j + 1]; ++k) out[pattern_.row[k]] -= jacobian_[k] * x[j];
}

// The inverse stands on the left, so that what GMRES makes small is the error of the correction, up to what the inverse
// leaves of it: rows of the equations have units of their own.
void IteratedIndex1Stage::solve_real(std::size_t slot, Span rho) const {
  const double c = real_[slot];
  inverse_->apply_real(slot, rho);
  const LinearMap map = [&](ConstSpan x, Span y) {
    std::ranges::fill(y, 0.0);
    parts_->p.add_product(x, y);
    for (double& value : y) value *= c;
    subtract_jacobian(x, y);
    inverse_->apply_real(slot, y);
  };
  Vector x(rho.size());
  gmres(map, {}, rho, {}, x, accuracy);
  std::ranges::copy(x, rho.begin());
}

// In real numbers, the imaginary part behind the real one.
void IteratedIndex1Stage::solve_complex(std::size_t slot, Span re, Span im) const {
  const Complex c = complex_[slot];
  const std::size_t n = re.size();
  inverse_->apply_complex(slot, re, im);
  Vector right(re.begin(), re.end()), x(2 * n), along(2 * n);
  right.insert(right.end(), im.begin(), im.end());
  const LinearMap map = [&](ConstSpan from, Span y) {
    std::ranges::fill(along, 0.0);
    parts_->p.add_product(from.first(n), Span(along).first(n));
    parts_->p.add_product(from.last(n), Span(along).last(n));
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = c.real() * along[i] - c.imag() * along[n + i];
      y[n + i] = c.real() * along[n + i] + c.imag() * along[i];
    }
    subtract_jacobian(from.first(n), y.first(n));
    subtract_jacobian(from.last(n), y.last(n));
    inverse_->apply_complex(slot, y.first(n), y.last(n));
  };
  gmres(map, {}, right, {}, x, accuracy);
  std::copy_n(x.begin(), n, re.begin());
  std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(n), n, im.begin());
}

}  // namespace driftless
