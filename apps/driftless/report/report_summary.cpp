// A run in sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "apps/driftless/commands/carried_bound.h"
#include "apps/driftless/commands/solve_report.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/report/report_run.h"

namespace driftless::cli {

namespace {

constexpr double rounding = 1e-10;  // below this a constraint is kept as well as numbers of the size of one allow

void tell_end(const Plan& plan, const Run& run, std::vector<Remark>& remarks) {
  const TimeSpan& span = plan.options.span;
  if (run.failure) {
    std::string text =
        fmt::format("The run ended at t = {:.6g}, before t = {:.6g}: {}.", run.t, span.end, run.failure->what_happened);
    if (!run.failure->where.empty()) text += fmt::format(" Where: {}.", run.failure->where);
    if (!run.failure->what_to_try.empty()) text += fmt::format(" What to try: {}.", run.failure->what_to_try);
    remarks.push_back({"bad", std::move(text)});
  } else if (run.ended_by) {
    remarks.push_back(
        {"good", fmt::format("It worked: the model ended the run at t = {:.6g}: {}.", run.t, *run.ended_by)});
  } else {
    remarks.push_back(
        {"good", fmt::format("It worked: {} took the run from t = {:.6g} to t = {:.6g} in {}.", plan.method, span.begin,
                             run.t, counted(run.statistics.steps, "step", "steps"))});
  }
}

void tell_constraints(const Run& run, std::vector<Remark>& remarks) {
  const int levels = index_of(run.start.stretch.equations);
  const Certificate& c = run.certificate;
  if (levels == 0) return;
  const double kept = std::max({c.position, levels >= 2 ? c.velocity : 0.0});
  std::string text = fmt::format("The constraints are off by at most {:.1e}", c.position);
  if (levels >= 2) text += fmt::format(", their first derivative by {:.1e}", c.velocity);
  const bool hidden = levels >= 3 && c.acceleration >= rounding;
  if (levels >= 3 && !hidden) text += fmt::format(", the second one by {:.1e}", c.acceleration);
  if (kept < rounding) {
    text += ": they hold to rounding, at every step.";
    if (hidden)
      text += fmt::format(
          " The hidden one, their second derivative, is off by up to {:.1e}: so accurate are the multipliers.",
          c.acceleration);
    remarks.push_back({"good", text});
  } else {
    remarks.push_back({"bad", text +
                                  ": the solution leaves the constraints. See whether this grows in the picture of the "
                                  "residuals; with projection it would not."});
  }
  if (c.condition > 1e8)
    remarks.push_back(
        {"note",
         fmt::format("The matrix that decides the index had a condition of {:.1e} at t = {:.6g}: look "
                     "for a position in which the constraints nearly depend on each other, or lose their effect.",
                     c.condition, c.condition_time)});
}

void tell_accuracy(const Model& model, const Plan& plan, const Run& run, std::vector<Remark>& remarks) {
  const auto known = errors_of(model, run);
  double worst = 0.0;
  for (const auto& [block, error] : known) worst = std::max(worst, error);
  if (!known.empty())
    remarks.push_back(
        {"good", fmt::format("Against the trusted digits of this reference problem the end is off by {:.1e}.", worst)});
  const SolveOptions& options = plan.options;
  if (options.steps || options.step_size)
    remarks.push_back({"note", "Steps of a fixed size have no error estimate: halve them, and see what changes."});
  else if (known.empty())
    remarks.push_back({"note", fmt::format("Errors were kept near the tolerance, {:g} relative and {:g} absolute, from "
                                           "step to step; what they add up to depends on the problem: run again with a "
                                           "tenth of it, and compare the two in one report.",
                                           options.tolerance.relative, options.tolerance.absolute)});
  if (plan.error_bound) remarks.push_back({bound_holds_to_the_end(run) ? "good" : "note", bound_text(run)});
  if (run.certificate.energy_change)
    remarks.push_back({"note", fmt::format("The energy moved by at most {:.1e} from {:.6g}.",
                                           *run.certificate.energy_change, *run.certificate.energy_at_start)});
}

std::string sentence(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

void tell_trouble(const Run& run, std::vector<Remark>& remarks) {
  const Statistics& s = run.statistics;
  const std::size_t rejected = s.rejected_by_error + s.rejected_by_newton + s.rejected_by_projection;
  if (rejected > 10 && 4 * rejected > s.steps)
    remarks.push_back(
        {"note", fmt::format("{} attempts were rejected for {}: {} by the error, {} by Newton's iteration, "
                             "{} by the projection. They are marked in the picture of the step size.",
                             rejected, counted(s.steps, "accepted step", "accepted steps"), s.rejected_by_error,
                             s.rejected_by_newton, s.rejected_by_projection)});
  if (!run.method_changes.empty())
    remarks.push_back(
        {"note", fmt::format("The method changed {}, the first time at t = {:.6g} to {}: {}.",
                             counted(run.method_changes.size(), "time", "times"), run.method_changes[0].time,
                             run.method_changes[0].to, run.method_changes[0].why)});
  if (run.happened.empty()) return;
  std::map<std::string, std::size_t> by_name;
  for (const SimulationEvent& event : run.happened) ++by_name[event.name];
  std::string text;
  for (const auto& [name, count] : by_name) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, count);
  remarks.push_back({"note", fmt::format("{}: {}.", counted(run.happened.size(), "event", "events"), text)});
}

}  // namespace

std::vector<Remark> summary_of(const Model& model, const Plan& plan, const Run& run) {
  std::vector<Remark> remarks;
  tell_end(plan, run, remarks);
  tell_constraints(run, remarks);
  tell_accuracy(model, plan, run, remarks);
  if (!run.start.changes.empty()) {
    const StartChange& first = run.start.changes[0];
    remarks.push_back({"note", fmt::format("The start was made consistent: {} of its values changed, such as {} from "
                                           "{:.6g} to {:.6g}.",
                                           run.start.changes.size(), first.name, first.from, first.to)});
  }
  if (const std::string chosen = chosen_words(run.start); !chosen.empty())
    remarks.push_back({"note", fmt::format("The start leaves something open, and was chosen: {}.", chosen)});
  for (const RunWarning& warning : run.warnings) remarks.push_back({"bad", sentence(warning.text)});
  for (const RangeViolation& violation : run.out_of_range) remarks.push_back({"bad", words_of(violation) + "."});
  tell_trouble(run, remarks);
  return remarks;
}

}  // namespace driftless::cli
