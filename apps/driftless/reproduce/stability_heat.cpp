#include "apps/driftless/reproduce/stability_heat.h"

#include <fmt/format.h>

#include <cmath>

#include "driftless/tableau/families.h"
#include "testset/heat/heat_problem.h"

namespace reproduce {

using namespace driftless;
using namespace driftless::testset;

namespace {

// psi(q) = q^2/2 + q^4/4.
struct Quartic {
  template <class T>
  T operator()(const T& q, double, double) const {
    return 0.5 * q * q + 0.25 * q * q * q * q;
  }
};

HeatRun run(const std::string& name, const HeatMesh& mesh, int stages) {
  const HeatProblem problem{.mesh = mesh, .law = flux_of_dissipation(Quartic{})};
  Vector one(problem.cells()), two(problem.cells());
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double x = mesh.x[i], y = mesh.y[i];
    one[i] = std::cos(3.0 * M_PI * x) * std::cos(2.0 * M_PI * y);
    two[i] = std::exp(-8.0 * (x * x + y * y));
  }
  const Vector capacity = capacities(problem);
  return {stages == 1 ? "implicit Euler" : fmt::format("Radau IIA, {} stages", stages), name, problem.unknowns(),
          measure_contraction(as_index1(problem), consistent_state(problem, one), consistent_state(problem, two),
                              [&](ConstSpan difference) { return heat_norm(capacity, difference); },
                              {.method = {.tableau = radau_iia(stages)}, .h = 0.005, .steps = 40})};
}

}  // namespace

std::vector<HeatRun> heat_runs() {
  std::vector<HeatRun> runs;
  for (const int stages : {1, 3}) {
    runs.push_back(run("interval, 200 cells", interval_mesh(uniform_edges(200)), stages));
    runs.push_back(run("square, 40 x 40", rectangle_mesh(uniform_edges(40), uniform_edges(40)), stages));
    runs.push_back(run("graded, 60 x 30", rectangle_mesh(graded_edges(60, 20.0), uniform_edges(30)), stages));
  }
  return runs;
}

}  // namespace reproduce
