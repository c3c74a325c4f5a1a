// (3.18) to (3.20) of Schropp 2003: the multiplier of the stages stays near psi_0(u, v), and forgets where it began.
#include <fmt/format.h>

#include <cmath>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/orders.h"
#include "driftless/driftless.h"
#include "driftless/equations/manifold.h"
#include "driftless/step/stepper.h"
#include "driftless/tableau/properties.h"
#include "testset/problem.h"

namespace reproduce {

using namespace driftless;

namespace {

constexpr double disturbance = 1e-3;

// lambda_n and eta_n = lambda_n - psi_0(u_n, v_n), n = 1, 2, ...
struct Multipliers {
  Vector lambda = {}, eta = {};
};

Multipliers follow(const testset::Problem& problem, const Method& method, std::size_t n, double wrong) {
  const auto stepper = make_stepper(problem.equations, method);
  const auto workspace = stepper->make_workspace();
  const auto manifold = make_manifold(problem.equations);
  Attempt attempt = stepper->make_attempt();
  Vector state = problem.exact(0.0);
  state.back() += wrong;
  const double h = 1.0 / static_cast<double>(n);
  Multipliers found;
  for (std::size_t i = 0; i < n; ++i) {
    const double t = static_cast<double>(i) * h;
    if (const auto failure = stepper->attempt(t, state, h, *workspace, attempt)) throw FailedRun(*failure);
    std::swap(state, attempt.state);
    Vector on_manifold = state;
    if (manifold->set_multipliers(t + h, on_manifold) != ManifoldStatus::ok)
      throw std::runtime_error(fmt::format("no multiplier at t = {}", t + h));
    found.lambda.push_back(state.back());
    found.eta.push_back(state.back() - on_manifold.back());
  }
  return found;
}

double largest_in_second_half(const Vector& eta) {
  double largest = 0.0;
  for (std::size_t i = eta.size() / 2; i < eta.size(); ++i) largest = std::fmax(largest, std::abs(eta[i]));
  return largest;
}

// (3.19): of an error in lambda a step leaves R(infinity), as its stages do not depend on lambda_n.
void add_memory(const testset::Problem& problem, const Method& method, Measurement& result) {
  const Vector right = follow(problem, method, 8, 0.0).lambda, wrong = follow(problem, method, 8, disturbance).lambda;
  const double r = properties_of(method.tableau).r_infinity, rounding = 1e-8;
  double before = disturbance;
  for (std::size_t n = 0; n < 2; ++n) {
    const double left = wrong[n] - right[n];
    if (n > 0 && r == 0.0) break;  // nothing is left to be forgotten
    result.lines.push_back(
        {.id = fmt::format("{} step {}", method.tableau.name, n + 1),
         .what = fmt::format("{}: what step {} leaves of an error in lambda", method.tableau.name, n + 1),
         .paper = fmt::format("R(infinity) = {:.6g}, (3.19)", r),
         .measured = left / before,
         .low = r - rounding,
         .high = r + rounding});
    before = left;
  }
}

}  // namespace

// Order max(1, q - 1) is on record: that of the multiplier itself, Theorem 2.1, and no less than 1.
Measurement multiplier_near_hidden() {
  const testset::Problem problem = testset::problem("mms_index3_nonautonomous");
  Measurement result;
  Picture picture{.title = "Largest |lambda_n - psi_0| in the second half", .x = "h", .log_x = true, .log_y = true};
  for (const char* name : {"radau-iia-2", "radau-iia-3", "radau-ia-3", "lobatto-iiic-3", "collocation-2"}) {
    const Method method{.tableau = tableau_by_name(name)};
    Vector steps, distances;
    for (const std::size_t n : {32u, 64u, 128u}) {
      steps.push_back(1.0 / static_cast<double>(n));
      distances.push_back(largest_in_second_half(follow(problem, method, n, disturbance).eta));
    }
    const int q = properties_of(method.tableau).stage_order;
    result.lines.push_back(order_line(
        name, fmt::format("{}: order of |lambda_n - psi_0(u_n, v_n)|, lambda_0 off by {}", name, disturbance), 1,
        std::max(1, q - 1), std::log2(distances[1] / distances[2])));
    add_memory(problem, method, result);
    picture.curves.push_back(falling(name, steps, distances));
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

}  // namespace reproduce
