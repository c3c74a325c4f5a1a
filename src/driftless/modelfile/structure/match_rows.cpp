#include "driftless/modelfile/structure/match_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/core/stop.h"
#include "driftless/modelfile/structure/block_form.h"
#include "driftless/modelfile/structure/incidence.h"
#include "driftless/modelfile/structure/mixed_multipliers.h"

namespace driftless {

namespace {

constexpr double most_work = 1e8;  // operations on all combinations of forms of blocks, about

class RowMatcher {
 public:
  RowMatcher(Graph& graph, const SamplePoints& points, const DynamicRows& rows, const SparseExpressions& gradient)
      : graph_(graph), rows_(rows), system_(graph, points, rows, gradient), m_(rows.multipliers) {}

  const std::string& why_not() const { return why_not_; }

  std::optional<MatchedRows> run() {
    for (const MassBlock& block : system_.blocks()) {
      if (block.rows.size() == block.columns.size()) forms_.push_back(forms_of(system_, block));
      if (block.rows.size() != block.columns.size() || forms_.back().empty()) {
        blame_mass(block);
        return std::nullopt;
      }
    }
    chosen_.assign(forms_.size(), 0);
    const auto n = static_cast<double>(system_.size()), m = static_cast<double>(m_);
    const double work = 4.0 * n * m * (n + m);
    for (double tried = 0.0; tried < most_work / work; tried += 1.0) {
      check_stop();
      if (auto matched = match()) return matched;
      std::size_t k = 0;  // the next combination
      while (k < chosen_.size() && ++chosen_[k] == forms_[k].size()) chosen_[k++] = 0;
      if (k == chosen_.size()) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  const BlockForm& form(std::size_t block) const { return forms_[block][chosen_[block]]; }

  std::optional<MatchedRows> match() {
    if (!(pair_constraints() && spread()) && !mix()) return std::nullopt;
    MatchedRows result{.mass = {}, .force = std::vector<Expr>(system_.size()), .mix = std::vector<Expr>(m_ * m_)};
    for (std::size_t b = 0; b < forms_.size(); ++b)
      form(b).assemble(graph_, system_, scales_of(b), result.mass, result.force);
    for (std::uint32_t j = 0; j < m_; ++j) express_column(j, result.mix);
    return result;
  }

  // A multiplier belongs to a constraint if in every block its forces are along the gradient.
  bool pair_constraints() {
    Incidence fits{.columns = m_, .rows = std::vector<std::vector<std::uint32_t>>(m_)};
    for (std::uint32_t j = 0; j < m_; ++j)
      for (std::uint32_t k = 0; k < m_; ++k)
        if (fit(j, k)) fits.rows[j].push_back(k);
    if (why_not_.empty()) blame_forces(fits);
    const Matching matching = maximum_matching(fits);
    constraint_of_ = matching.column_of_row;
    return matching.size == m_;
  }

  void blame_mass(const MassBlock& block) {
    std::vector<std::string> names;
    for (const std::uint32_t j : block.columns) names.push_back(rows_.velocity_names[j]);
    why_not_ = fmt::format("the masses of {} are not symmetric and positive definite, however rows are scaled",
                           fmt::join(names, ", "));
  }
  void blame_forces(const Incidence& fits) {
    std::vector<std::string> names;
    for (std::uint32_t j = 0; j < m_; ++j)
      if (fits.rows[j].empty()) names.push_back(rows_.multiplier_names[j]);
    why_not_ = names.empty()
                   ? "its forces of constraints are not along the gradients, however rows are scaled"
                   : fmt::format("what {} acts along is not the gradient of a constraint, however rows are scaled",
                                 fmt::join(names, ", "));
  }

  bool fit(std::uint32_t j, std::uint32_t k) const {
    const Numbers* first = nullptr;
    std::vector<UnitRatio> all;
    for (std::size_t b = 0; b < forms_.size(); ++b)
      if (!form(b).add_ratios(j, k, all)) return false;
    for (const UnitRatio& u : all) {
      if (first == nullptr) first = &u.at_points;
      if (isnan(constant_quotient(*first, u.at_points))) return false;
    }
    return first != nullptr;
  }

  // Units of rows have a common scale; a multiplier that acts on two of them ties their scales.
  bool spread() {
    struct Tie {
      std::size_t to;
      Number ratio;
    };
    const std::size_t units = count_units();
    std::vector<std::vector<Tie>> ties(units);
    ratios_.assign(m_, {});
    for (std::uint32_t j = 0; j < m_; ++j) {
      for (std::size_t b = 0; b < forms_.size(); ++b) {
        const std::size_t before = ratios_[j].size();
        form(b).add_ratios(j, constraint_of_[j], ratios_[j]);
        for (std::size_t k = before; k < ratios_[j].size(); ++k) ratios_[j][k].unit += first_unit_[b];
      }
      const UnitRatio& root = ratios_[j].front();
      for (const UnitRatio& u : ratios_[j]) {  // scale times ratio is the same for all
        const Number r = constant_quotient(root.at_points, u.at_points);
        if (!(r > 0.0)) return false;
        ties[root.unit].push_back({u.unit, r});
        ties[u.unit].push_back({root.unit, Number(1.0) / r});
      }
    }
    scale_.assign(units, 0.0);
    std::vector<std::size_t> queue;
    for (std::size_t root = 0; root < units; ++root) {
      if (scale_[root] != 0.0) continue;
      scale_[root] = 1.0;
      queue.assign(1, root);
      for (std::size_t at = 0; at < queue.size(); ++at)
        for (const Tie& t : ties[queue[at]]) {
          const Number wanted = scale_[queue[at]] * t.ratio;
          if (scale_[t.to] == 0.0) {
            scale_[t.to] = wanted;
            queue.push_back(t.to);
          }
          if (!(abs(scale_[t.to] - wanted) <= 1e-8 * abs(wanted))) return false;
        }
    }
    set_factors();
    return true;
  }
  std::size_t count_units() {
    first_unit_.clear();
    std::size_t units = 0;
    for (std::size_t b = 0; b < forms_.size(); ++b) {
      first_unit_.push_back(units);
      units += form(b).units();
    }
    return units;
  }
  Numbers scales_of(std::size_t b) const {
    const auto first = scale_.begin() + static_cast<std::ptrdiff_t>(first_unit_[b]);
    return {first, first + static_cast<std::ptrdiff_t>(form(b).units())};
  }

  void set_factors() {
    mix_.assign(system_.points().count(), Numbers(m_ * m_, 0.0));
    for (std::uint32_t j = 0; j < m_; ++j) {
      const UnitRatio& ratio = ratios_[j].front();
      for (std::size_t p = 0; p < mix_.size(); ++p)
        mix_[p][constraint_of_[j] * m_ + j] = scale_[ratio.unit] * ratio.at_points[p];
    }
  }

  bool mix() {
    ForcesAtPoints forces{.rows = 0, .multipliers = m_, .units = count_units()};
    for (std::size_t b = 0; b < forms_.size(); ++b) form(b).append(forces, first_unit_[b]);
    auto mixed = mix_multipliers(forces);
    if (!mixed) return false;
    scale_ = std::move(mixed->unit);
    mix_ = std::move(mixed->mix);
    return true;
  }

  // A column of K: numbers where it is constant, else the K with the least square of D B - C^T K. Its matrix is regular
  // wherever the gradients are independent.
  void express_column(std::uint32_t j, std::vector<Expr>& mix) {
    std::vector<std::uint32_t> present;
    bool constant = true;
    for (std::uint32_t k = 0; k < m_; ++k) {
      const Number first = mix_.front()[k * m_ + j];
      if (first == 0.0 && std::ranges::all_of(mix_, [&](const Numbers& at) { return at[k * m_ + j] == 0.0; })) continue;
      present.push_back(k);
      for (const Numbers& at : mix_) constant &= abs(at[k * m_ + j] - first) <= 1e-8 * abs(first);
    }
    if (constant) {
      for (const std::uint32_t k : present) mix[k * m_ + j] = graph_.constant(mix_.front()[k * m_ + j]);
      return;
    }
    NormalEquations equations{.matrix = std::vector<Expr>(present.size() * present.size()),
                              .right = std::vector<Expr>(present.size())};
    for (std::size_t b = 0; b < forms_.size(); ++b) form(b).add_products(graph_, scales_of(b), j, present, equations);
    const std::vector<Expr> solution = solve(std::move(equations));
    for (std::size_t k = 0; k < present.size(); ++k) mix[present[k] * m_ + j] = solution[k];
  }

  // Symmetric and positive definite.
  std::vector<Expr> solve(NormalEquations e) {
    const std::size_t n = e.right.size();
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = k + 1; i < n; ++i) {
        const Expr factor = graph_.divide(e.matrix[i * n + k], e.matrix[k * n + k]);
        for (std::size_t j = k; j < n; ++j)
          e.matrix[i * n + j] = graph_.subtract(e.matrix[i * n + j], graph_.multiply(factor, e.matrix[k * n + j]));
        e.right[i] = graph_.subtract(e.right[i], graph_.multiply(factor, e.right[k]));
      }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j)
        e.right[k] = graph_.subtract(e.right[k], graph_.multiply(e.matrix[k * n + j], e.right[j]));
      e.right[k] = graph_.divide(e.right[k], e.matrix[k * n + k]);
    }
    return std::move(e.right);
  }

  Graph& graph_;
  const DynamicRows& rows_;
  DynamicSystem system_;
  std::size_t m_;
  std::vector<std::vector<BlockForm>> forms_;  // of each block
  std::vector<std::size_t> chosen_, first_unit_;
  std::vector<std::uint32_t> constraint_of_;
  std::vector<std::vector<UnitRatio>> ratios_;
  Numbers scale_;
  std::vector<Numbers> mix_;  // K at each point
  std::string why_not_;
};

}  // namespace

std::optional<MatchedRows> match_rows(Graph& graph, const SamplePoints& points, const DynamicRows& rows,
                                      const SparseExpressions& gradient, std::string& why_not) {
  RowMatcher matcher(graph, points, rows, gradient);
  auto matched = matcher.run();
  if (!matched) why_not = matcher.why_not();
  return matched;
}

}  // namespace driftless
