#include "driftless/modelfile/structure/wide_roles.h"

#include <algorithm>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/linear_row.h"

namespace driftless {

namespace {

class RoleFinder {
 public:
  RoleFinder(const Graph& graph, std::uint32_t slots, const WidePlan& plan)
      : graph_(graph), is_velocity_(slots, 0), is_configuration_(slots, 0), moved_(plan.q), rates_(plan.rates) {
    moved_.insert(moved_.end(), plan.s.begin(), plan.s.end());
    rates_.insert(rates_.end(), plan.states.begin(), plan.states.end());
    for (const Component& v : plan.v) is_velocity_[v.slot] = 1;
    const auto keep = [&](Expr e) {
      for (const std::uint32_t slot : inputs_of(graph_, e)) is_configuration_[slot] = 1;
    };
    for (const Constraint& g : plan.g) keep(g.value);
    for (const SparseExpression& m : plan.mass) keep(m.value);
    for (const Component& c : moved_)
      if (is_speed(c.slot)) is_velocity_[c.slot] = 1;
  }

  WideRoles sort(const WidePlan& plan) const {
    WideRoles roles{.positions = {}, .velocities = plan.v, .states = {}};
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      const bool coordinate = i < plan.q.size();
      Components& list = is_velocity_[moved_[i].slot]          ? roles.velocities
                         : coordinate || follows_velocities(i) ? roles.positions
                                                               : roles.states;
      list.push_back(moved_[i]);
    }
    return roles;
  }

 private:
  bool reads(Expr e, std::uint32_t slot) const { return std::ranges::count(inputs_of(graph_, e), slot) > 0; }
  bool is_linear(Expr rate, std::span<const char> in) const {
    return dependence(graph_, rate, in) == Dependence::affine;
  }
  // Of something else, whose rate does not read that itself: a filter of a signal moves it by no velocity.
  bool is_speed(std::uint32_t slot) const {
    if (is_configuration_[slot]) return false;
    std::vector<char> with = is_velocity_;
    with[slot] = 1;
    bool moves = false;
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      if (moved_[i].slot == slot || !reads(rates_[i], slot)) continue;
      if (!is_linear(rates_[i], with)) return false;
      moves = true;
    }
    return moves;
  }
  bool follows_velocities(std::size_t i) const {
    return is_linear(rates_[i], is_velocity_) && !reads(rates_[i], moved_[i].slot);
  }

  const Graph& graph_;
  std::vector<char> is_velocity_, is_configuration_;
  Components moved_;
  std::vector<Expr> rates_;
};

}  // namespace

WideRoles wide_roles(const Graph& graph, std::uint32_t slots, const WidePlan& plan) {
  return RoleFinder(graph, slots, plan).sort(plan);
}

}  // namespace driftless
