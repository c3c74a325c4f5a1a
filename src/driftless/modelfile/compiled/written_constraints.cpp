#include "driftless/modelfile/compiled/written_constraints.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless {

namespace {

// The constraints are r = R^T f with orthonormal columns of R, and the equations w_i . f = (R^T w_i) . r, as w_i lies
// in the image of R. With c = R^T w_i, |w_i . f| <= (|c_1| + |c_2| + ...) max |r_j| over the j with c_j != 0.
std::vector<WrittenConstraint> of_index1(const Index1Plan& plan, const Index1& form,
                                         const ParameterValues& parameters) {
  const ConstantMatrix rows = form.parts().q_rows.transposed();
  const Pattern of_row = rows.pattern();  // a column for each row of R
  Vector weight(rows.rows(), 0.0), c(rows.rows(), 0.0);
  std::vector<std::uint32_t> touched;
  for (const auto& parts : plan.algebraic) {
    touched.clear();
    for (const auto& [component, factor] : parts)
      for (std::size_t k = of_row.begin[component]; k < of_row.begin[component + 1]; ++k) {
        touched.push_back(of_row.row[k]);
        c[of_row.row[k]] += rows.entries()[k].value * parameters.of(factor);
      }
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    double sum = 0.0;
    for (const std::uint32_t j : touched) sum += std::abs(c[j]);
    for (const std::uint32_t j : touched)
      if (std::abs(std::exchange(c[j], 0.0)) > 1e-14 * sum) weight[j] = std::max(weight[j], sum);
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
