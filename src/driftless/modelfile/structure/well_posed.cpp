// Structural singularity in words: which equations are too many, which variables nothing determines.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/modelfile/structure/reduction_state.h"

namespace driftless {

namespace {

constexpr std::size_t most_listed = 6;

std::string list(std::vector<std::string> parts) {
  const std::size_t all = parts.size();
  if (all > most_listed) parts.resize(most_listed);
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  return all > most_listed ? fmt::format("{} and {} more", text, all - most_listed) : text;
}

std::string counted(std::size_t n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

std::string names(const ReductionState& state, const std::vector<std::size_t>& unknowns) {
  std::vector<std::string> parts;
  for (const std::size_t k : unknowns) parts.push_back(state.unknowns[k].name);
  return list(std::move(parts));
}

std::string equations(const ReductionState& state, const std::vector<std::size_t>& rows) {
  std::vector<std::string> parts;
  for (const std::size_t r : rows) parts.push_back(quote_equation(state.model, r));
  return list(std::move(parts));
}

Finding too_many(const ReductionState& state, const CoarseParts& parts) {
  const SourcePlace place = state.model.equations[parts.over_rows.back()].place;
  if (parts.over_columns.empty())
    return {place,
            fmt::format("{} contains no unknown, so nothing can make it true",
                        quote_equation(state.model, parts.over_rows.back())),
            "remove it, or use a variable that is not a parameter"};
  return {place,
          fmt::format("too many equations: {} for the {} {}: {}", counted(parts.over_rows.size(), "equation"),
                      parts.over_columns.size() == 1 ? "unknown" : counted(parts.over_columns.size(), "unknown"),
                      names(state, parts.over_columns), equations(state, parts.over_rows)),
          "remove what is said twice, or add the unknown that one of them should determine"};
}

Finding too_few(const ReductionState& state, const CoarseParts& parts, const Matching& matching) {
  std::size_t first = parts.under_columns.front();
  for (const std::size_t k : parts.under_columns)
    if (matching.row_of_column[k] == unmatched) first = k;
  const SourcePlace place = state.model.variables[state.unknowns[first].variable].place;
  if (parts.under_rows.empty())
    return {place, fmt::format("no equation contains {}", names(state, parts.under_columns)),
            parts.under_columns.size() == 1 ? "add the equation that determines it, or remove it"
                                            : "add the equations that determine them, or remove them"};
  return {place,
          fmt::format("too few equations: {} for the {} {}: {}", counted(parts.under_rows.size(), "equation"),
                      counted(parts.under_columns.size(), "unknown"), names(state, parts.under_columns),
                      equations(state, parts.under_rows)),
          "add an equation for one of these unknowns, or make one of them a parameter"};
}

Incidence incidence_of(const ReductionState& state) {
  Incidence incidence{.columns = state.unknowns.size(), .rows = {}};
  for (const WorkRow& row : state.rows) {
    const std::vector<Occurrence>& found = row.unknowns;
    auto& columns = incidence.rows.emplace_back();
    for (const Occurrence& o : found)
      if (row.alive && state.alive[o.unknown]) columns.push_back(o.unknown);
  }
  return incidence;
}

}  // namespace

void require_well_posed(const ReductionState& state) {
  const Incidence incidence = incidence_of(state);
  const Matching matching = maximum_matching(incidence);
  const CoarseParts parts = coarse_parts(incidence, matching);
  std::vector<Finding> findings;
  if (!parts.over_rows.empty()) findings.push_back(too_many(state, parts));
  if (!parts.under_columns.empty()) findings.push_back(too_few(state, parts, matching));
  if (!findings.empty()) throw Refusal{std::move(findings)};
}

void refuse_empty_row(const ReductionState& state, const WorkRow& row, double constant,
                      const std::vector<std::size_t>& with) {
  std::vector<std::size_t> all = row.equations;
  all.insert(all.end(), with.begin(), with.end());
  all = state.with_definitions(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const std::size_t last = all.back();
  std::vector<std::string> others;
  for (const std::size_t e : all)
    if (e != last) others.push_back(quote_equation(state.model, e));
  const std::string quoted = quote_equation(state.model, last);
  const SourcePlace place = state.model.equations[last].place;
  if (constant != 0.0)
    throw Refusal{{{place,
                    others.empty() ? fmt::format("{} cannot hold: it says 0 = {:.6g}", quoted, constant)
                                   : fmt::format("{} contradicts {}: together they say 0 = {:.6g}", quoted,
                                                 list(others), constant),
                    "one of them is wrong"}}};
  throw Refusal{{{place,
                  others.empty() ? fmt::format("{} says nothing: it holds whatever the variables are", quoted)
                                 : fmt::format("{} says nothing new: it follows from {}", quoted, list(others)),
                  "replace it by an equation that is missing"}}};
}

}  // namespace driftless
