#include <algorithm>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/stability_items.h"

namespace reproduce {

const std::vector<Item>& items() {
  constexpr std::string_view schropp =
      "Schropp, Projected Runge-Kutta methods for differential algebraic equations of index 3 (2003)";
  constexpr std::string_view invariant =
      "Schropp, Geometric properties of Runge-Kutta discretizations for nonautonomous index 2 differential algebraic "
      "systems (2001)";
  constexpr std::string_view sets =
      "Schropp, Attracting sets in index 2 differential algebraic equations and in their Runge-Kutta discretizations";
  constexpr std::string_view norms = "Higueras and Soderlind, Logarithmic norms and nonlinear DAE stability (2003)";
  static const std::vector<Item> all = {
      {"table1", "evaluations for the pendulum", schropp, table1},
      {"table2", "evaluations for Andrews' squeezing mechanism", schropp, table2},
      {"figure1", "pendulum: the solution", schropp, figure1},
      {"figure2", "pendulum: d1 and d2, the constraint and its derivative", schropp, figure2},
      {"figure3", "pendulum: d3, the hidden constraint", schropp, figure3},
      {"figure4", "squeezing mechanism: the solution", schropp, figure4},
      {"figure5", "squeezing mechanism: d1 and d2, constraints and derivatives", schropp, figure5},
      {"orders", "Theorem 2.1: orders of u, v and lambda", schropp, orders_index3},
      {"projection", "(3.3): the projection changes little", schropp, projection_multipliers},
      {"hidden", "(3.20): the multiplier stays near the hidden constraint", schropp, multiplier_near_hidden},
      {.name = "remark",
       .title = "remark after Theorem 2.1: order q + 1 of u; not for Radau IA",
       .source = schropp,
       .measure = improved_order,
       .expected = Finding::refuted},
      {"stages", "Lemma 3.2, (3.2): stages stay near the start of the step", schropp, stage_distances},
      {"local", "Lemma 3.3: the error of one step", schropp, local_errors},
      {"manifold", "Theorem 2.1: invariant, chi_h = |R(inf)|, close of order q or r", invariant, invariant_manifold},
      {"autonomous", "(3.17): time as an unknown gives the same iterates", invariant, time_as_unknown},
      {"attractor", "Theorem 2.2: attracting sets approach those of the DAE", sets, attracting_sets},
      {"embedding", "Lemmas 3.1, 3.2, 4.1: starts off the constraint come back to it", sets, embedded_starts},
      {"norms", "Propositions 2.1, 2.2: semi-inner products, logarithmic norms", norms, norm_properties},
      {"inequality", "Lemma 3.1, Theorems 3.2, 3.3: what every pair of states obeys", norms, inequalities},
      {"constants", "Definition 3.1: constants, enclosed, beside their closed forms", norms, constants, constants_text,
       constants_csv},
      {"deviations", "Theorems 3.4, 3.5: deviations against their bounds", norms, deviations, deviations_text,
       deviations_csv},
      {"errors", "Theorem 4.4, section 5: global errors against their bounds", norms, errors, errors_text, errors_csv},
      {"euler", "Lemma 4.1, Theorem 4.2: what every step of implicit Euler obeys", norms, euler_inequality},
      {"unique", "Theorem 4.3: steps of implicit Euler are unique while h S < 1", norms, euler_uniqueness},
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
