// The derivative part of a dual number: W partial derivatives that are added and scaled together.
#pragma once

#include <array>
#include <cstddef>

namespace driftless {

// x / s as x * (1 / s), which is cheaper; types for which that is not good enough have a divide_by of their own.
template <class T>
void divide_by(T& x, double s) {
  x *= 1.0 / s;
}

template <class T, int W>
struct Lanes {
  std::array<T, W> lane{};

  T get(int i) const { return lane[static_cast<std::size_t>(i)]; }
  void set(int i, const T& x) { lane[static_cast<std::size_t>(i)] = x; }
  Lanes& operator+=(const Lanes& o) {
    for (std::size_t i = 0; i < W; ++i) lane[i] += o.lane[i];
    return *this;
  }
  Lanes& operator-=(const Lanes& o) {
    for (std::size_t i = 0; i < W; ++i) lane[i] -= o.lane[i];
    return *this;
  }
  Lanes& operator*=(const T& s) {
    for (auto& x : lane) x *= s;
    return *this;
  }
  void scale(double s) {
    for (auto& x : lane) x *= s;
  }
  void divide(double s) {
    for (auto& x : lane) divide_by(x, s);
  }
};

// Aligned to 16 bytes, not to their size: numbers without padding are copied faster, and nested ones are full of
// copies.
template <int W>
struct RegisterOf;
template <>
struct RegisterOf<4> {
  typedef double type __attribute__((vector_size(4 * sizeof(double)), aligned(16)));
};
template <>
struct RegisterOf<8> {
  typedef double type __attribute__((vector_size(8 * sizeof(double)), aligned(16)));
};

// Of doubles: one vector register (or a few), by the compiler's vector extension, so that no call is made per lane.
template <int W>
requires(W == 4 || W == 8) struct Lanes<double, W> {
  using Register = typename RegisterOf<W>::type;
  Register lane{};

  double get(int i) const { return reinterpret_cast<const double*>(&lane)[i]; }
  void set(int i, double x) { reinterpret_cast<double*>(&lane)[i] = x; }
  Lanes& operator+=(const Lanes& o) {
    lane += o.lane;
    return *this;
  }
  Lanes& operator-=(const Lanes& o) {
    lane -= o.lane;
    return *this;
  }
  Lanes& operator*=(double s) {
    lane *= s;
    return *this;
  }
  void scale(double s) { lane *= s; }
  void divide(double s) { lane *= 1.0 / s; }
};

// No lanes at all: a plain number of its own type.
template <class T>
struct Lanes<T, 0> {
  T get(int) const { return T(0.0); }
  Lanes& operator+=(const Lanes&) { return *this; }
  Lanes& operator-=(const Lanes&) { return *this; }
  Lanes& operator*=(const T&) { return *this; }
  void scale(double) {}
  void divide(double) {}
};

}  // namespace driftless
