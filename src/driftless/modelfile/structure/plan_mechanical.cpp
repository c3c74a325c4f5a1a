// q' = v, M(q, t) v' = F(q, v, s, t) - G^T lambda, s' = r: recognised whatever the order, scale and sign of the rows.
// Constraints are scaled so that their gradients are the reactions, and lambda is the user's own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/form_parts.h"
#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/mechanical_scales.h"

namespace driftless {

namespace {

constexpr std::size_t unpaired = SIZE_MAX;

class MechanicalPlanner {
 public:
  MechanicalPlanner(Reduction& reduction, const SecondOrder& system)
      : r_(reduction), graph_(reduction.model.graph), system_(system), nu_(system.u.size()) {
    all_ = system.u;
    all_.insert(all_.end(), system.v.begin(), system.v.end());
    rows_ = system.u_rows;
    rows_.insert(rows_.end(), system.v_rows.begin(), system.v_rows.end());
  }

  // `free_pairs`: also components without constraints that are rates of others become velocities.
  std::optional<FormPlan> run(bool free_pairs) {
    if (introduced() || !pair_up(free_pairs) || q_.empty()) return std::nullopt;
    change_units();
    classify_slots();
    if (!read_states() || !read_dynamics()) return std::nullopt;
    const SamplePoints points(r_.model, 4);
    const auto scales = find_scales(graph_, points, q_.size(), system_.lambda.size(), mass_, reaction_, gradient_);
    if (!scales) return std::nullopt;
    return finish(*scales);
  }

 private:
  bool introduced() const {
    return system_.g.size() != system_.lambda.size() || std::ranges::any_of(all_, &Component::introduced) ||
           std::ranges::any_of(system_.lambda, &Component::introduced) ||
           std::ranges::any_of(system_.g, [](const Constraint& g) { return g.integrated > 0; });
  }

  // x' = c y for a component y: its position and c.
  struct Kinematic {
    std::size_t velocity = unpaired;
    Number factor = 0.0;
  };
  Kinematic kinematic(std::size_t i, const std::unordered_map<std::uint32_t, std::size_t>& component_of_slot) {
    const LinearRow row = linear_row(graph_, rows_[i]);
    if (row.terms.size() != 2 || row.constant != 0.0) return {};
    const Number own = row.factor_of(graph_.input(all_[i].rate));
    if (own == 0.0) return {};
    for (const auto& term : row.terms) {
      if (graph_.op(term.node) != Op::input) return {};
      const auto found = component_of_slot.find(graph_.slot(term.node));
      if (found != component_of_slot.end() && found->second >= nu_ && found->second != i)
        return {found->second, -term.factor / own};
    }
    return {};
  }

  // Positions under constraints must have velocities; other components may.
  bool pair_up(bool free_pairs) {
    std::unordered_map<std::uint32_t, std::size_t> component_of_slot;
    for (std::size_t i = 0; i < all_.size(); ++i) component_of_slot[all_[i].slot] = i;
    std::vector<char> is_velocity(all_.size(), 0), is_position(all_.size(), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool may = !is_velocity[i] && (i < nu_ || free_pairs);
      const Kinematic k = may ? kinematic(i, component_of_slot) : Kinematic{};
      if (k.velocity == unpaired || is_velocity[k.velocity] || is_position[k.velocity]) {
        if (i < nu_) return false;
        continue;
      }
      is_position[i] = is_velocity[k.velocity] = 1;
      q_.push_back(i);
      v_.push_back(k.velocity);
      unit_.push_back(k.factor);
    }
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (!is_position[i] && !is_velocity[i]) rest_.push_back(i);
    return true;
  }

  // Velocities in units of q': v = c^-1 q'.
  void change_units() {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      Component& v = all_[v_[i]];
      if (unit_[i].is_plainly(1.0)) continue;
      const Component other{.name = fmt::format("der({})", all_[q_[i]].name),
                            .slot = r_.new_slot(),
                            .rate = r_.new_slot(),
                            .introduced = true,
                            .meaning = graph_.multiply(graph_.constant(unit_[i]), graph_.input(v.slot))};
      const auto scaled = [&](std::uint32_t slot) {
        return graph_.multiply(graph_.constant(Number(1.0) / unit_[i]), graph_.input(slot));
      };
      replaced_[v.slot] = scaled(other.slot);
      replaced_[v.rate] = scaled(other.rate);
      v = other;
    }
    if (!replaced_.empty()) rows_ = substitute(graph_, rows_, replaced_);
  }

  enum class Kind : std::uint8_t { other, position, moving, acceleration, other_rate, multiplier };
  struct Meaning {
    Kind kind = Kind::other;
    std::uint32_t index = 0;
  };
  void classify_slots() {
    meaning_.assign(r_.model.slots, {});
    for (std::uint32_t i = 0; i < q_.size(); ++i) {
      meaning_[all_[q_[i]].slot] = {Kind::position, i};
      meaning_[all_[q_[i]].rate] = {Kind::other_rate, i};
      meaning_[all_[v_[i]].slot] = {Kind::moving, i};
      meaning_[all_[v_[i]].rate] = {Kind::acceleration, i};
    }
    for (const std::size_t i : rest_) {
      meaning_[all_[i].slot] = {Kind::moving, 0};
      meaning_[all_[i].rate] = {Kind::other_rate, 0};
    }
    for (std::uint32_t j = 0; j < system_.lambda.size(); ++j) meaning_[system_.lambda[j].slot] = {Kind::multiplier, j};
  }
  bool reads(Expr e, std::initializer_list<Kind> kinds) const {
    if (graph_.is_constant(e)) return false;
    return std::ranges::any_of(inputs_of(graph_, e), [&](std::uint32_t slot) {
      return std::ranges::find(kinds, meaning_[slot].kind) != kinds.end();
    });
  }

  // s' = r(q, v, s, t), explicitly and without multipliers.
  bool read_states() {
    Components s;
    std::vector<Expr> rows;
    for (const std::size_t i : rest_) {
      s.push_back(all_[i]);
      rows.push_back(rows_[i]);
    }
    const Rates rates = solve_rates(graph_, s, rows);
    if (!rates.is_explicit()) return false;
    std::unordered_map<std::uint32_t, Expr> known;
    for (std::size_t i = 0; i < s.size(); ++i) {
      states_.push_back(*rates.formula[i]);
      known[s[i].rate] = states_.back();
    }
    for (std::size_t i = 0; i < q_.size(); ++i) known[all_[q_[i]].rate] = graph_.input(all_[v_[i]].slot);
    states_ = substitute(graph_, states_, known);
    for (const Expr rate : states_)
      if (reads(rate, {Kind::multiplier, Kind::acceleration, Kind::other_rate})) return false;
    for (const std::size_t i : v_) dynamics_.push_back(rows_[i]);
    dynamics_ = substitute(graph_, dynamics_, known);
    return true;
  }

  // residual = M v' + B lambda - F.
  bool read_dynamics() {
    std::vector<char> variable(r_.model.slots, 0);
    std::unordered_map<std::uint32_t, Expr> zero;
    for (std::uint32_t slot = 0; slot < meaning_.size(); ++slot)
      if (meaning_[slot].kind == Kind::acceleration || meaning_[slot].kind == Kind::multiplier) {
        variable[slot] = 1;
        zero[slot] = Expr{};
      }
    for (std::uint32_t i = 0; i < dynamics_.size(); ++i) {
      if (dependence(graph_, dynamics_[i], variable) == Dependence::nonlinear) return false;
      if (!divide_alone(i)) return false;
      for (const std::uint32_t slot : inputs_of(graph_, dynamics_[i])) {
        if (!variable[slot]) continue;
        const Expr factor = differentiate(graph_, dynamics_[i], slot);
        if (reads(factor, {Kind::moving, Kind::other_rate})) return false;
        (meaning_[slot].kind == Kind::acceleration ? mass_ : reaction_).push_back({i, meaning_[slot].index, factor});
      }
    }
    force_ = substitute(graph_, dynamics_, zero);
    for (std::uint32_t k = 0; k < system_.g.size(); ++k)
      for (const Partial& partial : gradient(graph_, system_.g[k].value))
        if (meaning_[partial.slot].kind == Kind::position)
          gradient_.push_back({k, meaning_[partial.slot].index, partial.derivative});
    return true;
  }

  // A row with one acceleration alone may have a factor that depends on anything, as long as it is not zero.
  bool divide_alone(std::uint32_t i) {
    const std::uint32_t own = all_[v_[i]].rate;
    const Expr factor = differentiate(graph_, dynamics_[i], own);
    if (!reads(factor, {Kind::moving, Kind::other_rate})) return true;
    for (const std::uint32_t slot : inputs_of(graph_, dynamics_[i]))
      if (slot != own && meaning_[slot].kind == Kind::acceleration) return false;
    if (!certainly_not_zero(graph_, factor)) return false;
    const Expr rest = substitute(graph_, dynamics_[i], {{own, Expr{}}});
    dynamics_[i] = graph_.add(graph_.input(own), graph_.divide(rest, factor));
    return true;
  }

  FormPlan finish(const MechanicalScales& scales) {
    const auto times = [&](Number factor, Expr e) { return graph_.multiply(graph_.constant(factor), e); };
    MechanicalPlan plan;
    for (std::size_t i = 0; i < q_.size(); ++i) {
      plan.q.push_back(all_[q_[i]]);
      plan.v.push_back(all_[v_[i]]);
      plan.force.push_back(times(-scales.row[i], force_[i]));
    }
    plan.unit_mass = mass_.size() == q_.size();
    for (const SparseExpression& e : mass_) {
      plan.mass.push_back({e.row, e.column, times(scales.row[e.row], e.value)});
      plan.unit_mass &= e.row == e.column && graph_.is_plainly(plan.mass.back().value, 1.0);
    }
    for (const std::size_t i : rest_) plan.s.push_back(all_[i]);
    plan.states = states_;
    plan.lambda = system_.lambda;
    for (std::size_t j = 0; j < system_.lambda.size(); ++j) {
      Constraint g = system_.g[scales.constraint_of[j]];
      g.scale = scales.constraint[j];
      g.value = times(g.scale, g.value);
      plan.g.push_back(std::move(g));
    }
    return {.form = std::move(plan), .index = 0, .replaced = replaced_};
  }

  Reduction& r_;
  Graph& graph_;
  const SecondOrder& system_;
  const std::size_t nu_;
  Components all_;          // u and v
  std::vector<Expr> rows_;  // of all_
  std::vector<std::size_t> q_, v_, rest_;
  Numbers unit_;
  std::unordered_map<std::uint32_t, Expr> replaced_;
  std::vector<Meaning> meaning_;  // by slot
  std::vector<Expr> states_, dynamics_, force_;
  SparseExpressions mass_, reaction_, gradient_;  // M, B, G
};

}  // namespace

std::optional<FormPlan> plan_mechanical(Reduction& reduction, const SecondOrder& system) {
  if (auto plan = MechanicalPlanner(reduction, system).run(true)) return plan;
  return system.u.empty() ? std::nullopt : MechanicalPlanner(reduction, system).run(false);
}

}  // namespace driftless
