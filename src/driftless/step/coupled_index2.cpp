// The stages of Gamma(u, t) u' = f(u, lambda, t), 0 = g(u, t), for du and mu = h dlambda:
//     sum_j omega_ij Gamma_i du_j + h D_i du_i - f_lambda,i mu_i = h rhs_i,    -g_u,i du_i = rhs_i,
// with D = d(Gamma u' - f)/du: rows times h and a multiplier in units of 1/h, so that no power of h is left. Rows for
// multipliers of least norm, n^T lambda = 0 (marked in A_2), are n^T mu_i = h rhs_i.
#include <algorithm>

#include "driftless/core/scratch.h"
#include "driftless/step/coupled_stages.h"

namespace driftless {

namespace {

class CoupledIndex2 final : public CoupledStages {
 public:
  CoupledIndex2(std::size_t n, std::size_t m) : CoupledStages(n + m), n_(n), m_(m) {}

  // [Gamma, -f_lambda; -g_u, 0] + [D, 0; 0, 0]/c
  void keep(std::size_t stage, const StageMatrices& matrices) override {
    std::copy_n(matrices.a0.data(), a0_.rows(), a0_.view().column(stage).data());
    std::copy_n(matrices.a1.data(), a1_.rows(), a1_.view().column(stage).data());
    marks_[stage].assign(matrices.a2.data(), matrices.a2.data() + matrices.a2.rows());
  }
  void solve(const RadauConstants& radau, double h, const Matrix& residual, Matrix& correction) const override;

 private:
  void reserve_stages(std::size_t largest) override {
    a0_ = a1_ = Matrix((n_ + m_) * (n_ + m_), largest);
    marks_.assign(largest, {});
  }
  void assemble(const RadauConstants& radau, double h, Matrix& out) const override;

  ConstMatrixView of_stage(const Matrix& all, std::size_t stage) const {
    return {all.view().column(stage).data(), n_ + m_, n_ + m_, n_ + m_};
  }

  std::size_t n_, m_;
  Matrix a0_, a1_;             // those of a stage in a column
  std::vector<Vector> marks_;  // empty: no such rows
};

void CoupledIndex2::assemble(const RadauConstants& radau, double h, Matrix& out) const {
  const std::size_t s = radau.c.size(), size = n_ + m_;
  out.view().fill(0.0);
  for (std::size_t i = 0; i < s; ++i) {
    const ConstMatrixView a0 = of_stage(a0_, i), a1 = of_stage(a1_, i);
    for (std::size_t j = 0; j < s; ++j)
      for (std::size_t b = 0; b < n_; ++b)
        for (std::size_t a = 0; a < n_; ++a) out(i * size + a, j * size + b) = radau.omega(i, j) * a0(a, b);
    const MatrixView own = out.view().block(i * size, i * size, size, size);
    for (std::size_t b = 0; b < n_; ++b) {
      for (std::size_t a = 0; a < n_; ++a) own(a, b) += h * a1(a, b);
      for (std::size_t a = n_; a < size; ++a) own(a, b) = a0(a, b);
    }
    for (std::size_t b = n_; b < size; ++b)
      for (std::size_t a = 0; a < size; ++a) own(a, b) = a0(a, b);
  }
}

void CoupledIndex2::solve(const RadauConstants& radau, double h, const Matrix& residual, Matrix& correction) const {
  const std::size_t s = radau.c.size(), size = n_ + m_;
  Scratch scratch;
  const Span x = scratch.take_raw<double>(s * size);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t a = 0; a < size; ++a) {
      const bool times_h = a < n_ || (!marks_[i].empty() && marks_[i][a] != 0.0);
      x[i * size + a] = times_h ? -h * residual(a, i) : -residual(a, i);
    }
  solve_all(x);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t a = 0; a < size; ++a) correction(a, i) = a < n_ ? x[i * size + a] : x[i * size + a] / h;
}

}  // namespace

std::unique_ptr<CoupledStages> couple_index2(std::size_t u_size, std::size_t lambda_size) {
  return std::make_unique<CoupledIndex2>(u_size, lambda_size);
}

}  // namespace driftless
