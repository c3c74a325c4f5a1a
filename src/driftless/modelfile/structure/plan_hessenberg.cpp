// Index 2 and 3. Pantelides' numbers sort unknowns and rows into levels: what is differentiated twice are positions and
// the constraints on them, once velocities and kinematics, not at all multipliers and dynamics. Whatever a level lacks
// is added, none of which changes the solution:
//   - an unknown whose rate no row determines gets one, u' = w with a new multiplier w;
//   - a row that determines no rate becomes the rate of a new component which is constrained to 0: z' = h, 0 = z.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/modelfile/structure/form_parts.h"

namespace driftless {

namespace {

class HessenbergPlanner {
 public:
  explicit HessenbergPlanner(Reduction& reduction) : r_(reduction), graph_(reduction.model.graph) {}

  FormPlan run() {
    sort_into_levels();
    sort_unknowns();
    FormPlan plan = most_ == 2 ? third() : second();
    plan.index = index_;
    return plan;
  }

 private:
  // Rows on the last level must not contain derivatives; those that do get the derivative as an unknown of its own, the
  // same one for all of them: two would make the rows x' = p of both constraints, which never ends.
  void sort_into_levels() {
    for (int attempt = 0;; ++attempt) {
      levels_ = structural_index(r_.unknowns.size(), occurrences(r_), 2);
      if (levels_.too_high) refuse_index();
      if (attempt == 0) index_ = levels_.index;
      most_ = std::max(1, r_.rows.empty() ? 0 : std::ranges::max(levels_.differentiations));
      bool again = false;
      const std::size_t rows = r_.rows.size();
      for (std::size_t i = 0; i < rows; ++i)
        if (levels_.differentiations[i] == most_ && r_.rows[i].has_derivative) {
          isolate(i);
          again = true;
        }
      if (!again) return;
    }
  }

  void isolate(std::size_t row) {
    std::unordered_map<std::uint32_t, Expr> by_slot;
    const std::vector<Occurrence> found = r_.rows[row].unknowns;
    for (const Occurrence& o : found) {
      if (o.order == 0) continue;
      const Unknown unknown = r_.unknowns[o.unknown];
      by_slot[unknown.derivative] = derivative_as_unknown(o.unknown, unknown);
    }
    r_.rows[row].residual = substitute(graph_, r_.rows[row].residual, by_slot);
    r_.refresh(r_.rows[row]);
  }

  // p with a row x' = p.
  Expr derivative_as_unknown(std::uint32_t x, const Unknown& unknown) {
    const auto [found, is_new] = derivatives_.try_emplace(x);
    if (is_new) {
      found->second = graph_.input(r_.unknowns[r_.add_unknown(fmt::format("der({})", unknown.name))].slot);
      r_.add_row(graph_.subtract(graph_.input(unknown.derivative), found->second), {});
    }
    return found->second;
  }

  [[noreturn]] void refuse_index() const {
    std::vector<std::string> constraints, chain, names;
    SourcePlace place;
    for (const std::size_t i : levels_.blamed_rows) {
      if (r_.rows[i].equations.empty()) continue;
      const bool last = levels_.differentiations[i] == 2;
      (last ? constraints : chain).push_back(quote(r_.model, r_.rows[i]));
      if (last) place = place_of(r_.model, r_.rows[i]);
    }
    for (const std::size_t k : levels_.blamed_unknowns) names.push_back(r_.unknowns[k].name);
    for (auto* list : {&constraints, &chain, &names})
      if (list->size() > 6) list->resize(6);
    throw Refusal{
        {{place,
          fmt::format("the index is 4 or higher: {} would have to be differentiated more than twice{}{}",
                      fmt::join(constraints, ", "),
                      names.empty() ? "" : fmt::format(" until something determines {}", fmt::join(names, ", ")),
                      chain.empty() ? "" : fmt::format("; it is tied to them by {}", fmt::join(chain, ", "))),
          "replace the constraint by its derivative, which lowers the index by one, or let its multiplier "
          "act closer to it"}}};
  }

  void sort_unknowns() {
    for (std::uint32_t k = 0; k < r_.unknowns.size(); ++k) {
      Components& level = levels_.orders[k] >= 2 ? u_ : levels_.orders[k] == 1 ? v_ : lambda_;
      (levels_.orders[k] >= 2 ? u_of_ : v_of_).emplace_back(k);
      if (levels_.orders[k] == 0) v_of_.pop_back();
      level.push_back(component_of(r_.unknowns[k]));
    }
  }

  // Rows of level c whose derivatives of `unknowns` determine them; entry k is the row of unknown k, or none.
  std::vector<std::size_t> rows_for(const std::vector<std::uint32_t>& unknowns, int c, std::vector<char>& used) const {
    std::vector<std::uint32_t> position(r_.unknowns.size(), unmatched);
    for (std::uint32_t k = 0; k < unknowns.size(); ++k) position[unknowns[k]] = k;
    Incidence incidence{.columns = unknowns.size(), .rows = {}};
    for (std::size_t i = 0; i < r_.rows.size(); ++i) {
      auto& columns = incidence.rows.emplace_back();
      if (levels_.differentiations[i] != c) continue;
      for (const Occurrence& o : r_.rows[i].unknowns)
        if (o.order == 1 && position[o.unknown] != unmatched) columns.push_back(position[o.unknown]);
    }
    const Matching matching = maximum_matching(incidence);
    std::vector<std::size_t> result(unknowns.size(), SIZE_MAX);
    for (std::size_t k = 0; k < unknowns.size(); ++k)
      if (matching.row_of_column[k] != unmatched) {
        result[k] = matching.row_of_column[k];
        used[result[k]] = 1;
      }
    return result;
  }

  // Its meaning is 0 for what has to vanish; multipliers that are second derivatives have none and are computed.
  Component introduce(std::string name, Expr meaning = {}) {
    return {
        .name = std::move(name), .slot = r_.new_slot(), .rate = r_.new_slot(), .introduced = true, .meaning = meaning};
  }
  Expr rate_of(const Component& c) { return graph_.input(c.rate); }
  Expr value_of(const Component& c) { return graph_.input(c.slot); }

  Constraint constraint(std::size_t row) const {
    return {.value = r_.rows[row].residual, .name = quote(r_.model, r_.rows[row]), .row = row, .level = level(row)};
  }
  Constraint zero(const Component& z, std::size_t row, int integrated) {
    Constraint g = constraint(row);
    g.value = value_of(z);
    g.integrated = integrated;
    return g;
  }
  int level(std::size_t row) const { return levels_.differentiations[row] + 1; }

  // Rates of components from the rows of level c; multipliers stand in where there is none.
  std::vector<Expr> rates_of(const Components& components, const std::vector<std::uint32_t>& unknowns, int c,
                             Components& stand_ins, std::vector<char>& used) {
    const std::vector<std::size_t> rows = rows_for(unknowns, c, used);
    std::vector<Expr> residuals;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k] != SIZE_MAX) {
        residuals.push_back(r_.rows[rows[k]].residual);
        continue;
      }
      stand_ins.push_back(introduce(fmt::format("der({})", components[k].name), rate_of(components[k])));
      residuals.push_back(graph_.subtract(rate_of(components[k]), value_of(stand_ins.back())));
    }
    return residuals;
  }

  FormPlan second() {
    std::vector<char> used(r_.rows.size(), 0);
    Index2Plan plan{.u = v_, .lambda = lambda_, .rates = {}, .g = {}};
    std::vector<Expr> residuals = rates_of(plan.u, v_of_, 0, plan.lambda, used);
    if (auto wide = nonholonomic(plan, residuals, used)) return *std::move(wide);
    for (std::size_t i = 0; i < r_.rows.size(); ++i) {
      if (levels_.differentiations[i] == 1) {
        plan.g.push_back(constraint(i));
      } else if (!used[i]) {
        plan.u.push_back(introduce(fmt::format("integral of {}", quote(r_.model, r_.rows[i]))));
        residuals.push_back(graph_.subtract(rate_of(plan.u.back()), r_.rows[i].residual));
        plan.g.push_back(zero(plan.u.back(), i, 1));
      }
    }
    plan.rates = solve_rates(graph_, plan.u, std::move(residuals));
    return {.form = std::move(plan)};
  }

  // Mechanics whose constraints are all on velocities.
  std::optional<FormPlan> nonholonomic(const Index2Plan& plan, const std::vector<Expr>& residuals,
                                       const std::vector<char>& used) {
    SecondOrder system{.u = {}, .v = plan.u, .lambda = plan.lambda, .u_rows = {}, .v_rows = residuals, .g = {}};
    std::vector<Constraint> on_velocities;
    for (std::size_t i = 0; i < r_.rows.size(); ++i) {
      if (levels_.differentiations[i] == 1)
        on_velocities.push_back(constraint(i));
      else if (!used[i])
        return std::nullopt;
    }
    std::string why_not;  // an index 2 of other things is nobody's mechanics
    return plan_wide(r_, system, on_velocities, why_not);
  }

  FormPlan third() {
    std::vector<char> used(r_.rows.size(), 0);
    SecondOrder system{.u = u_, .v = v_, .lambda = lambda_, .u_rows = {}, .v_rows = {}, .g = {}};
    Components speeds;  // u' = w, w' = multiplier
    system.u_rows = rates_of(system.u, u_of_, 1, speeds, used);
    system.v_rows = rates_of(system.v, v_of_, 0, system.lambda, used);
    for (const Component& w : speeds) {
      system.v.push_back(w);
      system.lambda.push_back(introduce(fmt::format("der({})", w.name)));
      system.v_rows.push_back(graph_.subtract(rate_of(w), value_of(system.lambda.back())));
    }
    SecondOrder as_written = system;
    std::vector<Constraint> on_velocities;
    std::string why_not;
    for (std::size_t i = 0; i < r_.rows.size(); ++i) {
      const int c = levels_.differentiations[i];
      if (c == 2) {
        system.g.push_back(constraint(i));
      } else if (!used[i]) {
        if (c == 1) on_velocities.push_back(constraint(i));
        if (c == 0)
          why_not = fmt::format("{} has neither a derivative nor a force of a constraint to determine",
                                quote(r_.model, r_.rows[i]));
        integrate(system, i, c == 0);
      }
    }
    as_written.g.assign(system.g.begin(), system.g.end());
    std::erase_if(as_written.g, [](const Constraint& g) { return g.integrated > 0; });
    if (auto plan = plan_mechanical(r_, system)) return *std::move(plan);
    if (why_not.empty())
      if (auto plan = plan_wide(r_, as_written, on_velocities, why_not)) return *std::move(plan);
    Index3Plan plan{.u = system.u, .v = system.v, .lambda = system.lambda, .u_rates = {}, .rates = {}, .g = system.g};
    plan.u_rates = solve_rates(graph_, plan.u, system.u_rows);
    Components both = plan.u;
    both.insert(both.end(), plan.v.begin(), plan.v.end());
    std::vector<Expr> rows = system.u_rows;
    rows.insert(rows.end(), system.v_rows.begin(), system.v_rows.end());
    plan.rates = solve_rates(graph_, both, std::move(rows));
    return {.form = std::move(plan), .index = 0, .replaced = {}, .not_mechanical = std::move(why_not)};
  }

  // h = 0 on velocity level: z' = h, 0 = z. On acceleration level: z' = w, w' = h, 0 = z.
  void integrate(SecondOrder& system, std::size_t row, bool twice) {
    const std::string text = quote(r_.model, r_.rows[row]);
    const Component z = introduce(fmt::format("{} of {}", twice ? "double integral" : "integral", text));
    Expr rate = r_.rows[row].residual;
    if (twice) {
      const Component w = introduce(fmt::format("integral of {}", text));
      system.v.push_back(w);
      system.v_rows.push_back(graph_.subtract(rate_of(w), rate));
      rate = value_of(w);
    }
    system.u.push_back(z);
    system.u_rows.push_back(graph_.subtract(rate_of(z), rate));
    system.g.push_back(zero(z, row, twice ? 2 : 1));
  }

  Reduction& r_;
  Graph& graph_;
  StructuralIndex levels_;
  int index_ = 0, most_ = 1;
  std::unordered_map<std::uint32_t, Expr> derivatives_;  // that are unknowns, by the unknown they are of
  Components u_, v_, lambda_;                            // by order 2, 1, 0
  std::vector<std::uint32_t> u_of_, v_of_;               // the unknowns of u and v
};

}  // namespace

FormPlan plan_hessenberg(Reduction& reduction) { return HessenbergPlanner(reduction).run(); }

}  // namespace driftless
