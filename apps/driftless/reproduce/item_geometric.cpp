// Schropp 2001 and the attracting-sets paper: what a method does to the multiplier, and to what a flow settles on.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/orders.h"
#include "driftless/analysis/geometric/attractor_study.h"
#include "driftless/analysis/geometric/manifold_study.h"
#include "driftless/driftless.h"
#include "testset/problem.h"
#include "testset/warped_cycle.h"

namespace reproduce {

using namespace driftless;

namespace {

// (i): a step from a point of the manifold leads to a point of it. The distance; rounding of lambda is about 1e-16/h.
double off_the_manifold(const Index2& equations, const char* method, double h, const ManifoldPoint& point) {
  DiscreteManifold manifold(equations, {.tableau = tableau_by_name(method)}, h);
  Vector state = manifold.at(point).value().state;
  if (const auto failure = manifold.step(point.t, state)) throw FailedRun(*failure);
  const Vector there = manifold.at({point.t + h, state}).value().state;
  double distance = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) distance = std::fmax(distance, std::abs(state[i] - there[i]));
  return distance;
}

// (iii): how much of the distance to the partner on the manifold a step leaves, as far as it is above rounding.
double phase_rate(const AsymptoticPhase& phase) {
  if (!std::isnan(phase.lambda_rate)) return phase.lambda_rate;
  return phase.lambda_distances[1] / phase.lambda_distances[0];
}

void add_manifold(const ManifoldStudy& study, const char* problem, const char* method, double recorded, double off,
                  Measurement& result, Picture& picture) {
  result.lines.push_back({.id = fmt::format("{} {} invariant", problem, method),
                          .what = fmt::format("{}, {}: off the manifold after a step", problem, method),
                          .paper = "(i) invariant",
                          .measured = off,
                          .low = 0.0,
                          .high = 1e-11});
  const double chi = study.rows.back().attractivity.chi;
  result.lines.push_back({.id = fmt::format("{} {} chi", problem, method),
                          .what = fmt::format("{}, {}: chi_h at h = {}", problem, method, study.rows.back().step_size),
                          .paper = fmt::format("(ii) |R(infinity)| = {:.4g}", study.r_infinity),
                          .measured = chi,
                          .low = study.r_infinity == 0.0 ? 0.0 : study.r_infinity - 1e-5,
                          .high = study.r_infinity + (study.r_infinity == 0.0 ? 1e-8 : 1e-5)});
  result.lines.push_back({.id = fmt::format("{} {} phase", problem, method),
                          .what = fmt::format("{}, {}: lambda approaches that of its partner by", problem, method),
                          .paper = fmt::format("(iii) chi_h = {:.4g} a step", study.r_infinity),
                          .measured = phase_rate(study.rows.back().phase),
                          .low = study.r_infinity == 0.0 ? 0.0 : study.r_infinity - 1e-5,
                          .high = study.r_infinity + (study.r_infinity == 0.0 ? 1e-8 : 1e-5)});
  const int promised = study.promised.order.value();
  if (recorded < promised) throw std::logic_error("the closeness on record is less than promised");
  result.lines.push_back({.id = fmt::format("{} {} closeness", problem, method),
                          .what = fmt::format("{}, {}: order of |psi_0 - psi_0h|", problem, method),
                          .paper = fmt::format("(iv) at least {} = {}", study.promised.symbol, promised),
                          .measured = study.closeness.order,
                          .low = recorded - 0.2,
                          .high = recorded + 0.2});
  Vector steps, values;
  for (const auto& row : study.rows) {
    steps.push_back(row.step_size);
    values.push_back(row.closeness);
  }
  picture.curves.push_back(falling(fmt::format("{}, {}", method, problem), steps, values));
}

AttractorStudy section_study(const Index2& equations, const char* tableau) {
  return study_attractor(equations, {.method = {.tableau = tableau_by_name(tableau)},
                                     .step_sizes = {0.02, 0.01, 0.005},
                                     .cloud = {.center = {0.9, 0.0, 0.3}, .half_widths = {0.1}, .count = 2},
                                     .sampling = {.transient = 25.0,
                                                  .samples = 4,
                                                  .section = section_at(equations, "y", 0.0, Direction::rising)}})
      .value();
}

}  // namespace

Measurement invariant_manifold() {
  Measurement result;
  Picture picture{.title = "|psi_0 - psi_0h| over the step size", .x = "h", .log_x = true, .log_y = true};
  for (const char* name : {"limit_cycle_sphere", "mms_index2_gamma"}) {
    const testset::Problem problem = testset::problem(name);
    const Index2 equations = index2_of(problem.equations);
    const auto points = points_along_solution(equations, problem.begin, problem.begin + 1.0, problem.start, 2).value();
    struct Row {
      const char* method;
      double closeness;  // its order, on record
    };
    for (const auto& [method, closeness] :
         {Row{"radau-iia-2", 2}, Row{"radau-iia-3", 3}, Row{"radau-ia-2", 1}, Row{"lobatto-iiic-3", 2},
          Row{"sdirk-2-half", 1}, Row{"collocation-2", 2}, Row{"hem3", 2}, Row{"hem4", 2}, Row{"hem5", 3}}) {
      const ManifoldStudyOptions options{
          .method = {.tableau = tableau_by_name(method)}, .step_sizes = {0.01, 0.005, 0.0025}, .points = points};
      const double off = off_the_manifold(equations, method, options.step_sizes.back(), points.front());
      add_manifold(study_manifold(equations, options).value(), name, method, closeness, off, result, picture);
    }
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

Measurement attracting_sets() {
  const Index2 equations = warped_cycle();
  Measurement result;
  Picture picture{
      .title = "Hausdorff distance of the limit cycles on a section", .x = "h", .log_x = true, .log_y = true};
  struct Row {
    const char* tableau;
    int order;
    double distance;  // at the smallest step size, on record
  };
  for (const auto& [tableau, order, distance] :
       {Row{"radau-iia-2", 3, 2.27e-8}, Row{"sdirk-2-half", 2, 1.393e-5}, Row{"hem3", 3, 1.69e-8}}) {
    const AttractorStudy study = section_study(equations, tableau);
    Vector steps, distances;
    double residual = 0.0;
    for (const auto& row : study.rows) {
      steps.push_back(row.step_size);
      distances.push_back(row.distance);
      residual = std::fmax(residual, row.residual);
    }
    result.lines.push_back({.id = fmt::format("{} rate", tableau),
                            .what = fmt::format("{}: rate of the Hausdorff distance", tableau),
                            .paper = fmt::format("goes to 0; order of u: {}", order),
                            .measured = study.rate.order,
                            .low = order - 0.2,
                            .high = order + 0.2});
    result.lines.push_back({.id = fmt::format("{} distance", tableau),
                            .what = fmt::format("{}: Hausdorff distance at h = {}", tableau, steps.back()),
                            .paper = "goes to 0",
                            .measured = distances.back(),
                            .low = 0.9 * distance,
                            .high = 1.1 * distance});
    result.lines.push_back({.id = fmt::format("{} on the constraint", tableau),
                            .what = fmt::format("{}: largest |g| on its attracting set", tableau),
                            .paper = "the set lies on the constraint",
                            .measured = residual,
                            .low = 0.0,
                            .high = 1e-13});
    picture.curves.push_back(falling(tableau, steps, distances));
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

}  // namespace reproduce
