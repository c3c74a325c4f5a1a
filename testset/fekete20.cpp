// Fekete points on the sphere by damped dynamics, as a mechanical system of index 3.
#include "driftless/equations/mechanical_model.h"
#include "testset/catalogue.h"
#include "testset/fekete.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

struct Fekete {
  void force(auto p, auto q, auto, auto f) const { add_fekete_force(p, q, f); }
  void constraint(auto p, auto, auto g) const {
    for (std::size_t i = 0; i < fekete_count; ++i)
      g[i] = p[3 * i] * p[3 * i] + p[3 * i + 1] * p[3 * i + 1] + p[3 * i + 2] * p[3 * i + 2] - 1.0;
  }
  // With d = p_i - p_j:  d/dd (d / |d|^2) = I / |d|^2 - 2 d d^T / |d|^4.
  void force_jacobian(auto p, auto, auto, auto by_p, auto by_q) const {
    for (std::size_t i = 0; i < fekete_count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double d[] = {p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]};
        const double weight = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t e = 0; e < 3; ++e) {
            const double entry = weight * ((c == e ? 1.0 : 0.0) - 2.0 * weight * d[c] * d[e]);
            by_p(3 * i + c, 3 * i + e) += entry;
            by_p(3 * j + c, 3 * j + e) += entry;
            by_p(3 * i + c, 3 * j + e) -= entry;
            by_p(3 * j + c, 3 * i + e) -= entry;
          }
      }
      for (std::size_t c = 0; c < 3; ++c) by_q(3 * i + c, 3 * i + c) = -fekete_damping;
    }
  }
};

Vector state_of(const FeketePoint& point) { return joined({point.p, point.q, point.lambda}); }

}  // namespace

Problem fekete20_problem() {
  std::vector<Reference> references;
  for (const FeketePoint& point : fekete_references()) references.push_back({point.time, state_of(point)});
  return {
      .title = "Fekete problem, 20 points on the unit sphere, index 3",
      .source = "CWI/Bari test set for initial value problems",
      .notes =
          "Tends to rest: velocities at t = 1000 are below 1e-20, multipliers are 4.75. Compare at t = 10 for motion.",
      .equations = mechanical(Fekete{}, {.q_names = fekete_coordinates('p'),
                                         .v_names = fekete_coordinates('q'),
                                         .lambda_names = numbered("lambda{}", 1, fekete_count),
                                         .constraint_names = numbered("|p{}| = 1", 1, fekete_count)}),
      .start = state_of(fekete_start()),
      .references = std::move(references),
      .trusted_digits = 20};
}

}  // namespace driftless::testset
