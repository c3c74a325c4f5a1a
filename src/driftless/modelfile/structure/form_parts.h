// What the planners of the forms share.
#pragma once

#include "driftless/modelfile/structure/form_plan.h"

namespace driftless {

// Row i determines the rate of component i.
Rates solve_rates(Graph& graph, const Components& components, std::vector<Expr> residuals);

Component component_of(const Unknown& unknown);
std::vector<std::vector<Occurrence>> occurrences(const Reduction& reduction);
// The residual with all derivatives set to 0.
Expr without_derivatives(Reduction& reduction, const Row& row);

// The planners, in the order in which they are tried.
std::optional<FormPlan> plan_index1(Reduction& reduction);
FormPlan plan_hessenberg(Reduction& reduction);

// Rows with their parts known: u' and v' by the rows of the same position. Nothing if it is not mechanical.
struct SecondOrder {
  Components u, v, lambda;
  std::vector<Expr> u_rows, v_rows;
  std::vector<Constraint> g;
};
std::optional<FormPlan> plan_mechanical(Reduction& reduction, const SecondOrder& system);
// The same with constraints on velocities beside, which may be all there are. Nothing if it is not mechanical, or so
// large that its matrices would be sparse; `why_not` says which, in words.
std::optional<FormPlan> plan_wide(Reduction& reduction, const SecondOrder& system,
                                  const std::vector<Constraint>& on_velocities, std::string& why_not);

}  // namespace driftless
