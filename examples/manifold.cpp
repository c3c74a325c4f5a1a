// The invariant manifold of a method: Theorem 2.1 of Schropp 2001, measured for eight methods on two problems.
//
// Build and run (./test builds the libraries):
//
//   g++ -std=c++20 -O2 examples/manifold.cpp @build/release/driftless.flags -o build/manifold
//   build/manifold
#include <cstdio>

#include "driftless/driftless.h"
#include "driftless/geometry.h"
#include "testset/problem.h"

int main() {
  using namespace driftless;
  for (const char* name : {"limit_cycle_sphere", "mms_index2_gamma", "hlr_index2"}) {
    const auto problem = testset::problem(name);
    const Index2 equations = index2_of(problem.equations);
    const auto points = points_along_solution(equations, 0.0, 1.0, problem.start, 3).value();
    std::printf("%s\n%-16s %8s %12s %6s %8s %9s %9s\n", name, "tableau", "|R(inf)|", "chi_h", "q or r", "order",
                "u rate", "lam. rate");
    for (const char* tableau : {"radau-iia-2", "radau-iia-3", "radau-ia-2", "lobatto-iiic-3", "sdirk-2-half",
                                "sdirk-3-crouzeix", "hem3", "hem4", "hem5"}) {
      const auto study = study_manifold(
          equations,
          {.method = {.tableau = tableau_by_name(tableau)}, .step_sizes = {0.01, 0.005, 0.0025}, .points = points});
      if (!study) {
        std::printf("%-16s %s\n", tableau, study.failure().message().c_str());
        return 1;
      }
      const auto& finest = study->rows.back();
      const std::string promised = study->promised.symbol + " = " + std::to_string(*study->promised.order);
      std::printf("%-16s %8.4f %12.6g %6s %8.2f %9.4f %9.4f%s\n", tableau, study->r_infinity, finest.attractivity.chi,
                  promised.c_str(), study->closeness.order, finest.phase.u_rate, finest.phase.lambda_rate,
                  finest.attractivity.infinite() ? "   0 within rounding" : "");
    }
    std::printf("\n");
  }
  return 0;
}
