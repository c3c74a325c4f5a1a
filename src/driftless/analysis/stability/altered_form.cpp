#include "driftless/analysis/stability/altered_form.h"

#include <fmt/format.h>

#include <cmath>

#include "driftless/analysis/stability/index1_split.h"
#include "driftless/core/failure.h"
#include "driftless/core/scratch.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

// T f for a constant matrix T; enclosures go through it as well.
class TransformedFunctions final : public Index1::Functions {
 public:
  TransformedFunctions(Matrix t, std::shared_ptr<const Index1::Functions> original)
      : t_(std::move(t)), original_(std::move(original)) {}

  void f(ConstSpan x, double time, Span out) const override {
    Scratch scratch;
    const Span value = scratch.take<double>(out.size());
    original_->f(x, time, value);
    multiply<double>(value, out);
  }
  void f_jacobian(ConstSpan x, double time, MatrixView j) const override {
    Scratch scratch;
    const MatrixView original{scratch.take<double>(j.rows * j.cols).data(), j.rows, j.cols, j.rows};
    original_->f_jacobian(x, time, original);
    for (std::size_t k = 0; k < j.cols; ++k) multiply<double>(original.column(k), j.column(k));
  }
  bool encloses() const override { return original_->encloses(); }
  void enclose(std::span<const Interval> x, const Interval& time, std::span<Interval> f,
               BasicMatrixView<Interval> j) const override {
    Scratch scratch;
    const auto value = scratch.take<Interval>(f.size());
    const BasicMatrixView<Interval> original{scratch.take<Interval>(j.rows * j.cols).data(), j.rows, j.cols, j.rows};
    original_->enclose(x, time, value, original);
    multiply<Interval>(value, f);
    for (std::size_t k = 0; k < j.cols; ++k) multiply<Interval>(original.column(k), j.column(k));
  }

 private:
  template <class T>
  void multiply(std::span<const T> x, std::span<T> out) const {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = T(0.0);
      for (std::size_t k = 0; k < x.size(); ++k)
        if (t_(i, k) != 0.0) out[i] += T(t_(i, k)) * x[k];
    }
  }

  Matrix t_;
  std::shared_ptr<const Index1::Functions> original_;
};

class PerturbedFunctions final : public Index1::Functions {
 public:
  PerturbedFunctions(PerturbationFunction p, std::shared_ptr<const Index1::Functions> original)
      : p_(std::move(p)), original_(std::move(original)) {}

  void f(ConstSpan x, double t, Span out) const override {
    Scratch scratch;
    const Span p = scratch.take<double>(out.size());
    p_(t, p);
    original_->f(x, t, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += p[i];
  }
  // The derivative of p by time, which only predicts, by differences.
  void f_jacobian(ConstSpan x, double t, MatrixView j) const override {
    original_->f_jacobian(x, t, j);
    Scratch scratch;
    const Span before = scratch.take<double>(j.rows), after = scratch.take<double>(j.rows);
    const double h = 1e-6 * (1.0 + std::abs(t));
    p_(t - h, before);
    p_(t + h, after);
    for (std::size_t i = 0; i < j.rows; ++i) j(i, j.cols - 1) += (after[i] - before[i]) / (2.0 * h);
  }

 private:
  PerturbationFunction p_;
  std::shared_ptr<const Index1::Functions> original_;
};

Index1 with_functions(const Index1& form, std::shared_ptr<const Index1::Functions> functions) {
  return Index1(
      {.projector = form.parts().p, .x_names = form.layout().names(), .equation_names = form.equation_names()},
      std::move(functions));
}

}  // namespace

Index1 with_scaled_constraint(const Index1& form, const Matrix& c) {
  const Index1Split split(form.projector(), Norm::two());
  const std::size_t m = split.algebraic_size();
  if (c.rows() != m || c.cols() != m)
    throw Misuse(
        fmt::format("the matrix for {} constraints must have that size, but is {} x {}", m, c.rows(), c.cols()));
  Matrix t = product(split.q_basis(), product(c, split.q_coordinates()));
  for (const auto& [row, column, value] : form.parts().p.entries()) t(row, column) += value;
  return with_functions(form, std::make_shared<const TransformedFunctions>(std::move(t), form.share()));
}

std::optional<Matrix> newton_scaling_at(const Index1& form, ConstSpan x, double t) {
  const std::size_t n = form.size();
  const Index1Split split(form.projector(), Norm::two());
  Matrix all(n, n + 1);
  form.functions().f_jacobian(x, t, all);
  auto c = inverse(split.algebraic_block(copy_of(all.view().block(0, 0, n, n))));
  if (!c) return std::nullopt;
  for (std::size_t k = 0; k < c->rows() * c->cols(); ++k) {
    if (!std::isfinite(c->data()[k])) return std::nullopt;
    c->data()[k] = -c->data()[k];
  }
  return c;
}

Matrix newton_scaling(const Index1& form, ConstSpan x, double t) {
  auto c = newton_scaling_at(form, x, t);
  if (!c) throw Misuse(fmt::format("the constraint does not determine the algebraic part at t = {}: index above 1", t));
  return std::move(*c);
}

Index1 with_newton_scaling(const Index1& form, ConstSpan x, double t) {
  return with_scaled_constraint(form, newton_scaling(form, x, t));
}

Index1 perturbed(const Index1& form, PerturbationFunction p) {
  return with_functions(form, std::make_shared<const PerturbedFunctions>(std::move(p), form.share()));
}

}  // namespace driftless
