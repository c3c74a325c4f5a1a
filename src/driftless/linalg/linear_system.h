// Linear systems whose pattern stays, by three verbs: analyse the pattern (the constructor), factorise new values,
// solve. Behind them are dense and sparse kernels, real and complex; who uses a system does not know which.
#pragma once

#include <complex>
#include <optional>
#include <variant>

#include "driftless/linalg/cut_offs.h"
#include "driftless/linalg/lu.h"
#include "driftless/linalg/sparse_lu.h"

namespace driftless {

enum class LinearKernel { automatic, dense, sparse };

// For tests that compare both: while it lives, systems that this thread analyses have the kernel that it names.
class ForcedKernel {
 public:
  explicit ForcedKernel(LinearKernel kernel);
  ~ForcedKernel();
  ForcedKernel(const ForcedKernel&) = delete;
  ForcedKernel& operator=(const ForcedKernel&) = delete;
  static LinearKernel in_use();

 private:
  LinearKernel before_;
};

// Is it worth the while to find out which derivatives of this many unknowns are zero?
inline bool wants_pattern(std::size_t unknowns) {
  const LinearKernel forced = ForcedKernel::in_use();
  return forced == LinearKernel::sparse || (forced == LinearKernel::automatic && unknowns > cut_off::dense_system);
}

// A_0 + p A_1 + p^2 A_2 by values on one pattern; a part that is empty is zero.
struct ShiftedValues {
  ConstSpan constant, linear = {}, quadratic = {};
};

template <class T>
class BasicLinearSystem {
 public:
  // `order` of elimination, for sparse kernels (fill_order.h); if it is empty, one is found.
  explicit BasicLinearSystem(const Pattern& pattern, std::span<const std::uint32_t> order = {});

  std::size_t size() const { return size_; }
  // Would it be eliminated in an order that is given? Not where it is dense, or falls apart into small blocks.
  bool follows_orders() const;
  bool is_sparse() const { return std::holds_alternative<BasicSparseLu<T>>(kernel_); }
  // False if the matrix is singular or not finite; undetermined() then is an unknown that it leaves open.
  bool factorise(const ShiftedValues& values, T p = {});
  std::size_t undetermined() const { return undetermined_; }
  // b becomes the solution.
  void solve(std::span<T> b) const;
  // By real and imaginary parts, which dense kernels keep apart.
  void solve(Span re, Span im) const requires(!std::is_same_v<T, double>);
  // The same with the transposed matrix, of sparse systems.
  void solve_transposed(std::span<T> b) const { std::get<BasicSparseLu<T>>(kernel_).solve_transposed(b); }

  Determinant determinant() const requires std::is_same_v<T, double>;
  // The smallest pivot over the largest: a cheap stand-in for the condition.
  double pivot_ratio() const requires std::is_same_v<T, double>;
  std::size_t bytes() const;
  // What a factorisation costs, in solutions; 0 before the first one, and of a dense system.
  double factor_cost() const { return is_sparse() ? std::get<BasicSparseLu<T>>(kernel_).factor_cost() : 0.0; }
  // Before that: multiplications of a factorisation, and of a solution.
  double expected_work() const;
  double expected_solution_work() const;

 private:
  using DenseLu = std::conditional_t<std::is_same_v<T, double>, RealLu, ComplexLu>;
  void fill(DenseLu& lu, const ShiftedValues& values, T p) const;

  std::size_t size_;
  std::vector<std::size_t> place_;  // in a dense matrix; empty if the pattern is full
  std::variant<DenseLu, BasicSparseLu<T>> kernel_;
  std::size_t undetermined_ = 0;
};

using LinearSystem = BasicLinearSystem<double>;
using ComplexLinearSystem = BasicLinearSystem<std::complex<double>>;

}  // namespace driftless
