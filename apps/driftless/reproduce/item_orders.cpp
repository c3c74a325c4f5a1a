// Theorem 2.1, (3.3) and (3.20) of Schropp 2003, measured on problems with closed-form solutions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/orders.h"
#include "driftless/driftless.h"
#include "driftless/step/stepper.h"
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

// What is on record for one method: orders of u, v, lambda, or of what the item measures.
struct RecordedOrders {
  const char* method;
  double u, v, lambda;
  std::size_t first = 8;  // steps on the coarsest grid
};

}  // namespace

// Radau IIA and Lobatto IIIC reach more than promised: docs/methods.md.
Measurement orders_index3() {
  const testset::Problem problem = testset::problem("mms_index3_nonautonomous");
  Measurement result;
  Picture picture{.title = "Errors over the step size", .x = "h", .log_x = true, .log_y = true};
  for (const auto& [name, u, v, lambda, first] :
       {RecordedOrders{"implicit-euler", 1, 1, 0}, RecordedOrders{"radau-iia-2", 3, 3, 1},
        RecordedOrders{"radau-iia-3", 5, 5, 2}, RecordedOrders{"radau-ia-3", 2, 2, 1},
        RecordedOrders{"lobatto-iiic-3", 4, 4, 1}, RecordedOrders{"collocation-2", 2, 2, 1, 32}}) {
    const Method method{.tableau = tableau_by_name(name), .despite_conditions = true};
    const int q = properties_of(method.tableau).stage_order;
    const Convergence convergence = converge(problem, method, first, 4);
    const std::tuple<const char*, int, double> blocks[] = {{"u", q, u}, {"v", q, v}, {"lambda", q - 1, lambda}};
    for (std::size_t block = 0; block < 3; ++block) {
      const auto& [symbol, promised, recorded] = blocks[block];
      result.lines.push_back(order_line(fmt::format("{} {}", name, symbol),
                                        fmt::format("{}, q = {}: order of {}", name, q, symbol), promised, recorded,
                                        convergence.order(block)));
      if (block != 1)
        picture.curves.push_back(
            falling(fmt::format("{}, {}", name, symbol), convergence.steps, convergence.errors[block]));
    }
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

Measurement projection_multipliers() {
  const testset::Problem problem = testset::problem("mms_index3_nonautonomous");
  Measurement result;
  Picture picture{.title = "mu_2 of the first step over its size", .x = "h", .log_x = true, .log_y = true};
  for (const char* name :
       {"radau-iia-2", "radau-iia-3", "radau-ia-3", "lobatto-iiic-3", "lobatto-iiic-4", "collocation-2"}) {
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
      result.lines.push_back(order_line(fmt::format("{} {}", name, which),
                                        fmt::format("{}, q = {}: order of {}", name, q, which), q + 1, q + 1, order));
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

}  // namespace reproduce
