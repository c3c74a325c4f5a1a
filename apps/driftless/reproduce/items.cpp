#include <algorithm>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/stability_items.h"

namespace reproduce {

bool Measurement::ok() const {
  return std::all_of(lines.begin(), lines.end(), [](const Line& line) { return line.ok(); });
}

const std::vector<Item>& items() {
  constexpr std::string_view schropp =
      "Schropp, Projected Runge-Kutta methods for differential algebraic equations of index 3 (2003)";
  constexpr std::string_view invariant =
      "Schropp, Geometric properties of Runge-Kutta discretizations for nonautonomous index 2 differential algebraic "
      "systems (2001), Theorem 2.1";
  constexpr std::string_view sets =
      "Schropp, Attracting sets in index 2 differential algebraic equations and in their Runge-Kutta discretizations, "
      "Theorem 2.2";
  constexpr std::string_view norms = "Higueras and Soderlind, Logarithmic norms and nonlinear DAE stability (2003)";
  static const std::vector<Item> all = {
      {"table1", "evaluations for the pendulum", schropp, table1},
      {"table2", "evaluations for Andrews' squeezing mechanism", schropp, table2},
      {"figure1", "pendulum: the solution", schropp, figure1},
      {"figure2", "pendulum: d1 and d2, the constraint and its derivative", schropp, figure2},
      {"figure3", "pendulum: d3, the hidden constraint", schropp, figure3},
      {"figure4", "squeezing mechanism: the solution", schropp, figure4},
      {"figure5", "squeezing mechanism: d1 and d2, the constraints and their derivatives", schropp, figure5},
      {"orders", "Theorem 2.1: orders of u, v and lambda", schropp, orders_index3},
      {"projection", "(3.3): the projection changes little", schropp, projection_multipliers},
      {"hidden", "(3.20): the multiplier stays near the hidden constraint", schropp, multiplier_near_hidden},
      {"manifold", "chi_h = |R(infinity)|, and closeness of order q or r", invariant, invariant_manifold},
      {"attractor", "attracting sets of methods approach those of the DAE", sets, attracting_sets},
      {"constants", "logarithmic Lipschitz constants, enclosed, beside their closed forms", norms, constants,
       constants_text, constants_csv},
      {"deviations", "deviations of perturbed solutions against their bounds", norms, deviations, deviations_text,
       deviations_csv},
      {"errors", "global errors of implicit Euler and Radau IIA against their bounds", norms, errors, errors_text,
       errors_csv},
      {"runs", "errors of runs that carry their bound", norms, runs, runs_text, runs_csv},
      {"index-loss", "problems that lose index 1 on the way", norms, index_loss, index_loss_text, index_loss_csv},
      {"contraction", "Example 4.1: heat conduction from two initial temperatures", norms, contraction,
       contraction_text, contraction_csv}};
  return all;
}

const Item* find_item(std::string_view name) {
  const auto& all = items();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Item& item) { return item.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace reproduce
