#include "driftless/analysis/stability/reconstruction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/core/stop.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

// A polynomial in Newton's form, for all components at once: sum_k c_k prod_{j<k} (t - node_j).
struct NewtonPolynomial {
  Vector nodes;
  std::vector<Vector> coefficients;

  void evaluate(double t, Span value, Span slope) const {
    std::fill(value.begin(), value.end(), 0.0);
    std::fill(slope.begin(), slope.end(), 0.0);
    for (std::size_t k = coefficients.size(); k-- > 0;)
      for (std::size_t i = 0; i < value.size(); ++i) {
        slope[i] = value[i] + (t - nodes[k]) * slope[i];
        value[i] = coefficients[k][i] + (t - nodes[k]) * value[i];
      }
  }
};

// Divided differences; a node that is there twice takes its slope for the second.
NewtonPolynomial interpolate(const Vector& nodes, std::vector<Vector> table, const std::vector<Vector>& slopes) {
  NewtonPolynomial result{nodes, {table[0]}};
  const std::size_t m = nodes.size();
  for (std::size_t order = 1; order < m; ++order) {
    for (std::size_t k = 0; k + order < m; ++k)
      for (std::size_t i = 0; i < table[k].size(); ++i)
        table[k][i] = nodes[k + order] == nodes[k] ? slopes[k][i]
                                                   : (table[k + 1][i] - table[k][i]) / (nodes[k + order] - nodes[k]);
    result.coefficients.push_back(table[0]);
  }
  return result;
}

constexpr std::array<double, 5> gauss_nodes = {0.04691007703066802, 0.23076534494715845, 0.5, 0.76923465505284155,
                                               0.95308992296933198};
constexpr std::array<double, 5> gauss_weights = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                                 0.23931433524968324, 0.11846344252809454};

}  // namespace

class Reconstruction::Curve {
 public:
  Curve(const Index1& form, Vector times, Matrix states, std::function<Vector(double)> dense)
      : form_(form),
        split_(form.projector(), Norm::two()),
        manifold_(make_manifold(form_)),
        times_(std::move(times)),
        states_(std::move(states)) {
    if (times_.size() < 2) throw Misuse("a curve through states needs at least two of them");
    for (std::size_t i = 1; i < times_.size(); ++i)
      if (!(times_[i] > times_[i - 1])) throw Misuse(fmt::format("two states at t = {}: a curve needs one", times_[i]));
    Vector f(form_.size());
    for (std::size_t n = 0; n < times_.size(); ++n) {
      check_stop();
      const auto x = states_.view().column(n);
      form_.functions().f(x, times_[n], f);
      values_.push_back(product(split_.p_coordinates(), x));
      slopes_.push_back(product(split_.p_coordinates(), f));
      Vector consistent(x.begin(), x.end());
      const bool solved = manifold_->set_multipliers(times_[n], consistent) == ManifoldStatus::ok;
      Vector offset(form_.size(), 0.0);
      for (std::size_t i = 0; i < offset.size() && solved; ++i) offset[i] = x[i] - consistent[i];
      offsets_.push_back(std::move(offset));
    }
    for (std::size_t n = 0; n + 1 < times_.size(); ++n) choose(n, dense);
  }

  const Vector& times() const { return times_; }
  double step_residual(std::size_t i) const { return residuals_[i]; }

  Vector at(double t) const {
    Vector x, slope;
    evaluate(step_of(t), t, x, slope);
    return x;
  }

  // P p = P x' - P f and Q p = -Q f.
  void residual(double t, Span p) const {
    const std::size_t step = step_of(t);
    Vector x, slope, f(form_.size());
    evaluate(step, t, x, slope);
    form_.functions().f(x, t, f);
    const Vector px = product(split_.p_basis(), slope);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = px[i] - f[i];
  }

 private:
  std::size_t step_of(double t) const {
    const auto next = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
    return static_cast<std::size_t>(next - times_.begin()) - 1;
  }

  void evaluate(std::size_t step, double t, Vector& x, Vector& slope) const {
    evaluate(polynomials_[step], step, t, x, slope);
  }

  void evaluate(const NewtonPolynomial& polynomial, std::size_t step, double t, Vector& x, Vector& slope) const {
    const std::size_t n = form_.size();
    Vector a(split_.differential_size());
    slope.assign(a.size(), 0.0);
    polynomial.evaluate(t, a, slope);
    const double part = (t - times_[step]) / (times_[step + 1] - times_[step]);
    const auto left = states_.view().column(step), right = states_.view().column(step + 1);
    Vector guess(n);
    for (std::size_t i = 0; i < n; ++i) guess[i] = left[i] + part * (right[i] - left[i]);
    const Vector b = product(split_.q_coordinates(), guess);
    x = product(split_.p_basis(), a);
    const Vector q = product(split_.q_basis(), b);
    for (std::size_t i = 0; i < n; ++i) x[i] += q[i];
    if (form_.constraint_count() == 0) return;
    (void)manifold_->set_multipliers(t, x);  // if it fails, the residual says so
    for (std::size_t i = 0; i < n; ++i) x[i] += (1.0 - part) * offsets_[step][i] + part * offsets_[step + 1][i];
  }

  double size_of_residual(const NewtonPolynomial& polynomial, std::size_t step) const {
    const double h = times_[step + 1] - times_[step];
    Vector x, slope, f(form_.size());
    double sum = 0.0;
    for (std::size_t k = 0; k < gauss_nodes.size(); ++k) {
      const double t = times_[step] + gauss_nodes[k] * h;
      evaluate(polynomial, step, t, x, slope);
      form_.functions().f(x, t, f);
      Vector p = product(split_.p_basis(), slope);
      for (std::size_t i = 0; i < p.size(); ++i) p[i] -= f[i];
      sum += gauss_weights[k] * h * split_.p_norm(p);
    }
    return std::isfinite(sum) ? sum : infinity;
  }

  // Hermite's polynomial through `points` states from `first` on.
  NewtonPolynomial hermite(std::size_t first, std::size_t points) const {
    Vector nodes;
    std::vector<Vector> table, slopes;
    for (std::size_t k = first; k < first + points; ++k)
      for (int twice = 0; twice < 2; ++twice) {
        nodes.push_back(times_[k]);
        table.push_back(values_[k]);
        slopes.push_back(slopes_[k]);
      }
    return interpolate(nodes, table, slopes);
  }

  // The dense output as a polynomial: its values at Chebyshev points of the step, moved so that it meets both states.
  NewtonPolynomial from_dense(std::size_t step, const std::function<Vector(double)>& dense) const {
    constexpr int points = 10;
    Vector nodes;
    std::vector<Vector> table;
    const double h = times_[step + 1] - times_[step];
    const Vector begin = product(split_.p_coordinates(), dense(times_[step]));
    const Vector end = product(split_.p_coordinates(), dense(times_[step + 1]));
    for (int k = 0; k < points; ++k) {
      const double part = 0.5 - 0.5 * std::cos(M_PI * k / (points - 1));
      const double t = k == points - 1 ? times_[step + 1] : times_[step] + part * h;
      Vector a = product(split_.p_coordinates(), dense(t));
      for (std::size_t i = 0; i < a.size(); ++i)
        a[i] += (1.0 - part) * (values_[step][i] - begin[i]) + part * (values_[step + 1][i] - end[i]);
      nodes.push_back(t);
      table.push_back(std::move(a));
    }
    return interpolate(nodes, table, table);
  }

  void choose(std::size_t step, const std::function<Vector(double)>& dense) {
    NewtonPolynomial best;
    double least = infinity;
    const auto consider = [&](NewtonPolynomial candidate) {
      const double size = size_of_residual(candidate, step);
      if (size < least || best.coefficients.empty()) {
        least = size;
        best = std::move(candidate);
      }
    };
    const std::size_t all = times_.size();
    for (std::size_t points = 2; points <= std::min<std::size_t>(5, all); ++points) {
      const std::size_t wanted = step + 1 >= points / 2 ? step + 1 - points / 2 : 0;
      consider(hermite(std::min(wanted, all - points), points));
    }
    if (dense) consider(from_dense(step, dense));
    polynomials_.push_back(std::move(best));
    residuals_.push_back(least);
  }

  Index1 form_;
  Index1Split split_;
  std::unique_ptr<Manifold> manifold_;
  Vector times_;
  Matrix states_;
  std::vector<Vector> values_, slopes_, offsets_;
  std::vector<NewtonPolynomial> polynomials_;
  Vector residuals_;
};

Reconstruction::Reconstruction(const Index1& form, Vector times, const Matrix& states)
    : curve_(std::make_unique<Curve>(form, std::move(times), states, nullptr)) {}

Reconstruction::Reconstruction(const Index1& form, const Solution& solution, std::size_t count) {
  if (count == 0) count = solution.size();
  Vector times;
  Matrix states(form.size(), count);
  for (std::size_t n = 0; n < count; ++n) {
    times.push_back(solution.time(n));
    const auto x = solution.state(n);
    std::copy(x.begin(), x.end(), states.view().column(n).begin());
  }
  std::function<Vector(double)> dense;
  try {
    (void)solution.at(solution.time(0));
    dense = [&solution](double t) { return solution.at(t, false); };
  } catch (const Misuse&) {  // fixed steps keep no polynomials
  }
  curve_ = std::make_unique<Curve>(form, std::move(times), std::move(states), dense);
}

Reconstruction::~Reconstruction() = default;
Reconstruction::Reconstruction(Reconstruction&&) noexcept = default;

const Vector& Reconstruction::times() const { return curve_->times(); }
Vector Reconstruction::at(double t) const { return curve_->at(t); }
void Reconstruction::residual(double t, Span p) const { curve_->residual(t, p); }
double Reconstruction::step_residual(std::size_t i) const { return curve_->step_residual(i); }

}  // namespace driftless
