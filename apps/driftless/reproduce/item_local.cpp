// The lemmas behind Theorem 2.1 of Schropp 2003, and the remark after it: what one step does, and what it adds up to.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/orders.h"
#include "driftless/driftless.h"
#include "driftless/step/stepper.h"
#include "driftless/tableau/properties.h"
#include "testset/problem.h"

namespace reproduce {

using namespace driftless;

namespace {

constexpr double begin = 0.3;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr const char* blocks[] = {"u", "v", "lambda"};

// By block: the error of one step from a point of the exact solution, and how far its stages are from that point.
struct OneStep {
  Vector error = Vector(3), stages = Vector(3);
};

OneStep one_step(const testset::Problem& problem, const Method& method, double h) {
  const auto stepper = make_stepper(problem.equations, method);
  const auto workspace = stepper->make_workspace();
  const Layout& layout = layout_of(problem.equations);
  Attempt attempt = stepper->make_attempt();
  attempt.increments = Matrix(layout.size(), method.tableau.stages());
  if (const auto failure = stepper->attempt(begin, problem.exact(begin), h, *workspace, attempt))
    throw FailedRun(*failure);
  const Vector exact = problem.exact(begin + h);
  OneStep result;
  std::size_t k = 0;
  for (const Block& block : layout.blocks()) {
    if (block.size == 0) continue;
    for (std::size_t i = block.begin; i < block.begin + block.size; ++i) {
      result.error[k] = std::fmax(result.error[k], std::abs(attempt.state[i] - exact[i]));
      for (std::size_t s = 0; s < attempt.increments.cols(); ++s)
        result.stages[k] = std::fmax(result.stages[k], std::abs(attempt.increments(i, s)));
    }
    ++k;
  }
  return result;
}

struct Sequence {
  Vector steps = {};
  std::vector<OneStep> found = {};
  double order(Vector OneStep::*what, std::size_t block) const {
    const std::size_t n = found.size();
    return std::log2((found[n - 2].*what)[block] / (found[n - 1].*what)[block]);
  }
  Vector column(Vector OneStep::*what, std::size_t block) const {
    Vector values;
    for (const OneStep& one : found) values.push_back((one.*what)[block]);
    return values;
  }
};

Sequence sequence(const testset::Problem& problem, const Method& method) {
  Sequence result;
  for (const double h : {1.0 / 8, 1.0 / 16, 1.0 / 32}) {
    result.steps.push_back(h);
    result.found.push_back(one_step(problem, method, h));
  }
  return result;
}

// Orders of u, v, lambda after one step that are on record.
struct RecordedLocal {
  const char* method;
  double orders[3];
};

constexpr RecordedLocal projected[] = {{"radau-iia-2", {4, 4, 1}},    {"radau-iia-3", {6, 6, 2}},
                                       {"radau-ia-3", {6, 3, 1}},     {"lobatto-iiic-3", {5, 5, 1}},
                                       {"lobatto-iiic-4", {7, 7, 2}}, {"collocation-2", {4, 3, 1}}};

}  // namespace

Measurement local_errors() {
  const testset::Problem problem = testset::problem("mms_index3_nonautonomous");
  Measurement result;
  Picture picture{.title = "Error of u after one step", .x = "h", .log_x = true, .log_y = true};
  for (const auto& [name, recorded] : projected) {
    const Method method{.tableau = tableau_by_name(name)};
    const Properties properties = properties_of(method.tableau);
    const int p = properties.order, q = properties.stage_order, promised[] = {std::min(q + 2, p), q + 1, q - 1};
    const Sequence found = sequence(problem, method);
    for (std::size_t block = 0; block < 3; ++block)
      result.lines.push_back(order_line(fmt::format("{} {}", name, blocks[block]),
                                        fmt::format("{}, p = {}, q = {}: order of {}", name, p, q, blocks[block]),
                                        promised[block], recorded[block], found.order(&OneStep::error, block)));
    picture.curves.push_back(falling(name, found.steps, found.column(&OneStep::error, 0)));
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

Measurement stage_distances() {
  const testset::Problem problem = testset::problem("mms_index3_nonautonomous");
  Measurement result;
  Picture picture{
      .title = "Largest distance of the stages of lambda from psi_0", .x = "h", .log_x = true, .log_y = true};
  for (const auto& [name, recorded] : projected) {
    const Sequence found = sequence(problem, {.tableau = tableau_by_name(name)});
    for (std::size_t block = 0; block < 3; ++block)
      result.lines.push_back(order_line(fmt::format("{} {}", name, blocks[block]),
                                        fmt::format("{}: order of the stages of {}", name, blocks[block]), 1, 1,
                                        found.order(&OneStep::stages, block)));
    picture.curves.push_back(falling(name, found.steps, found.column(&OneStep::stages, 2)));
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

// The remark after Theorem 2.1: "for p >= q + 2, q >= 2 ... the convergence order in the u-component can be improved by
// one to q + 1". It holds for Radau IIA and Lobatto IIIC; Radau IA refutes it, as its order is q (docs/reports.md).
Measurement improved_order() {
  const testset::Problem problem = testset::problem("mms_index3_nonautonomous");
  Measurement result;
  struct Row {
    const char* name;
    double recorded;
  };
  for (const auto& [name, recorded] : {Row{"radau-iia-3", 5}, Row{"radau-iia-4", 7}, Row{"lobatto-iiic-4", 6},
                                       Row{"radau-ia-3", 2}, Row{"radau-ia-4", 3}}) {
    const Method method{.tableau = tableau_by_name(name)};
    const Properties properties = properties_of(method.tableau);
    const int p = properties.order, q = properties.stage_order;
    const Convergence convergence = converge(problem, method, 4, 3);
    const std::string what = fmt::format("{}, p = {}, q = {}: order of u", name, p, q);
    if (recorded >= q + 1) {
      result.lines.push_back(order_line(name, what, q + 1, recorded, convergence.order(0)));
      continue;
    }
    Line line = order_line(name, what, q, recorded, convergence.order(0));
    line.paper = fmt::format("at least {}", q + 1);
    line.claim = {q + 1 - order_slack, infinity};
    result.lines.push_back(std::move(line));
  }
  return result;
}

}  // namespace reproduce
