// Fekete points on the sphere by damped dynamics, in the index-2 form of the test set (Gear, Gupta, Leimkuhler):
//     p_i' = q_i - 2 mu_i p_i,   q_i' = F_i - 2 lambda_i p_i,   0 = |p_i|^2 - 1,   0 = 2 p_i . q_i.
#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"
#include "testset/fekete.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

constexpr std::size_t n = fekete_count;

struct FeketeGgl {
  void f(auto u, auto multipliers, auto, auto out) const {
    using T = typename decltype(out)::value_type;
    const std::span<const T> all(u.begin(), u.end());
    const In<T> p(all.subspan(0, 3 * n)), q(all.subspan(3 * n, 3 * n));
    const Out<T> force(std::span<T>(out.begin(), out.end()).subspan(3 * n));
    add_fekete_force(p, q, force);
    for (std::size_t k = 0; k < 3 * n; ++k) {
      out[k] = q[k] - 2.0 * multipliers[n + k / 3] * p[k];
      force[k] -= 2.0 * multipliers[k / 3] * p[k];
    }
  }
  void g(auto u, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
        out[i] += u[k] * u[k];
        out[n + i] += 2.0 * u[k] * u[3 * n + k];
      }
      out[i] -= 1.0;
    }
  }
};

// mu is zero along the solution, known or not.
Vector ggl_state_of(const FeketePoint& point) { return joined({point.p, point.q, point.lambda, Vector(n, 0.0)}); }

Index2::Shape shape() {
  Index2::Shape names{.u_names = fekete_coordinates('p'),
                      .lambda_names = numbered("lambda{}", 1, n),
                      .constraint_names = numbered("|p{}| = 1", 1, n)};
  for (const auto& name : fekete_coordinates('q')) names.u_names.push_back(name);
  for (const auto& name : numbered("mu{}", 1, n)) names.lambda_names.push_back(name);
  for (const auto& name : numbered("p{0}.q{0} = 0", 1, n)) names.constraint_names.push_back(name);
  return names;
}

}  // namespace

Problem fekete20_ggl_problem() {
  std::vector<Reference> references;
  for (const FeketePoint& point : fekete_references()) references.push_back({point.time, ggl_state_of(point)});
  return {.title = "Fekete problem, 20 points on the unit sphere, stabilised to index 2",
          .source = "CWI/Bari test set for initial value problems",
          .notes = "The multipliers mu of the position constraints are zero. See fekete20.",
          .equations = index2(FeketeGgl{}, shape()),
          .start = ggl_state_of(fekete_start()),
          .references = std::move(references),
          .trusted_digits = 20};
}

}  // namespace driftless::testset
