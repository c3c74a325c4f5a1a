// q' = v, M(q, t) v' = F(q, v, s, t) - G^T lambda, s' = r: recognised whatever the order, scale and sign of the rows.
// Rows and constraints are multiplied by constants d_i and k_j such that d M is symmetric and d B = G^T k, where B are
// the factors of the multipliers: then k_j g_j is the constraint whose gradient is the reaction, and lambda is the
// user's own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/expression/differentiate.h"
#include "driftless/linalg/kkt.h"
#include "driftless/modelfile/form_parts.h"
#include "driftless/modelfile/linear_row.h"
#include "driftless/modelfile/sample_points.h"

namespace driftless {

namespace {

constexpr std::size_t none = SIZE_MAX;

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
    if (!read_states() || !read_dynamics()) return std::nullopt;
    if (!pair_constraints() || !find_scales() || !positive_definite()) return std::nullopt;
    return finish();
  }

 private:
  bool introduced() const {
    return system_.g.size() != system_.lambda.size() ||
           std::ranges::any_of(all_, &Component::introduced) ||
           std::ranges::any_of(system_.lambda, &Component::introduced) ||
           std::ranges::any_of(system_.g, [](const Constraint& g) { return g.row == none; });
  }

  // x' = c y for a component y: its position and c.
  struct Kinematic {
    std::size_t velocity = none;
    double factor = 0.0;
  };
  Kinematic kinematic(std::size_t i) {
    const LinearRow row = linear_row(graph_, rows_[i]);
    if (row.terms.size() != 2 || row.constant != 0.0) return {};
    const double own = row.factor_of(graph_.input(all_[i].rate));
    if (own == 0.0) return {};
    for (const auto& term : row.terms) {
      if (graph_.op(term.node) != Op::input) return {};
      const std::uint32_t slot = graph_.slot(term.node);
      if (slot == all_[i].rate) continue;
      for (std::size_t k = nu_; k < all_.size(); ++k)
        if (all_[k].slot == slot) return k == i ? Kinematic{} : Kinematic{k, -term.factor / own};
    }
    return {};
  }

  // Positions under constraints must have velocities; other components may.
  bool pair_up(bool free_pairs) {
    std::vector<char> is_velocity(all_.size(), 0), is_position(all_.size(), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Kinematic k = is_velocity[i] || (i >= nu_ && !free_pairs) ? Kinematic{} : kinematic(i);
      if (k.velocity == none || is_velocity[k.velocity] || is_position[k.velocity]) {
        if (i < nu_) return false;
        if (!is_velocity[i]) rest_.push_back(i);
        continue;
      }
      std::erase(rest_, k.velocity);
      is_position[i] = is_velocity[k.velocity] = 1;
      q_.push_back(i);
      v_.push_back(k.velocity);
      unit_.push_back(k.factor);
    }
    return true;
  }

  // Velocities in units of q': v = c^-1 q'.
  void change_units() {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      Component& v = all_[v_[i]];
      if (unit_[i] == 1.0) continue;
      const Component other{.name = fmt::format("der({})", all_[q_[i]].name),
                            .slot = r_.new_slot(),
                            .rate = r_.new_slot(),
                            .introduced = true,
                            .meaning = graph_.multiply(graph_.constant(unit_[i]), graph_.input(v.slot))};
      const auto scaled = [&](std::uint32_t slot) {
        return graph_.multiply(graph_.constant(1.0 / unit_[i]), graph_.input(slot));
      };
      replaced_[v.slot] = scaled(other.slot);
      replaced_[v.rate] = scaled(other.rate);
      v = other;
    }
    rows_ = substitute(graph_, rows_, replaced_);
  }

  bool reads(Expr e, std::initializer_list<const Components*> parts, bool rates = false) const {
    for (const std::uint32_t slot : inputs_of(graph_, e))
      for (const Components* part : parts)
        for (const Component& c : *part)
          if ((rates ? c.rate : c.slot) == slot) return true;
    return false;
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
      const Expr rate = *rates.formula[i];
      if (reads(rate, {&system_.lambda}) || reads(rate, {&all_}, true)) return false;
      states_.push_back(rate);
      known[s[i].rate] = rate;
    }
    for (std::size_t i = 0; i < q_.size(); ++i) known[all_[q_[i]].rate] = graph_.input(all_[v_[i]].slot);
    dynamics_.clear();
    for (const std::size_t i : v_) dynamics_.push_back(rows_[i]);
    dynamics_ = substitute(graph_, dynamics_, known);
    return true;
  }

  // residual = M v' + B lambda - F.
  bool read_dynamics() {
    const std::size_t n = q_.size(), m = system_.lambda.size();
    std::vector<char> variable(r_.model.slots, 0);
    std::unordered_map<std::uint32_t, Expr> zero;
    for (const std::size_t i : v_) {
      variable[all_[i].rate] = 1;
      zero[all_[i].rate] = Expr{};
    }
    for (const Component& c : system_.lambda) {
      variable[c.slot] = 1;
      zero[c.slot] = Expr{};
    }
    Components positions;
    for (const std::size_t i : q_) positions.push_back(all_[i]);
    for (std::size_t i = 0; i < n; ++i) {
      if (dependence(graph_, dynamics_[i], variable) == Dependence::nonlinear) return false;
      std::vector<Expr>& mass = mass_.emplace_back(n);
      std::vector<Expr>& reaction = reaction_.emplace_back(m);
      for (const std::uint32_t slot : inputs_of(graph_, dynamics_[i])) {
        for (std::size_t j = 0; j < n; ++j)
          if (all_[v_[j]].rate == slot) mass[j] = differentiate(graph_, dynamics_[i], slot);
        for (std::size_t j = 0; j < m; ++j)
          if (system_.lambda[j].slot == slot) reaction[j] = differentiate(graph_, dynamics_[i], slot);
      }
      const auto is_good = [&](Expr e) { return only_positions(e, positions); };
      if (!std::ranges::all_of(mass, is_good) && !divide_by_mass(i)) return false;
      if (!std::ranges::all_of(reaction, is_good)) return false;
    }
    force_ = substitute(graph_, dynamics_, zero);
    gradient_.assign(m, std::vector<Expr>(n));
    for (std::size_t k = 0; k < m; ++k)
      for (const Partial& partial : gradient(graph_, system_.g[k].value))
        for (std::size_t j = 0; j < n; ++j)
          if (all_[q_[j]].slot == partial.slot) gradient_[k][j] = partial.derivative;
    sample();
    return true;
  }

  // A row with one acceleration alone may have a factor that depends on anything, as long as it is not zero.
  bool divide_by_mass(std::size_t i) {
    const Expr factor = mass_[i][i];
    for (std::size_t j = 0; j < mass_.back().size(); ++j)
      if (j != i && mass_[i][j].id != 0) return false;
    if (!certainly_not_zero(graph_, factor)) return false;
    dynamics_[i] = graph_.add(graph_.input(all_[v_[i]].rate),
                              graph_.divide(substitute(graph_, dynamics_[i], {{all_[v_[i]].rate, Expr{}}}), factor));
    for (Expr& e : reaction_[i]) e = graph_.divide(e, factor);
    mass_[i][i] = graph_.constant(1.0);
    return true;
  }

  bool only_positions(Expr e, const Components& positions) const {
    if (graph_.is_constant(e)) return true;
    for (const std::uint32_t slot : inputs_of(graph_, e)) {
      const auto is_it = [&](const Component& c) { return c.slot == slot; };
      if (std::ranges::any_of(all_, is_it) && std::ranges::none_of(positions, is_it)) return false;
    }
    return true;
  }

  void sample() {
    SamplePoints points(r_.model, 4);
    const auto flat = [](const std::vector<std::vector<Expr>>& matrix) {
      std::vector<Expr> all;
      for (const auto& row : matrix) all.insert(all.end(), row.begin(), row.end());
      return all;
    };
    mass_at_ = points.values(graph_, flat(mass_));
    reaction_at_ = points.values(graph_, flat(reaction_));
    gradient_at_ = points.values(graph_, flat(gradient_));
  }

  // Which constraint belongs to which multiplier: where all entries of B's column are constant multiples of the
  // gradient's.
  bool pair_constraints() {
    const std::size_t n = q_.size(), m = system_.lambda.size();
    Incidence fits{.columns = m, .rows = std::vector<std::vector<std::uint32_t>>(m)};
    for (std::uint32_t j = 0; j < m; ++j)
      for (std::uint32_t k = 0; k < m; ++k) {
        bool all = true, any = false;
        for (std::size_t i = 0; i < n && all; ++i) {
          const double ratio = constant_ratio(reaction_at_, gradient_at_, i * m + j, k * n + i);
          all = !std::isnan(ratio);
          any |= ratio != 0.0;
        }
        if (all && any) fits.rows[j].push_back(k);
      }
    const Matching matching = maximum_matching(fits);
    constraint_of_ = matching.column_of_row;
    return matching.size == m;
  }

  // d_i M_ij = d_j M_ji and d_i B_ij = k_j G_ji, from row to row and from row to constraint and back.
  bool find_scales() {
    const std::size_t n = q_.size(), m = system_.lambda.size();
    row_scale_.assign(n, 0.0);
    constraint_scale_.assign(m, 0.0);
    for (std::size_t root = 0; root < n; ++root) {
      if (row_scale_[root] != 0.0) continue;
      row_scale_[root] = sign_of_mass(root);
      std::vector<std::size_t> queue{root};
      for (std::size_t at = 0; at < queue.size(); ++at)
        if (!spread_from(queue[at], queue)) return false;
    }
    return std::ranges::none_of(constraint_scale_, [](double k) { return k == 0.0; });
  }

  double sign_of_mass(std::size_t i) const {
    for (const Vector& at : mass_at_)
      if (const double x = at[i * q_.size() + i]; x != 0.0 && std::isfinite(x)) return x > 0.0 ? 1.0 : -1.0;
    return 1.0;
  }

  // Nodes of the queue: rows below n, multipliers from n on.
  bool spread_from(std::size_t node, std::vector<std::size_t>& queue) {
    const std::size_t n = q_.size(), m = system_.lambda.size();
    const auto set = [&](double& scale, double value, std::size_t other) {
      if (scale == 0.0) {
        scale = value;
        queue.push_back(other);
      }
      return std::abs(scale - value) <= 1e-8 * std::abs(value);
    };
    if (node >= n) {
      const std::size_t j = node - n;
      for (std::size_t i = 0; i < n; ++i) {
        const double ratio = constant_ratio(reaction_at_, gradient_at_, i * m + j, constraint_of_[j] * n + i);
        if (ratio != 0.0 && !set(row_scale_[i], constraint_scale_[j] / ratio, i)) return false;
      }
      return true;
    }
    for (std::size_t j = 0; j < n; ++j) {
      const double ratio = constant_ratio(mass_at_, mass_at_, node * n + j, j * n + node);
      if (std::isnan(ratio) || (ratio != 0.0 && !set(row_scale_[j], row_scale_[node] * ratio, j))) return false;
    }
    for (std::size_t j = 0; j < m; ++j) {
      const double ratio = constant_ratio(reaction_at_, gradient_at_, node * m + j, constraint_of_[j] * n + node);
      if (ratio != 0.0 && !set(constraint_scale_[j], row_scale_[node] * ratio, n + j)) return false;
    }
    return true;
  }

  bool positive_definite() const {
    const std::size_t n = q_.size();
    bool seen = false;
    for (const Vector& at : mass_at_) {
      Matrix mass(n, n);
      bool finite = true;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          mass(i, j) = row_scale_[i] * at[i * n + j];
          finite &= std::isfinite(mass(i, j));
        }
      if (!finite) continue;
      Kkt kkt(n, 0);
      if (kkt.factorise(mass, Matrix(0, n)) == Kkt::Status::mass_not_positive_definite) return false;
      seen = true;
    }
    return seen;
  }

  FormPlan finish() {
    const std::size_t n = q_.size(), m = system_.lambda.size();
    const auto times = [&](double factor, Expr e) { return graph_.multiply(graph_.constant(factor), e); };
    MechanicalPlan plan;
    plan.unit_mass = true;
    for (std::size_t i = 0; i < n; ++i) {
      plan.q.push_back(all_[q_[i]]);
      plan.v.push_back(all_[v_[i]]);
      plan.force.push_back(times(-row_scale_[i], force_[i]));
      auto& mass = plan.mass.emplace_back();
      for (std::size_t j = 0; j < n; ++j) {
        mass.push_back(times(row_scale_[i], mass_[i][j]));
        plan.unit_mass &= graph_.is_constant(mass[j], i == j ? 1.0 : 0.0);
      }
    }
    for (const std::size_t i : rest_) plan.s.push_back(all_[i]);
    plan.states = states_;
    plan.lambda = system_.lambda;
    for (std::size_t j = 0; j < m; ++j) {
      Constraint g = system_.g[constraint_of_[j]];
      g.scale = constraint_scale_[j];
      g.value = times(g.scale, g.value);
      plan.g.push_back(std::move(g));
    }
    return {.form = std::move(plan), .index = 0, .replaced = replaced_};
  }

  Reduction& r_;
  Graph& graph_;
  const SecondOrder& system_;
  const std::size_t nu_;
  Components all_;           // u and v
  std::vector<Expr> rows_;   // of all_
  std::vector<std::size_t> q_, v_, rest_;
  Vector unit_;
  std::unordered_map<std::uint32_t, Expr> replaced_;
  std::vector<Expr> states_, dynamics_, force_;
  std::vector<std::vector<Expr>> mass_, reaction_, gradient_;  // M, B, G
  std::vector<Vector> mass_at_, reaction_at_, gradient_at_;    // at the sample points, row by row
  std::vector<std::uint32_t> constraint_of_;
  Vector row_scale_, constraint_scale_;
};

}  // namespace

std::optional<FormPlan> plan_mechanical(Reduction& reduction, const SecondOrder& system) {
  if (auto plan = MechanicalPlanner(reduction, system).run(true)) return plan;
  return system.u.empty() ? std::nullopt : MechanicalPlanner(reduction, system).run(false);
}

}  // namespace driftless
