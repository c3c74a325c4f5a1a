// A step of the reduction: rows whose derivatives depend on each other.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <span>

#include "driftless/core/matrix.h"
#include "driftless/core/stop.h"
#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/reduction_state.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

namespace {

// Constant combinations of rows in which all derivatives cancel: with C (x' - y') = a and C (y' - x') = b also a + b =
// 0. Factors that are not constant are compared at several random points.
class DependentDerivatives {
 public:
  explicit DependentDerivatives(ReductionState& state) : state_(state), graph_(state.model.graph) {}

  bool run() {
    find_core();
    if (core_.size() < 2) return false;
    read_factors();
    eliminate();
    return changed_;
  }

 private:
  using Sparse = std::map<std::uint32_t, Number>;  // derivative and sample -> factor

  static constexpr std::size_t samples = 3;
  static constexpr double cancelled = 1e-11;  // of what was added

  void derivatives_in(const WorkRow& row, std::vector<std::uint32_t>& out) const {
    out.clear();
    for (const auto& term : row.linear.terms)
      if (const SlotRole role = state_.role(term); role.kind == SlotRole::Kind::derivative) out.push_back(role.unknown);
    for (const std::uint32_t slot : row.inside)
      if (const SlotRole role = state_.role(slot); role.kind == SlotRole::Kind::derivative) out.push_back(role.unknown);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

  // A row with a derivative that no other row has is independent of the others, and need not be looked at.
  void find_core() {
    const std::size_t n = state_.rows.size();
    std::vector<std::vector<std::uint32_t>> of_row(n), of_unknown(state_.unknowns.size());
    for (std::uint32_t r = 0; r < n; ++r) {
      if (!state_.rows[r].alive || !state_.rows[r].has_derivative) continue;
      derivatives_in(state_.rows[r], of_row[r]);
      for (const std::uint32_t k : of_row[r]) of_unknown[k].push_back(r);
    }
    std::vector<std::size_t> left(of_unknown.size());
    std::vector<char> gone(n, 0);
    std::vector<std::uint32_t> single;
    for (std::uint32_t k = 0; k < of_unknown.size(); ++k)
      if ((left[k] = of_unknown[k].size()) == 1) single.push_back(k);
    while (!single.empty()) {
      const std::uint32_t k = single.back();
      single.pop_back();
      for (const std::uint32_t r : of_unknown[k]) {
        if (gone[r]) continue;
        gone[r] = 1;
        for (const std::uint32_t other : of_row[r])
          if (--left[other] == 1) single.push_back(other);
      }
    }
    for (std::uint32_t r = 0; r < n; ++r)
      if (!of_row[r].empty() && !gone[r]) core_.push_back(r);
  }

  void read_factors() {
    std::vector<Expr> factors;
    struct Where {
      std::size_t row;
      std::uint32_t unknown;
    };
    std::vector<Where> where;
    std::vector<std::uint32_t> found;
    for (std::size_t k = 0; k < core_.size(); ++k) {
      const WorkRow& row = state_.rows[core_[k]];
      derivatives_in(row, found);
      for (const std::uint32_t unknown : found) {
        factors.push_back(differentiate(graph_, row.residual, state_.unknowns[unknown].derivative));
        where.push_back({k, unknown});
      }
    }
    factors_.resize(core_.size());
    std::mt19937 random(12345);
    std::uniform_real_distribution<double> uniform(0.3, 1.3);
    Vector inputs(state_.model.slots);
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      for (double& x : inputs) x = uniform(random);
      vary_modes(state_.model, sample, inputs);
      const Numbers values = evaluate(graph_, factors, Numbers(inputs.begin(), inputs.end()));
      for (std::size_t k = 0; k < values.size(); ++k)
        if (isfinite(values[k])) factors_[where[k].row][where[k].unknown * samples + sample] = values[k];
    }
  }

  static void add_to(Sparse& row, Number factor, const Sparse& other) {
    for (const auto& [key, value] : other) {
      const auto [entry, created] = row.try_emplace(key, 0.0);
      const Number before = abs(entry->second);
      entry->second += factor * value;
      if (abs(entry->second) <= cancelled * max(before, abs(factor * value))) row.erase(entry);
    }
  }

  // Pivots are applied in the order in which they were found: a pivot row has no entries of earlier pivots.
  void eliminate() {
    std::unordered_map<std::uint32_t, std::uint32_t> pivot_of;  // by key
    for (std::uint32_t k = 0; k < core_.size(); ++k) {
      check_stop();
      Sparse row = factors_[k], used;
      std::set<std::uint32_t> open;  // pivots whose entries are still there
      const auto see = [&](const Sparse& entries) {
        for (const auto& [key, value] : entries)
          if (const auto pivot = pivot_of.find(key); pivot != pivot_of.end()) open.insert(pivot->second);
      };
      see(row);
      while (!open.empty()) {
        const std::uint32_t p = *open.begin();
        open.erase(open.begin());
        const Pivot& pivot = pivots_[p];
        const auto entry = row.find(pivot.key);
        if (entry == row.end()) continue;
        const Number factor = -entry->second / pivot.row.at(pivot.key);
        see(pivot.row);
        open.erase(p);
        add_to(row, factor, pivot.row);
        row.erase(pivot.key);
        used[p] = factor;
      }
      if (row.empty()) {
        combine(k, combination(k, used));
      } else {
        const auto largest = std::ranges::max_element(row, {}, [](const auto& e) { return abs(e.second); });
        pivot_of[largest->first] = static_cast<std::uint32_t>(pivots_.size());
        pivots_.push_back({largest->first, k, std::move(row), std::move(used)});
      }
    }
  }

  // Row k and what was added to it, in terms of the rows of the core.
  Sparse combination(std::uint32_t k, const Sparse& used) const {
    Sparse result{{k, 1.0}}, open = used;  // pivots and their factors
    Sparse sizes = used;
    while (!open.empty()) {
      const auto last = std::prev(open.end());
      const auto [p, factor] = *last;
      open.erase(last);
      if (abs(factor) <= cancelled * abs(sizes[p])) continue;
      result[pivots_[p].of] = factor;
      for (const auto& [earlier, by] : pivots_[p].used) {
        open[earlier] += factor * by;
        sizes[earlier] = max(abs(sizes[earlier]), abs(factor * by));
      }
    }
    return result;
  }

  // Many rows by halves: each is then copied a few times only.
  LinearRow sum_of(std::span<const std::pair<std::uint32_t, Number>> parts) const {
    constexpr std::size_t few = 16;
    if (parts.size() > few) {
      const std::size_t half = parts.size() / 2;
      return add(sum_of(parts.first(half)), 1.0, sum_of(parts.subspan(half)));
    }
    LinearRow sum;
    for (const auto& [k, factor] : parts) sum = add(sum, factor, state_.rows[core_[k]].linear);
    return sum;
  }

  // The row becomes the combination, without derivatives.
  void combine(std::uint32_t position, const Sparse& combination) {
    WorkRow& target = state_.rows[core_[position]];
    const std::vector<std::pair<std::uint32_t, Number>> parts(combination.begin(), combination.end());
    const LinearRow sum = sum_of(parts);
    std::unordered_map<std::uint32_t, Expr> zero;
    for (const auto& [k, factor] : parts) {
      const std::vector<std::size_t> equations = state_.rows[core_[k]].equations;
      if (k != position) target.equations.insert(target.equations.end(), equations.begin(), equations.end());
      for (const auto& [key, value] : factors_[k]) zero[state_.unknowns[key / samples].derivative] = Expr{};
    }
    std::ranges::sort(target.equations);
    target.equations.erase(std::unique(target.equations.begin(), target.equations.end()), target.equations.end());
    const LinearRow rest = linear_row(graph_, substitute(graph_, to_expr(graph_, sum), zero));
    if (rest.terms.empty()) refuse_empty_row(state_, target, rest.constant.pinned());
    state_.set_residual(target, to_expr(graph_, rest));
    changed_ = true;
  }

  ReductionState& state_;
  Graph& graph_;
  struct Pivot {
    std::uint32_t key, of;  // `of`: the row of the core that it is made of, and
    Sparse row, used;       // the earlier pivots that were added to it
  };
  std::vector<std::uint32_t> core_;
  std::vector<Sparse> factors_;
  std::vector<Pivot> pivots_;
  bool changed_ = false;
};

}  // namespace

bool combine_dependent_derivatives(ReductionState& state) { return DependentDerivatives(state).run(); }

}  // namespace driftless
