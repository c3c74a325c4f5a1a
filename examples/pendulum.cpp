// A pendulum as an index-3 problem: the same run with and without the projection that gives driftless its name.
//
// Build and run (./run builds the library; its --help is quick):
//
//   ./run --help
//   g++ -std=c++20 -O2 examples/pendulum.cpp @build/release/driftless.flags -o build/pendulum
//   build/pendulum
#include <algorithm>
#include <cstdio>

#include "driftless/driftless.h"

namespace {

// q'' = F - G^T lambda, 0 = |q|^2 - 1.
struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

// The largest residual of each constraint level over the whole run.
bool show(const char* title, const driftless::Equations& pendulum, const driftless::Method& method) {
  const auto run = driftless::solve(pendulum, {1.0, 0.0}, {.span = {0.0, 100.0}, .step_size = 0.01, .method = method});
  double level[4] = {};
  for (std::size_t i = 0; i < run.size(); ++i) {
    const auto residuals = run.residuals(i);
    for (int k = 1; k <= 3; ++k) level[k] = std::max(level[k], residuals.largest(k));
  }
  std::printf("%-40s position %7.1e   velocity %7.1e   acceleration %7.1e\n", title, level[1], level[2], level[3]);
  if (!run.ok()) std::printf("%s\n", run.failure().message().c_str());
  return run.ok();
}

}  // namespace

int main() {
  using namespace driftless;
  const Equations pendulum = mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
  std::printf("Largest residuals of the constraint and its derivatives in 10000 steps\n\n");
  bool ok = show("Radau IIA, no projection", pendulum, {.projection = Projection::none});
  ok = show("Radau IIA, projected (the default)", pendulum, {}) && ok;
  ok = show("  and lambda from the hidden constraint", pendulum, {.multiplier = MultiplierRule::hidden_constraint}) &&
       ok;
  ok = show("HEM5, no projection", pendulum, {.tableau = hem5(), .projection = Projection::none}) && ok;
  ok = show("HEM5, projected", pendulum, {.tableau = hem5()}) && ok;
  return ok ? 0 : 1;
}
