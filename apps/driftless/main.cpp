// driftless: the program. For now it integrates the pendulum of Schropp 2003, (4.1), and shows that nothing drifts.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "driftless/driftless.h"

namespace {

// (4.1): u' = v, v' = (0, -1) - 2 u lambda, 0 = |u|^2 - 1.
struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

constexpr const char* usage =
    "usage: driftless pendulum\n"
    "\n"
    "Integrates the pendulum of Schropp 2003, equation (4.1), over [0, 20] with the projected 3-stage Radau IIA "
    "method\n"
    "(2000 steps of size 0.01) and prints the solution beside the residuals of the position constraint (d1), the "
    "hidden\n"
    "velocity constraint (d2) and the hidden acceleration constraint (d3).\n";

int run_pendulum() {
  const auto pendulum = driftless::mechanical(
      Pendulum{},
      {.q_names = {"u1", "u2"}, .v_names = {"v1", "v2"}, .lambda_names = {"lambda"}, .constraint_names = {"rod"}});
  const driftless::Equations equations = pendulum;
  const auto solution = driftless::solve(equations, {1.0, 0.0}, {.span = {0.0, 20.0}, .steps = 2000});
  fmt::print("Pendulum of Schropp 2003 (4.1), index 3, projected Radau IIA (3 stages), h = 0.01\n\n");
  fmt::print("{:>5} {:>12} {:>12} {:>12} {:>12} {:>12} {:>10} {:>10} {:>10}\n", "t", "u1", "u2", "v1", "v2", "lambda",
             "d1", "d2", "d3");
  for (std::size_t i = 0; i < solution.size(); i += 200) {
    const auto state = solution.state(i);
    driftless::Vector x(state.begin(), state.end());
    for (double& value : x) value += 0.0;  // no -0 in the table
    const auto d = solution.residuals(i);
    fmt::print("{:5.1f} {:12.8f} {:12.8f} {:12.8f} {:12.8f} {:12.8f} {:10.1e} {:10.1e} {:10.1e}\n", solution.time(i),
               x[0], x[1], x[2], x[3], x[4], d.level[0][0], d.level[1][0], d.level[2][0]);
  }
  if (!solution.ok()) {
    fmt::print(stderr, "driftless: {}\n", solution.failure().message());
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  try {
    if (argc == 2 && command == "pendulum") return run_pendulum();
    if (argc == 2 && (command == "--help" || command == "-h" || command == "help")) {
      fmt::print("{}", usage);
      return 0;
    }
    if (command.empty())
      fmt::print(stderr, "driftless: a command is missing\n\n{}", usage);
    else
      fmt::print(stderr, "driftless: cannot make sense of '{}'\n\n{}", argc == 2 ? argv[1] : argv[2], usage);
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "driftless: {}\n", error.what());
    return 1;
  }
}
