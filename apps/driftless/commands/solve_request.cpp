#include "apps/driftless/commands/solve_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "apps/driftless/model/tableau_file.h"
#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/program/limits.h"
#include "driftless/core/memory.h"
#include "driftless/simulate/output_times.h"

namespace driftless::cli {

namespace {

Projection projection_from(const std::string& word) {
  if (word == "off" || word == "none") return Projection::none;
  if (word == "hidden") return Projection::hidden;
  return word == "full" ? Projection::full : Projection::automatic;
}

ConstraintLevel level_from(const std::string& word) {
  if (word == "velocity") return ConstraintLevel::velocity;
  if (word == "position") return ConstraintLevel::position;
  if (word == "position-with-accelerations") return ConstraintLevel::position_with_accelerations;
  return word == "ggl" ? ConstraintLevel::ggl : ConstraintLevel::acceleration;
}

MultiplierRule rule_from(const std::string& word) {
  return word == "stages" ? MultiplierRule::stages : MultiplierRule::hidden_constraint;
}

// Rows are kept until the run ends: states, results, and what is written of them.
void require_room(double rows, const driftless::Model& model, const std::string& asked) {
  const double needed = rows * row_bytes(model);
  if (needed <= static_cast<double>(limits().memory)) return;
  throw Stop(ExitCode::limit,
             fmt::format("{} makes {:.3g} rows of {} columns, about {} of memory, and the limit is {}\n  try:   fewer "
                         "rows, or --max-memory SIZE",
                         asked, rows, model.results.size() + 1, bytes_text(needed),
                         bytes_text(static_cast<double>(limits().memory))));
}

// If rows of a grid are at the ends of fixed steps: how many of these make one. Else none, and rows are in between.
std::optional<std::size_t> steps_per_row(const SolveRequest& request, const driftless::Model& model,
                                         const TimeSpan& span) {
  if (request.interval || model.has_events()) return std::nullopt;
  if (!request.grid) return 1;
  const double length = std::abs(span.end - span.begin);
  const double steps = request.steps ? static_cast<double>(*request.steps) : std::round(length / *request.step_size);
  const double ratio = steps / static_cast<double>(*request.grid);
  if (ratio < 1.0 || ratio != std::floor(ratio) ||
      (request.step_size && std::abs(steps * *request.step_size - length) > 1e-9 * length))
    return std::nullopt;
  return static_cast<std::size_t>(ratio);
}

std::string choose_rows(const SolveRequest& request, const driftless::Model& model, SolveOptions& options) {
  if (int{request.grid.has_value()} + int{request.interval.has_value()} + int{request.every_step} > 1)
    throw Stop(ExitCode::usage, "choose one of --grid, --interval and --every-step");
  if (request.interval && !(*request.interval > 0.0))  // also if no rows are written
    throw Stop(ExitCode::usage, "--interval must be a positive number");
  if (request.grid && *request.grid == 0) throw Stop(ExitCode::usage, "--grid needs at least one interval");
  const bool fixed = options.steps || options.step_size;
  options.dense = false;
  const auto per_row = fixed ? steps_per_row(request, model, options.span) : std::nullopt;
  const bool at_steps = request.every_step || per_row || (fixed && !request.grid && !request.interval);
  options.keep_every = per_row.value_or(1);
  if (!request.wants_rows()) {  // only the end is asked for
    options.keep_every = std::numeric_limits<std::size_t>::max();
    return "none";
  }
  if (fixed && at_steps) {
    const double length = std::abs(options.span.end - options.span.begin);
    const double steps = options.steps ? static_cast<double>(*options.steps) : length / *options.step_size;
    require_room(steps / static_cast<double>(options.keep_every), model, "a row for every step");
  }
  if (at_steps) return options.keep_every > 1 ? fmt::format("every {} steps", options.keep_every) : "every step";
  if (request.interval || (!request.grid && model.interval)) {
    const double h = request.interval ? *request.interval : *model.interval;
    require_room(std::abs(options.span.end - options.span.begin) / h + 1.0, model, fmt::format("a row every {}", h));
    options.output_times = times_every(h, options.span);
    return fmt::format("every {}", h);
  }
  const std::size_t intervals = request.grid ? *request.grid : usual_rows;
  require_room(static_cast<double>(intervals) + 1.0, model, fmt::format("--grid {}", intervals));
  options.output_times = times_of_grid(intervals, options.span);
  return fmt::format("{} intervals", intervals);
}

void choose_method_options(const SolveRequest& request, MethodChoice choice, bool fixed, SolveOptions& options) {
  if (fixed) {
    if (choice.tableau) options.method.tableau = *choice.tableau;
    if (request.project != "on") options.method.projection = projection_from(request.project);
    if (!request.multiplier.empty()) options.method.multiplier = rule_from(request.multiplier);
    options.method.despite_conditions = request.despite_conditions;
    return;
  }
  options.adaptive = choice.adaptive;
  options.radau = choice.radau;
  if (request.project != "on") options.radau.projection = projection_from(request.project);
  if (!request.level.empty()) options.radau.level = level_from(request.level);
  if (!request.multiplier.empty()) options.radau.multiplier = rule_from(request.multiplier);
}

void choose_steps(const SolveRequest& request, const driftless::Model& model, SolveOptions& options) {
  options.span = {request.t_begin.value_or(model.begin), request.t_end.value_or(model.end)};
  options.tolerance.relative = request.rtol ? *request.rtol : model.tolerance.value_or(options.tolerance.relative);
  // A model's Tolerance is one number; the absolute one keeps its distance of a thousand below it.
  options.tolerance.absolute = request.atol ? *request.atol : 1e-3 * options.tolerance.relative;
  options.steps = request.steps;
  options.step_size = request.step_size;
  options.stepping.first = request.first_step;
  if (request.largest_step) options.stepping.largest = *request.largest_step;
  if (request.step_limit) options.stepping.limit = *request.step_limit;
  if (request.event_limit) options.event_limit = *request.event_limit;
  if (request.largest_step && !(*request.largest_step > 0.0))
    throw Stop(ExitCode::usage, "--largest-step must be positive");
}

void refuse_what_has_no_effect(const SolveRequest& request, bool fixed) {
  const auto refuse = [](bool given, const char* option, const char* with) {
    if (given) throw Stop(ExitCode::usage, fmt::format("{} has no effect with {} steps", option, with));
  };
  if (fixed) {
    refuse(request.rtol.has_value(), "--rtol", "fixed");
    refuse(request.atol.has_value(), "--atol", "fixed");
    refuse(request.first_step.has_value(), "--first-step", "fixed");
    refuse(request.largest_step.has_value(), "--largest-step", "fixed");
    refuse(request.step_limit.has_value(), "--step-limit", "fixed");
    refuse(!request.level.empty(), "--level", "fixed");
  } else {
    refuse(request.despite_conditions, "--despite-conditions", "adaptive");
  }
}

// Explicit methods always project, and have no stages with a constraint in them.
std::string method_for(const SolveRequest& request, bool fixed) {
  const bool radau_only = request.project != "on" || !request.level.empty() || !request.multiplier.empty();
  const AdaptiveEntry* entry = find_adaptive(request.method);
  if (fixed || !radau_only || entry == nullptr || entry->method == AdaptiveMethod::radau) return request.method;
  if (entry->method == AdaptiveMethod::automatic) return "radau";
  throw Stop(ExitCode::usage, fmt::format("--project, --level and --multiplier are for Radau; {} always projects, and "
                                          "computes multipliers from the hidden constraint",
                                          entry->name));
}

Json options_in_force(const SolveRequest& request, const Plan& plan, const std::string& rows) {
  const SolveOptions& options = plan.options;
  Json all = {{"method", plan.method}, {"project", request.project}};
  if (names_tableau_file(plan.method)) all["tableau"] = coefficients_as_json(options.method.tableau);
  if (options.steps) all["steps"] = *options.steps;
  if (options.step_size) all["step_size"] = *options.step_size;
  if (!options.steps && !options.step_size) {
    all["rtol"] = options.tolerance.relative;
    all["atol"] = options.tolerance.absolute;
  }
  all["t_begin"] = options.span.begin;
  all["t_end"] = options.span.end;
  all["rows"] = rows;
  if (request.first_step) all["first_step"] = *request.first_step;
  if (request.largest_step) all["largest_step"] = *request.largest_step;
  if (request.step_limit) all["step_limit"] = *request.step_limit;
  if (request.event_limit) all["event_limit"] = *request.event_limit;
  if (!request.level.empty()) all["level"] = request.level;
  if (!request.multiplier.empty()) all["multiplier"] = request.multiplier;
  if (request.despite_conditions) all["despite_conditions"] = true;
  if (request.error_bound) all["error_bound"] = true;
  if (!request.model.set.empty()) all["set"] = request.model.set;
  return all;
}

}  // namespace

bool SolveRequest::wants_history() const {
  return !report.empty() || !plot.empty() || std::any_of(outputs.begin(), outputs.end(), [](const std::string& path) {
    return path.ends_with(".h5") || path.ends_with(".hdf5");
  });
}

std::unique_ptr<Model> ModelRequest::load(StateUnits units) const {
  std::vector<Setting> settings;
  for (const std::string& text : set) settings.push_back(setting_from(text));
  return load_model(source, settings, units);
}

void require_method(const Method& method, const Equations& equations) {
  try {
    require_conditions(method, equations);
  } catch (const Misuse& misuse) {
    std::string text = misuse.what();
    if (const std::size_t advice = text.find(". Choose "); advice != std::string::npos)
      text.replace(advice, std::string::npos,
                   "\n  try:   --multiplier hidden, or --despite-conditions to use it anyway");
    throw Stop(ExitCode::usage, text);
  }
}

Plan make_plan(const SolveRequest& request, const driftless::Model& model) {
  Plan plan;
  SolveOptions& options = plan.options;
  const bool fixed = request.steps || request.step_size;
  refuse_what_has_no_effect(request, fixed);
  MethodChoice choice = choose_method(method_for(request, fixed), fixed);
  plan.method = choice.name;
  choose_steps(request, model, options);
  choose_method_options(request, std::move(choice), fixed, options);
  const std::string rows = choose_rows(request, model, options);
  options.history = request.wants_history();
  plan.error_bound = request.error_bound;
  if (request.verify)
    plan.verify = Plan::Verify::told;
  else if (std::getenv("DRIFTLESS_VERIFY") != nullptr)  // tests set it: a run that breaks an equation then fails
    plan.verify = Plan::Verify::silently;
  plan.in_force = options_in_force(request, plan, rows);
  return plan;
}

}  // namespace driftless::cli
