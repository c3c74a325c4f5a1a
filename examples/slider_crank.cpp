// A slider crank with a mass matrix, started from rough values: only the crank's angle and speed are prescribed.
//
// Build and run (./run builds the library; its --help is quick):
//
//   ./run --help
//   g++ -std=c++20 -O2 examples/slider_crank.cpp @build/release/driftless.flags -o build/crank
//   build/crank
#include <cmath>
#include <cstdio>

#include "driftless/driftless.h"

namespace {

// q = (crank angle, rod angle, slider position); M(q) q'' = F(q, q') - G(q)^T lambda.
struct SliderCrank {
  static constexpr double r = 0.15, l = 0.30;                         // lengths of crank and rod
  static constexpr double m1 = 0.36, m2 = 0.15, m3 = 0.08;            // masses of crank, rod and slider
  static constexpr double j1 = m1 * r * r / 3, j2 = m2 * l * l / 12;  // crank about its pivot, rod about its centre
  static constexpr double k = m2 * r * l / 2, gravity = 9.81;

  void mass(auto q, auto, auto M) const {
    using std::cos;
    M(0, 0) = j1 + m2 * r * r;
    M(1, 1) = j2 + m2 * l * l / 4;
    M(2, 2) = m3;
    M(0, 1) = M(1, 0) = k * cos(q[0] - q[1]);
  }
  void force(auto q, auto v, auto, auto f) const {
    using std::cos, std::sin;
    const auto s = sin(q[0] - q[1]);
    f[0] = -k * s * v[1] * v[1] - (m1 / 2 + m2) * gravity * r * cos(q[0]);
    f[1] = k * s * v[0] * v[0] - m2 / 2 * gravity * l * cos(q[1]);
  }
  void constraint(auto q, auto, auto g) const {
    using std::cos, std::sin;
    g[0] = r * sin(q[0]) + l * sin(q[1]);
    g[1] = q[2] - r * cos(q[0]) - l * cos(q[1]);
  }
  double energy(auto q, auto v, double) const {
    const double kinetic = (j1 + m2 * r * r) * v[0] * v[0] + (j2 + m2 * l * l / 4) * v[1] * v[1] + m3 * v[2] * v[2];
    const double potential = (m1 / 2 + m2) * gravity * r * std::sin(q[0]) + m2 / 2 * gravity * l * std::sin(q[1]);
    return kinetic / 2 + k * std::cos(q[0] - q[1]) * v[0] * v[1] + potential;
  }
};

}  // namespace

int main() {
  using namespace driftless;
  const auto mechanism = mechanical(SliderCrank{}, {.q_names = {"crank", "rod", "slider"},
                                                    .constraint_names = {"rod end height", "rod end position"}});
  const auto run = solve(mechanism, {0.5, -0.2, 0.4, 30.0, 0.0, 0.0},
                         {.span = {0.0, 2.0}, .step_size = 5e-4, .start = {.fixed = {"crank", "crank'"}}});
  if (!run.ok()) {
    std::printf("%s\n", run.failure().message().c_str());
    return 1;
  }
  std::printf("%s\n\n", run.start().summary().c_str());
  std::printf("%5s %10s %10s %10s %14s %9s %9s\n", "t", "crank", "rod", "slider", "energy", "|d1|", "|d2|");
  for (std::size_t i = 0; i < run.size(); i += 500) {
    const double energy = *mechanism.functions().energy(run.block("q", i), run.block("v", i), run.time(i));
    std::printf("%5.2f %10.6f %10.6f %10.6f %14.10f %9.1e %9.1e\n", run.time(i), run.value("crank", i),
                run.value("rod", i), run.value("slider", i), energy, run.residuals(i).largest(1),
                run.residuals(i).largest(2));
  }
  return 0;
}
