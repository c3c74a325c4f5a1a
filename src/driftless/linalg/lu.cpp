#include "driftless/linalg/lu.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/linalg/cpu.h"
#include "driftless/linalg/lu_kernels.h"
#include "driftless/linalg/small_lu.h"

namespace driftless {

namespace {

using std::size_t;

[[gnu::always_inline]] inline void solve_real_any(const double* lu, size_t n, const size_t* order, double* b) {
  Scratch scratch;
  double* const x = scratch.take_raw<double>(n).data();
  for (size_t k = 0; k < n; ++k) x[k] = b[order[k]];
  lu_kernels::substitute(lu, n, x);
  std::copy_n(x, n, b);
}

[[gnu::always_inline]] inline void solve_complex_any(const double* real, const double* imag, size_t n,
                                                     const size_t* order, double* re, double* im) {
  Scratch scratch;
  double *const x = scratch.take_raw<double>(n).data(), *const y = scratch.take_raw<double>(n).data();
  for (size_t k = 0; k < n; ++k) {
    x[k] = re[order[k]];
    y[k] = im[order[k]];
  }
  lu_kernels::substitute(real, imag, n, x, y);
  std::copy_n(x, n, re);
  std::copy_n(y, n, im);
}

struct PlainLu {
  static size_t factorise_real(double* lu, size_t n, size_t* pivot, size_t* order) {
    return lu_kernels::factorise_real(lu, n, pivot, order);
  }
  static size_t factorise_complex(double* real, double* imag, size_t n, size_t* pivot, size_t* order) {
    return lu_kernels::factorise_complex(real, imag, n, pivot, order);
  }
  static void solve_real(const double* lu, size_t n, const size_t* order, double* b) {
    solve_real_any(lu, n, order, b);
  }
  static void solve_complex(const double* real, const double* imag, size_t n, const size_t* order, double* re,
                            double* im) {
    solve_complex_any(real, imag, n, order, re, im);
  }
};

#if defined(__x86_64__)
struct AvxLu {
  [[gnu::target("avx")]] static size_t factorise_real(double* lu, size_t n, size_t* pivot, size_t* order) {
    return lu_kernels::factorise_real(lu, n, pivot, order);
  }
  [[gnu::target("avx")]] static size_t factorise_complex(double* real, double* imag, size_t n, size_t* pivot,
                                                         size_t* order) {
    return lu_kernels::factorise_complex(real, imag, n, pivot, order);
  }
  [[gnu::target("avx")]] static void solve_real(const double* lu, size_t n, const size_t* order, double* b) {
    solve_real_any(lu, n, order, b);
  }
  [[gnu::target("avx")]] static void solve_complex(const double* real, const double* imag, size_t n,
                                                   const size_t* order, double* re, double* im) {
    solve_complex_any(real, imag, n, order, re, im);
  }
};
#else
using AvxLu = PlainLu;
#endif

template <class Kind>
constexpr LuCode code_of() {
  return {Kind::factorise_real, Kind::factorise_complex, Kind::solve_real, Kind::solve_complex};
}

const LuCode& code_for(size_t n) {
  static const LuCode any = has_avx() ? code_of<AvxLu>() : code_of<PlainLu>();
  return n >= 1 && n <= largest_small_lu ? small_lu(n) : any;
}

}  // namespace

bool RealLu::factorise() {
  failed_column_ = code_for(size()).factorise_real(lu_.data(), size(), pivot_.data(), order_.data());
  return failed_column_ == size();
}

void RealLu::solve(Span b) const { code_for(size()).solve_real(lu_.data(), size(), order_.data(), b.data()); }

Determinant RealLu::determinant() const {
  Determinant result{.sign = 1, .log = 0.0};
  for (size_t k = 0; k < size(); ++k) {
    const double pivot = lu_(k, k);
    if ((pivot < 0.0) != (pivot_[k] != k)) result.sign = -result.sign;
    result.log += std::log(std::abs(pivot));
  }
  return result;
}

double RealLu::pivot_ratio() const {
  double smallest = size() > 0 ? std::abs(lu_(0, 0)) : 1.0, greatest = smallest;
  for (size_t k = 1; k < size(); ++k) {
    smallest = std::min(smallest, std::abs(lu_(k, k)));
    greatest = std::max(greatest, std::abs(lu_(k, k)));
  }
  return smallest / greatest;
}

bool ComplexLu::factorise() {
  failed_column_ = code_for(size()).factorise_complex(re_.data(), im_.data(), size(), pivot_.data(), order_.data());
  return failed_column_ == size();
}

void ComplexLu::solve(Span re, Span im) const {
  code_for(size()).solve_complex(re_.data(), im_.data(), size(), order_.data(), re.data(), im.data());
}

}  // namespace driftless
