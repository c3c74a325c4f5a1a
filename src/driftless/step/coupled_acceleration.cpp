// The stages of q' = v, v' = a(q, v, s, t), s' = r(q, v, s, t), with the matrices of AccelerationStage: y = (v, s) has
// the slope w with
//     w_i + B1_i (h A w)_i + B2_i ((h A)^2 w)_i = rhs_i,
// since dy = h A w, dq = h A (dv - r_q) with the residual r_q of q' = v. The multiplier follows: its rows of B1 and B2.
#include <algorithm>

#include "driftless/core/scratch.h"
#include "driftless/step/coupled_stages.h"
#include "driftless/step/stage_combination.h"

namespace driftless {

namespace {

// out -= matrix x for the rows from `first` on.
void subtract_product(const Matrix& matrix, std::size_t first, ConstSpan x, Span out) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double* __restrict column = matrix.data() + j * matrix.rows() + first;
    double* __restrict sum = out.data();
    for (std::size_t i = 0; i < out.size(); ++i) sum[i] -= column[i] * x[j];
  }
}

class CoupledAcceleration final : public CoupledStages {
 public:
  CoupledAcceleration(std::size_t n, std::size_t r, std::size_t m) : CoupledStages(n + r), n_(n), k_(n + r), m_(m) {}

  void keep(std::size_t stage, const StageMatrices& matrices) override {
    b1_[stage] = matrices.a1;
    b2_[stage] = matrices.a2;
  }
  void solve(const RadauConstants& radau, double h, const Matrix& residual, Matrix& correction) const override;

 private:
  void reserve_stages(std::size_t largest) override {
    b1_.assign(largest, Matrix(k_ + m_, k_));
    b2_.assign(largest, Matrix(k_ + m_, n_));
  }
  void assemble(const RadauConstants& radau, double h, Matrix& out) const override;

  std::size_t n_, k_, m_;
  std::vector<Matrix> b1_, b2_;
};

void CoupledAcceleration::assemble(const RadauConstants& radau, double h, Matrix& out) const {
  const std::size_t s = radau.c.size();
  for (std::size_t j = 0; j < s; ++j)
    for (std::size_t i = 0; i < s; ++i) {
      const double p = h * radau.a(i, j), p2 = h * h * radau.a_squared(i, j);
      for (std::size_t b = 0; b < k_; ++b) {
        double* __restrict column = &out(i * k_, j * k_ + b);
        const double *b1 = b1_[i].view().column(b).data(), *b2 = b < n_ ? b2_[i].view().column(b).data() : nullptr;
        for (std::size_t a = 0; a < k_; ++a) column[a] = p * b1[a] + (b2 ? p2 * b2[a] : 0.0);
      }
    }
  for (std::size_t i = 0; i < s * k_; ++i) out(i, i) += 1.0;
}

void CoupledAcceleration::solve(const RadauConstants& radau, double h, const Matrix& residual,
                                Matrix& correction) const {
  const std::size_t s = radau.c.size();
  Scratch scratch;
  const auto take = [&](std::size_t rows) {
    return MatrixView{scratch.take_raw<double>(rows * s).data(), rows, s, rows};
  };
  const MatrixView w = take(k_), dy = take(k_), slopes = take(n_), dq = take(n_);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t c = 0; c < n_; ++c) slopes(c, i) = -residual(c, i);
  combine_stages(radau.a, h, slopes.data, dq.data, n_);
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t c = 0; c < k_; ++c) w(c, i) = -residual(n_ + c, i);
    subtract_product(b2_[i], 0, dq.column(i), w.column(i));
  }
  solve_all({w.data, s * k_});
  combine_stages(radau.a, h, w.data, dy.data, k_);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t c = 0; c < n_; ++c) slopes(c, i) += dy(c, i);
  combine_stages(radau.a, h, slopes.data, dq.data, n_);
  for (std::size_t i = 0; i < s; ++i) {
    const Span out = correction.view().column(i);
    std::ranges::copy(dq.column(i), out.begin());
    std::ranges::copy(dy.column(i), out.begin() + static_cast<std::ptrdiff_t>(n_));
    const Span multiplier = out.subspan(n_ + k_, m_);
    for (std::size_t c = 0; c < m_; ++c) multiplier[c] = -residual(n_ + k_ + c, i);
    subtract_product(b1_[i], k_, dy.column(i), multiplier);
    subtract_product(b2_[i], k_, dq.column(i), multiplier);
  }
}

}  // namespace

std::unique_ptr<CoupledStages> couple_acceleration(std::size_t q_size, std::size_t s_size, std::size_t lambda_size) {
  return std::make_unique<CoupledAcceleration>(q_size, s_size, lambda_size);
}

}  // namespace driftless
