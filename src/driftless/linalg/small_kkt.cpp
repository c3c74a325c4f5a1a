#include "driftless/linalg/small_kkt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "driftless/linalg/cut_offs.h"

// As in small_lu.cpp: what is written in parts must not be read as a vector.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize", "no-tree-slp-vectorize")
#endif

namespace driftless {

namespace {

constexpr std::size_t most_coordinates = cut_off::small_coordinates, most_constraints = cut_off::small_constraints;
constexpr double least_mass_pivot = 16.0 * std::numeric_limits<double>::epsilon(), least_pivot = 1e-5;

template <int N, int M, MassKind mass_kind>
struct Code {
  using Factors = SmallKkt::Factors;
  static constexpr bool unit = mass_kind == MassKind::unit, full = mass_kind == MassKind::full;
  // Where the entry (i, j), i >= j, of a packed lower triangle is.
  static constexpr int at(int i, int j) { return full ? j * N - j * (j - 1) / 2 + i - j : j; }

  static bool is_pivot(double value, double least) { return value > least && std::isfinite(value); }

  static int factorise_mass(const double* mass, const Factors& f) {
#pragma GCC unroll 8
    for (int j = 0; j < N; ++j)
#pragma GCC unroll 8
      for (int i = j; i < (full ? N : j + 1); ++i) f.mass[at(i, j)] = mass[i + j * N];
#pragma GCC unroll 8
    for (int p = 0; p < N; ++p) {
      const double pivot = f.mass[at(p, p)];
      if (!is_pivot(pivot, least_mass_pivot * mass[p + p * N])) return p;
      const double scale = f.inverse[p] = 1.0 / pivot;
      if constexpr (full)
#pragma GCC unroll 8
        for (int a = p + 1; a < N; ++a) {
          const double factor = f.mass[at(a, p)] * scale;
#pragma GCC unroll 8
          for (int b = a; b < N; ++b) f.mass[at(b, a)] -= factor * f.mass[at(b, p)];
          f.mass[at(a, p)] = factor;
        }
    }
    return SmallKkt::regular;
  }

  static void make_y(const double* g, const Factors& f) {
#pragma GCC unroll 32
    for (int k = 0; k < N * M; ++k) f.y[k] = g[k];
    if constexpr (full)
#pragma GCC unroll 8
      for (int p = 0; p < N; ++p)
#pragma GCC unroll 8
        for (int a = p + 1; a < N; ++a)
#pragma GCC unroll 4
          for (int i = 0; i < M; ++i) f.y[a * M + i] -= f.mass[at(a, p)] * f.y[p * M + i];
#pragma GCC unroll 8
    for (int p = 0; p < N; ++p)
#pragma GCC unroll 4
      for (int i = 0; i < M; ++i) f.scaled[p * M + i] = unit ? f.y[p * M + i] : f.y[p * M + i] * f.inverse[p];
  }

  static bool factorise_schur(const Factors& f) {
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i)
#pragma GCC unroll 4
      for (int j = i; j < M; ++j) {
        double sum = 0.0;
#pragma GCC unroll 8
        for (int p = 0; p < N; ++p) sum += f.y[p * M + j] * f.scaled[p * M + i];
        f.s[i * M + j] = sum;
      }
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) f.s_diagonal[i] = f.s[i * M + i];
#pragma GCC unroll 4
    for (int k = 0; k < M; ++k) {
      const double pivot = f.s[k * M + k];
      if (!is_pivot(pivot, least_pivot * f.s_diagonal[k])) return false;
      const double scale = f.s_inverse[k] = 1.0 / pivot;
#pragma GCC unroll 4
      for (int i = k + 1; i < M; ++i) {
        const double factor = f.s[k * M + i] * scale;
#pragma GCC unroll 4
        for (int j = i; j < M; ++j) f.s[i * M + j] -= factor * f.s[k * M + j];
        f.s[k * M + i] = factor;
      }
    }
    return true;
  }

  static int factorise(const double* mass, const double* g, const Factors& out) {
    const Factors f = out;
    if constexpr (!unit)
      if (const int row = factorise_mass(mass, f); row != SmallKkt::regular) return row;
    make_y(g, f);
    return factorise_schur(f) ? SmallKkt::regular : SmallKkt::ill_conditioned;
  }

  // lambda := S^-1 lambda
  static void solve_schur(const Factors& f, double* x) {
#pragma GCC unroll 4
    for (int k = 0; k < M; ++k)
#pragma GCC unroll 4
      for (int i = k + 1; i < M; ++i) x[i] -= f.s[k * M + i] * x[k];
#pragma GCC unroll 4
    for (int k = 0; k < M; ++k) x[k] *= f.s_inverse[k];
#pragma GCC unroll 4
    for (int k = M - 1; k >= 0; --k)
#pragma GCC unroll 4
      for (int i = k + 1; i < M; ++i) x[k] -= f.s[k * M + i] * x[i];
  }

  // D^-1 Y lambda, row p
  static double reaction(const Factors& f, int p, const double* lambda) {
    const double* row = f.scaled + p * M;
    if constexpr (M == 1) return row[0] * lambda[0];
    if constexpr (M == 2) return row[0] * lambda[0] + row[1] * lambda[1];
    if constexpr (M == 3) return row[0] * lambda[0] + row[2] * lambda[2] + row[1] * lambda[1];
  }

  // x := L^-T x
  static void backward(const Factors& f, double* x) {
    if constexpr (full)
#pragma GCC unroll 8
      for (int p = N - 1; p >= 0; --p)
#pragma GCC unroll 8
        for (int a = p + 1; a < N; ++a) x[p] -= f.mass[at(a, p)] * x[a];
  }

  // With w = D^-1 L^-1 top:  S lambda = Y^T w - bottom,  x = L^-T (w - D^-1 Y lambda).
  static void solve(const Factors& factors, double* top, double* bottom) {
    const Factors f = factors;
    double w[N], lambda[M];
#pragma GCC unroll 8
    for (int p = 0; p < N; ++p) w[p] = top[p];
    if constexpr (full)
#pragma GCC unroll 8
      for (int p = 0; p < N; ++p)
#pragma GCC unroll 8
        for (int a = p + 1; a < N; ++a) w[a] -= f.mass[at(a, p)] * w[p];
    if constexpr (!unit)
#pragma GCC unroll 8
      for (int p = 0; p < N; ++p) w[p] *= f.inverse[p];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) {
      double sum = 0.0;
#pragma GCC unroll 8
      for (int p = 0; p < N; ++p) sum += f.y[p * M + i] * w[p];
      lambda[i] = sum - bottom[i];
    }
    solve_schur(f, lambda);
#pragma GCC unroll 8
    for (int p = 0; p < N; ++p) w[p] -= reaction(f, p, lambda);
    backward(f, w);
#pragma GCC unroll 8
    for (int p = 0; p < N; ++p) top[p] = w[p];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) bottom[i] = lambda[i];
  }

  static void solve_constraints(const Factors& factors, double* x, double* bottom) {
    const Factors f = factors;
    double w[N], lambda[M];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) lambda[i] = -bottom[i];
    solve_schur(f, lambda);
#pragma GCC unroll 8
    for (int p = 0; p < N; ++p) w[p] = -reaction(f, p, lambda);
    backward(f, w);
#pragma GCC unroll 8
    for (int p = 0; p < N; ++p) x[p] = w[p];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) bottom[i] = lambda[i];
  }

  static void remove_normal(const Factors& factors, const double* g, double* x) {
    double normal[N], mu[M];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) {
      double sum = 0.0;
#pragma GCC unroll 8
      for (int p = 0; p < N; ++p) sum += g[p * M + i] * x[p];
      mu[i] = -sum;
    }
    solve_constraints(factors, normal, mu);
#pragma GCC unroll 8
    for (int p = 0; p < N; ++p) x[p] += normal[p];
  }

  static constexpr SmallKkt all = {factorise, solve, solve_constraints, remove_normal};
};

using ByKind = std::array<SmallKkt, 3>;

template <int N, int M>
constexpr ByKind by_kind() {
  if constexpr (M > N) return {};  // there are no more constraints than coordinates
  return {Code<N, M, MassKind::unit>::all, Code<N, M, MassKind::diagonal>::all, Code<N, M, MassKind::full>::all};
}

template <int... K>
constexpr auto make_table(std::integer_sequence<int, K...>) {
  return std::array<ByKind, sizeof...(K)>{by_kind<K / most_constraints + 1, K % most_constraints + 1>()...};
}

}  // namespace

const SmallKkt* small_kkt(std::size_t coordinates, std::size_t constraints, MassKind mass) {
  static constexpr auto table = make_table(std::make_integer_sequence<int, most_coordinates * most_constraints>());
  if (coordinates == 0 || coordinates > most_coordinates) return nullptr;
  if (constraints == 0 || constraints > std::min(coordinates, most_constraints)) return nullptr;
  return &table[(coordinates - 1) * most_constraints + constraints - 1][static_cast<std::size_t>(mass)];
}

}  // namespace driftless
