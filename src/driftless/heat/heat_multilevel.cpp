#include "driftless/heat/heat_multilevel.h"

#include <algorithm>
#include <cmath>

#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

constexpr std::size_t coarsenings = 3;  // to a 64th of the cells, where a factorisation costs next to nothing

struct Two {  // a complex number; std::complex looks for infinities in every product
  float re = 0.0f, im = 0.0f;
};
inline Two operator+(Two a, Two b) { return {a.re + b.re, a.im + b.im}; }
inline Two operator*(Two a, Two b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Two operator*(float a, Two b) { return {a * b.re, a * b.im}; }

inline float narrowed(double x) { return static_cast<float>(x); }
inline Two narrowed(std::complex<double> x) { return {static_cast<float>(x.real()), static_cast<float>(x.imag())}; }
inline double widened(float x) { return static_cast<double>(x); }
inline std::complex<double> widened(Two x) { return {static_cast<double>(x.re), static_cast<double>(x.im)}; }
inline double inverse(double x) { return 1.0 / x; }
inline std::complex<double> inverse(std::complex<double> x) { return std::conj(x) / std::norm(x); }

// Single precision is enough for what an iteration corrects, and half as much to read.
template <class T>
struct Cycle {
  struct Level {
    std::vector<T> diagonal, pivot;  // of the matrix; of its incomplete factorisation, inverted
    std::vector<T> x, b, r;

    void resize(std::size_t cells) {
      for (auto* list : {&diagonal, &pivot, &x, &b, &r}) list->resize(cells);
    }
  };
  std::vector<Level> levels;
};

// b_i - (A x)_i.
template <class T>
T residual_of(std::size_t i, const HeatLevel& level, const float* w, const typename Cycle<T>::Level& own) {
  T sum = own.b[i] + -1.0f * (own.diagonal[i] * own.x[i]);
  for (std::uint32_t e = level.begin[i]; e < level.begin[i + 1]; ++e) sum = sum + w[e] * own.x[level.neighbour[e]];
  return sum;
}

// x = x + (incomplete Cholesky factorisation)^-1 r, which smooths also where heat flows more easily in one direction; r
// is overwritten. From x = 0 it is x = (...)^-1 b.
template <class T, bool from_zero>
void smooth(const HeatLevel& level, const float* w, typename Cycle<T>::Level& own) {
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

class MultilevelSystems final : public ShiftedHeatSystems {
 public:
  MultilevelSystems(const HeatProblem& problem, Vector real, std::vector<std::complex<double>> complex)
      : problem_(problem),
        real_(std::move(real)),
        complex_(std::move(complex)),
        hierarchy_(problem.mesh, capacities(problem), multilevel_from, coarsenings),
        weight_(hierarchy_.levels.size()),
        wall_(hierarchy_.levels.size()),
        real_cycle_(real_.size()),
        complex_cycle_(complex_.size()) {
    for (const HeatFace& face : problem.mesh.faces) shape_.push_back(face.area / face.distance);
    make_coarse_problem();
    for (const double r : real_) coarse_real_.push_back(make_heat_systems(coarse_, {r}, {}, HeatSolver::cholesky, 0.0));
    for (const auto& c : complex_) coarse_complex_.push_back(make_heat_systems(coarse_, {}, {c}, HeatSolver::lu, 0.0));
  }

  bool solves_exactly() const override { return false; }

  bool factorise(ConstSpan conductivity, double h) override {
    read_weights(conductivity);
    for (std::size_t l = 0; l + 1 < weight_.size(); ++l) coarsen_weights(l);
    for (std::size_t k = 0; k < coarse_.faces(); ++k)
      coarse_conductivity_[k] =
          k < coarse_entry_.size() ? weight_.back()[coarse_entry_[k]] : wall_.back()[coarse_.mesh.faces[k].left];
    bool regular = true;
    for (std::size_t k = 0; k < real_.size() && regular; ++k) {
      regular =
          find_pivots(real_[k] / h, real_cycle_[k]) && coarse_real_[k]->factorise(coarse_conductivity_, h / scale_);
    }
    for (std::size_t k = 0; k < complex_.size() && regular; ++k) {
      regular = find_pivots(complex_[k] / h, complex_cycle_[k]) &&
                coarse_complex_[k]->factorise(coarse_conductivity_, h / scale_);
    }
    return regular;
  }

  void solve_real(std::size_t k, Span b) override {
    ++solves_;
    auto& finest = real_cycle_[k].levels.front();
    const double size = max_norm(b);
    if (!(size > 0.0) || !std::isfinite(size)) return;
    for (std::size_t i = 0; i < b.size(); ++i) finest.b[i] = static_cast<float>(b[i] / size);
    run(real_cycle_[k], 0, *coarse_real_[k]);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = size * scale_ * static_cast<double>(finest.x[i]);
  }
  void solve_complex(std::size_t k, Span re, Span im) override {
    solves_ += 2;
    auto& finest = complex_cycle_[k].levels.front();
    const double size = std::max(max_norm(re), max_norm(im));
    if (!(size > 0.0) || !std::isfinite(size)) return;
    for (std::size_t i = 0; i < re.size(); ++i)
      finest.b[i] = {static_cast<float>(re[i] / size), static_cast<float>(im[i] / size)};
    run(complex_cycle_[k], 0, *coarse_complex_[k]);
    for (std::size_t i = 0; i < re.size(); ++i) {
      re[i] = size * scale_ * static_cast<double>(finest.x[i].re);
      im[i] = size * scale_ * static_cast<double>(finest.x[i].im);
    }
  }

  double factorisation_cost() const override { return 0.0; }
  HeatLinearStatistics statistics() const override;

 private:
  void make_coarse_problem();
  void read_weights(ConstSpan conductivity);
  void coarsen_weights(std::size_t level);
  template <class Shift, class T>
  bool find_pivots(Shift shift, Cycle<T>& cycle);  // false if one is not positive
  template <class T>
  void run(Cycle<T>& cycle, std::size_t level, ShiftedHeatSystems& coarse);
  void solve_coarse(ShiftedHeatSystems& coarse, Cycle<float>::Level& level);
  void solve_coarse(ShiftedHeatSystems& coarse, Cycle<Two>::Level& level);

  const HeatProblem& problem_;
  Vector real_;
  std::vector<std::complex<double>> complex_;
  HeatHierarchy hierarchy_;
  Vector shape_;                                   // by face: area / distance
  double scale_ = 0.0;                             // weights and walls are multiplied by it, so that they are near 1
  std::vector<std::vector<float>> weight_, wall_;  // by level: by entry, by cell
  std::vector<Cycle<float>> real_cycle_;
  std::vector<Cycle<Two>> complex_cycle_;
  HeatProblem coarse_;                       // its first faces are entries, the others walls
  std::vector<std::uint32_t> coarse_entry_;  // by face
  Vector coarse_conductivity_, coarse_re_, coarse_im_;
  std::vector<std::unique_ptr<ShiftedHeatSystems>> coarse_real_, coarse_complex_;
  std::size_t solves_ = 0;
};

// Areas and distances are 1, so that conductivities are the entries of the matrix.
void MultilevelSystems::make_coarse_problem() {
  const HeatLevel& level = hierarchy_.levels.back();
  coarse_.mesh.volume = level.capacity;
  for (std::uint32_t i = 0; i < level.cells(); ++i)
    for (std::uint32_t e = level.after[i]; e < level.begin[i + 1]; ++e) {
      coarse_.mesh.faces.push_back({.left = i, .right = level.neighbour[e]});
      coarse_entry_.push_back(e);
    }
  const bool walls = std::ranges::any_of(problem_.mesh.faces, [](const HeatFace& f) { return f.right == no_cell; });
  for (std::uint32_t i = 0; walls && i < level.cells(); ++i) coarse_.mesh.faces.push_back({.left = i});
  coarse_conductivity_.resize(coarse_.faces());
  coarse_re_.resize(level.cells());
  coarse_im_.resize(level.cells());
}

void MultilevelSystems::read_weights(ConstSpan conductivity) {
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
void MultilevelSystems::coarsen_weights(std::size_t l) {
  const HeatLevel& fine = hierarchy_.levels[l];
  weight_[l + 1].assign(hierarchy_.levels[l + 1].neighbour.size(), 0.0f);
  wall_[l + 1].assign(hierarchy_.levels[l + 1].cells(), 0.0f);
  for (std::size_t e = 0; e < fine.target.size(); ++e)
    if (fine.target[e] != HeatLevel::inside) weight_[l + 1][fine.target[e]] += fine.share[e] * weight_[l][e];
  for (std::size_t i = 0; i < fine.cells(); ++i) wall_[l + 1][fine.parent[i]] += wall_[l][i];
}

// Incomplete factorisation: without new entries, only the diagonal changes, to a_ii - sum over j < i of w_ij^2 /
// pivot_j.
template <class Shift, class T>
bool MultilevelSystems::find_pivots(Shift shift, Cycle<T>& cycle) {
  cycle.levels.resize(hierarchy_.levels.size());
  for (std::size_t l = 0; l < cycle.levels.size(); ++l) {
    const HeatLevel& level = hierarchy_.levels[l];
    auto& own = cycle.levels[l];
    own.resize(level.cells());
    for (std::size_t i = 0; i < level.cells(); ++i) {
      double sum = static_cast<double>(wall_[l][i]);
      Shift less = 0.0;
      for (std::uint32_t e = level.begin[i]; e < level.begin[i + 1]; ++e) {
        const double w = static_cast<double>(weight_[l][e]);
        sum += w;
        if (e < level.after[i]) less += w * w * widened(own.pivot[level.neighbour[e]]);
      }
      const Shift diagonal = sum + scale_ * level.capacity[i] * shift;
      own.diagonal[i] = narrowed(diagonal);
      const Shift pivot = diagonal - less;
      if (!(std::real(pivot) > 0.0)) return false;
      own.pivot[i] = narrowed(inverse(pivot));
    }
  }
  return true;
}

void MultilevelSystems::solve_coarse(ShiftedHeatSystems& coarse, Cycle<float>::Level& level) {
  std::ranges::copy(level.b, coarse_re_.begin());
  coarse.solve_real(0, coarse_re_);
  for (std::size_t i = 0; i < coarse_re_.size(); ++i) level.x[i] = static_cast<float>(coarse_re_[i]);
}
void MultilevelSystems::solve_coarse(ShiftedHeatSystems& coarse, Cycle<Two>::Level& level) {
  for (std::size_t i = 0; i < coarse_re_.size(); ++i) coarse_re_[i] = level.b[i].re, coarse_im_[i] = level.b[i].im;
  coarse.solve_complex(0, coarse_re_, coarse_im_);
  for (std::size_t i = 0; i < coarse_re_.size(); ++i)
    level.x[i] = {static_cast<float>(coarse_re_[i]), static_cast<float>(coarse_im_[i])};
}

// Smooth, correct what is left by the next level, smooth: symmetric.
template <class T>
void MultilevelSystems::run(Cycle<T>& cycle, std::size_t l, ShiftedHeatSystems& coarse) {
  auto& own = cycle.levels[l];
  if (l + 1 == cycle.levels.size()) return solve_coarse(coarse, own);
  const HeatLevel& level = hierarchy_.levels[l];
  const float* const w = weight_[l].data();
  auto& next = cycle.levels[l + 1];
  smooth<T, true>(level, w, own);
  std::ranges::fill(next.b, T{});
  for (std::size_t i = 0; i < level.cells(); ++i) {
    T& sum = next.b[level.parent[i]];
    sum = sum + residual_of<T>(i, level, w, own);
  }
  run(cycle, l + 1, coarse);
  for (std::size_t i = 0; i < level.cells(); ++i) own.x[i] = own.x[i] + next.x[level.parent[i]];
  for (std::size_t i = 0; i < level.cells(); ++i) own.r[i] = residual_of<T>(i, level, w, own);
  smooth<T, false>(level, w, own);
}

HeatLinearStatistics MultilevelSystems::statistics() const {
  HeatLinearStatistics s{.solves = solves_, .bytes = hierarchy_.bytes() + shape_.size() * sizeof(double)};
  const auto add = [&](const auto& systems) {
    for (const auto& one : systems) {
      const HeatLinearStatistics own = one->statistics();
      s.factorisations += own.factorisations;
      s.refactorisations += own.refactorisations;
      s.factor_entries += own.factor_entries;
      s.bytes += own.bytes;
    }
  };
  add(coarse_real_);
  add(coarse_complex_);
  for (const auto* lists : {&weight_, &wall_})
    for (const auto& list : *lists) s.bytes += list.size() * sizeof(float);
  const auto add_cycles = [&](const auto& cycles, std::size_t each) {
    for (const auto& cycle : cycles)
      for (const auto& level : cycle.levels) s.bytes += 5 * level.x.size() * each;
  };
  add_cycles(real_cycle_, sizeof(float));
  add_cycles(complex_cycle_, sizeof(Two));
  return s;
}

}  // namespace

std::unique_ptr<ShiftedHeatSystems> make_multilevel_heat_systems(const HeatProblem& problem, Vector real,
                                                                 std::vector<std::complex<double>> complex) {
  return std::make_unique<MultilevelSystems>(problem, std::move(real), std::move(complex));
}

}  // namespace driftless
