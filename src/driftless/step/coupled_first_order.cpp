// The stages of x' = f(x, t) with multipliers that follow, lambda = psi(x, t): with the slope w = dx' and B = -df/dx,
//     w_i + B_i (h A w)_i = rhs_i,    dx = h A w,    dlambda_i = rhs_i + D_i dx_i,    D = dpsi/dx.
// Matrices are A_1 = (B; -D), one below the other.
#include <algorithm>

#include "driftless/core/scratch.h"
#include "driftless/step/coupled_stages.h"
#include "driftless/step/stage_combination.h"

namespace driftless {

namespace {

class CoupledFirstOrder final : public CoupledStages {
 public:
  CoupledFirstOrder(std::size_t k, std::size_t m) : CoupledStages(k), k_(k), m_(m) {}

  void keep(std::size_t stage, const StageMatrices& matrices) override { b_[stage] = matrices.a1; }
  void solve(const RadauConstants& radau, double h, const Matrix& residual, Matrix& correction) const override;

 private:
  void reserve_stages(std::size_t largest) override { b_.assign(largest, Matrix(k_ + m_, k_)); }
  void assemble(const RadauConstants& radau, double h, Matrix& out) const override;

  std::size_t k_, m_;
  std::vector<Matrix> b_;
};

void CoupledFirstOrder::assemble(const RadauConstants& radau, double h, Matrix& out) const {
  const std::size_t s = radau.c.size();
  for (std::size_t j = 0; j < s; ++j)
    for (std::size_t i = 0; i < s; ++i) {
      const double p = h * radau.a(i, j);
      for (std::size_t b = 0; b < k_; ++b)
        for (std::size_t a = 0; a < k_; ++a) out(i * k_ + a, j * k_ + b) = p * b_[i](a, b);
    }
  for (std::size_t i = 0; i < s * k_; ++i) out(i, i) += 1.0;
}

void CoupledFirstOrder::solve(const RadauConstants& radau, double h, const Matrix& residual, Matrix& correction) const {
  const std::size_t s = radau.c.size();
  Scratch scratch;
  const MatrixView w{scratch.take_raw<double>(k_ * s).data(), k_, s, k_},
      dx{scratch.take_raw<double>(k_ * s).data(), k_, s, k_};
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t a = 0; a < k_; ++a) w(a, i) = -residual(a, i);
  solve_all({w.data, s * k_});
  combine_stages(radau.a, h, w.data, dx.data, k_);
  for (std::size_t i = 0; i < s; ++i) {
    const Span out = correction.view().column(i);
    std::ranges::copy(dx.column(i), out.begin());
    for (std::size_t l = 0; l < m_; ++l) {
      double sum = -residual(k_ + l, i);
      for (std::size_t a = 0; a < k_; ++a) sum -= b_[i](k_ + l, a) * dx(a, i);
      out[k_ + l] = sum;
    }
  }
}

}  // namespace

std::unique_ptr<CoupledStages> couple_first_order(std::size_t moving, std::size_t following) {
  return std::make_unique<CoupledFirstOrder>(moving, following);
}

}  // namespace driftless
