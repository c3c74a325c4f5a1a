#include <cmath>
#include <mutex>

#include "driftless/analysis/geometric/attractor_study.h"
#include "driftless/core/scratch.h"
#include "driftless/equations/manifold.h"

namespace driftless {

namespace {

// Manifolds belong to one thread at a time, functions to all: a stock to borrow from.
class ManifoldStock {
 public:
  explicit ManifoldStock(const Index2& form) : form_(form) {}

  std::unique_ptr<Manifold> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!stock_.empty()) {
        auto manifold = std::move(stock_.back());
        stock_.pop_back();
        return manifold;
      }
    }
    return make_manifold(form_);
  }
  void give_back(std::unique_ptr<Manifold> manifold) {
    const std::lock_guard lock(mutex_);
    stock_.push_back(std::move(manifold));
  }

 private:
  Index2 form_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Manifold>> stock_;
};

// u' = Gamma^-1 f(u, psi_0(u, t)). Newton for psi_0 always begins at the same guess, so that a value depends on its
// arguments alone.
class Underlying final : public Index2::Functions {
 public:
  Underlying(const Index2& form, Vector guess)
      : stock_(form), guess_(std::move(guess)), n_(form.u_size()), size_(form.layout().size()) {
    guess_.resize(size_ - n_, 0.0);
  }

  bool has_gamma() const override { return false; }
  void gamma(ConstSpan, double, MatrixView) const override {}
  void gamma_jacobian(ConstSpan, double, ConstSpan, MatrixView) const override {}
  void g(ConstSpan, double, Span) const override {}
  void g_jacobian(ConstSpan, double, MatrixView) const override {}

  void f(ConstSpan u, ConstSpan, double t, Span out) const override {
    auto manifold = stock_.take();
    Scratch scratch;
    const Span state = scratch.take<double>(size_), slope = scratch.take<double>(size_);
    std::copy(u.begin(), u.end(), state.begin());
    std::copy(guess_.begin(), guess_.end(), state.begin() + static_cast<std::ptrdiff_t>(n_));
    const auto status = manifold->flow(t, state, slope);
    stock_.give_back(std::move(manifold));
    for (std::size_t i = 0; i < n_; ++i) out[i] = status == ManifoldStatus::ok ? slope[i] : std::nan("");
  }

  void f_jacobian(ConstSpan u, ConstSpan lambda, double t, MatrixView j) const override {
    Scratch scratch;
    const Span moved = scratch.take<double>(n_), above = scratch.take<double>(n_), below = scratch.take<double>(n_);
    for (std::size_t k = 0; k < n_ + 1; ++k) {
      std::copy(u.begin(), u.end(), moved.begin());
      const double step = 1e-6 * (1.0 + std::abs(k < n_ ? u[k] : t));
      if (k < n_) moved[k] += step;
      f(moved, lambda, k < n_ ? t : t + step, above);
      if (k < n_) moved[k] -= 2.0 * step;
      f(moved, lambda, k < n_ ? t : t - step, below);
      for (std::size_t i = 0; i < n_; ++i) j(i, k) = (above[i] - below[i]) / (2.0 * step);
    }
  }

 private:
  mutable ManifoldStock stock_;
  Vector guess_;
  std::size_t n_, size_;
};

}  // namespace

Index2 underlying_ode(const Index2& equations, ConstSpan guess) {
  Index2::Shape shape{.u = equations.u_size()};
  for (std::size_t i = 0; i < equations.u_size(); ++i) shape.u_names.push_back(equations.layout().name(i));
  return Index2(shape, std::make_shared<const Underlying>(equations, Vector(guess.begin(), guess.end())));
}

}  // namespace driftless
