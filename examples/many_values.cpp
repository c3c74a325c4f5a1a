// A thousand values of the parameters of a model file with one compilation, and the same bits as a thousand of them.
//
// Build and run (./run builds the library; its --help is quick):
//
//   ./run --help
//   g++ -std=c++20 -O2 examples/many_values.cpp @build/release/driftless.flags -o build/many_values
//   build/many_values
#include <cstdio>

#include "driftless/simulate.h"

const char* const text = R"(
model Wall "A pendulum that bounces off a wall"
  parameter Real L = 1, e = 0.8;
  Real x(start = -L), y(start = 0, fixed = true), vx(start = 0), vy(start = 0, fixed = true), T;
equation
  der(x) = vx; der(y) = vy; der(vx) = -T*x; der(vy) = -T*y - 9.81; x^2 + y^2 = L^2;
  when x > L/2 then reinit(vx, -e*pre(vx)); reinit(vy, -e*pre(vy)); end when;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end Wall;)";

int main() {
  driftless::TextModel model({"wall.mo", text});  // reads, analyses and compiles the text
  for (int k = 0; k < 1000; ++k) {
    model.set({{"L", 1.0 + 0.001 * k}, {"e", 0.8}});
    const driftless::Simulation run = driftless::simulate(model);
    if (!run.ok()) return std::printf("%s\n", run.failure->message().c_str()), 1;
    if (k % 100 == 0) std::printf("L = %.3f: x = %.9f\n", model.parameters()["L"], run.final("x"));
  }
  std::printf("%zu compilation\n", driftless::compilations());
  return driftless::compilations() == 1 ? 0 : 1;
}
