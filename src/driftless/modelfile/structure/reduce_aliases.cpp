// x = y, x = -y, x + y = 0, x = 2 y + 1, x = 5: variables that are multiples of others, and constants.
#include <algorithm>
#include <cmath>
#include <map>

#include "driftless/modelfile/structure/reduction_state.h"

namespace driftless {

namespace {

// Groups of unknowns with x = factor * root + offset; factor 0 means a constant.
//
// A member with an offset can be much smaller than factor * root, and is then as wrong as factor times the rounding of
// the root: the factors of such members are bounded. Without an offset nothing can cancel, and any factor will do.
class AffineGroups {
 public:
  explicit AffineGroups(std::size_t n) : links_(n), equations_(n), spread_(n, 1.0), shifted_(n, 0) {
    for (std::uint32_t k = 0; k < n; ++k) links_[k] = {k, 1.0, 0.0};
  }

  struct Link {
    std::uint32_t root;
    Number factor, offset;
  };

  Link find(std::uint32_t k) {
    path_.clear();
    for (; links_[k].root != k; k = links_[k].root) path_.push_back(k);
    Link above = links_[k];
    for (auto member = path_.rbegin(); member != path_.rend(); ++member) {
      Link& link = links_[*member];
      above = link = {above.root, link.factor * above.factor, link.factor * above.offset + link.offset};
    }
    return above;
  }

  // The largest factor of a member with an offset, if root `from` were factor * root of another group + offset.
  Number spread_after(std::uint32_t from, Number factor, Number offset) const {
    return offset != 0.0 || shifted_[from] ? abs(factor) * spread_[from] : spread_[from];
  }
  static constexpr double largest_spread = 10.0;

  // root `from` := factor * root `to` + offset.
  void join(std::uint32_t from, std::uint32_t to, Number factor, Number offset,
            const std::vector<std::size_t>& equations) {
    links_[from] = {to, factor, offset};
    spread_[to] = max(spread_[to], spread_after(from, factor, offset));
    shifted_[to] |= offset != 0.0 || shifted_[from];
    take_equations(from, to, equations);
  }
  void fix(std::uint32_t root, Number value, const std::vector<std::size_t>& equations) {
    links_[root] = {root, 0.0, value};
    take_equations(root, root, equations);
  }
  const std::vector<std::size_t>& equations_of(std::uint32_t root) const { return equations_[root]; }

 private:
  void take_equations(std::uint32_t from, std::uint32_t to, const std::vector<std::size_t>& more) {
    // For messages, which name a few: a group of thousands must not cost its square.
    constexpr std::size_t enough = 16;
    auto& list = equations_[to];
    const auto take = [&](const std::vector<std::size_t>& others) {
      const std::size_t room = enough - std::min(enough, list.size());
      list.insert(list.end(), others.begin(), others.begin() + std::ptrdiff_t(std::min(room, others.size())));
    };
    if (from != to) take(equations_[from]);
    take(more);
  }
  std::vector<Link> links_;
  std::vector<std::vector<std::size_t>> equations_;  // by root: what its group is made of
  std::vector<Number> spread_;                       // by root
  std::vector<char> shifted_;                        // by root: a member has an offset
  std::vector<std::uint32_t> path_;
};

class AliasSearch {
 public:
  explicit AliasSearch(ReductionState& state)
      : state_(state), groups_(state.unknowns.size()), is_state_(state.differentiated()) {}

  bool run() {
    bool any = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (WorkRow& row : state_.rows)
        if (row.alive && state_.is_linear(row) && merge(row)) changed = true;
      any |= changed;
    }
    if (any) eliminate();
    return any;
  }

 private:
  // The row in terms of the roots of the groups.
  struct Joined {
    std::map<std::uint32_t, Number> values, derivatives;
    Number constant, size;
    bool known = false;  // contains time, or what is held
  };

  Joined join(const WorkRow& row) {
    Joined sum{.values = {}, .derivatives = {}, .constant = row.linear.constant, .size = abs(row.linear.constant)};
    std::map<std::uint32_t, Number> sizes;
    for (const auto& term : row.linear.terms) {
      const SlotRole role = state_.role(term);
      if (role.kind == SlotRole::Kind::known) {
        sum.known = true;
        return sum;
      }
      const auto link = groups_.find(role.unknown);
      const bool value = role.kind == SlotRole::Kind::value;
      if (link.factor != 0.0) {
        (value ? sum.values : sum.derivatives)[link.root] += term.factor * link.factor;
        sizes[link.root] += abs(term.factor * link.factor);
      }
      if (value) {
        sum.constant += term.factor * link.offset;
        sum.size += abs(term.factor * link.offset);
      }
    }
    for (auto* part : {&sum.values, &sum.derivatives})
      std::erase_if(*part, [&](const auto& entry) { return abs(entry.second) <= 1e-13 * sizes[entry.first]; });
    if (abs(sum.constant) <= 1e-13 * sum.size) sum.constant = 0.0;
    return sum;
  }

  bool merge(WorkRow& row) {
    if (row.linear.terms.size() > 2 && !may_shrink(row)) return false;
    const Joined sum = join(row);
    if (sum.known || !sum.derivatives.empty() || sum.values.size() > 2) return false;
    if (sum.values.empty()) {
      std::vector<std::size_t> with;
      for (const auto& term : row.linear.terms)
        if (const SlotRole role = state_.role(term); role.kind != SlotRole::Kind::known) {
          const auto& more = groups_.equations_of(groups_.find(role.unknown).root);
          with.insert(with.end(), more.begin(), more.end());
        }
      refuse_empty_row(state_, row, sum.constant.pinned(), with);
    }
    if (takes_kept(sum.values)) return false;
    row.alive = false;
    const auto [a, factor_a] = *sum.values.begin();
    if (sum.values.size() == 1) {
      groups_.fix(a, -sum.constant / factor_a, row.equations);
      return true;
    }
    const auto [b, factor_b] = *std::next(sum.values.begin());
    if (represents(a, factor_a, b, factor_b, sum.constant))
      groups_.join(b, a, -factor_a / factor_b, -sum.constant / factor_b, row.equations);
    else
      groups_.join(a, b, -factor_b / factor_a, -sum.constant / factor_a, row.equations);
    return true;
  }

  // A constraint between states that stay, which an impulse may have to make true.
  bool takes_kept(const std::map<std::uint32_t, Number>& values) const {
    return std::ranges::all_of(values, [&](const auto& entry) { return is_kept(entry.first); });
  }
  bool is_kept(std::uint32_t k) const {
    return is_state_[k] && state_.model.variables[state_.unknowns[k].variable].kept;
  }

  // Whether b is expressed by a, rather than a by b: as their ranks have it, unless that lets errors grow. One of the
  // two ways never does, as its factor is at most 1.
  bool represents(std::uint32_t a, Number factor_a, std::uint32_t b, Number factor_b, Number constant) const {
    const bool preferred = rank(a) >= rank(b);
    if (is_kept(a) != is_kept(b)) return is_kept(a);
    if (state_.must_be_explicit[a] != state_.must_be_explicit[b]) return preferred;
    const bool stable = preferred
                            ? groups_.spread_after(b, factor_a / factor_b, constant) <= AffineGroups::largest_spread
                            : groups_.spread_after(a, factor_b / factor_a, constant) <= AffineGroups::largest_spread;
    return stable ? preferred : !preferred;
  }

  // Terms can only vanish if they are known to be in groups.
  bool may_shrink(const WorkRow& row) {
    std::size_t distinct = 0;
    for (const auto& term : row.linear.terms) {
      const SlotRole role = state_.role(term);
      if (role.kind == SlotRole::Kind::known) return false;
      const auto link = groups_.find(role.unknown);
      distinct += link.factor != 0.0 && link.root == role.unknown;
    }
    return distinct <= 2;
  }

  // Who represents a group: a state rather than an algebraic variable, one with a start value rather than one without.
  int rank(std::uint32_t k) const {
    const FlatVariable& variable = state_.model.variables[state_.unknowns[k].variable];
    return (state_.must_be_explicit[k] ? 0 : 8) + (is_state_[k] ? 4 : 0) + (variable.fixed ? 2 : 0) +
           (variable.start ? 1 : 0);
  }

  void eliminate() {
    Graph& graph = state_.model.graph;
    std::vector<ReductionState::Definition> definitions;
    for (std::uint32_t k = 0; k < state_.unknowns.size(); ++k) {
      const auto link = groups_.find(k);
      if (!state_.alive[k] || (link.root == k && link.factor != 0.0)) continue;
      const Unknown& root = state_.unknowns[link.root];
      EliminationMemory& memory = state_.memory[link.root];
      memory.growth = max(memory.growth, state_.memory[k].growth);
      memory.curved |= state_.memory[k].curved;
      const auto times = [&](std::uint32_t slot) {
        return link.factor == 0.0 ? Expr{} : graph.multiply(graph.constant(link.factor), graph.input(slot));
      };
      definitions.push_back({k, graph.add(times(root.slot), graph.constant(link.offset)),
                             groups_.equations_of(link.root), times(root.derivative)});
    }
    state_.eliminate(definitions);
  }

  ReductionState& state_;
  AffineGroups groups_;
  std::vector<char> is_state_;
};

}  // namespace

bool eliminate_aliases(ReductionState& state) { return AliasSearch(state).run(); }

}  // namespace driftless
