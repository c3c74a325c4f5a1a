#include "driftless/step/stage_equations.h"

#include <stdexcept>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/step/stage_equations_forms.h"

namespace driftless {

namespace {

// Three parts of the matrix, one real factorisation and at least one complex one.
std::size_t that_fits(std::size_t reduced) {
  require_dense(reduced, 6.0, "implicit steps");
  return reduced;
}

}  // namespace

StageEquations::StageEquations(std::vector<int> power, std::size_t reduced)
    : a0_(that_fits(reduced), reduced), a1_(reduced, reduced), a2_(reduced, reduced), power_(std::move(power)) {}

void StageEquations::apply_leading(ConstSpan, Span) const { throw std::logic_error("this form is not coupled"); }

void StageEquations::reserve(std::size_t real, std::size_t complex) {
  real_.assign(real, {RealLu(a0_.rows())});
  complex_.assign(complex, {ComplexLu(a0_.rows()), {}});
}

bool StageEquations::factorise_real(std::size_t slot, double c) {
  auto& [lu, kept] = real_[slot];
  kept = c;
  const double p = 1.0 / c, p2 = p * p;
  double* out = lu.matrix().data();
  const double *a0 = a0_.data(), *a1 = a1_.data(), *a2 = a2_.data();
  for (std::size_t k = 0; k < a0_.rows() * a0_.cols(); ++k) out[k] = a0[k] + p * a1[k] + p2 * a2[k];
  if (lu.factorise()) return true;
  undetermined_ = component(lu.failed_column());
  return false;
}

bool StageEquations::factorise_complex(std::size_t slot, Complex c) {
  auto& [lu, kept] = complex_[slot];
  kept = c;
  const Complex p = 1.0 / c, p2 = p * p;
  double *re = lu.real().data(), *im = lu.imag().data();
  const double *a0 = a0_.data(), *a1 = a1_.data(), *a2 = a2_.data();
  for (std::size_t k = 0; k < a0_.rows() * a0_.cols(); ++k) {
    re[k] = a0[k] + p.real() * a1[k] + p2.real() * a2[k];
    im[k] = p.imag() * a1[k] + p2.imag() * a2[k];
  }
  if (lu.factorise()) return true;
  undetermined_ = component(lu.failed_column());
  return false;
}

void StageEquations::solve_real(std::size_t slot, Span rho) const {
  const auto& [lu, c] = real_[slot];
  Scratch scratch;
  const Span reduced = scratch.take_raw<double>(a0_.rows());
  reduce(c, rho, reduced);
  lu.solve(reduced);
  expand(c, reduced, rho);
}

void StageEquations::solve_complex(std::size_t slot, Span re, Span im) const {
  const auto& [lu, c] = complex_[slot];
  const std::size_t n = a0_.rows();
  Scratch scratch;
  const auto rho = scratch.take_raw<Complex>(re.size()), reduced = scratch.take_raw<Complex>(n);
  const Span x = scratch.take_raw<double>(n), y = scratch.take_raw<double>(n);
  for (std::size_t i = 0; i < re.size(); ++i) rho[i] = {re[i], im[i]};
  reduce(c, rho, reduced);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = reduced[i].real();
    y[i] = reduced[i].imag();
  }
  lu.solve(x, y);
  for (std::size_t i = 0; i < n; ++i) reduced[i] = {x[i], y[i]};
  expand(c, reduced, rho);
  for (std::size_t i = 0; i < re.size(); ++i) {
    re[i] = rho[i].real();
    im[i] = rho[i].imag();
  }
}

std::unique_ptr<StageEquations> make_stage_equations(const Equations& equations) {
  struct Visitor {
    std::unique_ptr<StageEquations> operator()(const Index1& form) const { return std::make_unique<Index1Stage>(form); }
    std::unique_ptr<StageEquations> operator()(const Index2& form) const { return std::make_unique<Index2Stage>(form); }
    std::unique_ptr<StageEquations> operator()(const Index3& form) const { return std::make_unique<Index3Stage>(form); }
    std::unique_ptr<StageEquations> operator()(const Mechanical& form) const {
      return std::make_unique<MechanicalStage>(form);
    }
  };
  return std::visit(Visitor{}, equations);
}

}  // namespace driftless
