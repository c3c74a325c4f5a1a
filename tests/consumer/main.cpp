// What a stranger does with the installed package: state equations, solve them, compare with a reference problem.
#include <cmath>
#include <iostream>

#include "driftless/driftless.h"
#include "testset/problem.h"

namespace {

// (4.1) of Schropp 2003: u'' = (0, -1) - 2 u lambda, 0 = |u|^2 - 1.
struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

bool expect(bool holds, const char* what) {
  if (!holds) std::cerr << "consumer: not so: " << what << '\n';
  return holds;
}

}  // namespace

int main() {
  using namespace driftless;
  const Equations pendulum = mechanical(Pendulum{}, {.q_names = {"u1", "u2"}, .constraint_names = {"rod"}});
  const Solution run = solve(pendulum, {1.0, 0.0}, {.span = {0.0, 20.0}, .steps = 2000});
  if (!run.ok()) {
    std::cerr << run.failure().message() << '\n';
    return 1;
  }
  bool good = true;
  double d1 = 0.0, d2 = 0.0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    d1 = std::fmax(d1, run.residuals(i).largest(1));
    d2 = std::fmax(d2, run.residuals(i).largest(2));
  }
  good = expect(d1 < 1e-13 && d2 < 1e-13, "position and velocity constraint hold to 1e-13") && good;

  const testset::Problem reference = testset::problem("pendulum_schropp");
  for (const auto& [time, state] : reference.references)
    if (time == 20.0)
      for (std::size_t k = 0; k < 4; ++k)
        good = expect(std::abs(run.state(run.size() - 1)[k] - state[k]) < 1e-9,
                      "nine digits of the reference at t = 20") &&
               good;

  const Solution adaptive = solve(pendulum, {1.0, 0.0}, {.span = {0.0, 20.0}, .tolerance = {1e-9, 1e-9}});
  good = expect(adaptive.ok() && std::abs(adaptive.final("u1") - run.final("u1")) < 1e-6,
                "adaptive steps agree with fixed ones") &&
         good;
  good = expect(adaptive.certificate().position < 1e-13 && adaptive.certificate().velocity < 1e-13,
                "and keep the constraints to 1e-13") &&
         good;

  try {
    solve(pendulum, {1.0, 0.0}, {.steps = 10, .method = {.tableau = gauss(2)}});
    good = expect(false, "Gauss is refused for index 3");
  } catch (const Misuse&) {
  }
  std::cout << "consumer: u1(20) = " << run.final("u1") << ", |d1| <= " << d1 << ", |d2| <= " << d2 << '\n';
  return good ? 0 : 1;
}
