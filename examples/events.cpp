// A pendulum that swings against a wall: the hit is an event, found on the dense output and followed by a jump of the
// velocity.
//
// Build and run (./run builds the library; its --help is quick):
//
//   ./run --help
//   g++ -std=c++20 -O2 examples/events.cpp @build/release/driftless.flags -o build/events
//   build/events
#include <cmath>
#include <cstdio>

#include "driftless/driftless.h"

namespace {

constexpr double gravity = 9.81, wall_at = 0.5, restitution = 0.8;

// q'' = F - G^T lambda, 0 = |q|^2 - 1.
struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -gravity; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

}  // namespace

int main() {
  using namespace driftless;
  const Equations pendulum = mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});

  // After the jump the state is projected and gets a new multiplier; the run restarts from it.
  const Event wall{.name = "wall",
                   .root = [](double, NamedState state) { return state["x"] - wall_at; },
                   .direction = Direction::rising,
                   .jump =
                       [](double, ChangingState state) {
                         state["x'"] *= -restitution;
                         state["y'"] *= -restitution;
                       }};
  // Watched only: neither terminal nor with a jump.
  const Event bottom{.name = "bottom", .root = [](double, NamedState state) { return state["x"]; }};

  Vector times;
  for (int i = 0; i <= 200; ++i) times.push_back(0.05 * i);
  const Solution run =
      solve(pendulum, {-1.0, 0.0},
            {.span = {0.0, 10.0}, .tolerance = {1e-9, 1e-9}, .output_times = times, .events = {wall, bottom}});
  if (!run.ok()) {
    std::printf("%s\n", run.failure().message().c_str());
    return 1;
  }

  // Between two hits nothing is lost, so each one is slower than the last by the restitution alone.
  double expected = std::sqrt(2.0 * gravity * std::sqrt(1.0 - wall_at * wall_at));
  double worst = 0.0;
  std::size_t passages = 0;
  std::printf("hits of the wall at x = %.1f\n", wall_at);
  for (const EventRecord& record : run.events()) {
    if (record.event == 1) {
      ++passages;
      continue;
    }
    const double speed = std::hypot(run.value("x'", record), run.value("y'", record));  // before the jump
    std::printf("  t = %8.6f   x = %.12f   speed %.8f, expected %.8f\n", record.time, run.value("x", record), speed,
                expected);
    worst = std::fmax(worst, std::abs(speed - expected));
    expected *= restitution;
  }
  double rightmost = -1.0;
  for (std::size_t i = 0; i < run.size(); ++i) rightmost = std::fmax(rightmost, run.value("x", i));
  std::printf("%zu passages of the bottom; never further right than x = %.12f\n", passages, rightmost);
  std::printf("rod off by at most %.0e, its velocity by %.0e\n", run.certificate().position,
              run.certificate().velocity);
  return worst < 1e-6 && rightmost < wall_at + 1e-9 ? 0 : 1;
}
