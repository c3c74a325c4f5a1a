// The initial system in stages: what has to be solved together, and what follows from it.
#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/start/initial_system.h"

namespace driftless {

InitialSystem::Differentiated InitialSystem::differentiated(Graph& graph, const Stage& stage,
                                                            const std::vector<Expr>& values) const {
  std::unordered_map<std::uint32_t, std::size_t> column;
  for (std::size_t k = 0; k < stage.unknowns.size(); ++k) column[unknowns_[stage.unknowns[k]].slot] = k;
  Differentiated result;
  std::vector<Expr> derivatives;
  const auto rows = jacobian(graph, values);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Partial& partial : rows[i])
      if (const auto found = column.find(partial.slot); found != column.end()) {
        result.entries.push_back({i, found->second});
        derivatives.push_back(partial.derivative);
      }
  result.program = Program(graph, derivatives, Engine::interpreter);
  return result;
}

namespace {

// All columns but those that are too many for their rows.
template <class Entries>
std::vector<std::size_t> settled_columns(std::size_t rows, std::size_t columns, const Entries& entries) {
  Incidence incidence{.columns = columns, .rows = {}};
  incidence.rows.resize(rows);
  for (const auto& [row, column] : entries) incidence.rows[row].push_back(static_cast<std::uint32_t>(column));
  const auto open = coarse_parts(incidence, maximum_matching(incidence)).under_columns;
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < columns; ++k)
    if (!std::ranges::binary_search(open, k)) result.push_back(k);
  return result;
}

}  // namespace

InitialSystem::Stage InitialSystem::make_stage(Graph& graph, std::vector<std::size_t> conditions,
                                               std::vector<std::size_t> unknowns) {
  Stage stage;
  stage.conditions = std::move(conditions);
  stage.unknowns = std::move(unknowns);
  std::vector<Expr> residuals;
  for (const std::size_t i : stage.conditions) residuals.push_back(conditions_[i].residual);
  auto [program, entries] = differentiated(graph, stage, residuals);
  stage.residuals = Program(graph, residuals, Engine::interpreter);
  stage.jacobian = std::move(program);
  stage.entries = std::move(entries);
  stage.settled = settled_columns(stage.conditions.size(), stage.unknowns.size(), stage.entries);
  add_wishes(graph, stage);
  return stage;
}

InitialSystem::Split InitialSystem::split() const {
  Split parts;
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    const bool of_model = conditions_[i].kind <= InitialCondition::Kind::hidden;
    const bool highest =
        of_model && (i + 1 == conditions_.size() || conditions_[i + 1].kind != InitialCondition::Kind::hidden);
    (highest ? parts.top_conditions : parts.low_conditions).push_back(i);
  }
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    if (!unknowns_[k].fixed) (unknowns_[k].top ? parts.top_unknowns : parts.low_unknowns).push_back(k);
  return parts;
}

std::vector<std::size_t> InitialSystem::columns_in(Expr e) const {
  std::vector<std::size_t> found;
  for (const std::uint32_t slot : inputs_of(reduction_.model.graph, e))
    if (unknown_of_slot_[slot] != SIZE_MAX) found.push_back(unknown_of_slot_[slot]);
  return found;
}

// The highest derivatives can wait if nothing else asks for them.
bool InitialSystem::separable(const Split& parts) const {
  for (const InitialUnknown& u : unknowns_)
    if (u.top && u.fixed) return false;
  return std::ranges::none_of(parts.low_conditions, [&](std::size_t i) {
    return std::ranges::any_of(columns_in(conditions_[i].residual), [&](std::size_t k) { return unknowns_[k].top; });
  });
}

// Unknowns that equations without derivatives determine, by themselves: algebraic ones of index 1, not multipliers. An
// equation leads to the equations that determine the other highest unknowns in it; none of them may be a hidden one.
std::vector<char> InitialSystem::algebraic_unknowns(const Split& parts) const {
  std::vector<std::uint32_t> column(unknowns_.size(), unmatched);
  for (std::uint32_t k = 0; k < parts.top_unknowns.size(); ++k) column[parts.top_unknowns[k]] = k;
  Incidence incidence{.columns = parts.top_unknowns.size(), .rows = {}};
  std::vector<std::uint32_t> tainted;
  for (std::uint32_t r = 0; r < parts.top_conditions.size(); ++r) {
    const InitialCondition& condition = conditions_[parts.top_conditions[r]];
    bool plain = condition.kind == InitialCondition::Kind::model;
    auto& columns = incidence.rows.emplace_back();
    for (const std::size_t k : columns_in(condition.residual)) {
      plain &= unknowns_[k].order == 0;
      if (column[k] != unmatched) columns.push_back(column[k]);
    }
    if (!plain) tainted.push_back(r);
  }
  const Matching matching = maximum_matching(incidence);
  std::vector<std::vector<std::uint32_t>> rows_with(incidence.columns);
  for (std::uint32_t r = 0; r < incidence.rows.size(); ++r)
    for (const std::uint32_t c : incidence.rows[r]) rows_with[c].push_back(r);
  std::vector<char> is_tainted(incidence.rows.size(), 0);
  for (const std::uint32_t r : tainted) is_tainted[r] = 1;
  for (std::size_t at = 0; at < tainted.size(); ++at)
    if (const std::uint32_t c = matching.column_of_row[tainted[at]]; c != unmatched)
      for (const std::uint32_t r : rows_with[c])
        if (!is_tainted[r]) {
          is_tainted[r] = 1;
          tainted.push_back(r);
        }
  std::vector<char> algebraic(unknowns_.size(), 0);
  for (std::size_t k = 0; k < parts.top_unknowns.size(); ++k)
    if (const std::uint32_t r = matching.row_of_column[k]; r != unmatched)
      algebraic[parts.top_unknowns[k]] = !is_tainted[r];
  return algebraic;
}

// A stated algebraic variable can set a state that nobody stated, if equations connect them; they are solved together.
void InitialSystem::join_algebraic(Split& parts, const std::vector<char>& algebraic) const {
  std::vector<std::size_t> group(unknowns_.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto find = [&](std::size_t k) {
    while (group[k] != k) k = group[k] = group[group[k]];
    return k;
  };
  const auto open = [&](std::size_t k) { return !unknowns_[k].fixed && unknowns_[k].trust == Trust::none; };
  const auto join = [&](const std::vector<std::size_t>& columns) {
    std::optional<std::size_t> first;
    for (const std::size_t k : columns)
      if (algebraic[k] || open(k)) group[find(k)] = find(first ? *first : *(first = k));
    return first;
  };
  // The rows that determine algebraic unknowns are those that read one.
  std::vector<std::optional<std::size_t>> member(conditions_.size());
  for (const std::size_t i : parts.top_conditions) {
    const auto columns = columns_in(conditions_[i].residual);
    const bool plain = conditions_[i].kind == InitialCondition::Kind::model &&
                       std::ranges::all_of(columns, [&](std::size_t k) { return algebraic[k] || !unknowns_[k].top; });
    if (plain) member[i] = join(columns);
  }
  std::vector<std::size_t> wished;
  for (const StatedValue& s : stated_)
    if (s.eliminated && !s.given_to_unknown && !reduction_.model.variables[s.variable].fixed)
      if (const auto one = join(s.reads)) wished.push_back(*one);
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    if (algebraic[k] && unknowns_[k].given && !unknowns_[k].fixed) wished.push_back(k);
  std::unordered_set<std::size_t> with_open, chosen;
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    if (open(k)) with_open.insert(find(k));
  for (const std::size_t k : wished)
    if (with_open.contains(find(k))) chosen.insert(find(k));
  const auto move = [](std::vector<std::size_t>& from, std::vector<std::size_t>& to, const auto& which) {
    const auto moved = std::stable_partition(from.begin(), from.end(), [&](std::size_t k) { return !which(k); });
    to.insert(to.end(), moved, from.end());
    from.erase(moved, from.end());
    std::ranges::sort(to);
  };
  move(parts.top_conditions, parts.low_conditions,
       [&](std::size_t i) { return member[i] && chosen.contains(find(*member[i])); });
  move(parts.top_unknowns, parts.low_unknowns, [&](std::size_t k) { return algebraic[k] && chosen.contains(find(k)); });
}

void InitialSystem::compile(Reduction& reduction) {
  Graph& graph = reduction.model.graph;
  solved_.assign(unknowns_.size(), 0);
  Split parts = split();
  const std::vector<char> algebraic = algebraic_unknowns(parts);
  rate_unknowns(algebraic);
  if (separable(parts)) {
    join_algebraic(parts, algebraic);
  } else {
    const auto all = [](std::vector<std::size_t>& to, std::vector<std::size_t>& from) {
      to.insert(to.end(), from.begin(), from.end());
      std::ranges::sort(to);
      from.clear();
    };
    all(parts.low_conditions, parts.top_conditions);
    all(parts.low_unknowns, parts.top_unknowns);
  }
  std::vector<Expr> formulas;
  for (const auto& [slot, value] : rates_) formulas.push_back(value);
  rate_values_ = Program(graph, formulas, Engine::interpreter);
  for (const std::size_t k : parts.low_unknowns) solved_[k] = 1;
  Stage low = make_stage(graph, parts.low_conditions, concerned(parts));
  if (!low.conditions.empty() || low.eliminated_wishes > 0) stages_.push_back(std::move(low));
  if (!parts.top_conditions.empty()) stages_.push_back(make_stage(graph, parts.top_conditions, parts.top_unknowns));
}

// Unknowns of the first stage that anything is asked of; the others keep their guess. A start value never moves what is
// trusted more.
std::vector<std::size_t> InitialSystem::concerned(const Split& parts) const {
  std::vector<char> touched(unknowns_.size(), 0);
  for (const std::size_t i : parts.low_conditions)
    for (const std::size_t k : columns_in(conditions_[i].residual)) touched[k] = 1;
  for (const StatedValue& s : stated_)
    if (s.eliminated && !s.given_to_unknown)
      for (const std::size_t k : s.reads) touched[k] |= unknowns_[k].trust >= trust_of(s);
  std::vector<std::size_t> result;
  for (const std::size_t k : parts.low_unknowns)
    if (touched[k]) result.push_back(k);
  return result;
}

}  // namespace driftless
