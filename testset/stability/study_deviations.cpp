#include <algorithm>

#include "driftless/analysis/stability/lipschitz_tube.h"
#include "driftless/analysis/stability/perturbation_bound.h"
#include "driftless/integrate/solve.h"
#include "testset/stability/study.h"

namespace driftless::stability {

namespace {

constexpr double noise = 1e-10;  // of the two integrations
constexpr double size = 0.01;    // of the perturbations

Vector times_of(const Case& problem) {
  Vector times;
  for (int k = 0; k <= 40; ++k) times.push_back(problem.end * k / 40.0);
  return times;
}

Solution run(const Index1& form, ConstSpan start, const Case& problem) {
  Solution solution =
      solve(form, start, {.span = {0.0, problem.end}, .tolerance = {.relative = 1e-11, .absolute = 1e-13}});
  solution.or_throw();
  return solution;
}

DeviationStudy study(const Case& problem, const Kind& kind, const Norm& norm, const StabilityReport& report,
                     const Solution& reference) {
  const Index1Split split(problem.form.projector(), norm);
  const Vector times = times_of(problem);
  const Disturbance disturbance{.p = kind.make(problem.form, size)};
  const Solution deviated = run(perturbed(problem.form, disturbance.p), reference.start().state, problem);
  const auto product = bound_deviation(split, report.product, disturbance, times);
  const auto sharp = bound_deviation(split, report.sharp, disturbance, times);
  const TubeBound tube =
      bound_along(problem.form, path_of(reference), disturbance, times,
                  {.norm = norm, .p_radius = 2.0 * size, .q_radius = 2.0 * size, .scaling = problem.scaling});
  DeviationStudy result{problem.name, kind.name, norm.name(), {}, tube.valid_until};
  for (std::size_t k = 0; k < times.size(); ++k) {
    Vector d = deviated.at(times[k]);
    const Vector x = reference.at(times[k]);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] -= x[i];
    result.points.push_back(
        {times[k], split.p_norm(d), split.q_norm(d), norm(d), product[k], sharp[k], tube.bounds[k]});
  }
  return result;
}

}  // namespace

DeviationStudy::Largest DeviationStudy::largest(const DeviationBound DeviationPoint::*bound) const {
  Largest largest;
  for (const DeviationPoint& point : points) {
    const DeviationBound& b = point.*bound;
    largest.p_at_end = quotient({point.p, b.p}, noise);
    largest.p = std::max(largest.p, largest.p_at_end);
    largest.q = std::max(largest.q, quotient({point.q, b.q}, noise));
    largest.total = std::max(largest.total, quotient({point.total, b.total()}, noise));
  }
  return largest;
}

std::vector<DeviationStudy> study_deviations(const std::vector<std::string>& norms) {
  std::vector<DeviationStudy> all;
  for (const Case& problem : cases()) {
    const Solution reference = run(problem.form, problem.start, problem);
    for (const std::string& name : norms) {
      const Norm norm = Norm::by_name(name);
      const StabilityReport report = analyse_stability(problem.form, problem.box,
                                                       {.norm = norm,
                                                        .refinement = {.relative = 1e-3, .boxes = 400},
                                                        .sampling = {.points = 50},
                                                        .manifold_radius = size});
      for (const Kind& kind : kinds()) all.push_back(study(problem, kind, norm, report, reference));
    }
  }
  return all;
}

}  // namespace driftless::stability
