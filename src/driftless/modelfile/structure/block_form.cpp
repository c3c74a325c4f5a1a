#include "driftless/modelfile/structure/block_form.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "driftless/modelfile/structure/dense_numbers.h"
#include "driftless/modelfile/structure/mixed_multipliers.h"

namespace driftless {

namespace {

constexpr double cancelled = 1e-12;         // next to the largest of its row: what is left after a subtraction
constexpr std::size_t most_permuted = 6;    // rows whose orders are all tried
constexpr std::size_t most_factorised = 3;  // rows of which all orders are tried on both sides

Numbers column_at(const std::vector<Numbers>& points, std::size_t entry) {
  Numbers result;
  for (const Numbers& at : points) result.push_back(at[entry]);
  return result;
}

}  // namespace

Number constant_quotient(const Numbers& a, const Numbers& b) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Number quotient = none;
  bool seen = false;
  for (std::size_t p = 0; p < a.size(); ++p) {
    if (!isfinite(a[p]) || !isfinite(b[p]) || (a[p] == 0.0 && b[p] == 0.0)) continue;
    if (a[p] == 0.0 || b[p] == 0.0) return none;
    const Number here = a[p] / b[p];
    if (seen && !(abs(here - quotient) <= 1e-9 * abs(quotient))) return none;
    if (!seen) quotient = here;
    seen = true;
  }
  return quotient;
}

bool BlockForm::add_ratios(std::uint32_t j, std::uint32_t k, std::vector<UnitRatio>& ratios) const {
  for (std::size_t unit = 0; unit < units(); ++unit) {
    std::optional<Numbers> common;
    for (std::size_t i = units() == 1 ? 0 : unit; i < (units() == 1 ? rows_.size() : unit + 1); ++i) {
      const std::size_t b = i * multipliers_ + j, c = i * multipliers_ + k;
      const bool acts = reaction_[b] != Expr{};
      if (acts != (gradient_[c] != Expr{})) return false;
      if (!acts) continue;
      Numbers ratio;
      for (std::size_t p = 0; p < reaction_at_.size(); ++p) ratio.push_back(reaction_at_[p][b] / gradient_at_[p][c]);
      if (common) {
        const Number same = constant_quotient(*common, ratio);
        if (!(abs(same - Number(1.0)) <= 1e-9)) return false;
      }
      if (!common) common = std::move(ratio);
    }
    if (common) ratios.push_back({unit, *std::move(common)});
  }
  return true;
}

void BlockForm::add_products(Graph& graph, const Numbers& scale, std::uint32_t j,
                             const std::vector<std::uint32_t>& constraints, NormalEquations& equations) const {
  const std::size_t n = constraints.size();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Expr b = graph.multiply(graph.constant(scale[units() == 1 ? 0 : i]), reaction_[i * multipliers_ + j]);
    for (std::size_t k = 0; k < n; ++k) {
      const Expr c = gradient_[i * multipliers_ + constraints[k]];
      equations.right[k] = graph.add(equations.right[k], graph.multiply(c, b));
      for (std::size_t l = 0; l < n; ++l) {
        Expr& entry = equations.matrix[k * n + l];
        entry = graph.add(entry, graph.multiply(c, gradient_[i * multipliers_ + constraints[l]]));
      }
    }
  }
}

void BlockForm::append(ForcesAtPoints& forces, std::size_t first_unit) const {
  forces.reaction.resize(reaction_at_.size());
  forces.gradient.resize(gradient_at_.size());
  for (std::size_t p = 0; p < reaction_at_.size(); ++p) {
    forces.reaction[p].insert(forces.reaction[p].end(), reaction_at_[p].begin(), reaction_at_[p].end());
    forces.gradient[p].insert(forces.gradient[p].end(), gradient_at_[p].begin(), gradient_at_[p].end());
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) forces.unit_of_row.push_back(first_unit + (units() == 1 ? 0 : i));
  forces.rows += rows_.size();
}

void BlockForm::sample(const DynamicSystem& system) {
  multipliers_ = system.multipliers();
  drop_zeros(system.graph(), system.points(), reaction_, multipliers_);
  drop_zeros(system.graph(), system.points(), gradient_, multipliers_);
  reaction_at_ = system.points().values(system.graph(), reaction_);
  gradient_at_ = system.points().values(system.graph(), gradient_);
}

void BlockForm::assemble(Graph& graph, const DynamicSystem& system, const Numbers& scale, SparseExpressions& mass,
                         std::vector<Expr>& force) const {
  const std::size_t n = rows_.size();
  const auto times = [&](Number factor, Expr e) { return graph.multiply(graph.constant(factor), e); };
  if (lower_.empty()) {
    for (std::size_t i = 0; i < n; ++i) {
      const Number d = scale[0] * row_scale_[i];
      for (std::size_t j = i; j < n; ++j) {  // the rest is the same only where the constraints hold
        const Expr m = system.mass(rows_[i], columns_[j]);
        if (graph.vanishes(m)) continue;
        mass.push_back({columns_[i], columns_[j], times(d, m)});
        if (i != j) mass.push_back({columns_[j], columns_[i], mass.back().value});
      }
      force[columns_[i]] = times(d, system.force(rows_[i]));
    }
    return;
  }
  std::vector<Expr> part(n);  // D L^-1 f
  for (std::size_t i = 0; i < n; ++i) {
    Expr sum = system.force(rows_[i]);
    for (std::size_t k = 0; k < i; ++k) sum = graph.subtract(sum, graph.multiply(lower_[i * n + k], part[k]));
    part[i] = graph.divide(sum, lower_[i * n + i]);
  }
  for (std::size_t i = 0; i < n; ++i) part[i] = times(scale[i], part[i]);
  for (std::size_t i = 0; i < n; ++i) {
    Expr sum{};
    for (std::size_t k = 0; k <= i; ++k) sum = graph.add(sum, graph.multiply(upper_[k * n + i], part[k]));
    force[columns_[i]] = sum;
    for (std::size_t j = 0; j < n; ++j) {
      Expr entry{};
      for (std::size_t k = 0; k <= std::min(i, j); ++k)
        entry = graph.add(entry, times(scale[k], graph.multiply(upper_[k * n + i], upper_[k * n + j])));
      if (!graph.vanishes(entry)) mass.push_back({columns_[i], columns_[j], entry});
    }
  }
}

class FormSearch {
 public:
  FormSearch(const DynamicSystem& system, const MassBlock& block)
      : system_(system), graph_(system.graph()), block_(block), n_(block.rows.size()) {
    for (const std::uint32_t i : block.rows)
      for (const std::uint32_t j : block.columns) entries_.push_back(system.mass(i, j));
    at_ = system.points().values(graph_, entries_);
  }

  std::vector<BlockForm> run() {
    if (n_ <= most_permuted)
      for_all_orders([&](const std::vector<std::size_t>& order) {
        if (const auto scale = symmetric(order)) add_whole(order, *scale);
        return forms_.empty();
      });
    else if (const auto scale = symmetric(as_they_are()))
      add_whole(as_they_are(), *scale);
    if (n_ > 1 && n_ <= most_permuted) add_factorised();
    std::ranges::move(others_, std::back_inserter(forms_));
    return std::move(forms_);
  }

 private:
  std::vector<std::size_t> as_they_are() const {
    std::vector<std::size_t> order(n_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }
  // Until `visit` returns false.
  template <class F>
  void for_all_orders(F visit) const {
    std::vector<std::size_t> order = as_they_are();
    while (visit(order) && std::ranges::next_permutation(order).found) {
    }
  }
  bool vanishes(std::size_t row, std::size_t column) const { return graph_.vanishes(entries_[row * n_ + column]); }
  Numbers at(std::size_t row, std::size_t column) const { return column_at(at_, row * n_ + column); }

  // Scales of the rows that make the block symmetric and positive definite, row order[i] being that of velocity i.
  std::optional<Numbers> symmetric(const std::vector<std::size_t>& order) const {
    for (std::size_t i = 0; i < n_; ++i) {
      if (vanishes(order[i], i)) return std::nullopt;
      for (std::size_t j = 0; j < i; ++j)
        if (vanishes(order[i], j) != vanishes(order[j], i)) return std::nullopt;
    }
    Numbers scale(n_, 0.0);
    std::vector<std::size_t> queue{0};
    scale[0] = at_[0][order[0] * n_] < 0.0 ? -1.0 : 1.0;
    for (std::size_t k = 0; k < queue.size(); ++k)
      for (std::size_t j = 0; j < n_; ++j) {
        const std::size_t i = queue[k];
        if (j == i || vanishes(order[i], j)) continue;
        const Number wanted = scale[i] * constant_quotient(at(order[i], j), at(order[j], i));
        if (!isfinite(wanted)) return std::nullopt;
        if (scale[j] == 0.0) {
          scale[j] = wanted;
          queue.push_back(j);
        }
        if (!(abs(scale[j] - wanted) <= 1e-8 * abs(wanted))) return std::nullopt;
      }
    if (queue.size() < n_ || !definite(order, scale)) return std::nullopt;
    return scale;
  }

  bool definite(const std::vector<std::size_t>& order, const Numbers& scale) const {
    bool seen = false;
    for (const Numbers& values : at_) {
      Numbers a;
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) a.push_back(scale[i] * values[order[i] * n_ + j]);
      if (!std::ranges::all_of(a, [](Number x) { return isfinite(x); })) continue;
      if (!is_positive_definite(std::move(a), n_)) return false;
      seen = true;
    }
    return seen;
  }

  void add_whole(const std::vector<std::size_t>& order, const Numbers& scale) {
    BlockForm form;
    form.row_scale_ = scale;
    form.columns_ = block_.columns;
    for (const std::size_t i : order) form.rows_.push_back(block_.rows[i]);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::uint32_t j = 0; j < system_.multipliers(); ++j) {
        form.reaction_.push_back(graph_.multiply(graph_.constant(scale[i]), system_.reaction(form.rows_[i], j)));
        form.gradient_.push_back(system_.gradient(j, form.columns_[i]));
      }
    form.sample(system_);
    forms_.push_back(std::move(form));
  }

  // Few rows in all orders, more of them with those first that couple least.
  void add_factorised() {
    const auto with_rows = [&](const std::vector<std::size_t>& rows) {
      if (n_ > most_factorised) return factorise(rows, by_count(true));
      for_all_orders([&](const std::vector<std::size_t>& columns) {
        factorise(rows, columns);
        return true;
      });
    };
    if (n_ > most_factorised) return with_rows(by_count(false));
    for_all_orders([&](const std::vector<std::size_t>& rows) {
      with_rows(rows);
      return true;
    });
  }
  std::vector<std::size_t> by_count(bool columns) const {
    std::vector<std::size_t> order = as_they_are(), count(n_, 0);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) count[columns ? j : i] += vanishes(i, j) ? 0 : 1;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return count[i]; });
    return order;
  }

  // Of what is left of an entry: next to what was in its row.
  bool is_zero(Expr e, std::size_t row) const {
    if (graph_.vanishes(e)) return true;
    const std::vector<Numbers> values = system_.points().values(graph_, std::span(&e, 1));
    bool zero = true;
    for (std::size_t p = 0; p < values.size(); ++p) {
      Number largest = 0.0;
      for (std::size_t j = 0; j < n_; ++j) largest = max(largest, abs(at_[p][row * n_ + j]));
      zero &= !(abs(values[p][0]) > cancelled * largest);
    }
    return zero;
  }

  void factorise(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
    BlockForm form;
    for (const std::size_t i : rows) form.rows_.push_back(block_.rows[i]);
    for (const std::size_t j : columns) form.columns_.push_back(block_.columns[j]);
    form.lower_.resize(n_ * n_);
    form.upper_.resize(n_ * n_);
    auto &l = form.lower_, &u = form.upper_;
    const auto reduced = [&](std::size_t i, std::size_t j, std::size_t below) {
      Expr sum = system_.mass(form.rows_[i], form.columns_[j]);
      for (std::size_t k = 0; k < below; ++k) sum = graph_.subtract(sum, graph_.multiply(l[i * n_ + k], u[k * n_ + j]));
      return sum;
    };
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t i = k; i < n_; ++i) l[i * n_ + k] = reduced(i, k, k);
      if (is_zero(l[k * n_ + k], rows[k])) return;
      u[k * n_ + k] = graph_.constant(1.0);
      for (std::size_t j = k + 1; j < n_; ++j)
        if (const Expr entry = reduced(k, j, k); !is_zero(entry, rows[k]))
          u[k * n_ + j] = graph_.divide(entry, l[k * n_ + k]);
    }
    transform(form);
    form.sample(system_);
    (agrees_with_some(form) ? forms_ : others_).push_back(std::move(form));
  }

  // L^-1 B and (C U^-1)^T.
  void transform(BlockForm& form) const {
    const std::size_t m = system_.multipliers();
    form.reaction_.resize(n_ * m);
    form.gradient_.resize(n_ * m);
    for (std::uint32_t j = 0; j < m; ++j)
      for (std::size_t i = 0; i < n_; ++i) {
        Expr b = system_.reaction(form.rows_[i], j), c = system_.gradient(j, form.columns_[i]);
        for (std::size_t k = 0; k < i; ++k) {
          b = graph_.subtract(b, graph_.multiply(form.lower_[i * n_ + k], form.reaction_[k * m + j]));
          c = graph_.subtract(c, graph_.multiply(form.gradient_[k * m + j], form.upper_[k * n_ + i]));
        }
        form.reaction_[i * m + j] = graph_.divide(b, form.lower_[i * n_ + i]);
        form.gradient_[i * m + j] = c;
      }
  }

  // Every multiplier is along some constraint.
  bool agrees_with_some(const BlockForm& form) const {
    const auto m = static_cast<std::uint32_t>(system_.multipliers());
    for (std::uint32_t j = 0; j < m; ++j) {
      bool any = false;
      for (std::uint32_t k = 0; k < m && !any; ++k) {
        std::vector<UnitRatio> ratios;
        any = form.add_ratios(j, k, ratios) && std::ranges::all_of(ratios, [&](const UnitRatio& r) {
                return !isnan(constant_quotient(ratios.front().at_points, r.at_points));
              });
      }
      if (!any) return false;
    }
    return true;
  }

  const DynamicSystem& system_;
  Graph& graph_;
  const MassBlock& block_;
  const std::size_t n_;
  std::vector<Expr> entries_;
  std::vector<Numbers> at_;
  std::vector<BlockForm> forms_, others_;  // those whose multipliers are each along a constraint come first
};

std::vector<BlockForm> forms_of(const DynamicSystem& system, const MassBlock& block) {
  return FormSearch(system, block).run();
}

}  // namespace driftless
