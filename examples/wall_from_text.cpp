// A model file with events, run from C++: the events are followed, results have names, parameters are set by name.
//
// Build and run (./run builds the library; its --help is quick):
//
//   ./run --help
//   g++ -std=c++20 -O2 examples/wall_from_text.cpp @build/release/driftless.flags -o build/wall
//   build/wall
#include <cmath>
#include <cstdio>

#include "driftless/simulate.h"

const char* const wall = R"(
model Wall "A pendulum that bounces off a wall"
  parameter Real L = 1, e = 0.8;
  Real x(start = -L), y(start = 0, fixed = true), vx(start = 0), vy(start = 0, fixed = true), T;
equation
  der(x) = vx; der(y) = vy; der(vx) = -T*x; der(vy) = -T*y - 9.81; x^2 + y^2 = L^2;
  when x > L/2 then reinit(vx, -e*pre(vx)); reinit(vy, -e*pre(vy)); end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-9));
end Wall;)";

int main() {
  const driftless::TextModel model({"wall.mo", wall}, {{"L", "2"}});  // RefusedModel, with the line, if it is not right
  const driftless::Simulation run = driftless::simulate(model);
  if (!run.ok()) return std::printf("%s\n", run.failure->message().c_str()), 1;
  for (const auto& event : run.happened) std::printf("t = %.6f: %s\n", event.time, event.name.c_str());
  std::printf("x = %.9f at t = %g, rod off by at most %.0e\n", run.final("x"), run.t, run.certificate.position);
  // Before the first hit nothing is lost: v^2/2 = 9.81 (height), at the wall and everywhere else.
  const double lost = std::hypot(run.final("vx"), run.final("vy")) / std::sqrt(2.0 * 9.81 * -run.final("y"));
  std::printf("the speed is %.9f of what it would be without the wall\n", lost);
  return run.events > 0 && run.certificate.position < 1e-12 && lost < 1.0 ? 0 : 1;
}
