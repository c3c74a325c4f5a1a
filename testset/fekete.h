// What the two statements of the Fekete problem share.
#pragma once

#include "testset/problem.h"

namespace driftless::testset {

struct FeketePoint {
  double time;
  Vector p, q, lambda;  // multipliers with the sign of q'' = f - G^T lambda, G = 2 p^T
};

inline constexpr std::size_t fekete_count = 20;
inline constexpr double fekete_damping = 0.5;

FeketePoint fekete_start();
std::vector<FeketePoint> fekete_references();
Names fekete_coordinates(char symbol);  // p1x, p1y, p1z, p2x, ...

// force_i = sum_j (p_i - p_j) / |p_i - p_j|^2 - damping q_i, added to `force`.
void add_fekete_force(auto p, auto q, auto force) {
  using T = typename decltype(force)::value_type;
  for (std::size_t i = 0; i < fekete_count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const T d[] = {p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]};
      const T weight = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      for (std::size_t c = 0; c < 3; ++c) {
        force[3 * i + c] += weight * d[c];
        force[3 * j + c] -= weight * d[c];
      }
    }
    for (std::size_t c = 0; c < 3; ++c) force[3 * i + c] -= fekete_damping * q[3 * i + c];
  }
}

}  // namespace driftless::testset
