// Theorem 2.1, (3.3) and (3.20) of Schropp 2003, measured on problems with closed-form solutions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/orders.h"
#include "driftless/driftless.h"
#include "driftless/tableau/properties.h"
#include "testset/problem.h"

namespace reproduce {

using namespace driftless;

namespace {

struct Disturbance {
  double mu1, mu2;
};

Disturbance first_projection(const testset::Problem& problem, const Method& method, double h) {
  const auto stepper = make_stepper(problem.equations, method);
  const auto workspace = stepper->make_workspace();
  Attempt attempt = stepper->make_attempt();
  if (const auto failure = stepper->attempt(0.3, problem.exact(0.3), h, *workspace, attempt)) throw FailedRun(*failure);
  return {std::abs(attempt.mu1[0]), std::abs(attempt.mu2[0])};
}

// The largest |lambda_n - psi_0(u_n, v_n)| once a wrong start, off by 1e-3, is forgotten.
double distance_to_hidden(const testset::Problem& problem, const Method& method, std::size_t n) {
  const auto stepper = make_stepper(problem.equations, method);
  const auto workspace = stepper->make_workspace();
  const auto manifold = make_manifold(problem.equations);
  Attempt attempt = stepper->make_attempt();
  Vector state = problem.exact(0.0);
  state.back() += 1e-3;
  const double h = 1.0 / static_cast<double>(n);
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double t = static_cast<double>(i) * h;
    if (const auto failure = stepper->attempt(t, state, h, *workspace, attempt)) throw FailedRun(*failure);
    std::swap(state, attempt.state);
    Vector on_manifold = state;
    (void)manifold->set_multipliers(t + h, on_manifold);
    if (i >= n / 2) largest = std::fmax(largest, std::abs(state.back() - on_manifold.back()));
  }
  return largest;
}

}  // namespace

Measurement orders_index3() {
  const char* const blocks[] = {"u", "v", "lambda"};
  const testset::Problem problem = testset::problem("mms_index3_nonautonomous");
  Measurement result;
  Picture picture{.title = "Errors over the step size", .x = "h", .log_x = true, .log_y = true};
  for (const char* name : {"implicit-euler", "radau-iia-2", "radau-iia-3", "radau-ia-3", "lobatto-iiic-3"}) {
    const Method method{.tableau = tableau_by_name(name), .despite_conditions = true};
    const int q = properties_of(method.tableau).stage_order;
    const Convergence convergence = converge(problem, method, 8, 4);
    for (std::size_t block = 0; block < 3; ++block) {
      const int promised = block == 2 ? q - 1 : q;
      result.lines.push_back(at_least_order(fmt::format("{} {}", name, blocks[block]),
                                            fmt::format("{}, q = {}: order of {}", name, q, blocks[block]), promised,
                                            convergence.order(block)));
      if (block != 1)
        picture.curves.push_back(
            falling(fmt::format("{}, {}", name, blocks[block]), convergence.steps, convergence.errors[block]));
    }
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

Measurement projection_multipliers() {
  const testset::Problem problem = testset::problem("mms_index3_nonautonomous");
  Measurement result;
  Picture picture{.title = "mu_2 of the first step over its size", .x = "h", .log_x = true, .log_y = true};
  for (const char* name : {"radau-iia-2", "radau-iia-3", "radau-ia-3", "lobatto-iiic-3", "lobatto-iiic-4"}) {
    const Method method{.tableau = tableau_by_name(name)};
    const int q = properties_of(method.tableau).stage_order;
    Vector steps, mu1, mu2;
    for (const double h : {1.0 / 16, 1.0 / 32, 1.0 / 64}) {
      const Disturbance found = first_projection(problem, method, h);
      steps.push_back(h);
      mu1.push_back(found.mu1);
      mu2.push_back(found.mu2);
    }
    const auto add = [&](const char* which, double order) {
      result.lines.push_back(at_least_order(fmt::format("{} {}", name, which),
                                            fmt::format("{}, q = {}: order of {}", name, q, which), q + 1, order));
    };
    if (properties_of(method.tableau).stiffly_accurate)
      result.lines.push_back({.id = fmt::format("{} mu_1", name),
                              .what = fmt::format("{}, stiffly accurate: mu_1", name),
                              .paper = "0, so that (2.8) is enough",
                              .measured = *std::max_element(mu1.begin(), mu1.end()),
                              .low = 0.0,
                              .high = 1e-15});
    else
      add("mu_1", std::log2(mu1[1] / mu1[2]));
    add("mu_2", std::log2(mu2[1] / mu2[2]));
    picture.curves.push_back(falling(name, steps, mu2));
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

Measurement multiplier_near_hidden() {
  const testset::Problem problem = testset::problem("mms_index3_nonautonomous");
  Measurement result;
  Picture picture{.title = "Largest |lambda_n - psi_0| in the second half", .x = "h", .log_x = true, .log_y = true};
  for (const char* name : {"radau-iia-2", "radau-iia-3", "lobatto-iiic-3"}) {
    const Method method{.tableau = tableau_by_name(name)};
    Vector steps, distances;
    for (const std::size_t n : {32u, 64u, 128u}) {
      steps.push_back(1.0 / static_cast<double>(n));
      distances.push_back(distance_to_hidden(problem, method, n));
    }
    result.lines.push_back({.id = name,
                            .what = fmt::format("{}: order of |lambda_n - psi_0(u_n, v_n)|", name),
                            .paper = "at least 1, whatever lambda_0 near it",
                            .measured = std::log2(distances[1] / distances[2]),
                            .low = 1.0 - order_slack,
                            .high = no_limit});
    picture.curves.push_back(falling(name, steps, distances));
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

}  // namespace reproduce
