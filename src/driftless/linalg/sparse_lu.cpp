#include "driftless/linalg/sparse_lu.h"

#include <fmt/format.h>
#include <klu.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "driftless/core/failure.h"
#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/analysis_scope.h"
#include "driftless/linalg/frontal_lu.h"

namespace driftless {

namespace {

constexpr double least_growth = 1e-8;  // reciprocal pivot growth: below, the old pivots no longer serve

// One set of calls for both kinds of numbers; complex ones lie as pairs of doubles.
template <class T>
struct Calls;
template <>
struct Calls<double> {
  static klu_numeric* factor(int* p, int* i, double* x, klu_symbolic* s, klu_common* c) {
    return klu_factor(p, i, x, s, c);
  }
  static int refactor(int* p, int* i, double* x, klu_symbolic* s, klu_numeric* n, klu_common* c) {
    return klu_refactor(p, i, x, s, n, c);
  }
  static int growth(int* p, int* i, double* x, klu_symbolic* s, klu_numeric* n, klu_common* c) {
    return klu_rgrowth(p, i, x, s, n, c);
  }
  static int solve(klu_symbolic* s, klu_numeric* n, int size, double* b, klu_common* c) {
    return klu_solve(s, n, size, 1, b, c);
  }
  static int solve_transposed(klu_symbolic* s, klu_numeric* n, int size, double* b, klu_common* c) {
    return klu_tsolve(s, n, size, 1, b, c);
  }
  static int ratio(klu_symbolic* s, klu_numeric* n, klu_common* c) { return klu_rcond(s, n, c); }
  static int flops(klu_symbolic* s, klu_numeric* n, klu_common* c) { return klu_flops(s, n, c); }
  static void free(klu_numeric** n, klu_common* c) { klu_free_numeric(n, c); }
};
template <>
struct Calls<std::complex<double>> {
  using T = std::complex<double>;
  static double* pairs(T* x) { return reinterpret_cast<double*>(x); }
  static klu_numeric* factor(int* p, int* i, T* x, klu_symbolic* s, klu_common* c) {
    return klu_z_factor(p, i, pairs(x), s, c);
  }
  static int refactor(int* p, int* i, T* x, klu_symbolic* s, klu_numeric* n, klu_common* c) {
    return klu_z_refactor(p, i, pairs(x), s, n, c);
  }
  static int growth(int* p, int* i, T* x, klu_symbolic* s, klu_numeric* n, klu_common* c) {
    return klu_z_rgrowth(p, i, pairs(x), s, n, c);
  }
  static int solve(klu_symbolic* s, klu_numeric* n, int size, T* b, klu_common* c) {
    return klu_z_solve(s, n, size, 1, pairs(b), c);
  }
  static int solve_transposed(klu_symbolic* s, klu_numeric* n, int size, T* b, klu_common* c) {
    return klu_z_tsolve(s, n, size, 1, pairs(b), 0, c);
  }
  static int ratio(klu_symbolic* s, klu_numeric* n, klu_common* c) { return klu_z_rcond(s, n, c); }
  static int flops(klu_symbolic* s, klu_numeric* n, klu_common* c) { return klu_z_flops(s, n, c); }
  static void free(klu_numeric** n, klu_common* c) { klu_z_free_numeric(n, c); }
};

// Is an order of n things an odd number of exchanges away from the usual one?
bool is_odd(const int* order, std::size_t n) {
  Scratch scratch;
  const auto seen = scratch.take<char>(n);
  bool odd = false;
  for (std::size_t first = 0; first < n; ++first) {
    if (seen[first]) continue;
    for (std::size_t k = static_cast<std::size_t>(order[first]); k != first; k = static_cast<std::size_t>(order[k])) {
      seen[k] = 1;
      odd = !odd;
    }
  }
  return odd;
}

// Factors that do not fit are no singular matrix.
void refuse_lu(const klu_common& common, std::size_t unknowns) {
  if (common.status == KLU_OUT_OF_MEMORY || common.status == KLU_TOO_LARGE)
    refuse_for_memory(fmt::format("the factors of a sparse matrix with {} unknowns", unknowns));
}

}  // namespace

// What a pattern and an order are analysed for, once for all matrices on it, real and complex; only read after that.
struct SymbolicLu {
  klu_common common{};
  std::vector<int> begin, row;
  klu_symbolic* klu = nullptr;

  SymbolicLu(const Pattern& pattern, std::span<const std::uint32_t> order)
      : begin(pattern.begin.begin(), pattern.begin.end()), row(pattern.row.begin(), pattern.row.end()) {
    const int size = static_cast<int>(pattern.cols);
    klu_defaults(&common);
    if (order.empty()) {
      klu = klu_analyze(size, begin.data(), row.data(), &common);
    } else {
      std::vector<int> given(order.begin(), order.end());
      common.btf = 0;
      klu = klu_analyze_given(size, begin.data(), row.data(), given.data(), given.data(), &common);
    }
    if (!klu) refuse_lu(common, pattern.cols);
    if (!klu) throw Misuse("the pattern of a matrix, or the order of its unknowns, is not valid or singular");
  }
  SymbolicLu(const SymbolicLu&) = delete;
  SymbolicLu& operator=(const SymbolicLu&) = delete;
  ~SymbolicLu() {
    if (klu) klu_free_symbolic(&klu, &common);
  }
  // Null where single columns are faster, or a symmetric pattern is far from that of the matrix; found out when it is
  // asked for first.
  std::shared_ptr<const FrontalPlan> blocks() const {
    std::call_once(planned_, [&] {
      if (fills_in()) plan_ = plan();
    });
    return plan_;
  }

 private:
  // Measured, KLU's time over that of blocks, real and complex, for grids of 968, 1 024, 10 082 and 10 000 unknowns,
  // whose factors cost 5.5, 9.1, 18 and 29 solutions: 0.9 and 1.0, 1.4 and 1.4, 2.3 and 2.1, 3.4 and 3.8; for a line,
  // which costs less than one, 0.6 and 0.8.
  bool fills_in() const {
    constexpr double least_cost = 8.0;
    return klu->nblocks == 1 && klu->lnz > 0.0 && klu->est_flops > least_cost * 2.0 * (klu->lnz + klu->unz);
  }
  std::shared_ptr<const FrontalPlan> plan() const {
    const auto n = static_cast<std::size_t>(klu->n);
    const Pattern pattern{n, n, {begin.begin(), begin.end()}, {row.begin(), row.end()}};
    const std::span<const int> rows(klu->P, n), columns(klu->Q, n);
    if (!is_nearly_symmetric(pattern, rows, columns)) return nullptr;
    return std::make_shared<const FrontalPlan>(plan_fronts(pattern, rows, columns));
  }

  mutable std::once_flag planned_;
  mutable std::shared_ptr<const FrontalPlan> plan_;
};

namespace {

std::shared_ptr<const SymbolicLu> analysed(const Pattern& pattern, std::span<const std::uint32_t> order) {
  if (auto known = KnownAnalyses::symbolic(pattern, order)) return known;
  auto found = std::make_shared<const SymbolicLu>(pattern, order);
  KnownAnalyses::keep(pattern, order, found);
  return found;
}

}  // namespace

template <class T>
struct BasicSparseLu<T>::Memory {
  std::shared_ptr<const SymbolicLu> analysis;
  klu_common common{};
  // KLU only reads these, and does not say so.
  int *begin, *row;
  klu_symbolic* symbolic;
  int size;
  klu_numeric* numeric = nullptr;
  SparsePivots pivots;
  std::optional<FrontalLu<T>> blocks;
  bool is_by_blocks = false;  // was the last factorisation

  Memory(std::shared_ptr<const SymbolicLu> made, SparsePivots chosen)
      : analysis(std::move(made)),
        begin(const_cast<int*>(analysis->begin.data())),
        row(const_cast<int*>(analysis->row.data())),
        symbolic(analysis->klu),
        size(static_cast<int>(analysis->begin.size()) - 1),
        pivots(chosen) {
    klu_defaults(&common);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (numeric) Calls<T>::free(&numeric, &common);
  }
};

template <class T>
BasicSparseLu<T>::BasicSparseLu(const Pattern& pattern, std::span<const std::uint32_t> order, SparsePivots pivots) {
  if (pattern.rows != pattern.cols) throw Misuse("a matrix to be factorised must be square");
  memory_ = std::make_unique<Memory>(analysed(pattern, order), pivots);
}

template <class T>
BasicSparseLu<T>::~BasicSparseLu() = default;
template <class T>
BasicSparseLu<T>::BasicSparseLu(BasicSparseLu&&) noexcept = default;
template <class T>
BasicSparseLu<T>& BasicSparseLu<T>::operator=(BasicSparseLu&&) noexcept = default;

template <class T>
bool BasicSparseLu<T>::factorise(std::span<const T> values) {
  check_stop();
  memory_->is_by_blocks = factorise_by_blocks(values);
  return memory_->is_by_blocks || factorise_by_pivots(values);
}

template <class T>
bool BasicSparseLu<T>::is_by_blocks() const {
  return memory_->is_by_blocks;
}

// False as well where that is not the way; where a matrix wanted other pivots, the next one will, too.
template <class T>
bool BasicSparseLu<T>::factorise_by_blocks(std::span<const T> values) {
  Memory& m = *memory_;
  if (m.pivots == SparsePivots::exchange) return false;
  const bool first = !m.blocks;
  if (first) {
    const auto plan = m.analysis->blocks();
    if (plan) {
      require_memory(static_cast<double>(plan->entries() * sizeof(T)),
                     fmt::format("the factors of a sparse matrix with {} unknowns", m.size));
      m.blocks.emplace(m.analysis->row, plan);
    }
  }
  if (m.blocks && m.blocks->factorise(values)) {
    pivot_ratio_ = m.blocks->pivot_ratio();
    factor_cost_ = m.symbolic->est_flops / (2.0 * (m.symbolic->lnz + m.symbolic->unz));
    ++(first ? factorisations_ : refactorisations_);
    return true;
  }
  m.pivots = SparsePivots::exchange;
  m.blocks.reset();
  return false;
}

template <class T>
bool BasicSparseLu<T>::factorise_by_pivots(std::span<const T> values) {
  Memory& m = *memory_;
  T* x = const_cast<T*>(values.data());  // it is only read
  if (m.numeric) {
    ++refactorisations_;
    const bool done = Calls<T>::refactor(m.begin, m.row, x, m.symbolic, m.numeric, &m.common) &&
                      m.common.status == KLU_OK &&
                      Calls<T>::growth(m.begin, m.row, x, m.symbolic, m.numeric, &m.common);
    if (done && m.common.rgrowth > least_growth && has_pivots()) return true;
    Calls<T>::free(&m.numeric, &m.common);
  }
  ++factorisations_;
  require_factors();
  m.numeric = Calls<T>::factor(m.begin, m.row, x, m.symbolic, &m.common);
  if (m.numeric && m.common.status == KLU_OK && has_pivots()) {
    count_cost();
    return true;
  }
  refuse_lu(m.common, static_cast<std::size_t>(m.size));
  failed_column_ = static_cast<std::size_t>(std::clamp(m.common.singular_col, 0, m.size - 1));
  if (m.numeric) Calls<T>::free(&m.numeric, &m.common);
  return false;
}

// Before the first factorisation, if the analysis has counted the entries of the factors.
template <class T>
void BasicSparseLu<T>::require_factors() const {
  const klu_symbolic& found = *memory_->symbolic;
  if (found.lnz < 0.0 || found.unz < 0.0) return;
  require_memory((found.lnz + found.unz) * (sizeof(T) + sizeof(int)),
                 fmt::format("the factors of a sparse matrix with {} unknowns", memory_->size));
}

// All of them numbers other than zero.
template <class T>
bool BasicSparseLu<T>::has_pivots() {
  Memory& m = *memory_;
  const bool fine = Calls<T>::ratio(m.symbolic, m.numeric, &m.common) && m.common.rcond > 0.0;
  pivot_ratio_ = fine ? m.common.rcond : 0.0;
  return fine;
}

// A solution multiplies and adds once for each entry of L and U; operations count once, complex ones too.
template <class T>
void BasicSparseLu<T>::count_cost() {
  Memory& m = *memory_;
  if (Calls<T>::flops(m.symbolic, m.numeric, &m.common))
    factor_cost_ = m.common.flops / (2.0 * static_cast<double>(std::max<std::size_t>(1, entries())));
}

template <class T>
void BasicSparseLu<T>::solve(std::span<T> b) const {
  Memory& m = *memory_;
  if (m.is_by_blocks) return m.blocks->solve(b);
  Calls<T>::solve(m.symbolic, m.numeric, m.size, b.data(), &m.common);
}

template <class T>
void BasicSparseLu<T>::solve_transposed(std::span<T> b) const {
  Memory& m = *memory_;
  if (m.is_by_blocks) return m.blocks->solve_transposed(b);
  Calls<T>::solve_transposed(m.symbolic, m.numeric, m.size, b.data(), &m.common);
}

// P R^-1 A Q = L U with a diagonal R.
template <class T>
Determinant BasicSparseLu<T>::determinant() const {
  const Memory& m = *memory_;
  const auto n = static_cast<std::size_t>(m.size);
  if (m.is_by_blocks) return m.blocks->determinant();
  if (!m.numeric) return {};
  const T* const pivots = static_cast<const T*>(m.numeric->Udiag);
  Determinant result{.sign = is_odd(m.numeric->Pnum, n) != is_odd(m.symbolic->Q, n) ? -1 : 1, .log = 0.0};
  for (std::size_t k = 0; k < n; ++k) {
    if (std::real(pivots[k]) < 0.0) result.sign = -result.sign;
    result.log += std::log(std::abs(pivots[k])) + (m.numeric->Rs ? std::log(m.numeric->Rs[k]) : 0.0);
  }
  if constexpr (!std::is_same_v<T, double>) result.sign = 1;
  return result;
}

// KLU counts divisions, multiplications and additions of a symmetric pattern; negative if it does not know.
template <class T>
double BasicSparseLu<T>::expected_work() const {
  const double flops = memory_->symbolic->est_flops;
  return flops >= 0.0 ? 0.5 * flops : std::pow(static_cast<double>(memory_->size), 3.0) / 3.0;
}

template <class T>
double BasicSparseLu<T>::expected_entries() const {
  const klu_symbolic& found = *memory_->symbolic;
  const double n = memory_->size;
  return found.lnz >= 0.0 && found.unz >= 0.0 ? found.lnz + found.unz : n * n;
}

template <class T>
std::size_t BasicSparseLu<T>::largest_block() const {
  return static_cast<std::size_t>(memory_->symbolic->maxblock);
}

template <class T>
std::size_t BasicSparseLu<T>::entries() const {
  const klu_numeric* n = memory_->numeric;
  if (memory_->is_by_blocks) return memory_->blocks->entries();
  return n ? static_cast<std::size_t>(n->lnz + n->unz) : 0;
}

template <class T>
std::size_t BasicSparseLu<T>::bytes() const {
  const SymbolicLu& shared = *memory_->analysis;
  const std::size_t of_blocks = memory_->blocks ? memory_->blocks->bytes() : 0;
  return of_blocks + memory_->common.memusage + shared.common.memusage +
         (shared.row.size() + shared.begin.size()) * sizeof(int);
}

template class BasicSparseLu<double>;
template class BasicSparseLu<std::complex<double>>;

}  // namespace driftless
