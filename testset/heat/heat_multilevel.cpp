#include "testset/heat/heat_multilevel.h"

#include <algorithm>
#include <cmath>

#include "driftless/nonlinear/convergence.h"

namespace driftless::testset {

namespace {

constexpr std::size_t coarsenings = 3;  // to a 64th of the cells, where a factorisation costs next to nothing

// Arithmetic of floats and of HeatCycles::Two alike.
template <class T>
concept Pair = requires(T x) {
  x.im;
};

template <Pair T>
T operator+(T a, T b) {
  return {a.re + b.re, a.im + b.im};
}
template <Pair T>
T operator*(T a, T b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <Pair T>
T operator*(float a, T b) {
  return {a * b.re, a * b.im};
}

inline void narrow(double x, float& out) { out = static_cast<float>(x); }
template <Pair T>
void narrow(std::complex<double> x, T& out) {
  out = {static_cast<float>(x.real()), static_cast<float>(x.imag())};
}
inline double widened(float x) { return static_cast<double>(x); }
template <Pair T>
std::complex<double> widened(T x) {
  return {static_cast<double>(x.re), static_cast<double>(x.im)};
}
inline double inverse(double x) { return 1.0 / x; }
inline std::complex<double> inverse(std::complex<double> x) { return std::conj(x) / std::norm(x); }

// b_i - (A x)_i.
template <class Own>
auto residual_of(std::size_t i, const HeatLevel& level, const float* w, const Own& own) {
  auto sum = own.b[i] + -1.0f * (own.diagonal[i] * own.x[i]);
  for (std::uint32_t e = level.begin[i]; e < level.begin[i + 1]; ++e) sum = sum + w[e] * own.x[level.neighbour[e]];
  return sum;
}

// x = x + (incomplete Cholesky factorisation)^-1 r, which smooths also where heat flows more easily in one direction; r
// is overwritten. From x = 0 it is x = (...)^-1 b.
template <bool from_zero, class Own>
void smooth(const HeatLevel& level, const float* w, Own& own) {
  using T = typename decltype(own.r)::value_type;
  const std::uint32_t* const neighbour = level.neighbour.data();
  T* const r = own.r.data();
  for (std::size_t i = 0; i < level.cells(); ++i) {
    T sum = from_zero ? own.b[i] : r[i];
    for (std::uint32_t e = level.begin[i]; e < level.after[i]; ++e) sum = sum + w[e] * r[neighbour[e]];
    r[i] = own.pivot[i] * sum;
  }
  for (std::size_t i = level.cells(); i-- > 0;) {
    T sum{};
    for (std::uint32_t e = level.after[i]; e < level.begin[i + 1]; ++e) sum = sum + w[e] * r[neighbour[e]];
    r[i] = r[i] + own.pivot[i] * sum;
    own.x[i] = from_zero ? r[i] : own.x[i] + r[i];
  }
}

}  // namespace

HeatCycles::HeatCycles(const HeatProblem& problem)
    : problem_(problem),
      hierarchy_(problem.mesh, capacities(problem), multilevel_from, coarsenings),
      weight_(hierarchy_.levels.size()),
      wall_(hierarchy_.levels.size()) {
  for (const HeatFace& face : problem.mesh.faces) shape_.push_back(face.area / face.distance);
  describe_coarsest();
}

void HeatCycles::describe_coarsest() {
  const HeatLevel& level = hierarchy_.levels.back();
  std::vector<std::vector<std::uint32_t>> columns(level.cells());
  for (std::uint32_t i = 0; i < level.cells(); ++i) {
    columns[i].assign(level.neighbour.begin() + level.begin[i], level.neighbour.begin() + level.begin[i + 1]);
    columns[i].insert(std::ranges::upper_bound(columns[i], i), i);
  }
  coarsest_ = pattern_from_columns(level.cells(), columns);
  exchange_.resize(coarsest_.count());
  capacity_.resize(coarsest_.count());
}

void HeatCycles::set_conductivity(ConstSpan k) {
  read_weights(k);
  for (std::size_t l = 0; l + 1 < weight_.size(); ++l) coarsen_weights(l);
  const HeatLevel& level = hierarchy_.levels.back();
  for (std::size_t i = 0, place = 0; i < level.cells(); ++i) {
    double sum = widened(wall_.back()[i]);
    std::size_t diagonal = place, e = level.begin[i];
    for (; place < coarsest_.begin[i + 1]; ++place) {
      if (coarsest_.row[place] == i) {
        diagonal = place;
        continue;
      }
      exchange_[place] = -widened(weight_.back()[e++]);
      sum -= exchange_[place];
    }
    exchange_[diagonal] = sum;
    capacity_[diagonal] = scale_ * level.capacity[i];
  }
}

void HeatCycles::read_weights(ConstSpan conductivity) {
  if (scale_ == 0.0) {
    double largest = 0.0;
    for (std::size_t k = 0; k < shape_.size(); ++k) largest = std::max(largest, conductivity[k] * shape_[k]);
    scale_ = largest > 0.0 && std::isfinite(largest) ? 1.0 / largest : 1.0;
  }
  weight_[0].assign(hierarchy_.levels[0].neighbour.size(), 0.0f);
  wall_[0].assign(hierarchy_.levels[0].cells(), 0.0f);
  for (std::size_t k = 0; k < shape_.size(); ++k) {
    const auto w = static_cast<float>(scale_ * conductivity[k] * shape_[k]);
    if (hierarchy_.left_entry[k] == HeatLevel::inside) {
      wall_[0][problem_.mesh.faces[k].left] += w;
      continue;
    }
    weight_[0][hierarchy_.left_entry[k]] += w;
    weight_[0][hierarchy_.right_entry[k]] += w;
  }
}

// The parents exchange heat over the same faces, but over a larger distance: finite volumes on the coarser mesh.
void HeatCycles::coarsen_weights(std::size_t l) {
  const HeatLevel& fine = hierarchy_.levels[l];
  weight_[l + 1].assign(hierarchy_.levels[l + 1].neighbour.size(), 0.0f);
  wall_[l + 1].assign(hierarchy_.levels[l + 1].cells(), 0.0f);
  for (std::size_t e = 0; e < fine.target.size(); ++e)
    if (fine.target[e] != HeatLevel::inside) weight_[l + 1][fine.target[e]] += fine.share[e] * weight_[l][e];
  for (std::size_t i = 0; i < fine.cells(); ++i) wall_[l + 1][fine.parent[i]] += wall_[l][i];
}

std::optional<std::size_t> HeatCycles::prepare_real(std::size_t slot, double c) { return prepare(real_, slot, c); }
std::optional<std::size_t> HeatCycles::prepare_complex(std::size_t slot, std::complex<double> c) {
  return prepare(complex_, slot, c);
}

template <class Any, class Shift>
std::optional<std::size_t> HeatCycles::prepare(std::vector<Any>& cycles, std::size_t slot, Shift c) {
  while (cycles.size() <= slot)
    cycles.push_back(
        {{hierarchy_.levels.size(), typename decltype(Any::levels)::value_type{}}, decltype(Any::coarsest)(coarsest_)});
  Any& cycle = cycles[slot];
  for (std::size_t l = 0; l < cycle.levels.size(); ++l)
    if (const auto cell = find_pivots(l, c, cycle.levels[l])) return first_cell_of(l, *cell);
  if (cycle.coarsest.factorise({.constant = exchange_, .linear = capacity_}, c)) return std::nullopt;
  return first_cell_of(cycle.levels.size() - 1, cycle.coarsest.undetermined());
}

// One of those of the mesh that a cell of a level is made of.
std::size_t HeatCycles::first_cell_of(std::size_t level, std::size_t cell) const {
  while (level-- > 0) {
    const auto& parent = hierarchy_.levels[level].parent;
    cell = static_cast<std::size_t>(std::ranges::find(parent, cell) - parent.begin());
  }
  return cell;
}

// Incomplete factorisation: without new entries, only the diagonal changes, to a_ii - sum over j < i of w_ij^2 /
// pivot_j.
template <class T, class Shift>
std::optional<std::size_t> HeatCycles::find_pivots(std::size_t l, Shift c, Level<T>& own) const {
  const HeatLevel& level = hierarchy_.levels[l];
  for (auto* list : {&own.diagonal, &own.pivot, &own.x, &own.b, &own.r}) list->resize(level.cells());
  for (std::size_t i = 0; i < level.cells(); ++i) {
    double sum = widened(wall_[l][i]);
    Shift less = 0.0;
    for (std::uint32_t e = level.begin[i]; e < level.begin[i + 1]; ++e) {
      const double w = widened(weight_[l][e]);
      sum += w;
      if (e < level.after[i]) less += w * w * widened(own.pivot[level.neighbour[e]]);
    }
    const Shift diagonal = sum + scale_ * level.capacity[i] * c, pivot = diagonal - less;
    if (!(std::real(pivot) > 0.0)) return i;
    narrow(diagonal, own.diagonal[i]);
    narrow(inverse(pivot), own.pivot[i]);
  }
  return std::nullopt;
}

void HeatCycles::solve_real(std::size_t slot, Span b) {
  auto& finest = real_[slot].levels.front();
  const double size = max_norm(b);
  if (!(size > 0.0) || !std::isfinite(size)) return;
  for (std::size_t i = 0; i < b.size(); ++i) narrow(b[i] / size, finest.b[i]);
  run(real_[slot], 0);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = size * scale_ * widened(finest.x[i]);
}

void HeatCycles::solve_complex(std::size_t slot, Span re, Span im) {
  auto& finest = complex_[slot].levels.front();
  const double size = std::max(max_norm(re), max_norm(im));
  if (!(size > 0.0) || !std::isfinite(size)) return;
  for (std::size_t i = 0; i < re.size(); ++i) narrow(std::complex(re[i] / size, im[i] / size), finest.b[i]);
  run(complex_[slot], 0);
  for (std::size_t i = 0; i < re.size(); ++i) {
    re[i] = size * scale_ * widened(finest.x[i].re);
    im[i] = size * scale_ * widened(finest.x[i].im);
  }
}

void HeatCycles::solve_coarsest(RealCycle& cycle) {
  auto& level = cycle.levels.back();
  Vector b(level.b.begin(), level.b.end());
  cycle.coarsest.solve(b);
  for (std::size_t i = 0; i < b.size(); ++i) narrow(b[i], level.x[i]);
}

void HeatCycles::solve_coarsest(ComplexCycle& cycle) {
  auto& level = cycle.levels.back();
  std::vector<std::complex<double>> b(level.b.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = widened(level.b[i]);
  cycle.coarsest.solve(b);
  for (std::size_t i = 0; i < b.size(); ++i) narrow(b[i], level.x[i]);
}

// Smooth, correct what is left by the next level, smooth: symmetric.
template <class Any>
void HeatCycles::run(Any& cycle, std::size_t l) {
  if (l + 1 == cycle.levels.size()) return solve_coarsest(cycle);
  auto& own = cycle.levels[l];
  auto& next = cycle.levels[l + 1];
  const HeatLevel& level = hierarchy_.levels[l];
  const float* const w = weight_[l].data();
  smooth<true>(level, w, own);
  std::ranges::fill(next.b, typename decltype(own.x)::value_type{});
  for (std::size_t i = 0; i < level.cells(); ++i) {
    auto& sum = next.b[level.parent[i]];
    sum = sum + residual_of(i, level, w, own);
  }
  run(cycle, l + 1);
  for (std::size_t i = 0; i < level.cells(); ++i) own.x[i] = own.x[i] + next.x[level.parent[i]];
  for (std::size_t i = 0; i < level.cells(); ++i) own.r[i] = residual_of(i, level, w, own);
  smooth<false>(level, w, own);
}

}  // namespace driftless::testset
