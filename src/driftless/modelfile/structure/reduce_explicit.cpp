// Variables that an equation gives explicitly, y = f(others), in the order in which they can be computed. Loops of
// linear equations with constant factors are solved; of other loops some variables are left to the solver. So is what
// cannot be computed without errors that grow (elimination_growth.h).
#include <algorithm>
#include <cmath>
#include <optional>

#include "driftless/core/stop.h"
#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/dense_numbers.h"
#include "driftless/modelfile/structure/elimination_growth.h"
#include "driftless/modelfile/structure/reduction_state.h"
#include "driftless/modelfile/structure/tearing.h"
#include "driftless/modelfile/structure/unknowns_behind.h"

namespace driftless {

namespace {

// A factor that is smaller than this, relative to the others of its row, is not divided by.
constexpr double smallest_factor = 1e-6;
constexpr std::size_t largest_loop = 64;
constexpr std::size_t largest_single_tear = 256;
// Entries that the formula of one unknown may bring into the rows that contain it.
constexpr double largest_fill = 1e5;

class ExplicitSearch {
 public:
  ExplicitSearch(ReductionState& state, Explicit which)
      : state_(state), graph_(state.model.graph), which_(which), is_state_(state.differentiated()) {}

  bool run() {
    find_candidates();
    match();
    link_rows();
    for (const auto& component : strong_components(successors_)) resolve(component);
    std::vector<char> acceptable = EliminationGrowth(state_, blocks_).acceptable();
    keep_hubs(acceptable);
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (acceptable[b]) blocks_[b].rows.size() == 1 ? define(blocks_[b].rows[0]) : define_loop(blocks_[b]);
    if (definitions_.empty()) return false;
    state_.eliminate(definitions_);
    return true;
  }

 private:
  bool free_unknown(SlotRole role) const {
    return role.kind == SlotRole::Kind::value && state_.alive[role.unknown] && !is_state_[role.unknown];
  }

  void find_candidates() {
    candidates_.columns = state_.unknowns.size();
    candidates_.rows.resize(state_.rows.size());
    for (std::size_t r = 0; r < state_.rows.size(); ++r) {
      const WorkRow& row = state_.rows[r];
      if (!row.alive || row.has_derivative) continue;
      Number largest = 0.0;
      for (const auto& term : row.linear.terms) largest = max(largest, abs(term.factor));
      for (const auto& term : row.linear.terms) {
        const SlotRole role = state_.role(term);
        if (!free_unknown(role) || abs(term.factor) < smallest_factor * largest) continue;
        if (!std::ranges::binary_search(row.inside, graph_.slot(term.node)))
          candidates_.rows[r].push_back(role.unknown);
      }
      if (candidates_.rows[r].empty() && which_ == Explicit::solvable) find_safe_factors(row, candidates_.rows[r]);
    }
    if (which_ == Explicit::solvable) drop_impossible_pairs();
  }

  // What another row determines, perhaps with several roots, is no candidate: cos(r) = time; 4 z + r = ...: z is. To
  // take r out would leave cos(... - 4 z) = time for z, with other roots near other starts.
  void drop_impossible_pairs() {
    Incidence all{.columns = state_.unknowns.size(), .rows = {}};
    all.rows.resize(state_.rows.size());
    for (std::size_t r = 0; r < state_.rows.size(); ++r) {
      if (!state_.rows[r].alive || state_.rows[r].has_derivative) continue;
      const std::vector<Occurrence>& found = state_.rows[r].unknowns;
      for (const Occurrence& o : found)
        if (!is_state_[o.unknown]) all.rows[r].push_back(o.unknown);
    }
    const Incidence possible = possible_pairs(all);
    for (std::size_t r = 0; r < state_.rows.size(); ++r)
      std::erase_if(candidates_.rows[r],
                    [&](std::uint32_t unknown) { return !std::ranges::binary_search(possible.rows[r], unknown); });
  }

  // (1 + x^2) y = ...: a factor that depends on other unknowns and cannot vanish.
  void find_safe_factors(const WorkRow& row, std::vector<std::uint32_t>& out) {
    variable_.resize(state_.roles.size(), 0);
    for (const std::uint32_t slot : row.inside) {
      if (!free_unknown(state_.role(slot))) continue;
      variable_[slot] = 1;
      if (dependence(graph_, row.residual, variable_) == Dependence::affine &&
          certainly_not_zero(graph_, differentiate(graph_, row.residual, slot)))
        out.push_back(state_.role(slot).unknown);
      variable_[slot] = 0;
    }
  }

  // y = ... is meant to determine y. Of the others each row had best determine what it depends on most: a loop that is
  // well conditioned stays together then, where a weak link to something else could take its row away.
  void match() {
    matching_ = {.column_of_row = std::vector<std::uint32_t>(state_.rows.size(), unmatched),
                 .row_of_column = std::vector<std::uint32_t>(state_.unknowns.size(), unmatched)};
    for (std::uint32_t r = 0; r < state_.rows.size(); ++r) {
      if (candidates_.rows[r].empty()) continue;
      for (const std::uint32_t unknown : candidates_.rows[r])
        if (stands_alone(r, unknown) && matching_.row_of_column[unknown] == unmatched) {
          pair(r, unknown);
          break;
        }
    }
    if (which_ == Explicit::written) return;
    match_results();
    match_by_size();
    matching_ = maximum_matching(candidates_, &matching_);
  }

  // Nothing but its row can determine what is in no other: so it is with forces that hold what does not move. What then
  // is in one other row alone belongs to that, and so on.
  void match_results() {
    const auto rows_of = state_.rows_by_unknown();
    std::vector<std::size_t> left(state_.unknowns.size());
    std::vector<std::uint32_t> open;
    for (std::uint32_t k = 0; k < left.size(); ++k)
      if ((left[k] = rows_of[k].size()) == 1) open.push_back(k);
    std::vector<char> gone(state_.rows.size(), 0);
    while (!open.empty()) {
      const std::uint32_t unknown = open.back();
      open.pop_back();
      for (const std::uint32_t r : rows_of[unknown]) {
        if (gone[r] || matching_.column_of_row[r] != unmatched || matching_.row_of_column[unknown] != unmatched)
          continue;
        if (std::ranges::find(candidates_.rows[r], unknown) == candidates_.rows[r].end()) continue;
        pair(r, unknown);
        gone[r] = 1;
        const std::vector<Occurrence>& found = state_.rows[r].unknowns;
        for (const Occurrence& o : found)
          if (--left[o.unknown] == 1) open.push_back(o.unknown);
      }
    }
  }

  void pair(std::uint32_t r, std::uint32_t unknown) {
    matching_.column_of_row[r] = unknown;
    matching_.row_of_column[unknown] = r;
    ++matching_.size;
  }

  struct Pair {
    Number size;
    std::uint32_t row, unknown, order;
  };

  // The largest factors first, each relative to the largest of its row.
  void match_by_size() {
    std::vector<Pair> pairs;
    for (std::uint32_t r = 0; r < state_.rows.size(); ++r) {
      const LinearRow& row = state_.rows[r].linear;
      Number largest = 0.0;
      for (const auto& term : row.terms) largest = max(largest, abs(term.factor));
      for (const std::uint32_t unknown : candidates_.rows[r]) {
        const Number factor = abs(row.factor_of(graph_.input(state_.unknowns[unknown].slot)));
        pairs.push_back(
            {factor > 0.0 ? factor / largest : Number(1.0), r, unknown, static_cast<std::uint32_t>(pairs.size())});
      }
    }
    std::ranges::stable_sort(pairs, std::ranges::greater(), [](const Pair& p) { return p.size.at_compilation(); });
    std::vector<char> taken_row(state_.rows.size(), 0);
    for (const Pair& p : pairs) {
      if (matching_.column_of_row[p.row] != unmatched || matching_.row_of_column[p.unknown] != unmatched) continue;
      pair(p.row, p.unknown);
      taken_row[p.row] = 1;
    }
    keep_order(pairs, taken_row);
  }

  // A pair was taken because it is as large as all that were open then and have its row or its unknown. As long as that
  // is so the result is the same, whatever the order of the rest.
  void keep_order(const std::vector<Pair>& pairs, const std::vector<char>& taken_row) const {
    if (std::ranges::none_of(pairs, [](const Pair& p) { return p.size.depends(); })) return;
    std::vector<std::uint32_t> place(state_.rows.size(), unmatched);  // of the pair taken, by row
    const auto is_taken = [&](const Pair& p) {
      return taken_row[p.row] && matching_.column_of_row[p.row] == p.unknown;
    };
    for (std::uint32_t k = 0; k < pairs.size(); ++k)
      if (is_taken(pairs[k])) place[pairs[k].row] = k;
    for (std::uint32_t k = 0; k < pairs.size(); ++k) {
      if (is_taken(pairs[k])) continue;
      const std::uint32_t by_unknown = matching_.row_of_column[pairs[k].unknown];
      const std::uint32_t a = place[pairs[k].row], b = by_unknown == unmatched ? unmatched : place[by_unknown];
      const std::uint32_t first = std::min(a, b);  // unmatched is beyond all places
      if (first == unmatched || first > k) continue;
      if (pairs[first].order < pairs[k].order)  // of two that are equal this one counts
        (void)(pairs[k].size <= pairs[first].size);
      else
        (void)(pairs[k].size < pairs[first].size);
    }
  }

  bool stands_alone(std::uint32_t r, std::uint32_t unknown) const { return other_side(r, unknown).has_value(); }

  // f and its sign, where the row is written as y = f and f does not contain y.
  struct Side {
    Expr value;
    bool negative;
  };
  std::optional<Side> other_side(std::uint32_t r, std::uint32_t unknown) const {
    const Expr e = state_.rows[r].residual;
    if (graph_.op(e) != Op::subtract && graph_.op(e) != Op::add) return std::nullopt;
    for (const int side : {0, 1}) {
      const Expr alone = graph_.child(e, side);
      const std::uint32_t slot = state_.unknowns[unknown].slot;
      if (graph_.op(alone) != Op::input || graph_.slot(alone) != slot) continue;
      const Expr other = graph_.child(e, 1 - side);
      if (!std::ranges::binary_search(inputs_of(graph_, other), slot)) return Side{other, graph_.op(e) == Op::add};
    }
    return std::nullopt;
  }

  void link_rows() {
    successors_.resize(state_.rows.size());
    for (std::uint32_t r = 0; r < state_.rows.size(); ++r) {
      if (matching_.column_of_row[r] == unmatched) continue;
      const std::vector<Occurrence>& found = state_.rows[r].unknowns;
      for (const Occurrence& o : found)
        if (const std::uint32_t by = matching_.row_of_column[o.unknown]; by != unmatched && by != r)
          successors_[r].push_back(by);
    }
  }

  // Components come after those that they depend on.
  void resolve(const std::vector<std::uint32_t>& component) {
    if (component.size() == 1) {
      const std::uint32_t unknown = matching_.column_of_row[component[0]];
      if (unknown != unmatched)
        blocks_.push_back({.rows = component, .unknowns = {unknown}, .written = stands_alone(component[0], unknown)});
    } else if (component.size() > largest_loop && is_dense(component)) {
      return;  // all of it stays: what is put into dense rows makes them denser, and the solver has dense matrices
    } else if (component.size() > largest_loop || !solve_linear_loop(component)) {
      tear(component);
    }
  }

  // Whether its rows have so many unknowns of the loop that taking it apart costs more than a few operations a row.
  bool is_dense(const std::vector<std::uint32_t>& component) {
    constexpr std::size_t many = 24;
    std::size_t links = 0;
    for (const auto& edges : edges_inside(component)) links += edges.size();
    return links > many * component.size();
  }

  void define(std::uint32_t r) {
    WorkRow& row = state_.rows[r];
    const std::uint32_t unknown = matching_.column_of_row[r];
    const std::uint32_t slot = state_.unknowns[unknown].slot;
    const Number factor = row.linear.factor_of(graph_.input(slot));
    Expr value;
    if (const auto f = other_side(r, unknown)) {
      value = f->negative ? graph_.negate(f->value) : f->value;
    } else if (factor != 0.0 && !std::ranges::binary_search(row.inside, slot)) {
      value = to_expr(graph_, scale(without(row.linear, graph_.input(slot)), Number(-1.0) / factor));
    } else {
      const Expr slope = differentiate(graph_, row.residual, slot);
      value = graph_.negate(graph_.divide(substitute(graph_, row.residual, {{slot, Expr{}}}), slope));
    }
    row.alive = false;
    definitions_.push_back({unknown, value, row.equations});
  }

  // What is made of many unknowns and stands in many rows stays: without m = sum(x) each of them would contain all x.
  void keep_hubs(std::vector<char>& acceptable) const {
    std::vector<double> uses(state_.unknowns.size(), 0.0);
    for (const WorkRow& row : state_.rows)
      if (row.alive)
        for (const Occurrence& o : row.unknowns) uses[o.unknown] += 1.0;
    UnknownsBehind behind(state_.unknowns.size());
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (!acceptable[b] || blocks_[b].rows.size() > 1) continue;
      const std::uint32_t own = blocks_[b].unknowns[0];
      behind.define(own, state_.rows[blocks_[b].rows[0]].unknowns);
      if (behind.count(own) * uses[own] <= largest_fill || state_.must_be_explicit[own]) continue;
      acceptable[b] = 0;
      behind.keep(own);
    }
  }

  // Adds the loop as a block, with the inverse of its matrix; false if it is not linear, or not regular.
  bool solve_linear_loop(const std::vector<std::uint32_t>& component) {
    const std::size_t n = component.size();
    DefinedBlock block{.rows = component, .unknowns = {}, .written = false};
    for (const std::uint32_t r : component) block.unknowns.push_back(matching_.column_of_row[r]);
    Numbers matrix(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const WorkRow& row = state_.rows[component[i]];
      for (std::size_t j = 0; j < n; ++j) {
        const std::uint32_t slot = state_.unknowns[block.unknowns[j]].slot;
        if (std::ranges::binary_search(row.inside, slot)) return false;
        matrix[i * n + j] = row.linear.factor_of(graph_.input(slot));
      }
    }
    auto inverse = inverse_of(std::move(matrix), n);
    if (!inverse) return false;
    block.inverse = *std::move(inverse);
    blocks_.push_back(std::move(block));
    return true;
  }

  void define_loop(const DefinedBlock& block) {
    const std::size_t n = block.rows.size();
    std::vector<LinearRow> known, solved(n);
    for (const std::uint32_t r : block.rows) {
      LinearRow others = state_.rows[r].linear;
      for (const std::uint32_t unknown : block.unknowns)
        others = without(std::move(others), graph_.input(state_.unknowns[unknown].slot));
      known.push_back(std::move(others));
    }
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        if (const Number factor = block.inverse[i * n + j]; factor != 0.0)
          solved[i] = add(solved[i], -factor, known[j]);
    for (std::size_t i = 0; i < n; ++i) {
      WorkRow& row = state_.rows[block.rows[i]];
      row.alive = false;
      definitions_.push_back({block.unknowns[i], to_expr(graph_, solved[i]), row.equations});
    }
  }

  // The rows through which most of the loop goes keep their variables as unknowns: one of a small loop, as each may
  // take it apart; many of a large one, lest it be walked through for each.
  void tear(const std::vector<std::uint32_t>& component) {
    check_stop();
    const bool large = component.size() > largest_single_tear;
    const std::vector<char> torn =
        marked(torn_vertices(edges_inside(component), large ? component.size() / 8 : 1), component.size());
    std::vector<std::uint32_t> left;
    for (std::size_t k = 0; k < component.size(); ++k) {
      std::uint32_t& unknown = matching_.column_of_row[component[k]];
      if (torn[k]) {
        matching_.row_of_column[unknown] = unmatched;
        unknown = unmatched;
      } else {
        left.push_back(component[k]);
      }
    }
    for (const std::uint32_t r : left)
      std::erase_if(successors_[r], [&](std::uint32_t to) { return matching_.column_of_row[to] == unmatched; });
    for (const auto& part : strong_components(edges_inside(left))) {
      std::vector<std::uint32_t> rows;
      for (const std::uint32_t k : part) rows.push_back(left[k]);
      resolve(rows);
    }
  }

  static std::vector<char> marked(const std::vector<std::uint32_t>& which, std::size_t size) {
    std::vector<char> marks(size, 0);
    for (const std::uint32_t k : which) marks[k] = 1;
    return marks;
  }

  // The successors of these rows among them, by position.
  std::vector<std::vector<std::uint32_t>> edges_inside(const std::vector<std::uint32_t>& rows) {
    place_.resize(state_.rows.size(), unmatched);
    for (std::uint32_t k = 0; k < rows.size(); ++k) place_[rows[k]] = k;
    std::vector<std::vector<std::uint32_t>> inside(rows.size());
    for (std::uint32_t k = 0; k < rows.size(); ++k)
      for (const std::uint32_t to : successors_[rows[k]])
        if (place_[to] != unmatched) inside[k].push_back(place_[to]);
    for (const std::uint32_t r : rows) place_[r] = unmatched;
    return inside;
  }

  ReductionState& state_;
  Graph& graph_;
  Explicit which_;
  std::vector<char> is_state_;
  Incidence candidates_;
  Matching matching_;
  std::vector<std::vector<std::uint32_t>> successors_;  // by row: the rows whose variables it needs
  std::vector<char> variable_;                          // by slot, and
  std::vector<std::uint32_t> place_;                    // by row: filled and emptied where they are used
  std::vector<DefinedBlock> blocks_;                    // in the order of computation
  std::vector<ReductionState::Definition> definitions_;
};

}  // namespace

bool eliminate_explicit(ReductionState& state, Explicit which) { return ExplicitSearch(state, which).run(); }

}  // namespace driftless
