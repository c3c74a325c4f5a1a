#include "apps/driftless/commands/carried_bound.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "driftless/analysis/stability/run_bound.h"

namespace driftless::cli {

namespace {

constexpr std::size_t most_names = 8;  // in a sentence

// The bounds that are finite and proved to hold: up to the first that is not.
std::vector<ErrorBound::At> holding(const Run& run) {
  std::vector<ErrorBound::At> result;
  if (!run.error_bound) return result;
  for (const ErrorBound::At& at : run.error_bound->at) {
    if (at.time > run.error_bound->valid_until || !std::isfinite(at.total())) break;
    result.push_back(at);
  }
  return result;
}

// The error of what: the unknowns of the solver, not all that the model computes from them.
std::string subject(const Run& run) {
  const Names names = layout_of(run.start.stretch.equations).names();
  if (names.size() > most_names) return fmt::format("the {} unknowns that the solver sees", names.size());
  return fmt::format("x = ({})", fmt::join(names, ", "));
}

// The bound itself goes to the end of its stretch, but the run went on.
std::string event_text(const Run& run, double last) {
  if (run.t <= last || !run.error_bound->valid) return {};
  return fmt::format(" Behind t = {:.6g}, where {}, nothing is bounded.", last,
                     run.events > 0 ? "an event came, a little early or late" : "the equations are not smooth");
}

}  // namespace

void require_bound_is_possible(const Model& model, const Plan& plan, const Equations& equations) {
  if (!std::holds_alternative<Index1>(equations))
    throw Stop(
        ExitCode::model_structure,
        fmt::format("{} has index {}: --error-bound is for models of index 1 and ordinary differential equations, "
                    "for which logarithmic norms bound the error\n  try:   a tenth of --rtol, and compare",
                    model.name, index_of(equations)));
  if (!(plan.options.span.end > plan.options.span.begin))
    throw Stop(ExitCode::usage, "--error-bound needs a run forward in time");
}

// What the bound cannot treat is no reason to lose the run.
ErrorBoundRule carried_bound() {
  return [rule = logarithmic_norm_bound()](const Solution& solution) {
    try {
      return rule(solution);
    } catch (const Misuse& misuse) {
      return ErrorBound{.norm = "2-norm", .at = {}, .verdict = fmt::format("No error bound: {}.", misuse.what())};
    }
  };
}

bool bound_holds_to_the_end(const Run& run) {
  const auto bounds = holding(run);
  return !bounds.empty() && bounds.back().time == run.t && !run.failure;
}

std::string bound_text(const Run& run) {
  if (!run.error_bound) return "None: the run has no step.";
  const auto bounds = holding(run);
  if (bounds.size() < 2)
    return run.error_bound->verdict.rfind("No error bound", 0) == 0
               ? run.error_bound->verdict
               : "No error bound: it outgrows every tube in which constants are known. Try a tighter tolerance, or an "
                 "earlier end.";
  return fmt::format("{} Errors are those of {}.{}", run.error_bound->verdict, subject(run),
                     event_text(run, bounds.back().time));
}

Json bound_as_json(const Run& run) {
  const auto bounds = holding(run);
  const bool some = bounds.size() > 1;
  Json list = Json::array();
  for (const ErrorBound::At& at : some ? bounds : std::vector<ErrorBound::At>())
    list.push_back({{"t", at.time}, {"p", at.differential}, {"q", at.algebraic}, {"total", at.total()}});
  Json object = {{"norm", run.error_bound ? run.error_bound->norm : "2-norm"},
                 {"unknowns", layout_of(run.start.stretch.equations).names()},
                 {"valid", bound_holds_to_the_end(run)},
                 {"valid_until", some ? Json(bounds.back().time) : Json(nullptr)},
                 {"proved", some && run.error_bound->certain},
                 {"at_end", bound_holds_to_the_end(run) && some ? list.back() : Json(nullptr)}};
  if (some) {
    object["dominant"] = name_of(run.error_bound->dominant);
    object["constraint_share"] = run.error_bound->constraint_share;
  }
  object["verdict"] = bound_text(run);
  object["bounds"] = std::move(list);
  return object;
}

}  // namespace driftless::cli
