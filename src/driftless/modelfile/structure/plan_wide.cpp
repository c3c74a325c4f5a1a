// The wide form of mechanics: q' = T(q, t) v + k(q, t), M(q, t) v' = F(q, v, s, t) - C^T (lambda, nu), s' = r, 0 = g(q,
// t), 0 = A(q, t) v + b(q, t), with C = [g_q T; A]. Velocities are what forces of constraints and coupled masses act
// on, and what moves a coordinate otherwise than linearly in them; coordinates are what g, A, M and the rates of
// coordinates read; the rest are states. That M is symmetric and that C^T are the forces is found out in numbers, up to
// factors of rows and multipliers.
#include <algorithm>
#include <numeric>
#include <set>

#include "driftless/expression/differentiate.h"
#include "driftless/linalg/linear_system.h"
#include "driftless/modelfile/structure/form_parts.h"
#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/mechanical_scales.h"

namespace driftless {

namespace {

enum class Part : std::uint8_t { none, rest, coordinate, velocity };
enum class SlotKind : std::uint8_t { other, coordinate, velocity, state, rate, multiplier };

class WidePlanner {
 public:
  WidePlanner(Reduction& reduction, const SecondOrder& system, const std::vector<Constraint>& on_velocities)
      : graph_(reduction.model.graph),
        model_(reduction.model),
        lambda_(system.lambda),
        g_(system.g),
        h_(on_velocities) {
    all_ = system.u;
    all_.insert(all_.end(), system.v.begin(), system.v.end());
    rows_ = system.u_rows;
    rows_.insert(rows_.end(), system.v_rows.begin(), system.v_rows.end());
    part_.assign(all_.size(), Part::none);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      component_of_slot_[all_[i].slot] = i;
      component_of_rate_[all_[i].rate] = i;
    }
    for (std::size_t j = 0; j < lambda_.size(); ++j) multiplier_of_slot_[lambda_[j].slot] = j;
  }

  std::optional<FormPlan> run() {
    if (lambda_.empty() || g_.size() + h_.size() != lambda_.size() || is_introduced()) return std::nullopt;
    if (wants_pattern(all_.size() + lambda_.size())) return std::nullopt;  // the form is dense
    find_dynamic_rows();
    if (!explicit_rates() || !settle_parts()) return std::nullopt;
    classify();
    if (q_.empty() || v_.empty() || !read_constraints() || !read_dynamics()) return std::nullopt;
    const auto scales = pair_rows();
    if (!scales) return std::nullopt;
    return finish(*scales);
  }

 private:
  bool is_introduced() const {
    return std::ranges::any_of(all_, &Component::introduced) || std::ranges::any_of(lambda_, &Component::introduced) ||
           std::ranges::any_of(g_, [](const Constraint& g) { return g.integrated > 0; });
  }

  // Rows that multipliers act on belong to velocities, and so do rows that need the rate of a velocity.
  void find_dynamic_rows() {
    for (std::size_t i = 0; i < all_.size(); ++i)
      for (const std::uint32_t slot : inputs_of(graph_, rows_[i]))
        if (multiplier_of_slot_.contains(slot)) part_[i] = Part::velocity;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < all_.size(); ++i)
        for (const std::uint32_t slot : inputs_of(graph_, rows_[i])) {
          const auto rate = component_of_rate_.find(slot);
          if (rate == component_of_rate_.end() || rate->second == i) continue;
          // a row with two rates of which one is a velocity's couples them
          if (part_[rate->second] != Part::velocity || part_[i] == Part::velocity) continue;
          part_[i] = Part::velocity;
          changed = true;
        }
    }
  }

  // The other rates, without multipliers; put into the dynamic rows.
  bool explicit_rates() {
    Components moving;
    std::vector<Expr> rows;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (part_[i] == Part::velocity) continue;
      moving.push_back(all_[i]);
      rows.push_back(rows_[i]);
      which.push_back(i);
    }
    const Rates rates = solve_rates(graph_, moving, rows);
    if (!rates.is_explicit()) return false;
    rate_.assign(all_.size(), Expr{});
    for (std::size_t k = 0; k < which.size(); ++k) {
      rate_[which[k]] = *rates.formula[k];
      known_[all_[which[k]].rate] = rate_[which[k]];
    }
    return true;
  }

  // Coordinates are what must be one. A coordinate whose rate is not linear in the velocities is a velocity itself.
  bool settle_parts() {
    for (std::size_t round = 0; round <= all_.size(); ++round) {
      for (Part& part : part_)
        if (part == Part::coordinate) part = Part::none;
      for (const Constraint& g : g_) require_coordinates(g.value, false);
      for (const Constraint& h : h_) require_coordinates(h.value, true);
      for (std::size_t i = 0; i < all_.size(); ++i)
        if (part_[i] == Part::velocity) require_factors(i);
      if (contradicted_) return false;
      std::optional<std::size_t> promoted;
      for (bool changed = true; changed && !promoted;) {
        changed = false;
        for (std::size_t i = 0; i < all_.size() && !promoted; ++i) {
          if (part_[i] != Part::coordinate || done_.contains(i)) continue;
          done_.insert(i);
          changed = true;
          if (!follow_rate(i)) promoted = i;
        }
      }
      done_.clear();
      if (!promoted) return !contradicted_;
      if (fixed_.contains(*promoted)) return false;  // g or M read it
      part_[*promoted] = Part::velocity;
      rows_[*promoted] = graph_.subtract(graph_.input(all_[*promoted].rate), rate_[*promoted]);
      known_.erase(all_[*promoted].rate);
    }
    return false;
  }

  std::vector<char> velocity_slots() const {
    std::vector<char> slots(model_.slots, 0);
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (part_[i] == Part::velocity) slots[all_[i].slot] = 1;
    return slots;
  }
  // What an expression reads beside velocities becomes a coordinate; velocities are allowed where it is linear in them.
  void require_coordinates(Expr e, bool with_velocities) {
    for (const std::uint32_t slot : inputs_of(graph_, e)) {
      const auto found = component_of_slot_.find(slot);
      if (found == component_of_slot_.end()) continue;
      Part& part = part_[found->second];
      if (part == Part::velocity) {
        contradicted_ |= !with_velocities;
      } else {
        part = Part::coordinate;
        if (!with_velocities) fixed_.insert(found->second);
      }
    }
  }
  // Factors of rates and multipliers in a dynamic row: M and C^T.
  void require_factors(std::size_t i) {
    const Expr row = substitute(graph_, rows_[i], known_);
    for (const std::uint32_t slot : inputs_of(graph_, row))
      if (component_of_rate_.contains(slot) || multiplier_of_slot_.contains(slot))
        require_coordinates(differentiate(graph_, row, slot), false);
  }
  // Is the rate linear in velocities? Then what else it reads are coordinates.
  bool follow_rate(std::size_t i) {
    if (dependence(graph_, rate_[i], velocity_slots()) == Dependence::nonlinear) return false;
    require_coordinates(rate_[i], true);
    return true;
  }

  void classify() {
    kind_.assign(model_.slots, SlotKind::other);
    index_.assign(model_.slots, 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      auto& list = part_[i] == Part::velocity ? v_ : part_[i] == Part::coordinate ? q_ : s_;
      const auto kind = part_[i] == Part::velocity     ? SlotKind::velocity
                        : part_[i] == Part::coordinate ? SlotKind::coordinate
                                                       : SlotKind::state;
      kind_[all_[i].slot] = kind;
      index_[all_[i].slot] = static_cast<std::uint32_t>(list.size());
      kind_[all_[i].rate] = SlotKind::rate;
      list.push_back(i);
    }
    for (std::uint32_t k = 0; k < v_.size(); ++k) index_[all_[v_[k]].rate] = k;
    for (std::uint32_t j = 0; j < lambda_.size(); ++j) {
      kind_[lambda_[j].slot] = SlotKind::multiplier;
      index_[lambda_[j].slot] = j;
    }
  }
  bool reads_only(Expr e, std::initializer_list<SlotKind> kinds) const {
    if (graph_.is_constant(e)) return true;
    return std::ranges::all_of(inputs_of(graph_, e), [&](std::uint32_t slot) {
      return kind_[slot] == SlotKind::other || std::ranges::find(kinds, kind_[slot]) != kinds.end();
    });
  }

  // C, row by row: of g by the chain rule, of h as it is.
  bool read_constraints() {
    const std::vector<char> velocities = velocity_slots();
    std::vector<std::unordered_map<std::uint32_t, Expr>> by_velocity(q_.size());
    for (std::size_t i = 0; i < q_.size(); ++i) {
      if (!reads_only(rate_[q_[i]], {SlotKind::coordinate, SlotKind::velocity})) return false;
      for (const Partial& partial : gradient(graph_, rate_[q_[i]]))
        if (kind_[partial.slot] == SlotKind::velocity) by_velocity[i][index_[partial.slot]] = partial.derivative;
    }
    for (std::uint32_t k = 0; k < g_.size(); ++k) {
      if (!reads_only(g_[k].value, {SlotKind::coordinate})) return false;
      std::vector<Expr> row(v_.size());
      for (const Partial& partial : gradient(graph_, g_[k].value)) {
        if (kind_[partial.slot] != SlotKind::coordinate) continue;
        for (const auto& [j, factor] : by_velocity[index_[partial.slot]])
          row[j] = graph_.add(row[j], graph_.multiply(partial.derivative, factor));
      }
      for (std::uint32_t j = 0; j < row.size(); ++j)
        if (!graph_.vanishes(row[j])) directions_.push_back({k, j, row[j]});
    }
    for (std::uint32_t k = 0; k < h_.size(); ++k) {
      if (!reads_only(h_[k].value, {SlotKind::coordinate, SlotKind::velocity})) return false;
      if (dependence(graph_, h_[k].value, velocities) != Dependence::affine) return false;
      for (const Partial& partial : gradient(graph_, h_[k].value))
        if (kind_[partial.slot] == SlotKind::velocity)
          directions_.push_back({static_cast<std::uint32_t>(g_.size()) + k, index_[partial.slot], partial.derivative});
    }
    return true;
  }

  // residual = M v' + B lambda - F
  bool read_dynamics() {
    std::vector<char> variable(model_.slots, 0);
    std::unordered_map<std::uint32_t, Expr> zero;
    const auto vary = [&](std::uint32_t slot) {
      variable[slot] = 1;
      zero[slot] = Expr{};
    };
    for (const std::size_t i : v_) vary(all_[i].rate);
    for (const Component& lambda : lambda_) vary(lambda.slot);
    for (std::uint32_t k = 0; k < v_.size(); ++k) {
      const Expr row = substitute(graph_, rows_[v_[k]], known_);
      if (dependence(graph_, row, variable) == Dependence::nonlinear) return false;
      for (const std::uint32_t slot : inputs_of(graph_, row)) {
        if (!variable[slot]) continue;
        const Expr factor = differentiate(graph_, row, slot);
        if (!reads_only(factor, {SlotKind::coordinate})) return false;
        (kind_[slot] == SlotKind::rate ? mass_ : reaction_).push_back({k, index_[slot], factor});
      }
      force_.push_back(substitute(graph_, row, zero));
      if (!reads_only(force_.back(), {SlotKind::coordinate, SlotKind::velocity, SlotKind::state})) return false;
    }
    return std::ranges::all_of(s_, [&](std::size_t i) {
      return reads_only(rate_[i], {SlotKind::coordinate, SlotKind::velocity, SlotKind::state});
    });
  }

  // Rows that masses couple may have been given to each other's velocities: for few of them every order is tried in
  // which forces of constraints are where the gradients are.
  std::optional<MechanicalScales> pair_rows() {
    constexpr std::size_t most_tried = 6;
    const SamplePoints points(model_, 4);
    std::vector<std::uint32_t> row_of(v_.size());  // of each velocity
    std::iota(row_of.begin(), row_of.end(), 0u);
    const SparseExpressions mass = mass_, reaction = reaction_;
    const std::vector<Expr> force = force_;
    do {
      if (!is_plausible(row_of, mass, reaction)) continue;
      std::vector<std::uint32_t> place(row_of.size());
      for (std::uint32_t k = 0; k < row_of.size(); ++k) place[row_of[k]] = k;
      mass_ = mass;
      reaction_ = reaction;
      for (auto* entries : {&mass_, &reaction_})
        for (SparseExpression& e : *entries) e.row = place[e.row];
      for (std::size_t k = 0; k < row_of.size(); ++k) force_[k] = force[row_of[k]];
      if (auto scales = find_scales(graph_, points, v_.size(), lambda_.size(), mass_, reaction_, directions_))
        return scales;
    } while (v_.size() <= most_tried && std::ranges::next_permutation(row_of).found);
    return std::nullopt;
  }
  bool is_plausible(const std::vector<std::uint32_t>& row_of, const SparseExpressions& mass,
                    const SparseExpressions& reaction) const {
    std::vector<std::size_t> forces(row_of.size(), 0), gradients(row_of.size(), 0), inertia(row_of.size(), 0);
    for (const SparseExpression& e : reaction) ++forces[e.row];
    for (const SparseExpression& e : directions_) ++gradients[e.column];
    for (const SparseExpression& e : mass) inertia[e.column] += row_of[e.column] == e.row ? 1 : 0;
    for (std::size_t k = 0; k < row_of.size(); ++k)
      if (forces[row_of[k]] != gradients[k] || inertia[k] == 0) return false;
    return true;
  }

  // Multipliers in the order of their constraints: those of g first.
  FormPlan finish(const MechanicalScales& scales) {
    const auto times = [&](Number factor, Expr e) { return graph_.multiply(graph_.constant(factor), e); };
    WidePlan plan;
    for (const std::size_t i : q_) {
      plan.q.push_back(all_[i]);
      plan.rates.push_back(rate_[i]);
    }
    for (std::size_t k = 0; k < v_.size(); ++k) {
      plan.v.push_back(all_[v_[k]]);
      plan.force.push_back(times(-scales.row[k], force_[k]));
    }
    for (const std::size_t i : s_) {
      plan.s.push_back(all_[i]);
      plan.states.push_back(rate_[i]);
    }
    for (const SparseExpression& e : mass_) plan.mass.push_back({e.row, e.column, times(scales.row[e.row], e.value)});
    std::vector<std::size_t> multiplier_of(lambda_.size());
    for (std::size_t j = 0; j < lambda_.size(); ++j) multiplier_of[scales.constraint_of[j]] = j;
    for (std::size_t k = 0; k < lambda_.size(); ++k) {
      const std::size_t j = multiplier_of[k];
      Constraint c = k < g_.size() ? g_[k] : h_[k - g_.size()];
      c.scale = scales.constraint[j];
      c.value = times(c.scale, c.value);
      if (k >= g_.size()) c.integrated = 1;  // level 1 of the form has nothing of it, level 2 the row itself
      (k < g_.size() ? plan.g : plan.h).push_back(std::move(c));
      plan.lambda.push_back(lambda_[j]);
    }
    return {.form = std::move(plan)};
  }

  Graph& graph_;
  const FlatModel& model_;
  const Components& lambda_;
  const std::vector<Constraint>&g_, &h_;
  Components all_;
  std::vector<Expr> rows_, rate_;  // of all_; rates of what is no velocity
  std::vector<Part> part_;
  std::unordered_map<std::uint32_t, std::size_t> component_of_slot_, component_of_rate_, multiplier_of_slot_;
  std::unordered_map<std::uint32_t, Expr> known_;  // explicit rates
  std::set<std::size_t> fixed_, done_;             // what g and M read; rates that were followed
  bool contradicted_ = false;
  std::vector<std::size_t> q_, v_, s_;
  std::vector<SlotKind> kind_;
  std::vector<std::uint32_t> index_;
  std::vector<Expr> force_;
  SparseExpressions mass_, reaction_, directions_;  // M, B, C
};

}  // namespace

std::optional<FormPlan> plan_wide(Reduction& reduction, const SecondOrder& system,
                                  const std::vector<Constraint>& on_velocities) {
  return WidePlanner(reduction, system, on_velocities).run();
}

}  // namespace driftless
