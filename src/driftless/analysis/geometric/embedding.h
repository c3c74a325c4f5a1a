// The embedding (3.1) of the attracting-sets paper: a DAE of the same index whose solutions exist off the constraint
// and approach it,  Gamma u' = f(u, lambda),  v' = -B(u) v,  0 = g(u) - v,  with mu_2(-B(u)) <= -eta < 0.
#pragma once

#include "driftless/analysis/geometric/index2_problem.h"
#include "driftless/autodiff/jacobian.h"
#include "driftless/autodiff/view.h"

namespace driftless {

// B(u, t), one row and column per constraint.
class DecayMatrix {
 public:
  virtual ~DecayMatrix() = default;
  virtual void value(ConstSpan u, double t, MatrixView b) const = 0;
  // d/d(u, t) of B(u, t) v at fixed v.
  virtual void product_jacobian(ConstSpan u, double t, ConstSpan v, MatrixView j) const = 0;
};

class Embedding {
 public:
  Embedding(const Index2& original, std::shared_ptr<const DecayMatrix> decay);

  // u, then v (named after its constraint), then lambda. Starts with g(u) = v = 0 give the original problem.
  const Index2& equations() const { return equations_; }
  const Index2& original() const { return original_; }

  // mu_2(-B(u, t)): below 0 where solutions approach the constraint.
  double logarithmic_norm(double t, ConstSpan u) const;

  // The consistent state (u, g(u, t), psi(u, v)) for any u, on the constraint or off it; as in ManifoldPoint, lambda
  // may be given as well.
  Result<Vector> state(double t, ConstSpan u) const;

 private:
  Index2 original_, equations_;
  std::shared_ptr<const DecayMatrix> decay_;
};

// B = rate I. Misuse unless the rate is positive.
Embedding embed(const Index2& original, double rate = 1.0);
// Constant B. Misuse if mu_2(-B) >= 0.
Embedding embed(const Index2& original, const Matrix& b);

namespace detail {

template <class Model>
class DecayFromModel final : public DecayMatrix {
 public:
  DecayFromModel(Model model, std::size_t n, std::size_t m) : model_(std::move(model)), n_(n), m_(m) {}

  void value(ConstSpan u, double t, MatrixView b) const override {
    Scratch scratch;
    const auto values = scratch.take<double>(m_ * m_);
    model_.decay(In<double>(u), t, OutMatrix<double>(values, m_, m_));
    for (std::size_t j = 0; j < m_; ++j)
      for (std::size_t i = 0; i < m_; ++i) b(i, j) = values[i + j * m_];
  }
  void product_jacobian(ConstSpan u, double t, ConstSpan v, MatrixView j) const override {
    Scratch scratch;
    const auto x = scratch.take<double>(n_ + 1);
    std::copy(u.begin(), u.end(), x.begin());
    x[n_] = t;
    jacobian([&](auto a, auto y) { product(a, v, y); }, x, 0, j);
  }

 private:
  template <class T>
  void product(std::span<const T> x, ConstSpan v, std::span<T> y) const {
    Scratch scratch;
    const auto b = scratch.take<T>(m_ * m_);
    model_.decay(In<T>(x.subspan(0, n_)), x[n_], OutMatrix<T>(b, m_, m_));
    for (std::size_t j = 0; j < m_; ++j)
      for (std::size_t i = 0; i < m_; ++i) y[i] += b[i + j * m_] * v[j];
  }

  Model model_;
  std::size_t n_, m_;
};

}  // namespace detail

// B(u, t) from a model with decay(u, t, B), written for any scalar type. Whether it is stable is seen in a run.
template <class Model>
requires requires(const Model& m, In<double> u, OutMatrix<double> b) { m.decay(u, 0.0, b); }
Embedding embed(const Index2& original, Model model) {
  return Embedding(original, std::make_shared<const detail::DecayFromModel<Model>>(std::move(model), original.u_size(),
                                                                                   original.lambda_size()));
}

}  // namespace driftless
