#include "driftless/linalg/frontal_lu.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/cpu.h"
#include "driftless/linalg/frontal_kernels.h"

namespace driftless {

namespace {

using frontal::At;
using std::size_t;

template <int parts>
[[gnu::always_inline]] inline void solve_lower(At<parts> l, At<parts> x, At<parts> rest, size_t columns,
                                               size_t height) {
  const size_t rows = columns + height;
  for (size_t k = 0; k < columns; ++k) {
    frontal::subtract_column<parts>(x + (k + 1), l + (k + 1 + k * rows), x + k, columns - k - 1);
    frontal::subtract_column<parts>(rest, l + (columns + k * rows), x + k, height);
  }
}

template <int parts>
[[gnu::always_inline]] inline void solve_upper(At<parts> l, At<parts> u, At<parts> x, At<parts> rest, size_t columns,
                                               size_t later, size_t height) {
  const size_t rows = columns + height;
  for (size_t j = 0; j < later; ++j) frontal::subtract_column<parts>(x, u + j * columns, rest + j, columns);
  for (size_t k = columns; k-- > 0;) {
    frontal::divide_by<parts>(x + k, l + (k + k * rows));
    frontal::subtract_column<parts>(x, l + k * rows, x + k, k);
  }
}

template <int parts>
struct Plain {
  static bool factorise(At<parts> l, At<parts> u, At<parts> rest, size_t columns, size_t later, size_t height) {
    return frontal::factorise_front<parts>(l, u, rest, columns, later, height);
  }
  static void lower(At<parts> l, At<parts> x, At<parts> rest, size_t columns, size_t height) {
    solve_lower<parts>(l, x, rest, columns, height);
  }
  static void upper(At<parts> l, At<parts> u, At<parts> x, At<parts> rest, size_t columns, size_t later,
                    size_t height) {
    solve_upper<parts>(l, u, x, rest, columns, later, height);
  }
};

#if defined(__x86_64__)
template <int parts>
struct Avx {
  [[gnu::target("avx")]] static bool factorise(At<parts> l, At<parts> u, At<parts> rest, size_t columns, size_t later,
                                               size_t height) {
    return frontal::factorise_front<parts>(l, u, rest, columns, later, height);
  }
  [[gnu::target("avx")]] static void lower(At<parts> l, At<parts> x, At<parts> rest, size_t columns, size_t height) {
    solve_lower<parts>(l, x, rest, columns, height);
  }
  [[gnu::target("avx")]] static void upper(At<parts> l, At<parts> u, At<parts> x, At<parts> rest, size_t columns,
                                           size_t later, size_t height) {
    solve_upper<parts>(l, u, x, rest, columns, later, height);
  }
};
#else
template <int parts>
using Avx = Plain<parts>;
#endif

template <int parts>
struct Code {
  bool (*factorise)(At<parts>, At<parts>, At<parts>, size_t, size_t, size_t);
  void (*lower)(At<parts>, At<parts>, At<parts>, size_t, size_t);
  void (*upper)(At<parts>, At<parts>, At<parts>, At<parts>, size_t, size_t, size_t);
};

template <int parts>
const Code<parts>& code() {
  using P = Plain<parts>;
  using A = Avx<parts>;
  static const Code<parts> best =
      has_avx() ? Code<parts>{A::factorise, A::lower, A::upper} : Code<parts>{P::factorise, P::lower, P::upper};
  return best;
}

double size_of(double x) { return std::abs(x); }
double size_of(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }

// Parts of the numbers at `from`, `stride` apart.
template <int parts>
At<parts> at(double* from, size_t stride) {
  At<parts> result;
  for (int p = 0; p < parts; ++p) result.part[p] = from + static_cast<size_t>(p) * stride;
  return result;
}
template <int parts>
At<parts> at(const double* from, size_t stride) {  // of factors, which solutions only read
  return at<parts>(const_cast<double*>(from), stride);
}

double part_of(double x, size_t) { return x; }
double part_of(const std::complex<double>& x, size_t part) { return part == 0 ? x.real() : x.imag(); }

bool is_odd(const std::vector<std::uint32_t>& order) {
  std::vector<char> seen(order.size(), 0);
  bool odd = false;
  for (size_t first = 0; first < order.size(); ++first) {
    if (std::exchange(seen[first], 1)) continue;
    for (size_t k = order[first]; k != first; k = order[k]) {
      seen[k] = 1;
      odd = !odd;
    }
  }
  return odd;
}

}  // namespace

template <class T>
FrontalLu<T>::FrontalLu(std::span<const int> rows, std::shared_ptr<const FrontalPlan> plan)
    : row_(rows.begin(), rows.end()),
      plan_(std::move(plan)),
      scale_(plan_->rows.size()),
      factors_(parts * plan_->factor_entries()) {
  for (const size_t k : {0, 1}) stack_[k].resize(parts * plan_->stack[k]);
}

// False if a row is empty, or not finite.
template <class T>
bool FrontalLu<T>::scale_rows(std::span<const T> values) {
  std::ranges::fill(scale_, 0.0);
  bool finite = true;
  for (size_t e = 0; e < values.size(); ++e) {
    const double size = size_of(values[e]);
    finite = finite && size <= std::numeric_limits<double>::max();
    scale_[row_[e]] = std::max(scale_[row_[e]], size);
  }
  for (double& x : scale_) {
    finite = finite && x > 0.0;
    x = 1.0 / x;
  }
  return finite;
}

template <class T>
bool FrontalLu<T>::factorise(std::span<const T> values) {
  top_[0] = top_[1] = 0;
  return scale_rows(values) && factorise_fronts(values);
}

template <class T>
bool FrontalLu<T>::factorise_fronts(std::span<const T> values) {
  for (size_t s = 0; s < plan_->count(); ++s) {
    if (s % 1024 == 1023) check_stop();
    const Front& front = plan_->fronts[s];
    const size_t w = front.columns, r = front.rest, height = front.height(), square = height * r;
    const size_t mine = front.depth % 2;
    double* const rest = stack_[mine].data() + top_[mine];
    std::fill_n(rest, parts * square, 0.0);
    top_[mine] += parts * square;
    assemble(front, values, s);
    double* const own = factors_.data() + front.values;
    const size_t all = plan_->factor_entries();
    if (!code<parts>().factorise(at<parts>(own, all), at<parts>(own + w * front.rows(), all), at<parts>(rest, square),
                                 w, r, height))
      return false;
  }
  return true;
}

// Its entries of the matrix, and what its children have left, which ends there.
template <class T>
void FrontalLu<T>::assemble(const Front& front, std::span<const T> values, size_t s) {
  const FrontalPlan& plan = *plan_;
  for (size_t part = 0; part < parts; ++part) {
    double* const own = factors_.data() + part * plan.factor_entries() + front.values;
    std::fill(own, factors_.data() + part * plan.factor_entries() + plan.fronts[s + 1].values, 0.0);
    for (size_t e = front.entries; e < plan.fronts[s + 1].entries; ++e)
      own[plan.to[e]] += part_of(values[plan.from[e]], part) * scale_[row_[plan.from[e]]];
  }
  size_t waiting = 0;
  const size_t theirs = (front.depth + 1) % 2;
  for (std::uint32_t c = front.child; c != FrontalPlan::none; c = plan.fronts[c].sibling)
    waiting += parts * plan.fronts[c].height() * plan.fronts[c].rest;
  top_[theirs] -= waiting;
  const double* left = stack_[theirs].data() + top_[theirs];
  for (std::uint32_t c = front.child; c != FrontalPlan::none; c = plan.fronts[c].sibling)
    for (size_t part = 0; part < parts; ++part) {
      take_from_child(front, plan.fronts[c], left, part);
      left += plan.fronts[c].height() * plan.fronts[c].rest;
    }
}

template <class T>
void FrontalLu<T>::take_from_child(const Front& front, const Front& child, const double* left, size_t part) {
  const size_t w = front.columns, height = front.height(), rows = front.rows(), size = child.rest;
  const std::uint32_t* const place = plan_->places.data() + child.later;
  const auto inside = static_cast<size_t>(std::lower_bound(place, place + size, w) - place);
  double* const l = factors_.data() + part * plan_->factor_entries() + front.values;
  double* const u = l + w * rows;
  double* const rest = stack_[front.depth % 2].data() + top_[front.depth % 2] - (parts - part) * height * front.rest;
  for (size_t j = 0; j < size; ++j, left += child.height()) {
    if (j < inside) {
      double* const column = l + place[j] * rows;
      for (size_t i = 0; i < size; ++i) column[place[i]] += left[i];
      continue;
    }
    double* const above = u + (place[j] - w) * w;
    double* const below = rest + (place[j] - w) * height;
    for (size_t i = 0; i < inside; ++i) above[place[i]] += left[i];
    for (size_t i = inside; i < size; ++i) below[place[i] - w] += left[i];
  }
}

template <class T>
void FrontalLu<T>::solve(std::span<T> b) const {
  const FrontalPlan& plan = *plan_;
  const size_t n = b.size(), all = plan.factor_entries();
  Scratch scratch;
  double* const x = scratch.take_raw<double>(2 * parts * n + 4 * parts).data();
  double* const rest = x + parts * n;
  for (size_t k = 0; k < n; ++k) {
    const std::uint32_t row = plan.rows[k];
    for (size_t part = 0; part < parts; ++part) x[k + part * n] = part_of(b[row], part) * scale_[row];
  }
  for (size_t s = 0; s < plan.count(); ++s) {
    const Front& front = plan.fronts[s];
    const size_t r = front.rest, height = front.height();
    const std::uint32_t* const later = plan.later.data() + front.later;
    std::fill_n(rest, parts * height, 0.0);
    code<parts>().lower(at<parts>(factors_.data() + front.values, all), at<parts>(x + front.first, n),
                        at<parts>(rest, height), front.columns, height);
    for (size_t part = 0; part < parts; ++part)
      for (size_t k = 0; k < r; ++k) x[later[k] + part * n] += rest[k + part * height];
  }
  for (size_t s = plan.count(); s-- > 0;) {
    const Front& front = plan.fronts[s];
    const size_t w = front.columns, r = front.rest;
    const std::uint32_t* const later = plan.later.data() + front.later;
    for (size_t part = 0; part < parts; ++part)
      for (size_t k = 0; k < r; ++k) rest[k + part * r] = x[later[k] + part * n];
    const double* const own = factors_.data() + front.values;
    code<parts>().upper(at<parts>(own, all), at<parts>(own + w * front.rows(), all), at<parts>(x + front.first, n),
                        at<parts>(rest, r), w, r, front.height());
  }
  for (size_t k = 0; k < n; ++k) {
    if constexpr (parts == 1)
      b[plan.columns[k]] = x[k];
    else
      b[plan.columns[k]] = {x[k], x[k + n]};
  }
}

// A^T x = b: U^T first, then L^T.
template <class T>
void FrontalLu<T>::solve_transposed(std::span<T> b) const {
  const FrontalPlan& plan = *plan_;
  const size_t n = b.size(), all = plan.factor_entries();
  const auto number = [&](size_t k) {
    if constexpr (parts == 1)
      return factors_[k];
    else
      return T(factors_[k], factors_[k + all]);
  };
  Scratch scratch;
  const auto x = scratch.take_raw<T>(n);
  for (size_t k = 0; k < n; ++k) x[k] = b[plan.columns[k]];
  for (size_t s = 0; s < plan.count(); ++s) {
    const Front& front = plan.fronts[s];
    const size_t w = front.columns, rows = front.rows(), l = front.values, u = l + w * rows;
    T* const own = x.data() + front.first;
    for (size_t k = 0; k < w; ++k) {
      for (size_t i = 0; i < k; ++i) own[k] -= number(l + i + k * rows) * own[i];
      own[k] /= number(l + k + k * rows);
    }
    for (size_t j = 0; j < front.rest; ++j)
      for (size_t k = 0; k < w; ++k) x[plan.later[front.later + j]] -= number(u + k + j * w) * own[k];
  }
  for (size_t s = plan.count(); s-- > 0;) {
    const Front& front = plan.fronts[s];
    const size_t w = front.columns, rows = front.rows(), l = front.values;
    T* const own = x.data() + front.first;
    for (size_t k = w; k-- > 0;) {
      for (size_t i = k + 1; i < w; ++i) own[k] -= number(l + i + k * rows) * own[i];
      for (size_t j = 0; j < front.rest; ++j) own[k] -= number(l + w + j + k * rows) * x[plan.later[front.later + j]];
    }
  }
  for (size_t k = 0; k < n; ++k) b[plan.rows[k]] = x[k] * scale_[plan.rows[k]];
}

// With the number of the unknown that it belongs to.
template <class T>
template <class Visit>
void FrontalLu<T>::for_each_pivot(Visit visit) const {
  for (size_t s = 0; s < plan_->count(); ++s) {
    const Front& front = plan_->fronts[s];
    for (size_t k = 0; k < front.columns; ++k) {
      const size_t place = front.values + k + k * front.rows();
      if constexpr (parts == 1)
        visit(front.first + k, factors_[place]);
      else
        visit(front.first + k, T(factors_[place], factors_[place + plan_->factor_entries()]));
    }
  }
}

template <class T>
Determinant FrontalLu<T>::determinant() const {
  Determinant result{.sign = is_odd(plan_->rows) != is_odd(plan_->columns) ? -1 : 1, .log = 0.0};
  for_each_pivot([&](size_t k, const T& pivot) {
    if (std::real(pivot) < 0.0) result.sign = -result.sign;
    result.log += std::log(std::abs(pivot)) - std::log(scale_[plan_->rows[k]]);
  });
  if constexpr (parts == 2) result.sign = 1;
  return result;
}

template <class T>
double FrontalLu<T>::pivot_ratio() const {
  double smallest = std::numeric_limits<double>::max(), largest = 0.0;
  for_each_pivot([&](size_t, const T& pivot) {
    const double size = std::abs(pivot);
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
  });
  return smallest / largest;
}

template <class T>
size_t FrontalLu<T>::bytes() const {
  return sizeof(double) * (factors_.size() + stack_[0].size() + stack_[1].size() + scale_.size()) +
         sizeof(std::uint32_t) * row_.size();
}

template class FrontalLu<double>;
template class FrontalLu<std::complex<double>>;

}  // namespace driftless
