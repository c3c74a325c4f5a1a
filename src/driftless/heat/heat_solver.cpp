#include "driftless/heat/heat_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/heat/heat_multilevel.h"
#include "driftless/linalg/sparse_cholesky.h"
#include "driftless/linalg/sparse_lu.h"

namespace driftless {

namespace {

using Complex = std::complex<double>;

constexpr double lu_cost = 10.0;  // of a refactorisation, in solutions: measured on 10^4 to 10^5 unknowns

// Where the entries of cells and faces are in the lower triangle of c C + L, or in the whole matrix.
class HeatPattern {
 public:
  HeatPattern(const HeatMesh& mesh, bool lower) {
    const std::size_t n = mesh.cells();
    std::vector<std::vector<std::uint32_t>> columns(n);
    for (std::uint32_t i = 0; i < n; ++i) columns[i].push_back(i);
    for (const HeatFace& face : mesh.faces) {
      if (face.right == no_cell) continue;
      const auto [low, high] = std::minmax(face.left, face.right);
      columns[low].push_back(high);
      if (!lower) columns[high].push_back(low);
    }
    for (auto& column : columns) {
      std::sort(column.begin(), column.end());
      column.erase(std::unique(column.begin(), column.end()), column.end());
    }
    pattern_ = pattern_from_columns(n, columns);
    for (std::uint32_t i = 0; i < n; ++i) diagonal_.push_back(position(i, i));
    for (const HeatFace& face : mesh.faces) {
      const auto [low, high] = std::minmax(face.left, face.right);
      const bool inside = face.right != no_cell;
      below_.push_back(inside ? position(high, low) : 0);
      above_.push_back(inside && !lower ? position(low, high) : 0);
    }
    lower_ = lower;
  }

  const Pattern& pattern() const { return pattern_; }

  // shift C + L for these conductivities.
  template <class T>
  void assemble(const HeatMesh& mesh, ConstSpan capacity, ConstSpan conductivity, T shift,
                std::vector<T>& values) const {
    values.assign(pattern_.count(), T(0.0));
    for (std::size_t i = 0; i < diagonal_.size(); ++i) values[diagonal_[i]] = shift * capacity[i];
    for (std::size_t k = 0; k < mesh.faces.size(); ++k) {
      const HeatFace& face = mesh.faces[k];
      const double weight = conductivity[k] * face.area / face.distance;
      values[diagonal_[face.left]] += weight;
      if (face.right == no_cell) continue;
      values[diagonal_[face.right]] += weight;
      values[below_[k]] -= weight;
      if (!lower_) values[above_[k]] -= weight;
    }
  }

 private:
  std::uint32_t position(std::uint32_t row, std::uint32_t column) const {
    const auto begin = pattern_.row.begin() + pattern_.begin[column],
               end = pattern_.row.begin() + pattern_.begin[column + 1];
    return static_cast<std::uint32_t>(std::lower_bound(begin, end, row) - pattern_.row.begin());
  }

  Pattern pattern_;
  std::vector<std::uint32_t> diagonal_, below_, above_;
  bool lower_ = true;
};

// One Cholesky factorisation with the shift c_0, for all: (c C + L) (c_0 C + L)^-1 has its eigenvalues on the segment
// from c/c_0 to 1, whatever the mesh, so that Chebyshev's iteration converges at a rate that does not depend on it.
class CholeskySystems final : public ShiftedHeatSystems {
 public:
  CholeskySystems(const HeatProblem& problem, Vector real, std::vector<Complex> complex, double accuracy)
      : problem_(problem),
        capacity_(capacities(problem)),
        real_(std::move(real)),
        complex_(std::move(complex)),
        accuracy_(accuracy),
        pattern_(problem.mesh, true),
        cholesky_(pattern_.pattern(), problem.mesh.order) {
    for (const double r : real_) base_ = std::max(base_, r);
    for (const Complex& c : complex_) base_ = std::max(base_, std::abs(c));
  }

  bool factorise(ConstSpan conductivity, double h) override {
    conductivity_.assign(conductivity.begin(), conductivity.end());
    h_ = h;
    pattern_.assemble(problem_.mesh, capacity_, conductivity_, base_ / h, values_);
    return cholesky_.factorise(values_);
  }

  void solve_real(std::size_t k, Span b) override {
    if (real_[k] == base_) {
      cholesky_.solve(b);
      ++solves_;
      return;
    }
    iterate(real_[k], b, {});
  }
  void solve_complex(std::size_t k, Span re, Span im) override { iterate(complex_[k], re, im); }

  double factorisation_cost() const override {
    double solves = static_cast<double>(real_.size());
    for (const Complex& c : complex_) solves += 2.0 * iterations_for(c);
    return cholesky_.flops() / (4.0 * static_cast<double>(cholesky_.entries()) * solves);
  }

  HeatLinearStatistics statistics() const override {
    const std::size_t vectors =
        (values_.size() + capacity_.size() + conductivity_.size() + work_.size()) * sizeof(double);
    return {.factorisations = std::min<std::size_t>(1, cholesky_.factorisations()),
            .refactorisations = cholesky_.factorisations() - std::min<std::size_t>(1, cholesky_.factorisations()),
            .solves = solves_,
            .factor_entries = cholesky_.entries(),
            .bytes = cholesky_.bytes() + vectors};
  }

 private:
  // out = (shift C + L) d for real and imaginary parts, which lie one after the other.
  void multiply(Complex shift, ConstSpan d, Span out, std::size_t parts) const {
    const std::size_t n = capacity_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Complex x(d[i], parts == 2 ? d[n + i] : 0.0), y = shift * capacity_[i] * x;
      out[i] = y.real();
      if (parts == 2) out[n + i] = y.imag();
    }
    for (std::size_t k = 0; k < problem_.mesh.faces.size(); ++k) {
      const HeatFace& face = problem_.mesh.faces[k];
      const double weight = conductivity_[k] * face.area / face.distance;
      for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t shift_by = p * n;
        const double right = face.right == no_cell ? 0.0 : d[shift_by + face.right];
        const double flow = weight * (d[shift_by + face.left] - right);
        out[shift_by + face.left] += flow;
        if (face.right != no_cell) out[shift_by + face.right] -= flow;
      }
    }
  }

  // For the accuracy wanted: the rate is |half / (centre + sqrt(e))|, as centre^2 - half^2 = e.
  int iterations_for(Complex eigenvalue) const {
    const Complex e = eigenvalue / base_, centre = 0.5 * (e + 1.0), half = 0.5 * (1.0 - e), root = std::sqrt(e);
    const double rate = std::min(std::abs(half / (centre + root)), std::abs(half / (centre - root)));
    return std::max(1, static_cast<int>(std::ceil(std::log(accuracy_) / std::log(rate))));
  }

  // Chebyshev's iteration for eigenvalues on the segment from e to 1, e = eigenvalue / base (Manteuffel 1977).
  void iterate(Complex eigenvalue, Span re, Span im) {
    const std::size_t n = capacity_.size(), parts = im.empty() ? 1 : 2, size = parts * n;
    const Complex e = eigenvalue / base_, centre = 0.5 * (e + 1.0), half = 0.5 * (1.0 - e);
    const int iterations = iterations_for(eigenvalue);
    work_.resize(4 * size);
    const Span x = Span(work_).subspan(0, size), r = Span(work_).subspan(size, size),
               d = Span(work_).subspan(2 * size, size), z = Span(work_).subspan(3 * size, size);
    std::fill(x.begin(), x.end(), 0.0);
    std::copy(re.begin(), re.end(), r.begin());
    if (parts == 2) std::copy(im.begin(), im.end(), r.begin() + static_cast<std::ptrdiff_t>(n));
    const Complex sigma = centre / half;
    Complex rho = 1.0 / sigma;
    precondition(r, z, parts);
    combine(1.0 / centre, z, 0.0, d, n, parts);
    for (int k = 0; k < iterations; ++k) {
      for (std::size_t i = 0; i < size; ++i) x[i] += d[i];
      if (k + 1 == iterations) break;
      multiply(eigenvalue / h_, d, z, parts);
      for (std::size_t i = 0; i < size; ++i) r[i] -= z[i];
      precondition(r, z, parts);
      const Complex next = 1.0 / (2.0 * sigma - rho);
      combine(2.0 * next / half, z, next * rho, d, n, parts);
      rho = next;
    }
    std::copy(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n), re.begin());
    if (parts == 2) std::copy(x.begin() + static_cast<std::ptrdiff_t>(n), x.end(), im.begin());
  }

  void precondition(ConstSpan r, Span z, std::size_t parts) {
    std::copy(r.begin(), r.end(), z.begin());
    cholesky_.solve(z, parts);
    solves_ += parts;
  }
  // d = a z + b d.
  static void combine(Complex a, ConstSpan z, Complex b, Span d, std::size_t n, std::size_t parts) {
    for (std::size_t i = 0; i < n; ++i) {
      if (parts == 1) {
        d[i] = a.real() * z[i] + b.real() * d[i];
        continue;
      }
      const Complex value = a * Complex(z[i], z[n + i]) + b * Complex(d[i], d[n + i]);
      d[i] = value.real();
      d[n + i] = value.imag();
    }
  }

  const HeatProblem& problem_;
  Vector capacity_, real_;
  std::vector<Complex> complex_;
  double accuracy_, base_ = 0.0, h_ = 0.0;
  HeatPattern pattern_;
  SparseCholesky cholesky_;
  Vector values_, conductivity_, work_;
  std::size_t solves_ = 0;
};

class LuSystems final : public ShiftedHeatSystems {
 public:
  LuSystems(const HeatProblem& problem, Vector real, std::vector<Complex> complex)
      : problem_(problem),
        capacity_(capacities(problem)),
        real_(std::move(real)),
        complex_(std::move(complex)),
        pattern_(problem.mesh, false) {
    for (std::size_t k = 0; k < real_.size(); ++k) real_lu_.emplace_back(pattern_.pattern(), problem.mesh.order);
    for (std::size_t k = 0; k < complex_.size(); ++k) complex_lu_.emplace_back(pattern_.pattern(), problem.mesh.order);
  }

  bool factorise(ConstSpan conductivity, double h) override {
    bool regular = true;
    for (std::size_t k = 0; k < real_.size() && regular; ++k) {
      pattern_.assemble(problem_.mesh, capacity_, conductivity, real_[k] / h, values_);
      regular = real_lu_[k].factorise(values_);
    }
    for (std::size_t k = 0; k < complex_.size() && regular; ++k) {
      pattern_.assemble(problem_.mesh, capacity_, conductivity, complex_[k] / h, complex_values_);
      regular = complex_lu_[k].factorise(complex_values_);
    }
    return regular;
  }
  void solve_real(std::size_t k, Span b) override {
    real_lu_[k].solve(b);
    ++solves_;
  }
  void solve_complex(std::size_t k, Span re, Span im) override {
    work_.resize(re.size());
    for (std::size_t i = 0; i < re.size(); ++i) work_[i] = {re[i], im[i]};
    complex_lu_[k].solve(work_);
    for (std::size_t i = 0; i < re.size(); ++i) {
      re[i] = work_[i].real();
      im[i] = work_[i].imag();
    }
    solves_ += 2;
  }
  double factorisation_cost() const override { return lu_cost; }
  HeatLinearStatistics statistics() const override {
    HeatLinearStatistics s{.solves = solves_};
    const auto add = [&](const auto& lu) {
      s.factorisations += lu.factorisations();
      s.refactorisations += lu.refactorisations();
      s.factor_entries += lu.entries();
      s.bytes += lu.bytes();
    };
    for (const auto& lu : real_lu_) add(lu);
    for (const auto& lu : complex_lu_) add(lu);
    s.bytes += (values_.size() + 2 * complex_values_.size() + 2 * work_.size()) * sizeof(double);
    return s;
  }

 private:
  const HeatProblem& problem_;
  Vector capacity_, real_;
  std::vector<Complex> complex_;
  HeatPattern pattern_;
  std::vector<SparseLu> real_lu_;
  std::vector<ComplexSparseLu> complex_lu_;
  Vector values_;
  std::vector<Complex> complex_values_, work_;
  std::size_t solves_ = 0;
};

}  // namespace

std::unique_ptr<ShiftedHeatSystems> make_heat_systems(const HeatProblem& problem, Vector real,
                                                      std::vector<Complex> complex, HeatSolver solver,
                                                      double accuracy) {
  if (solver == HeatSolver::multilevel && problem.cells() > multilevel_from)
    return make_multilevel_heat_systems(problem, std::move(real), std::move(complex));
  if (solver == HeatSolver::lu) return std::make_unique<LuSystems>(problem, std::move(real), std::move(complex));
  return std::make_unique<CholeskySystems>(problem, std::move(real), std::move(complex), accuracy);
}

}  // namespace driftless
