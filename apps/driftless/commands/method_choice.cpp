#include "apps/driftless/commands/method_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/driftless/model/tableau_file.h"
#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/program/names.h"

namespace driftless::cli {

namespace {

constexpr AdaptiveEntry entries[] = {
    {"auto", AdaptiveMethod::automatic, 0, false, "explicit while that is cheaper, else Radau",
     "Starts explicitly where it can, turns to Radau when the equations turn out to be stiff, and back when they are "
     "not any more. The default."},
    {"radau", AdaptiveMethod::radau, 0, false, "projected Radau IIA, orders 5, 9 and 13",
     "Three, five or seven stages, chosen as the run goes. For stiff equations, for every index, and for everything "
     "that one does not know well."},
    {"radau5", AdaptiveMethod::radau, 3, false, "projected Radau IIA, order 5",
     "Three stages throughout: the best choice for loose tolerances and equations that are not smooth."},
    {"radau9", AdaptiveMethod::radau, 5, false, "projected Radau IIA, order 9", "Five stages throughout."},
    {"radau13", AdaptiveMethod::radau, 7, false, "projected Radau IIA, order 13",
     "Seven stages throughout, for tolerances near rounding and smooth equations."},
    {"classic-radau5", AdaptiveMethod::radau, 3, true, "RADAU5 with a velocity projection, as in Schropp 2003",
     "The constraint enters the stages on position level, the error norm is RADAU5's, multipliers are those of the "
     "stages. To compare with; `radau` is more accurate and cheaper at the same tolerance."},
    {"dop853", AdaptiveMethod::dop853, 0, false, "projected Dormand-Prince, order 8, on the underlying ODE",
     "Explicit: no Jacobians of the whole system and no Newton iteration. For smooth equations that are not stiff."},
    {"dopri5", AdaptiveMethod::dopri5, 0, false, "projected Dormand-Prince, order 5, on the underlying ODE",
     "Explicit, for loose tolerances and equations that are not stiff."},
    {"hem3", AdaptiveMethod::hem3, 0, false, "half-explicit, order 3",
     "Half-explicit: the constraint is met in every stage. For index 2 and mechanisms that are not stiff, at loose "
     "tolerances. The tableau of this name, with fixed steps, is the same method."},
    {"hem4", AdaptiveMethod::hem4, 0, false, "half-explicit, order 4", "As hem3, of order 4."},
    {"hem5", AdaptiveMethod::hem5, 0, false, "half-explicit, order 5",
     "As hem3, of order 5: the method of Brasey, with error control and dense output."},
};

}  // namespace

std::span<const AdaptiveEntry> adaptive_methods() { return entries; }

const AdaptiveEntry* find_adaptive(const std::string& name) {
  const std::string wanted = canonical(name);
  const auto found =
      std::find_if(std::begin(entries), std::end(entries), [&](const auto& entry) { return wanted == entry.name; });
  return found == std::end(entries) ? nullptr : &*found;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const AdaptiveEntry& entry : entries) names.emplace_back(entry.name);
  for (const std::string& name : tableau_names())
    if (find_adaptive(name) == nullptr) names.push_back(name);
  return names;
}

namespace {

[[noreturn]] void refuse_adaptive_steps(const std::string& name) {
  throw Stop(ExitCode::usage,
             fmt::format("{} takes fixed steps: add --steps N or --step-size H, or take an adaptive method\n"
                         "  try:   --method auto",
                         name));
}

}  // namespace

MethodChoice choose_method(const std::string& name, bool fixed_steps) {
  if (names_tableau_file(name)) {
    const Tableau tableau = tableau_from_file(name);
    if (!fixed_steps) refuse_adaptive_steps(name);
    return {.name = name, .tableau = tableau};
  }
  const auto known = tableau_names();
  const std::string wanted = canonical(name);
  const bool is_tableau = std::find(known.begin(), known.end(), wanted) != known.end();
  const AdaptiveEntry* adaptive = find_adaptive(name);
  if (!is_tableau && adaptive == nullptr)
    throw Stop(ExitCode::usage, fmt::format("there is no method '{}'{}\n  try:   driftless methods", name,
                                            perhaps(wanted, method_names())));
  if (fixed_steps) {
    if (wanted == "auto") return {.name = "radau-iia-3", .tableau = radau_iia(3)};
    if (is_tableau) return {.name = wanted, .tableau = tableau_by_name(wanted)};
    throw Stop(ExitCode::usage,
               fmt::format("{0} chooses its steps itself: leave --steps and --step-size out, or name a tableau\n"
                           "  try:   --method radau-iia-3, or another of `driftless methods`",
                           adaptive->name));
  }
  if (adaptive == nullptr) refuse_adaptive_steps(wanted);
  MethodChoice choice{.name = adaptive->name, .adaptive = adaptive->method};
  if (adaptive->classic) choice.radau = classic_radau5(true);
  if (adaptive->stages != 0) choice.radau.least_stages = choice.radau.most_stages = adaptive->stages;
  return choice;
}

}  // namespace driftless::cli
