#include "apps/driftless/commands/solve_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/commands/carried_bound.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"

namespace driftless::cli {

namespace {

constexpr std::size_t most_results_on_a_page = 40;

int index_of(const Run& run) { return driftless::index_of(run.start.stretch.equations); }

Json failure_as_json(const Run& run) {
  const Failure& failure = *run.failure;
  Json object = {{"kind", explanation_of(run.code).name}, {"t", failure.time}, {"what", failure.what_happened}};
  if (!failure.where.empty()) object["where"] = failure.where;
  if (!failure.what_to_try.empty()) object["try"] = failure.what_to_try;
  return object;
}

// What events moved so that the constraints hold, beyond what a reinit says.
Json moves_as_json(const Run& run) {
  Json all = Json::array();
  for (const MovesAtEvent& event : run.moved) {
    Json moves = Json::object();
    for (const StartChange& move : event.moves) moves[move.name] = {{"from", move.from}, {"to", move.to}};
    Json& one = all.emplace_back(Json{{"t", event.time}, {"moves", std::move(moves)}});
    for (const Impulse& impulse : event.impulses) one["impulses"][impulse.name] = impulse.size;
  }
  return all;
}

// Counts, and what else there is to say about the run itself.
Json statistics_as_json(const Model& model, const Run& run) {
  Json object = Json::object();  // a null that becomes one is no valid value where memory ends
  for (const auto& [name, count] : named_counts(run.statistics)) object[name] = count;
  object["events"] = run.events;
  object["method_changes"] = Json::array();
  for (const MethodChange& change : run.method_changes)
    object["method_changes"].push_back({{"t", change.time}, {"to", change.to}, {"why", change.why}});
  if (!run.moved.empty()) object["moved_at_events"] = moves_as_json(run);
  if (run.ended_by) object["ended_by"] = *run.ended_by;
  if (run.failure) object["failure"] = failure_as_json(run);
  Json errors = Json::object();
  for (const auto& [block, error] : errors_of(model, run)) errors[block] = error;
  if (!errors.empty()) object["error"] = std::move(errors);
  return object;
}

Json constraints_as_json(const Run& run) {
  const Certificate& certificate = run.certificate;
  const int levels = index_of(run);
  Json object = Json::object();
  if (levels >= 1) object["position"] = certificate.position;
  if (levels >= 2) object["velocity"] = certificate.velocity;
  if (levels >= 3) object["acceleration"] = certificate.acceleration;
  if (levels >= 1) {
    object["condition"] = certificate.condition;
    object["condition_time"] = certificate.condition_time;
  }
  if (certificate.energy_change) {
    object["energy_at_start"] = *certificate.energy_at_start;
    object["energy_change"] = *certificate.energy_change;
  }
  return object;
}

Json warnings_as_json(const Run& run) {
  Json all = Json::array();
  for (const RunWarning& warning : run.warnings) all.push_back(warning.text);
  for (const RangeViolation& violation : run.out_of_range) all.push_back(words_of(violation));
  return all;
}

Json as_json(const RangeViolation& violation) {
  return {{"name", violation.name},   {"bound", violation.above ? "max" : "min"},
          {"limit", violation.bound}, {"value", violation.value},
          {"t", violation.time},      {"first", violation.first}};
}

Json ranges_as_json(const Run& run) {
  Json all = Json::array();
  for (const RangeViolation& violation : run.out_of_range) all.push_back(as_json(violation));
  return all;
}

// Of many variables the first few.
std::vector<std::string> range_lines(const Run& run) {
  constexpr std::size_t shown = 8;
  std::vector<std::string> lines;
  for (const RangeViolation& violation : run.out_of_range)
    if (lines.size() < shown) lines.push_back(words_of(violation));
  if (run.out_of_range.size() > shown)
    lines.push_back(fmt::format("and {} more leave their range: --json has all", run.out_of_range.size() - shown));
  return lines;
}

// What the absolute tolerance is multiplied by.
std::string in_units(const Run& run) {
  const bool stated = std::ranges::any_of(run.start.stretch.nominal, [](double nominal) { return nominal != 1.0; });
  return stated ? " times nominal" : "";
}

std::string constraints_line(const Run& run) {
  const Certificate& certificate = run.certificate;
  const int levels = index_of(run);
  std::string line;
  if (levels >= 1) line += fmt::format("constraint off by at most {:.1e}", certificate.position);
  if (levels >= 2) line += fmt::format(", its first derivative by {:.1e}", certificate.velocity);
  if (levels >= 3) line += fmt::format(", its second one by {:.1e}", certificate.acceleration);
  if (levels >= 1 && certificate.condition > 1e3)
    line += fmt::format("; nearly singular at t = {:.6g}, condition {:.1e}", certificate.condition_time,
                        certificate.condition);
  if (certificate.energy_change) line += fmt::format("; energy moved by {:.1e}", *certificate.energy_change);
  return line;
}

// How well all rows satisfy the equations as written.
Json verification_as_json(const Run::Verification& verification) {
  const EquationWatch::Sight& worst = verification.worst;
  Json object = {{"rows", verification.rows},
                 {"not_evaluated", verification.not_evaluated},
                 {"ratio_to_tolerance", worst.equation.ratio}};
  if (!worst.equation.worst.empty())
    object.update({{"equation", worst.equation.worst}, {"t", worst.time}, {"residual", worst.equation.residual}});
  return object;
}

std::string verification_line(const Run::Verification& verification) {
  const EquationWatch::Sight& worst = verification.worst;
  std::string rows = counted(verification.rows, "row", "rows");
  if (verification.not_evaluated > 0)
    rows += fmt::format(", but for {} in which some have no value", verification.not_evaluated);
  if (worst.equation.worst.empty()) return fmt::format("all equations hold to rounding in {}", rows);
  return fmt::format(
      "all equations hold in {}; worst {} at t = {:.6g}, off by {:.1e}: {:.2g} of what the tolerance allows", rows,
      worst.equation.worst, worst.time, std::abs(worst.equation.residual), worst.equation.ratio);
}

std::string steps_line(const Run& run) {
  const Statistics& count = run.statistics;
  const std::size_t rejected = count.rejected_by_error + count.rejected_by_newton + count.rejected_by_projection;
  std::string line = counted(count.steps, "step", "steps");
  if (count.explicit_steps == count.steps && count.steps > 0)
    line += ", all explicit";
  else if (count.explicit_steps > 0)
    line += fmt::format(", {} of them explicit", count.explicit_steps);
  if (rejected > 0) line += fmt::format(", {} more rejected", rejected);
  if (count.evaluations > 0) line += fmt::format("; {} evaluations", count.evaluations);
  if (count.factorisations > 0) line += fmt::format(", {} factorisations", count.factorisations);
  if (run.events > 0) line += "; " + counted(run.events, "event", "events");
  return line;
}

// Where the automatic method turned to another one; the first few times.
std::vector<std::string> change_lines(const Run& run) {
  constexpr std::size_t shown = 4;
  std::vector<std::string> lines;
  for (const MethodChange& change : run.method_changes)
    if (lines.size() < shown)
      lines.push_back(fmt::format("turned to {} at t = {:.6g}: {}", change.to, change.time, change.why));
  if (run.method_changes.size() > shown)
    lines.push_back(fmt::format("and {} more times: --json has all", run.method_changes.size() - shown));
  return lines;
}

std::string final_values(const Model& model, const Run& run) {
  TextTable table({{"result"}, {fmt::format("at t = {:.9g}", run.t), TextTable::Align::right}, {"unit"}, {""}});
  const std::size_t shown = std::min(run.results.size(), most_results_on_a_page);
  for (std::size_t i = 0; i < shown; ++i) {
    const ResultColumn& quantity = model.results[i];
    table.add({quantity.name,
               std::isnan(run.results[i]) ? "not a number" : fmt::format("{:.10g}", run.results[i] + 0.0),
               quantity.unit, quantity.description});
  }
  std::string text = table.text(2);
  if (shown < run.results.size())
    text += fmt::format("  ... and {} more: --json or --output has all of them\n", run.results.size() - shown);
  return text;
}

std::string changes_text(const std::vector<StartChange>& changes) {
  std::vector<std::string> words;
  for (const StartChange& change : changes)
    if (words.size() < 4) words.push_back(fmt::format("{} {:.6g} -> {:.6g}", change.name, change.from, change.to));
  if (changes.size() > words.size()) words.push_back(fmt::format("{} more", changes.size() - words.size()));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string start_line(const Start& start) {
  if (start.changes.empty()) return "consistent as given";
  return fmt::format("made consistent: {}", changes_text(start.changes));
}

// "; impulses T -1"
std::string impulses_text(const std::vector<Impulse>& impulses) {
  std::vector<std::string> words;
  for (const Impulse& impulse : impulses) words.push_back(fmt::format("{} {:.6g}", impulse.name, impulse.size));
  return words.empty() ? "" : fmt::format("; impulse{} {}", words.size() == 1 ? "" : "s", fmt::join(words, ", "));
}

// Where the constraints moved states at events; the first few times.
std::vector<std::string> move_lines(const Run& run) {
  constexpr std::size_t shown = 4;
  std::vector<std::string> lines;
  for (const MovesAtEvent& event : run.moved)
    if (lines.size() < shown)
      lines.push_back(fmt::format("moved at t = {:.6g} by the constraints: {}{}", event.time, changes_text(event.moves),
                                  impulses_text(event.impulses)));
  if (run.moved.size() > shown)
    lines.push_back(fmt::format("and {} more times: --json has all", run.moved.size() - shown));
  return lines;
}

std::string run_line(const Plan& plan, const Run& run) {
  const TimeSpan& span = plan.options.span;
  if (run.failure && run.t != span.end)
    return fmt::format("t = {:.9g} to {:.9g}, where it ended before {:.9g}", span.begin, run.t, span.end);
  const std::string end = run.ended_by ? fmt::format(", ended by the model: {}", *run.ended_by) : "";
  return fmt::format("t = {:.9g} to {:.9g}{} in {:.3g} s", span.begin, run.t, end, run.seconds);
}

}  // namespace

std::vector<std::pair<std::string, double>> errors_of(const Model& model, const Run& run) {
  std::vector<std::pair<std::string, double>> result;
  const auto reference = model.reference(run.t);
  if (!reference || run.state.empty()) return result;
  for (const Block& block : layout_of(run.start.stretch.equations).blocks()) {
    double worst = -1.0;
    for (std::size_t i = block.begin; i < block.begin + block.size; ++i) {
      const double expected = (*reference)[i];
      if (std::isfinite(expected))
        worst = std::max(worst, std::abs(run.state[i] - expected) / std::max(1.0, std::abs(expected)));
    }
    if (worst >= 0.0) result.emplace_back(block.symbol, worst);
  }
  return result;
}

Json solve_result(const Model& model, const Plan& plan, const Run& run) {
  Json final_values = Json::object();
  for (std::size_t i = 0; i < run.results.size(); ++i) final_values[model.results[i].name] = run.results[i];
  Json result = {{"status", explanation_of(run.code).name},
                 {"index", index_of(run)},
                 {"method", plan.method},
                 {"t", run.t},
                 {"final", std::move(final_values)},
                 {"statistics", statistics_as_json(model, run)},
                 {"constraints", constraints_as_json(run)},
                 {"start", start_as_json(run.start)},
                 {"warnings", warnings_as_json(run)}};
  if (!run.out_of_range.empty()) result["out_of_range"] = ranges_as_json(run);
  if (plan.error_bound) result["error_bound"] = bound_as_json(run);
  if (run.verification) result["verification"] = verification_as_json(*run.verification);
  return result;
}

std::string text_report(const Model& model, const Plan& plan, const Run& run, const std::vector<std::string>& written) {
  const SolveOptions& options = plan.options;
  const bool fixed = options.steps || options.step_size;
  std::string text =
      fmt::format("{}{}\n\n", bold(model.name), model.title.empty() ? "" : fmt::format(": {}", model.title));
  const auto line = [&](const char* label, const std::string& content) {
    if (!content.empty()) text += labelled(label, content, terminal_width(), 14);
  };
  line("  equations", describe_form(run.start.stretch.equations));
  line("  method", fixed ? fmt::format("{}, fixed steps", plan.method)
                         : fmt::format("{}, relative tolerance {}, absolute {}{}", plan.method,
                                       options.tolerance.relative, options.tolerance.absolute, in_units(run)));
  line("  start", start_line(run.start));
  line("", chosen_words(run.start));
  line("  run", run_line(plan, run));
  line("  steps", steps_line(run));
  for (const std::string& change : change_lines(run)) line("", change);
  const std::vector<std::string> moves = move_lines(run);
  for (std::size_t k = 0; k < moves.size(); ++k) line(k == 0 ? "  events" : "", moves[k]);
  line("  constraints", constraints_line(run));
  if (run.verification && !run.failure) line("  verified", verification_line(*run.verification));
  for (const RunWarning& warning : run.warnings) line("  warning", warning.text);
  for (const std::string& words : range_lines(run)) line("  warning", words);
  std::string compared;
  for (const auto& [block, error] : errors_of(model, run))
    compared += fmt::format("{}{} {:.1e}", compared.empty() ? "" : ", ", block, error);
  if (!compared.empty()) line("  error", compared + ", against the trusted digits of the reference problem");
  if (plan.error_bound) line("  error bound", bound_text(run));
  for (const std::string& file : written) line("  written", file);
  if (!run.results.empty()) text += "\n" + final_values(model, run);
  return text;
}

}  // namespace driftless::cli
