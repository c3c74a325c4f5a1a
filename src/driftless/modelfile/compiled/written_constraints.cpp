#include "driftless/modelfile/compiled/written_constraints.h"

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

// The constraints are r = R^T f with orthonormal columns of R, and the equations w_i . f = (R^T w_i) . r, as w_i lies
// in the image of R. With c = R^T w_i, |w_i . f| <= (|c_1| + |c_2| + ...) max |r_j| over the j with c_j != 0.
std::vector<WrittenConstraint> of_index1(const Index1Plan& plan, const Index1& form,
                                         const ParameterValues& parameters) {
  const Matrix& rows = form.q_rows();
  Vector weight(rows.cols(), 0.0), c(rows.cols());
  for (const auto& parts : plan.algebraic) {
    std::ranges::fill(c, 0.0);
    for (const auto& [component, factor] : parts)
      for (std::size_t j = 0; j < c.size(); ++j) c[j] += rows(component, j) * parameters.of(factor);
    double sum = 0.0;
    for (const double x : c) sum += std::abs(x);
    for (std::size_t j = 0; j < c.size(); ++j)
      if (std::abs(c[j]) > 1e-14 * sum) weight[j] = std::max(weight[j], sum);
  }
  std::vector<WrittenConstraint> result;
  for (const double w : weight) result.push_back({.scale = w > 0.0 ? 1.0 / w : 1.0});
  return result;
}

}  // namespace

std::vector<WrittenConstraint> written_constraints(const FormPlan& plan, const Equations& equations,
                                                   const ParameterValues& parameters) {
  if (const auto* index1 = std::get_if<Index1Plan>(&plan.form))
    return of_index1(*index1, std::get<Index1>(equations), parameters);
  std::vector<WrittenConstraint> result;
  for (const Constraint& c : constraints_of(plan)) result.push_back({c.integrated, parameters.of(c.scale)});
  return result;
}

}  // namespace driftless
