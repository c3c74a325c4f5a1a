// Index 0 and 1: rows with derivatives determine derivatives, rows without determine the rest. With a constant matrix
// of the derivatives any such model is P x' = f(x, t).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "driftless/core/matrix.h"
#include "driftless/equations/index1.h"
#include "driftless/expression/differentiate.h"
#include "driftless/linalg/lu.h"
#include "driftless/modelfile/structure/dense_numbers.h"
#include "driftless/modelfile/structure/form_parts.h"

namespace driftless {

namespace {

class Index1Planner {
 public:
  explicit Index1Planner(Reduction& reduction)
      : r_(reduction), graph_(reduction.model.graph), n_(reduction.unknowns.size()), factors_(reduction.rows.size()) {}

  std::optional<FormPlan> run() {
    if (!match()) return std::nullopt;
    read_factors();
    const auto is_state = [](const Unknown& u) { return u.differentiated; };
    const auto states = static_cast<std::size_t>(std::ranges::count_if(r_.unknowns, is_state));
    const auto rows = static_cast<std::size_t>(std::ranges::count_if(r_.rows, &Row::has_derivative));
    if (constant_) return constant_matrix();
    if (rows != states) return std::nullopt;
    return states == n_ ? ordinary() : semi_explicit(states);
  }

 private:
  struct Factor {
    std::uint32_t unknown;
    Expr value;
  };

  // A perfect matching of rows with derivatives to derivatives, and of the others to unknowns.
  bool match() {
    Incidence incidence{.columns = n_, .rows = {}};
    for (const Row& row : r_.rows) {
      auto& columns = incidence.rows.emplace_back();
      for (const Occurrence& o : row.unknowns)
        if (o.order == (row.has_derivative ? 1 : 0) || !row.has_derivative) columns.push_back(o.unknown);
    }
    matching_ = maximum_matching(incidence);
    return matching_.size == n_;
  }

  void read_factors() {
    for (std::size_t i = 0; i < r_.rows.size(); ++i)
      for (const Occurrence& o : r_.rows[i].unknowns) {
        if (o.order == 0) continue;
        factors_[i].push_back(
            {o.unknown, differentiate(graph_, r_.rows[i].residual, r_.unknowns[o.unknown].derivative)});
        constant_ &= graph_.is_constant(factors_[i].back().value);
      }
  }

  // Blocks of unknowns whose derivatives occur together, with the rows matched to them.
  std::vector<std::vector<std::uint32_t>> blocks() const {
    std::vector<std::uint32_t> group(n_);
    std::iota(group.begin(), group.end(), 0U);
    const auto find = [&](std::uint32_t k) {
      while (group[k] != k) k = group[k] = group[group[k]];
      return k;
    };
    for (const auto& row : factors_)
      for (const Factor& f : row) group[find(f.unknown)] = find(row[0].unknown);
    std::vector<std::vector<std::uint32_t>> members(n_), result;
    for (std::uint32_t k = 0; k < n_; ++k) members[find(k)].push_back(k);
    for (auto& block : members)
      if (!block.empty()) result.push_back(std::move(block));
    return result;
  }

  FormPlan constant_matrix() {
    Index1Plan plan{.x = {}, .projector = {}, .rates = {}, .f = std::vector<Expr>(n_), .equation_names = {}};
    plan.equation_names.resize(n_);
    for (const Unknown& unknown : r_.unknowns) plan.x.push_back(component_of(unknown));
    bool algebraic = false;
    for (const auto& block : blocks()) algebraic |= !add_block(plan, block);
    return {.form = std::move(plan), .index = algebraic ? 1 : 0};
  }

  // A x' = g for one block; false if A is singular.
  bool add_block(Index1Plan& plan, const std::vector<std::uint32_t>& block) {
    const std::size_t n = block.size();
    Numbers a(n * n, 0.0);
    std::vector<Expr> g(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t row = matching_.row_of_column[block[i]];
      for (const Factor& f : factors_[row])
        a[i * n + static_cast<std::size_t>(std::ranges::find(block, f.unknown) - block.begin())] =
            graph_.number(f.value);
      g[i] = graph_.negate(without_derivatives(r_, r_.rows[row]));
      plan.equation_names[block[i]] = name(row, block[i]);
    }
    if (add_regular(plan, block, a, g)) return true;
    const Numbers unit = take_units(a, n);
    Matrix ratios(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) ratios(i, j) = a[i * n + j].pinned();
    const ProjectorForm form = projector_form(ratios);
    add_algebraic(plan, block, form.transform, unit);
    bool regular = true;
    for (std::size_t i = 0; i < n; ++i) {
      Expr sum{};
      for (std::size_t j = 0; j < n; ++j) {
        if (form.projector(i, j) != 0.0) plan.projector.push_back({block[i], block[j], form.projector(i, j)});
        if (std::abs(form.transform(i, j)) > 1e-15 * std::abs(form.transform(i, i)))
          sum = graph_.add(sum, graph_.multiply(graph_.constant(form.transform(i, j) / unit[j]), g[j]));
        regular &= std::abs(form.projector(i, j) - (i == j ? 1.0 : 0.0)) < 1e-10;
      }
      plan.f[block[i]] = sum;
    }
    return regular;
  }

  // A that depends on parameters, and is regular: x' = A^-1 g.
  bool add_regular(Index1Plan& plan, const std::vector<std::uint32_t>& block, const Numbers& a,
                   const std::vector<Expr>& g) const {
    const std::size_t n = block.size();
    if (std::ranges::none_of(a, &Number::depends)) return false;
    const auto inverse = inverse_of(a, n);
    if (!inverse) return false;
    for (std::size_t i = 0; i < n; ++i) {
      Expr sum{};
      for (std::size_t j = 0; j < n; ++j)
        sum = graph_.add(sum, graph_.multiply(graph_.constant((*inverse)[i * n + j]), g[j]));
      plan.projector.push_back({block[i], block[i], 1.0});
      plan.f[block[i]] = sum;
    }
    return true;
  }

  // C (x' - y') = ...: a row of multiples of one number that depends on parameters is that number times a row that
  // does not. The units are those numbers, positive; rows without derivatives take the unit of another one, as the
  // algebraic equations count in proportion to the differential ones; other rows have 1.
  static Numbers take_units(Numbers& a, std::size_t n) {
    Numbers unit(n, 1.0);
    const auto other = std::ranges::find_if(a, &Number::depends);
    for (std::size_t i = 0; i < n && other != a.end(); ++i) {
      const auto row = std::span(a).subspan(i * n, n);
      const auto first = std::ranges::find_if(row, &Number::depends);
      if (first != row.end())
        unit[i] = abs(*first);
      else if (std::ranges::all_of(row, [](Number x) { return x.is_plainly(0.0); }))
        unit[i] = abs(*other);
    }
    for (std::size_t k = 0; k < a.size(); ++k)
      if (unit[k / n].depends() && !a[k].is_plainly(0.0)) a[k] /= unit[k / n];
    return unit;
  }

  // f = T D^-1 g with units D: a row g_i without derivatives is w . f with T^T w = D e_i.
  void add_algebraic(Index1Plan& plan, const std::vector<std::uint32_t>& block, const Matrix& transform,
                     const Numbers& unit) const {
    const std::size_t n = block.size();
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < n; ++i)
      if (factors_[matching_.row_of_column[block[i]]].empty()) rows.push_back(i);
    if (rows.empty()) return;
    RealLu lu(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) lu.matrix()(i, j) = transform(j, i);
    if (!lu.factorise()) return;
    for (const std::size_t i : rows) {
      Vector w(n, 0.0);
      w[i] = 1.0;
      lu.solve(w);
      auto& parts = plan.algebraic.emplace_back();
      for (std::size_t j = 0; j < n; ++j)
        if (w[j] != 0.0) parts.push_back({block[j], unit[i] * w[j]});
    }
  }

  std::string name(std::uint32_t row, std::uint32_t unknown) const {
    return r_.rows[row].equations.empty() ? fmt::format("equation of {}", r_.unknowns[unknown].name)
                                          : quote(r_.model, r_.rows[row]);
  }

  void take_states(Components& components, std::vector<Expr>& residuals) const {
    for (std::uint32_t k = 0; k < n_; ++k) {
      if (!r_.unknowns[k].differentiated) continue;
      components.push_back(component_of(r_.unknowns[k]));
      residuals.push_back(r_.rows[matching_.row_of_column[k]].residual);
    }
  }

  // Gamma(x, t) x' = f(x, t), or second-order equations with a mass matrix.
  FormPlan ordinary() {
    SecondOrder system;
    take_states(system.v, system.v_rows);
    if (auto plan = plan_mechanical(r_, system)) return *std::move(plan);
    Rates rates = solve_rates(graph_, system.v, system.v_rows);
    return {.form = Index2Plan{.u = std::move(system.v), .lambda = {}, .rates = std::move(rates), .g = {}}, .index = 0};
  }

  // A(x, y, t) x' = b(x, y, t), 0 = h(x, y, t).
  FormPlan semi_explicit(std::size_t states) {
    Index1Plan plan{.x = {}, .projector = {}, .rates = {}, .f = {}, .equation_names = {}};
    std::vector<Expr> residuals;
    take_states(plan.x, residuals);
    plan.rates = solve_rates(graph_, plan.x, residuals);
    for (std::uint32_t i = 0; i < states; ++i) plan.projector.push_back({i, i, 1.0});
    for (const bool differentiated : {true, false})
      for (std::uint32_t k = 0; k < n_; ++k) {
        if (r_.unknowns[k].differentiated != differentiated) continue;
        const std::uint32_t row = matching_.row_of_column[k];
        plan.equation_names.push_back(name(row, k));
        if (differentiated) continue;
        plan.algebraic.push_back({{static_cast<std::uint32_t>(plan.x.size()), 1.0}});
        plan.x.push_back(component_of(r_.unknowns[k]));
        plan.f.push_back(graph_.negate(r_.rows[row].residual));
      }
    return {.form = std::move(plan), .index = 1};
  }

  Reduction& r_;
  Graph& graph_;
  std::size_t n_;
  std::vector<std::vector<Factor>> factors_;
  Matching matching_;
  bool constant_ = true;
};

}  // namespace

std::optional<FormPlan> plan_index1(Reduction& reduction) { return Index1Planner(reduction).run(); }

}  // namespace driftless
