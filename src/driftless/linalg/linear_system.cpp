#include "driftless/linalg/linear_system.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"

namespace driftless {

namespace {

thread_local LinearKernel forced_kernel = LinearKernel::automatic;

using Complex = std::complex<double>;

// Measured, one real and one complex factorisation with four solutions each, dense over sparse time: three entries a
// row 2.0 at 32 unknowns, 4.3 at 64, 28 at 200; seven a row 0.9, 1.2, 1.8; a fifth of all entries 0.7, 0.5, 0.3. A
// multiplication takes KLU seven times as long, and it counts those of its own elimination order before the first one.
template <class T>
bool sparse_is_faster(const Pattern& pattern, const BasicSparseLu<T>& analysed) {
  constexpr double times_slower = 7.0;
  const double n = static_cast<double>(pattern.cols);
  return times_slower * analysed.expected_work() < n * n * n / 3.0;
}

// An order that is given keeps the symmetry of a pattern, and loses its block triangular form: it serves matrices that
// are one block for the most part. Measured for flows and nets of rods, where pivots beside the diagonal would fill in
// (docs/measurements.md); circuits fall apart into small blocks.
template <class T>
bool is_mostly_one_block(std::size_t unknowns, const BasicSparseLu<T>& analysed) {
  return 2 * analysed.largest_block() > unknowns;
}

template <class T>
BasicSparseLu<T> ordered(const Pattern& pattern, std::span<const std::uint32_t> order, BasicSparseLu<T> analysed) {
  const bool serves = !order.empty() && is_mostly_one_block(pattern.cols, analysed);
  return serves ? BasicSparseLu<T>(pattern, order, SparsePivots::by_blocks_if_faster) : std::move(analysed);
}

// The one place that chooses.
template <class T, class Dense>
std::variant<Dense, BasicSparseLu<T>> choose_kernel(const Pattern& pattern, std::span<const std::uint32_t> order) {
  const std::size_t n = pattern.cols;
  const LinearKernel forced = ForcedKernel::in_use();
  if (forced == LinearKernel::sparse && n > 0)
    return ordered(pattern, order, BasicSparseLu<T>(pattern, {}, SparsePivots::by_blocks_if_faster));
  if (forced == LinearKernel::automatic && n > cut_off::dense_system && !pattern.is_full()) {
    BasicSparseLu<T> sparse(pattern, {}, SparsePivots::by_blocks_if_faster);
    if (sparse_is_faster(pattern, sparse)) return ordered(pattern, order, std::move(sparse));
  }
  require_dense(n, std::is_same_v<T, double> ? 1.0 : 2.0, "a linear system with few zeros");
  return Dense(n);
}

void combine(const ShiftedValues& a, double p, double* out, std::size_t count) {
  const double *const a0 = a.constant.data(), *const a1 = a.linear.data(), *const a2 = a.quadratic.data();
  const double p2 = p * p;
  if (!a.quadratic.empty())
    for (std::size_t k = 0; k < count; ++k) out[k] = a0[k] + p * a1[k] + p2 * a2[k];
  else if (!a.linear.empty())
    for (std::size_t k = 0; k < count; ++k) out[k] = a0[k] + p * a1[k];
  else
    std::copy_n(a0, count, out);
}

// By real and imaginary parts, `re[stride k]` and `im[stride k]`.
template <std::size_t stride>
void combine(const ShiftedValues& a, Complex p, double* re, double* im, std::size_t count) {
  const double *const a0 = a.constant.data(), *const a1 = a.linear.data(), *const a2 = a.quadratic.data();
  const Complex p2 = p * p;
  for (std::size_t k = 0; k < count; ++k) {
    double x = a0[k], y = 0.0;
    if (!a.linear.empty()) {
      x += p.real() * a1[k];
      y = p.imag() * a1[k];
    }
    if (!a.quadratic.empty()) {
      x += p2.real() * a2[k];
      y += p2.imag() * a2[k];
    }
    re[stride * k] = x;
    im[stride * k] = y;
  }
}

void combine(const ShiftedValues& a, Complex p, Complex* out, std::size_t count) {
  double* const pairs = reinterpret_cast<double*>(out);
  combine<2>(a, p, pairs, pairs + 1, count);
}

void spread(const double* values, const std::vector<std::size_t>& place, Matrix& out) {
  std::fill_n(out.data(), out.rows() * out.cols(), 0.0);
  for (std::size_t k = 0; k < place.size(); ++k) out.data()[place[k]] = values[k];
}

void split(std::span<const Complex> b, Span re, Span im) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    re[i] = b[i].real();
    im[i] = b[i].imag();
  }
}

void join(ConstSpan re, ConstSpan im, std::span<Complex> b) {
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = {re[i], im[i]};
}

void solve_dense(const RealLu& lu, std::span<double> b) { lu.solve(b); }
void solve_dense(const ComplexLu& lu, std::span<Complex> b) {
  Scratch scratch;
  const Span x = scratch.take_raw<double>(b.size()), y = scratch.take_raw<double>(b.size());
  split(b, x, y);
  lu.solve(x, y);
  join(x, y, b);
}

}  // namespace

ForcedKernel::ForcedKernel(LinearKernel kernel) : before_(forced_kernel) { forced_kernel = kernel; }
ForcedKernel::~ForcedKernel() { forced_kernel = before_; }
LinearKernel ForcedKernel::in_use() { return forced_kernel; }

template <class T>
BasicLinearSystem<T>::BasicLinearSystem(const Pattern& pattern, std::span<const std::uint32_t> order)
    : size_(pattern.cols), kernel_(choose_kernel<T, DenseLu>(pattern, order)) {
  if (is_sparse() || pattern.is_full()) return;
  for (std::size_t j = 0, k = 0; j < pattern.cols; ++j)
    for (; k < pattern.begin[j + 1]; ++k) place_.push_back(pattern.row[k] + j * pattern.rows);
}

template <class T>
bool BasicLinearSystem<T>::follows_orders() const {
  const auto* const sparse = std::get_if<BasicSparseLu<T>>(&kernel_);
  return sparse != nullptr && is_mostly_one_block(size_, *sparse);
}

template <>
void LinearSystem::fill(RealLu& lu, const ShiftedValues& values, double p) const {
  if (place_.empty()) return combine(values, p, lu.matrix().data(), size_ * size_);
  Scratch scratch;
  double* const all = scratch.take_raw<double>(place_.size()).data();
  combine(values, p, all, place_.size());
  spread(all, place_, lu.matrix());
}

template <>
void ComplexLinearSystem::fill(ComplexLu& lu, const ShiftedValues& values, Complex p) const {
  if (place_.empty()) return combine<1>(values, p, lu.real().data(), lu.imag().data(), size_ * size_);
  Scratch scratch;
  double *const re = scratch.take_raw<double>(place_.size()).data(), *const im =
                                                                         scratch.take_raw<double>(place_.size()).data();
  combine<1>(values, p, re, im, place_.size());
  spread(re, place_, lu.real());
  spread(im, place_, lu.imag());
}

template <class T>
bool BasicLinearSystem<T>::factorise(const ShiftedValues& values, T p) {
  if (auto* const dense = std::get_if<DenseLu>(&kernel_)) {
    fill(*dense, values, p);
    if (dense->factorise()) return true;
    undetermined_ = dense->failed_column();
    return false;
  }
  auto& sparse = std::get<BasicSparseLu<T>>(kernel_);
  Scratch scratch;
  const auto all = scratch.take_raw<T>(values.constant.size());
  combine(values, p, all.data(), all.size());
  if (sparse.factorise(all)) return true;
  undetermined_ = sparse.failed_column();
  return false;
}

template <class T>
void BasicLinearSystem<T>::solve(std::span<T> b) const {
  if (const auto* const dense = std::get_if<DenseLu>(&kernel_))
    solve_dense(*dense, b);
  else
    std::get<BasicSparseLu<T>>(kernel_).solve(b);
}

template <class T>
void BasicLinearSystem<T>::solve(Span re, Span im) const requires(!std::is_same_v<T, double>) {
  if constexpr (!std::is_same_v<T, double>) {
    if (const auto* const dense = std::get_if<DenseLu>(&kernel_)) return dense->solve(re, im);
    Scratch scratch;
    const auto b = scratch.take_raw<T>(re.size());
    join(re, im, b);
    std::get<BasicSparseLu<T>>(kernel_).solve(b);
    split(b, re, im);
  }
}

// The choice is made here as well because clang 14 compiles both for complex numbers, whatever `requires` says.
template <class T>
Determinant BasicLinearSystem<T>::determinant() const requires std::is_same_v<T, double> {
  if constexpr (std::is_same_v<T, double>)
    if (const auto* const dense = std::get_if<DenseLu>(&kernel_)) return dense->determinant();
  return std::get<BasicSparseLu<T>>(kernel_).determinant();
}

template <class T>
double BasicLinearSystem<T>::pivot_ratio() const requires std::is_same_v<T, double> {
  if constexpr (std::is_same_v<T, double>)
    if (const auto* const dense = std::get_if<DenseLu>(&kernel_)) return dense->pivot_ratio();
  return std::get<BasicSparseLu<T>>(kernel_).pivot_ratio();
}

template <class T>
std::size_t BasicLinearSystem<T>::bytes() const {
  if (is_sparse()) return std::get<BasicSparseLu<T>>(kernel_).bytes();
  return size_ * size_ * sizeof(T) + place_.size() * sizeof(std::size_t);
}

template <class T>
double BasicLinearSystem<T>::expected_work() const {
  if (is_sparse()) return std::get<BasicSparseLu<T>>(kernel_).expected_work();
  const double n = static_cast<double>(size_);
  return n * n * n / 3.0;
}

template <class T>
double BasicLinearSystem<T>::expected_solution_work() const {
  if (is_sparse()) return std::get<BasicSparseLu<T>>(kernel_).expected_entries();
  return static_cast<double>(size_) * static_cast<double>(size_);
}

template class BasicLinearSystem<double>;
template class BasicLinearSystem<std::complex<double>>;

}  // namespace driftless
