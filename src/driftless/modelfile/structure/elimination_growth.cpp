#include "driftless/modelfile/structure/elimination_growth.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "driftless/expression/differentiate.h"

namespace driftless {

namespace {

// Errors of eliminated unknowns are at most so many times those that the solver controls.
constexpr double largest_growth = 10.0;
// A function of a function of an unknown has more roots, and steeper ones, than the equations have.
constexpr int most_bends = 1;
// Solving a row for an unknown pays while the formula is short. A ladder of 50 000 nonlinear resistors keeps 54 200
// unknowns; without a limit it keeps 50 600, with 42 of them in a row.
constexpr std::size_t most_read = 12;
constexpr std::size_t points = 4;
constexpr std::size_t few_slots = 2;  // more are differentiated in one sweep

Expr partial_of(const std::vector<Partial>& gradient, std::uint32_t slot) {
  const auto found = std::ranges::lower_bound(gradient, slot, {}, &Partial::slot);
  return found != gradient.end() && found->slot == slot ? found->derivative : Expr{};
}

}  // namespace

EliminationGrowth::EliminationGrowth(ReductionState& state, const std::vector<DefinedBlock>& blocks)
    : state_(state),
      blocks_(blocks),
      is_state_(state.differentiated()),
      relevant_(blocks.size(), 0),
      entries_(state.rows.size()),
      unit_(state.unknowns.size(), 1.0),
      growth_(state.unknowns.size(), 0.0),
      bends_(state.unknowns.size(), 0),
      reads_(state.unknowns.size()) {
  find_relevant();
  if (std::ranges::find(relevant_, 1) == relevant_.end()) return;
  read_entries();
  balance();
}

void EliminationGrowth::find_relevant() {
  std::vector<char> defined(state_.unknowns.size(), 0), used(defined), reached(defined),
      in_block(state_.rows.size(), 0);
  for (const DefinedBlock& block : blocks_) {
    for (const std::uint32_t unknown : block.unknowns) defined[unknown] = 1;
    for (const std::uint32_t row : block.rows) in_block[row] = 1;
  }
  for (std::uint32_t k = 0; k < defined.size(); ++k) {
    reached[k] = is_free(k) && !defined[k];
    growth_[k] = reached[k];
  }
  const auto any = [&](const std::vector<char>& mark, const std::vector<std::uint32_t>& rows) {
    for (const std::uint32_t r : rows) {
      const std::vector<Occurrence>& found = state_.rows[r].unknowns;
      if (std::ranges::any_of(found, [&](const Occurrence& o) { return mark[o.unknown]; })) return true;
    }
    return false;
  };
  const auto use = [&](std::uint32_t row) {
    const std::vector<Occurrence>& found = state_.rows[row].unknowns;
    for (const Occurrence& o : found) used[o.unknown] = 1;
  };
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    relevant_[b] = any(reached, blocks_[b].rows);
    if (relevant_[b])
      for (const std::uint32_t unknown : blocks_[b].unknowns) reached[unknown] = 1;
  }
  for (std::uint32_t r = 0; r < state_.rows.size(); ++r)
    if (state_.rows[r].alive && !in_block[r]) use(r);
  for (std::size_t b = blocks_.size(); b-- > 0;) {
    const auto is_used = [&](std::uint32_t unknown) { return used[unknown] != 0; };
    if (std::ranges::any_of(blocks_[b].unknowns, is_used))
      for (const std::uint32_t r : blocks_[b].rows) use(r);
    else
      relevant_[b] = 0;
  }
}

// The rows of relevant blocks, and those without derivatives that are left to the solver and contain their unknowns:
// they say as well in which units an unknown is about 1.
std::vector<std::uint32_t> EliminationGrowth::telling_rows() const {
  std::vector<std::uint32_t> rows;
  std::vector<char> in_block(state_.rows.size(), 0), concerned(state_.unknowns.size(), 0);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (const std::uint32_t r : blocks_[b].rows) in_block[r] = 1;
    if (!relevant_[b]) continue;
    rows.insert(rows.end(), blocks_[b].rows.begin(), blocks_[b].rows.end());
    for (const std::uint32_t unknown : blocks_[b].unknowns) concerned[unknown] = 1;
  }
  for (std::uint32_t r = 0; r < state_.rows.size(); ++r) {
    if (!state_.rows[r].alive || state_.rows[r].has_derivative || in_block[r]) continue;
    const std::vector<Occurrence>& found = state_.rows[r].unknowns;
    if (std::ranges::any_of(found, [&](const Occurrence& o) { return concerned[o.unknown]; })) rows.push_back(r);
  }
  return rows;
}

// Unknowns without derivatives that have one all the same, since constraints have to be differentiated twice, as the
// velocity of a massless link. A row that gives one of them by forces would bring these forces into the rates of
// positions, and some constraints, not all, to a lower index. None are known while rows and unknowns do not match.
std::vector<char> EliminationGrowth::hidden_velocities() const {
  std::vector<char> found(state_.unknowns.size(), 0);
  std::vector<std::uint32_t> number(state_.unknowns.size(), 0), unknowns;
  for (std::uint32_t k = 0; k < number.size(); ++k)
    if (state_.alive[k]) {
      number[k] = static_cast<std::uint32_t>(unknowns.size());
      unknowns.push_back(k);
    }
  std::vector<std::vector<Occurrence>> rows;
  Incidence incidence{.columns = unknowns.size(), .rows = {}};
  for (const WorkRow& row : state_.rows) {
    if (!row.alive) continue;
    rows.emplace_back();
    auto& columns = incidence.rows.emplace_back();
    for (const Occurrence& o : row.unknowns) {
      rows.back().push_back({number[o.unknown], o.order});
      columns.push_back(number[o.unknown]);
    }
  }
  if (rows.size() != unknowns.size() || maximum_matching(incidence).size != rows.size()) return found;
  const StructuralIndex levels = structural_index(unknowns.size(), rows, 2);
  if (levels.too_high) return found;
  for (std::size_t k = 0; k < unknowns.size(); ++k) found[unknowns[k]] = is_free(unknowns[k]) && levels.orders[k] > 0;
  return found;
}

// A factor of states and time bends nothing: in F = l*sin(phi) both unknowns are linear.
bool EliminationGrowth::reads_free(Expr slope) const {
  return std::ranges::any_of(inputs_of(state_.model.graph, slope), [&](std::uint32_t slot) {
    const SlotRole role = state_.role(slot);
    return role.kind == SlotRole::Kind::value && is_free(role.unknown);
  });
}

void EliminationGrowth::read_entries() {
  Graph& graph = state_.model.graph;
  std::vector<Expr> slopes;
  struct Where {
    std::uint32_t row, entry;
  };
  std::vector<Where> where;
  std::optional<std::vector<char>> velocities;
  const auto has_velocity = [&](const WorkRow& row) {
    if (!velocities) velocities = hidden_velocities();
    return std::ranges::any_of(row.unknowns, [&](const Occurrence& o) { return (*velocities)[o.unknown] != 0; });
  };
  for (const std::uint32_t r : telling_rows()) {
    const WorkRow& row = state_.rows[r];
    for (const auto& term : row.linear.terms) {
      const SlotRole role = state_.role(term);
      if (role.kind == SlotRole::Kind::value && is_free(role.unknown) &&
          !std::ranges::binary_search(row.inside, graph.slot(term.node)))
        entries_[r].push_back({role.unknown, abs(term.factor), false});
    }
    const std::vector<Partial> all =
        row.inside.size() > few_slots ? gradient(graph, row.residual) : std::vector<Partial>{};
    for (const std::uint32_t slot : row.inside) {
      const SlotRole role = state_.role(slot);
      if (role.kind != SlotRole::Kind::value || !is_free(role.unknown)) continue;
      where.push_back({r, static_cast<std::uint32_t>(entries_[r].size())});
      slopes.push_back(all.empty() ? differentiate(graph, row.residual, slot) : partial_of(all, slot));
      entries_[r].push_back({role.unknown, 0.0, reads_free(slopes.back()) || has_velocity(row)});
    }
  }
  if (slopes.empty()) return;
  const std::vector<Numbers> values = SamplePoints(state_.model, points).values(graph, slopes);
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    bool seen = false;
    Number& size = entries_[where[k].row][where[k].entry].size;
    for (const Numbers& point : values)
      if (isfinite(point[k])) {
        seen = true;
        size = max(size, abs(point[k]));
      }
    if (!seen) size = std::numeric_limits<double>::infinity();
  }
}

// Units in which the largest entry of each row and of each unknown is about 1 (Ruiz 2001).
void EliminationGrowth::balance() {
  Numbers row_unit(state_.rows.size(), 1.0), largest(state_.unknowns.size());
  for (int round = 0; round < 6; ++round) {
    std::ranges::fill(largest, Number(0.0));
    for (std::size_t r = 0; r < entries_.size(); ++r) {
      Number top = 0.0;
      for (const Entry& e : entries_[r])
        if (isfinite(e.size)) top = max(top, e.size * unit_[e.unknown] * row_unit[r]);
      if (top > 0.0) row_unit[r] /= sqrt(top);
      for (const Entry& e : entries_[r])
        if (isfinite(e.size)) largest[e.unknown] = max(largest[e.unknown], e.size * unit_[e.unknown] * row_unit[r]);
    }
    for (std::size_t k = 0; k < largest.size(); ++k)
      if (largest[k] > 0.0) unit_[k] /= sqrt(largest[k]);
  }
}

EliminationGrowth::Entries EliminationGrowth::weights(const DefinedBlock& block, std::size_t i) const {
  const std::uint32_t own = block.unknowns[i];
  Entries result;
  const auto add = [&](const Entry& e, Number factor) {
    if (std::ranges::find(block.unknowns, e.unknown) == block.unknowns.end())
      result.push_back({e.unknown, factor * e.size * unit_[e.unknown] / unit_[own], e.curved});
  };
  if (block.rows.size() == 1) {
    Number pivot = 0.0;
    for (const Entry& e : entries_[block.rows[0]])
      if (e.unknown == own) pivot = e.size;
    for (const Entry& e : entries_[block.rows[0]]) add(e, Number(1.0) / pivot);
    return result;
  }
  for (std::size_t j = 0; j < block.rows.size(); ++j)
    for (const Entry& e : entries_[block.rows[j]]) add(e, abs(block.inverse[i * block.rows.size() + j]));
  return result;
}

// Notes which of the solver's unknowns are behind those of the block; false if they are too many.
bool EliminationGrowth::read_few(const DefinedBlock& block) {
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < block.unknowns.size(); ++i)
    for (const Entry& e : weights(block, i)) {
      if (growth_[e.unknown] == 0.0) continue;
      const std::vector<std::uint32_t>& behind = reads_[e.unknown];
      if (behind.empty()) all.push_back(e.unknown);
      all.insert(all.end(), behind.begin(), behind.end());
    }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (!block.written && all.size() > most_read) return false;
  for (const std::uint32_t unknown : block.unknowns) reads_[unknown] = all;
  return true;
}

bool EliminationGrowth::accept(std::size_t b) {
  const DefinedBlock& block = blocks_[b];
  bool good = read_few(block);
  for (std::size_t i = 0; i < block.unknowns.size(); ++i) {
    const std::uint32_t own = block.unknowns[i];
    Number& growth = growth_[own];
    int bends = 0;
    for (const Entry& e : weights(block, i)) {
      if (growth_[e.unknown] == 0.0) continue;
      growth += e.size * growth_[e.unknown];
      bends = std::max(bends, bends_[e.unknown] + (e.curved ? 1 : 0));
    }
    bends_[own] = static_cast<std::uint8_t>(bends);
    const EliminationMemory& before = state_.memory[own];
    good &= growth * before.growth <= largest_growth && bends + (before.curved ? 1 : 0) <= most_bends;
    good &= bends == 0 || block.written;
  }
  const auto forced = [&](std::uint32_t unknown) { return state_.must_be_explicit[unknown] != 0; };
  if (good || std::ranges::any_of(block.unknowns, forced)) return true;
  for (const std::uint32_t unknown : block.unknowns) {
    growth_[unknown] = 1.0;
    bends_[unknown] = 0;
    reads_[unknown].clear();
  }
  return false;
}

void EliminationGrowth::remember(std::size_t b) {
  const DefinedBlock& block = blocks_[b];
  for (std::size_t i = 0; i < block.unknowns.size(); ++i) {
    const EliminationMemory own = state_.memory[block.unknowns[i]];
    for (const Entry& e : weights(block, i)) {
      EliminationMemory& other = state_.memory[e.unknown];
      other.growth = max(other.growth, own.growth * e.size);
      other.curved |= own.curved || e.curved;
    }
  }
}

std::vector<char> EliminationGrowth::acceptable() {
  std::vector<char> result(blocks_.size(), 1);
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (relevant_[b]) result[b] = accept(b);
  for (std::size_t b = blocks_.size(); b-- > 0;)
    if (relevant_[b] && result[b]) remember(b);
  return result;
}

}  // namespace driftless
