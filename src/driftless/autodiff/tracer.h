// A number that remembers which arguments it was made from: a formula called once with it tells its pattern of zeros.
#pragma once

#include <cstdint>
#include <vector>

#include "driftless/autodiff/functions.h"

namespace driftless {

inline constexpr int traced = -1;

// In place of derivatives: the ascending list of arguments.
template <>
struct Lanes<double, traced> {
  std::vector<std::uint32_t> from;

  Lanes& operator+=(const Lanes& o);
  Lanes& operator-=(const Lanes& o) { return *this += o; }
  Lanes& operator*=(double) { return *this; }
  void scale(double) {}
  void divide(double) {}
};

using Tracer = Dual<double, traced>;

// Set when a formula compares numbers that depend on its arguments: it may take another branch elsewhere.
inline thread_local bool tracer_branched = false;

inline bool is_constant(const Tracer& x) { return x.d.from.empty(); }
inline void note_comparison(const Tracer& x) { tracer_branched = tracer_branched || !is_constant(x); }

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
inline Tracer min(const Tracer& x, const Tracer& y) { return x + y; }
inline Tracer max(const Tracer& x, const Tracer& y) { return x + y; }

}  // namespace driftless
