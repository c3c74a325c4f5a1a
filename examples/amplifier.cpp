// A one-transistor amplifier as A x' = g(x, t) with a singular matrix of capacitances: index 1, no rearranging by hand.
// Circuit: Hairer, Lubich & Roche, LNM 1409; node voltages U1 (input) to U5 (output) in volts, currents in microampere.
//
// Build and run (./run builds the library; its --help is quick):
//
//   ./run --help
//   g++ -std=c++20 -O2 examples/amplifier.cpp @build/release/driftless.flags -o build/amplifier
//   build/amplifier
#include <cmath>
#include <cstdio>
#include <numbers>

#include "driftless/driftless.h"

namespace {

struct Amplifier {
  static constexpr double supply = 6.0, r0 = 1e-3, r = 9e-3;  // V, and 1000 and 9000 Ohm in V per microampere

  void g(auto u, auto t, auto out) const {
    using std::exp, std::sin;
    const auto input = 0.4 * sin(200.0 * std::numbers::pi * t);
    const auto current = exp((u[1] - u[2]) / 0.026) - 1.0;
    out[0] = (input - u[0]) / r0;
    out[1] = (supply - 2.0 * u[1]) / r - 0.01 * current;
    out[2] = current - u[2] / r;
    out[3] = (supply - u[3]) / r - 0.99 * current;
    out[4] = -u[4] / r;
  }
};

// The capacitances 1, 2 and 3 microfarad between nodes 1 and 2, node 3 and ground, nodes 4 and 5.
driftless::Matrix capacitances() {
  driftless::Matrix a(5, 5);
  a(0, 0) = a(1, 1) = 1.0;
  a(0, 1) = a(1, 0) = -1.0;
  a(2, 2) = 2.0;
  a(3, 3) = a(4, 4) = 3.0;
  a(3, 4) = a(4, 3) = -3.0;
  return a;
}

}  // namespace

int main() {
  const auto amplifier = driftless::implicit_index1(Amplifier{}, capacitances(), {"U1", "U2", "U3", "U4", "U5"});
  const auto run = driftless::solve(amplifier, {0.0, 3.0, 3.0, 6.0, 0.0}, {.span = {0.0, 0.2}, .step_size = 5e-5});
  std::printf("%6s %10s %10s %12s\n", "t", "input", "output", "constraint");
  for (std::size_t i = 3600; i < run.size(); i += 20)
    std::printf("%6.4f %10.5f %10.5f %12.1e\n", run.time(i), run.value("U1", i), run.value("U5", i),
                run.residuals(i).largest(1));
  if (!run.ok()) std::printf("%s\n", run.failure().message().c_str());
  return run.ok() ? 0 : 1;
}
