// A number that remembers which arguments it was made from: a formula called once with it tells its pattern of zeros.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driftless/autodiff/functions.h"

namespace driftless {

inline constexpr int traced = -1;

// How much memory the lists of this thread may take. Where everything depends on everything they would be as large as a
// dense matrix: Exceeded leaves the formula then.
class TraceBudget {
 public:
  struct Exceeded {};

  explicit TraceBudget(std::size_t bytes) : before_(left_) { left_ = bytes; }
  ~TraceBudget() { left_ = before_; }
  TraceBudget(const TraceBudget&) = delete;
  TraceBudget& operator=(const TraceBudget&) = delete;

  static void take(std::size_t bytes) {
    if (bytes > left_) throw Exceeded();
    left_ -= bytes;
  }
  static void give_back(std::size_t bytes) { left_ += bytes; }

 private:
  static inline thread_local std::size_t left_ = SIZE_MAX / 2;  // unlimited
  std::size_t before_;
};

template <class T>
struct BudgetedAllocator {
  using value_type = T;
  BudgetedAllocator() = default;
  template <class Other>
  BudgetedAllocator(const BudgetedAllocator<Other>&) {}
  T* allocate(std::size_t count) {
    TraceBudget::take(count * sizeof(T));
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* memory, std::size_t count) {
    std::allocator<T>().deallocate(memory, count);
    TraceBudget::give_back(count * sizeof(T));
  }
  bool operator==(const BudgetedAllocator&) const { return true; }
};

using TraceList = std::vector<std::uint32_t, BudgetedAllocator<std::uint32_t>>;

// In place of derivatives: the ascending list of arguments; and of those that do not enter linearly, so that
// derivatives by the others are the same everywhere. Constants scale and divide; a factor that comes by *= may be
// anything, the other factor of a product for instance.
template <>
struct Lanes<double, traced> {
  TraceList from, curved;

  Lanes& operator+=(const Lanes& o);
  Lanes& operator-=(const Lanes& o) { return *this += o; }
  Lanes& operator*=(double) {
    curved = from;
    return *this;
  }
  void scale(double) {}
  void divide(double) {}
};

using Tracer = Dual<double, traced>;

// Set when a formula compares numbers that depend on its arguments: it may take another branch elsewhere.
inline thread_local bool tracer_branched = false;

inline bool is_constant(const Tracer& x) { return x.d.from.empty(); }
inline void note_comparison(const Tracer& x) { tracer_branched = tracer_branched || !is_constant(x); }
// A formula that asks for the plain number may decide by it.
inline double value_of(const Tracer& x) {
  note_comparison(x);
  return x.value;
}

inline std::partial_ordering operator<=>(const Tracer& x, const Tracer& y) {
  note_comparison(x);
  note_comparison(y);
  return x.value <=> y.value;
}
inline bool operator==(const Tracer& x, const Tracer& y) {
  note_comparison(x);
  note_comparison(y);
  return x.value == y.value;
}
template <PlainNumber S>
std::partial_ordering operator<=>(const Tracer& x, S s) {
  note_comparison(x);
  return x.value <=> static_cast<double>(s);
}
template <PlainNumber S>
bool operator==(const Tracer& x, S s) {
  note_comparison(x);
  return x.value == static_cast<double>(s);
}
// Functions that decide for themselves: of either branch, and of both.
inline Tracer any_of(Tracer x) {
  x.d.curved = x.d.from;
  return x;
}
inline Tracer min(const Tracer& x, const Tracer& y) { return any_of(x + y); }
inline Tracer max(const Tracer& x, const Tracer& y) { return any_of(x + y); }
inline Tracer abs(const Tracer& x) { return any_of(x); }
inline Tracer fabs(const Tracer& x) { return any_of(x); }
inline Tracer atan2(const Tracer& y, const Tracer& x) { return any_of(x + y); }

}  // namespace driftless

// Those above as well: see functions.h.
namespace std {
using driftless::abs, driftless::atan2, driftless::fabs;
}  // namespace std
