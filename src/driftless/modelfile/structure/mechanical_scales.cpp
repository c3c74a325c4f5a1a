#include "driftless/modelfile/structure/mechanical_scales.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "driftless/modelfile/structure/dense_numbers.h"

namespace driftless {

namespace {

// Larger blocks of the mass matrix are not factorised here; the solver will.
constexpr std::size_t largest_block = 200;

// A matrix at the sample points, entry by entry.
class Sampled {
 public:
  Sampled(const Graph& graph, const SamplePoints& points, const SparseExpressions& matrix) : entries_(matrix) {
    std::vector<Expr> values;
    for (std::uint32_t k = 0; k < matrix.size(); ++k) {
      values.push_back(matrix[k].value);
      at_[key(matrix[k].row, matrix[k].column)] = k;
    }
    values_ = points.values(graph, values);
  }

  const SparseExpressions& entries() const { return entries_; }
  const std::vector<Numbers>& values() const { return values_; }
  std::size_t position(std::uint32_t row, std::uint32_t column) const {
    const auto found = at_.find(key(row, column));
    return found == at_.end() ? SIZE_MAX : found->second;
  }

 private:
  static std::uint64_t key(std::uint32_t row, std::uint32_t column) {
    return (static_cast<std::uint64_t>(row) << 32) | column;
  }
  const SparseExpressions& entries_;
  std::unordered_map<std::uint64_t, std::size_t> at_;
  std::vector<Numbers> values_;
};

// Two scales whose ratio an entry fixes: scale[to] = ratio * scale[from].
struct Tie {
  std::uint32_t to;
  Number ratio;
};

class ScaleSearch {
 public:
  ScaleSearch(const Graph& graph, const SamplePoints& points, std::size_t n, std::size_t m,
              const SparseExpressions& mass, const SparseExpressions& reaction, const SparseExpressions& gradient)
      : n_(n),
        m_(m),
        mass_(graph, points, mass),
        reaction_(graph, points, reaction),
        gradient_(graph, points, gradient) {}

  std::optional<MechanicalScales> run() {
    if (!pair_constraints() || !tie() || !spread() || !positive_definite()) return std::nullopt;
    const auto middle = scale_.begin() + static_cast<std::ptrdiff_t>(n_);
    return MechanicalScales{constraint_of_, Numbers(scale_.begin(), middle), Numbers(middle, scale_.end())};
  }

 private:
  // B_ij / G_ki, or NaN if it is not constant; 0 if both vanish.
  Number ratio(std::size_t b, std::size_t g) const {
    return constant_ratio(reaction_.values(), gradient_.values(), b, g);
  }

  // A multiplier belongs to a constraint if all entries of its column of B are constant multiples of the gradient's.
  bool pair_constraints() {
    std::vector<std::vector<std::size_t>> of_multiplier(m_), of_constraint(m_);
    for (std::size_t e = 0; e < reaction_.entries().size(); ++e)
      of_multiplier[reaction_.entries()[e].column].push_back(e);
    std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> with_coordinates;
    std::vector<std::vector<std::uint32_t>> coordinates(m_);
    for (const auto& e : gradient_.entries()) coordinates[e.row].push_back(e.column);
    for (std::uint32_t k = 0; k < m_; ++k) {
      std::ranges::sort(coordinates[k]);
      with_coordinates[coordinates[k]].push_back(k);
    }
    Incidence fits{.columns = m_, .rows = std::vector<std::vector<std::uint32_t>>(m_)};
    for (std::uint32_t j = 0; j < m_; ++j) {
      std::vector<std::uint32_t> rows;
      for (const std::size_t e : of_multiplier[j]) rows.push_back(reaction_.entries()[e].row);
      std::ranges::sort(rows);
      const auto same = with_coordinates.find(rows);
      if (same == with_coordinates.end()) return false;
      for (const std::uint32_t k : same->second)
        if (fit(of_multiplier[j], k)) fits.rows[j].push_back(k);
    }
    const Matching matching = maximum_matching(fits);
    constraint_of_ = matching.column_of_row;
    return matching.size == m_;
  }

  bool fit(const std::vector<std::size_t>& column, std::uint32_t constraint) const {
    bool any = false;
    for (const std::size_t e : column) {
      const Number r = ratio(e, gradient_.position(constraint, reaction_.entries()[e].row));
      if (isnan(r)) return false;
      any |= r != 0.0;
    }
    return any;
  }

  // d_j = d_i M_ij / M_ji and k_j = d_i B_ij / G_ji. Rows come first, then multipliers.
  bool tie() {
    ties_.resize(n_ + m_);
    for (std::size_t e = 0; e < mass_.entries().size(); ++e) {
      const auto& [i, j, value] = mass_.entries()[e];
      if (i == j) continue;
      const std::size_t other = mass_.position(j, i);
      const Number r = other == SIZE_MAX ? std::nan("") : constant_ratio(mass_.values(), mass_.values(), e, other);
      if (isnan(r)) return false;
      if (r != 0.0) ties_[i].push_back({j, r});
    }
    for (std::size_t e = 0; e < reaction_.entries().size(); ++e) {
      const auto& [i, j, value] = reaction_.entries()[e];
      const Number r = ratio(e, gradient_.position(constraint_of_[j], i));
      if (r == 0.0) continue;
      const auto multiplier = static_cast<std::uint32_t>(n_ + j);
      ties_[i].push_back({multiplier, r});
      ties_[multiplier].push_back({i, Number(1.0) / r});
    }
    return true;
  }

  bool spread() {
    scale_.assign(n_ + m_, 0.0);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t root = 0; root < n_; ++root) {
      if (scale_[root] != 0.0) continue;
      scale_[root] = sign_of_mass(root);
      queue.assign(1, root);
      for (std::size_t at = 0; at < queue.size(); ++at)
        for (const Tie& t : ties_[queue[at]]) {
          const Number wanted = scale_[queue[at]] * t.ratio;
          if (scale_[t.to] == 0.0) {
            scale_[t.to] = wanted;
            queue.push_back(t.to);
          }
          if (!(abs(scale_[t.to] - wanted) <= 1e-8 * abs(wanted))) return false;
        }
    }
    return std::ranges::none_of(scale_, [](Number s) { return s == 0.0; });
  }

  double sign_of_mass(std::uint32_t i) const {
    const std::size_t place = mass_.position(i, i);
    if (place == SIZE_MAX) return 1.0;
    for (const Numbers& at : mass_.values())
      if (at[place] != 0.0 && isfinite(at[place])) return at[place] > 0.0 ? 1.0 : -1.0;
    return 1.0;
  }

  // Blocks of coordinates that the mass matrix couples.
  std::vector<std::vector<std::uint32_t>> blocks() const {
    std::vector<std::vector<std::uint32_t>> coupled(n_);
    for (const auto& e : mass_.entries()) coupled[e.row].push_back(e.column);
    return strong_components(coupled);  // the pattern is symmetric by now
  }

  bool positive_definite() const {
    for (const auto& block : blocks()) {
      if (block.size() > largest_block) continue;
      bool seen = false;
      for (const Numbers& at : mass_.values()) {
        Numbers a(block.size() * block.size(), 0.0);
        bool finite = true;
        for (std::size_t i = 0; i < block.size(); ++i)
          for (std::size_t j = 0; j < block.size(); ++j)
            if (const std::size_t place = mass_.position(block[i], block[j]); place != SIZE_MAX) {
              a[i * block.size() + j] = scale_[block[i]] * at[place];
              finite &= isfinite(a[i * block.size() + j]);
            }
        if (!finite) continue;
        if (!driftless::is_positive_definite(std::move(a), block.size())) return false;
        seen = true;
      }
      if (!seen) return false;
    }
    return true;
  }

  std::size_t n_, m_;
  Sampled mass_, reaction_, gradient_;
  std::vector<std::uint32_t> constraint_of_;
  std::vector<std::vector<Tie>> ties_;
  Numbers scale_;
};

}  // namespace

std::optional<MechanicalScales> find_scales(const Graph& graph, const SamplePoints& points, std::size_t coordinates,
                                            std::size_t multipliers, const SparseExpressions& mass,
                                            const SparseExpressions& reaction, const SparseExpressions& gradient) {
  return ScaleSearch(graph, points, coordinates, multipliers, mass, reaction, gradient).run();
}

}  // namespace driftless
