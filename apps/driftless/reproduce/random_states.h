// Random states and matrices for inequalities that hold for all of them, and little arithmetic on them.
#pragma once

#include <algorithm>
#include <random>

#include "apps/driftless/reproduce/measurement.h"
#include "driftless/analysis/stability/box.h"

namespace reproduce {

using driftless::Matrix;

// Numbers that are the same on every machine.
class Random {
 public:
  double between(double low, double high) { return low + (high - low) * static_cast<double>(engine_()) / 4294967295.0; }
  Vector vector(std::size_t n) {
    Vector x(n);
    for (double& value : x) value = between(-1.0, 1.0);
    return x;
  }
  Matrix matrix(std::size_t n) {
    Matrix a(n, n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) a(i, j) = between(-1.0, 1.0);
    return a;
  }
  // A direction: along one axis, or any.
  Vector direction(std::size_t n) {
    if (engine_() % 2 == 0) return vector(n);
    Vector x(n);
    x[engine_() % n] = engine_() % 2 == 0 ? 1.0 : -1.0;
    return x;
  }
  Vector inside(const driftless::Box& box) {
    Vector x;
    for (const driftless::Interval& side : box.x) x.push_back(between(side.lower(), side.upper()));
    return x;
  }

 private:
  std::mt19937 engine_{7};
};

inline Vector combined(const Vector& a, double factor, const Vector& b) {
  Vector c = a;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += factor * b[i];
  return c;
}
inline Vector times(const Matrix& a, const Vector& x) {
  Vector y(a.rows());
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) y[i] += a(i, j) * x[j];
  return y;
}
inline Matrix combined(const Matrix& a, double factor, const Matrix& b) {
  Matrix c = a;
  for (std::size_t j = 0; j < c.cols(); ++j)
    for (std::size_t i = 0; i < c.rows(); ++i) c(i, j) += factor * b(i, j);
  return c;
}

// By how much left > right, relative to `scale`; 0 if it is not.
inline double violation(double left, double right, double scale) {
  return std::max(0.0, (left - right) / (scale + 1e-300));
}

inline Line never_violated(std::string id, std::string what, double found, const char* paper, double rounding = 1e-12) {
  return {
      .id = std::move(id), .what = std::move(what), .paper = paper, .measured = found, .low = 0.0, .high = rounding};
}

}  // namespace reproduce
