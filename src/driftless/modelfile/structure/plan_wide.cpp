// The wide form of mechanics: q' = T(q, t) v + k(q, t), M(q, t) v' = F(q, v, s, t) - C^T (lambda, nu), s' = r, 0 = g(q,
// t), 0 = A(q, t) v + b(q, t), with C = [g_q T; A]. Velocities are what forces of constraints and coupled masses act
// on, and what moves a coordinate otherwise than linearly in them; coordinates are what g, A, M and the rates of
// coordinates read; the rest are states. That M is symmetric and that C^T are the forces is found out in numbers, up to
// factors of rows and multipliers.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "driftless/expression/differentiate.h"
#include "driftless/linalg/linear_system.h"
#include "driftless/modelfile/structure/form_parts.h"
#include "driftless/modelfile/structure/invert_mix.h"
#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/match_rows.h"

namespace driftless {

namespace {

enum class Part : std::uint8_t { none, rest, coordinate, velocity };
enum class SlotKind : std::uint8_t { other, coordinate, velocity, state, rate, multiplier };

class WidePlanner {
 public:
  WidePlanner(Reduction& reduction, const SecondOrder& system, const std::vector<Constraint>& on_velocities)
      : reduction_(reduction),
        graph_(reduction.model.graph),
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
    if (!has_shape()) return std::nullopt;
    find_dynamic_rows();
    if (!explicit_rates() || !settle_parts()) return std::nullopt;
    classify();
    if (!has_parts() || !read_constraints() || !read_dynamics()) return std::nullopt;
    const auto matched = match();
    if (!matched) return std::nullopt;
    return finish(*matched);
  }
  const std::string& why_not() const { return why_not_; }

 private:
  bool no(std::string why) {
    why_not_ = std::move(why);
    return false;
  }

  bool has_shape() {
    if (lambda_.empty() || g_.size() + h_.size() != lambda_.size())
      return no("constraints and multipliers are not as many");
    for (const Components* part : {static_cast<const Components*>(&all_), &lambda_})
      for (const Component& c : *part)
        if (c.introduced) return no(fmt::format("{} is an unknown that no equation determines alone", c.name));
    if (wants_pattern(all_.size() + lambda_.size()))
      return no(
          "its velocities are not the rates of its coordinates, and the form for that has dense matrices: it is for "
          "fewer unknowns");
    return true;
  }
  bool has_parts() { return (!q_.empty() && !v_.empty()) || no("no velocities move what the constraints are on"); }
  std::string rate_name(std::size_t i) const { return fmt::format("der({})", all_[i].name); }

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
    if (!rates.is_explicit())
      return no(fmt::format("{} is not given by itself", rate_name(which[rates.coupled.front()])));
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
      if (contradicted_) return no(contradiction_);
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
      if (!promoted) return !contradicted_ || no(contradiction_);
      if (fixed_.contains(*promoted))
        return no(fmt::format("{} is not linear in velocities", rate_name(*promoted)));  // g or M read it
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
        if (with_velocities) continue;
        contradicted_ = true;
        contradiction_ =
            fmt::format("a constraint on positions, or a factor of accelerations and forces, reads the velocity {}",
                        all_[found->second].name);
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
      if (!reads_only(rate_[q_[i]], {SlotKind::coordinate, SlotKind::velocity}))
        return no(fmt::format("{} depends on more than positions and velocities", rate_name(q_[i])));
      for (const Partial& partial : gradient(graph_, rate_[q_[i]]))
        if (kind_[partial.slot] == SlotKind::velocity) by_velocity[i][index_[partial.slot]] = partial.derivative;
    }
    for (std::uint32_t k = 0; k < g_.size(); ++k) {
      if (!reads_only(g_[k].value, {SlotKind::coordinate})) return no(g_[k].name + " reads more than positions");
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
      if (!reads_only(h_[k].value, {SlotKind::coordinate, SlotKind::velocity}))
        return no(h_[k].name + " reads more than positions and velocities");
      if (dependence(graph_, h_[k].value, velocities) != Dependence::affine)
        return no(h_[k].name + " is not linear in velocities");
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
      if (dependence(graph_, row, variable) == Dependence::nonlinear)
        return no(fmt::format("the row of {} is not linear in accelerations and forces", rate_name(v_[k])));
      for (const std::uint32_t slot : inputs_of(graph_, row)) {
        if (!variable[slot]) continue;
        const Expr factor = differentiate(graph_, row, slot);
        if (!reads_only(factor, {SlotKind::coordinate}))
          return no(fmt::format("in the row of {} a factor depends on more than positions", rate_name(v_[k])));
        (kind_[slot] == SlotKind::rate ? mass_ : reaction_).push_back({k, index_[slot], factor});
      }
      force_.push_back(substitute(graph_, row, zero));
      if (!reads_only(force_.back(), {SlotKind::coordinate, SlotKind::velocity, SlotKind::state}))
        return no(fmt::format("in the row of {} a force depends on accelerations", rate_name(v_[k])));
    }
    for (const std::size_t i : s_)
      if (!reads_only(rate_[i], {SlotKind::coordinate, SlotKind::velocity, SlotKind::state}))
        return no(rate_name(i) + " depends on accelerations or forces of constraints");
    return true;
  }

  // Rows may have been simplified by the constraints - a coordinate x in place of l cos(phi) - and be what they are
  // only where these hold.
  std::optional<MatchedRows> match() {
    constexpr std::size_t count = 4;
    DynamicRows rows{mass_, reaction_, force_, lambda_.size(), {}, {}};
    for (const std::size_t i : v_) rows.velocity_names.push_back(all_[i].name);
    for (const Component& lambda : lambda_) rows.multiplier_names.push_back(lambda.name);
    SamplePoints points(model_, count);
    if (auto matched = match_rows(graph_, points, rows, directions_, why_not_)) return matched;
    std::vector<Expr> residuals;
    std::vector<std::uint32_t> slots;
    for (const Constraint& g : g_) residuals.push_back(g.value);
    for (const std::size_t i : q_) slots.push_back(all_[i].slot);
    points.move_onto(graph_, residuals, slots);
    if (points.count() < 2) return std::nullopt;
    return match_rows(graph_, points, rows, directions_, why_not_);
  }

  // Multipliers in the order of their constraints: those of g first.
  std::optional<FormPlan> finish(const MatchedRows& matched) {
    WidePlan plan;
    for (const std::size_t i : q_) {
      plan.q.push_back(all_[i]);
      plan.rates.push_back(rate_[i]);
    }
    for (std::size_t k = 0; k < v_.size(); ++k) {
      plan.v.push_back(all_[v_[k]]);
      plan.force.push_back(graph_.negate(matched.force[k]));
    }
    for (const std::size_t i : s_) {
      plan.s.push_back(all_[i]);
      plan.states.push_back(rate_[i]);
    }
    plan.mass = matched.mass;
    std::vector<char> is_own(lambda_.size(), 0);
    for (std::size_t k = 0; k < lambda_.size(); ++k) {
      Constraint c = k < g_.size() ? g_[k] : h_[k - g_.size()];
      if (const auto own = own_multiplier(graph_, matched.mix, k)) {
        is_own[*own] = 1;
        c.scale = graph_.number(matched.mix[k * lambda_.size() + *own]);
        c.value = graph_.multiply(graph_.constant(c.scale), c.value);
        plan.lambda.push_back(lambda_[*own]);
      } else {
        plan.lambda.push_back(force_of(c, matched.mix, k));
      }
      if (k >= g_.size()) c.integrated = 1;  // level 1 of the form has nothing of it, level 2 the row itself
      (k < g_.size() ? plan.g : plan.h).push_back(std::move(c));
    }
    if (!express_multipliers(matched.mix, plan.lambda, is_own)) {
      no("more than three multipliers act on each other's constraints");
      return std::nullopt;
    }
    return FormPlan{.form = std::move(plan), .index = 0, .replaced = replaced_};
  }

  // What acts on a constraint where that is no multiplier of the model.
  Component force_of(const Constraint& constraint, const std::vector<Expr>& mix, std::size_t k) {
    Expr sum{};
    for (std::size_t j = 0; j < lambda_.size(); ++j)
      sum = graph_.add(sum, graph_.multiply(mix[k * lambda_.size() + j], graph_.input(lambda_[j].slot)));
    return {.name = fmt::format("force of {}", constraint.name),
            .slot = reduction_.new_slot(),
            .rate = reduction_.new_slot(),
            .introduced = true,
            .meaning = sum};
  }

  // The multipliers of the model by those of the form.
  bool express_multipliers(std::vector<Expr> mix, const Components& forces, const std::vector<char>& is_own) {
    const std::size_t m = forces.size();
    std::vector<Expr> mu;
    for (std::size_t k = 0; k < m; ++k) {
      mu.push_back(graph_.input(forces[k].slot));
      for (std::size_t j = 0; j < m && !forces[k].introduced; ++j)  // its constraint has the factor now
        if (!graph_.vanishes(mix[k * m + j])) mix[k * m + j] = graph_.constant(1.0);
    }
    const auto lambda = invert_mix(graph_, mix, mu);
    if (!lambda) return false;
    for (std::size_t j = 0; j < m; ++j)
      if (!is_own[j]) replaced_[lambda_[j].slot] = (*lambda)[j];
    return true;
  }

  Reduction& reduction_;
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
  std::string contradiction_, why_not_;
  std::vector<std::size_t> q_, v_, s_;
  std::vector<SlotKind> kind_;
  std::vector<std::uint32_t> index_;
  std::vector<Expr> force_;
  SparseExpressions mass_, reaction_, directions_;  // M, B, C
  std::unordered_map<std::uint32_t, Expr> replaced_;
};

}  // namespace

std::optional<FormPlan> plan_wide(Reduction& reduction, const SecondOrder& system,
                                  const std::vector<Constraint>& on_velocities, std::string& why_not) {
  WidePlanner planner(reduction, system, on_velocities);
  auto plan = planner.run();
  if (!plan) why_not = planner.why_not();
  return plan;
}

}  // namespace driftless
