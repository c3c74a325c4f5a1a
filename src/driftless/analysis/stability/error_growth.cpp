#include "driftless/analysis/stability/error_growth.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/eigen_matrix.h"

namespace driftless {

namespace {

// G(t, lambda) = t e_0 e_0^T - w w^T - 2 sum lambda_i (x xi_i xi_i^T - sym(xi_i kappa_i^T)) with w = (1, b),
// xi_i = (1, a_i), kappa_i = (0, e_i): affine in the unknowns theta = (t, lambda).
struct Form {
  Eigen::MatrixXd constant;
  std::vector<Eigen::MatrixXd> slope;

  Form(const Tableau& tableau, double x) {
    const Eigen::Index s = static_cast<Eigen::Index>(tableau.stages());
    Eigen::VectorXd w(s + 1), xi(s + 1), kappa(s + 1);
    w(0) = 1.0;
    for (Eigen::Index j = 0; j < s; ++j) w(j + 1) = tableau.b[static_cast<std::size_t>(j)];
    constant = -w * w.transpose();
    slope.push_back(Eigen::MatrixXd::Zero(s + 1, s + 1));
    slope[0](0, 0) = 1.0;
    for (Eigen::Index i = 0; i < s; ++i) {
      xi(0) = 1.0;
      for (Eigen::Index j = 0; j < s; ++j)
        xi(j + 1) = tableau.a(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
      kappa.setZero();
      kappa(i + 1) = 1.0;
      slope.push_back(xi * kappa.transpose() + kappa * xi.transpose() - 2.0 * x * xi * xi.transpose());
    }
  }
  Eigen::MatrixXd at(const Eigen::VectorXd& theta) const {
    Eigen::MatrixXd g = constant;
    for (std::size_t k = 0; k < slope.size(); ++k) g += theta(static_cast<Eigen::Index>(k)) * slope[k];
    return g;
  }
  // The largest entry without cancellation: what rounding is relative to.
  double size(const Eigen::VectorXd& theta) const {
    Eigen::MatrixXd g = constant.cwiseAbs();
    for (std::size_t k = 0; k < slope.size(); ++k)
      g += std::abs(theta(static_cast<Eigen::Index>(k))) * slope[k].cwiseAbs();
    return g.maxCoeff();
  }
};

bool positive_definite(const Eigen::MatrixXd& m) {
  const Eigen::LLT<Eigen::MatrixXd> llt(m);
  return llt.info() == Eigen::Success && llt.matrixLLT().diagonal().minCoeff() > 0.0;
}

// Minimises t under G > 0, lambda > 0 by Newton's method on t - mu (log det G + sum log lambda_i), mu -> 0.
class BarrierMethod {
 public:
  BarrierMethod(const Form& form, Eigen::VectorXd theta) : form_(form), theta_(std::move(theta)) {}

  Eigen::VectorXd run() {
    for (double mu = 1.0; mu > 1e-13; mu *= 0.3)
      for (int iteration = 0; iteration < 30; ++iteration)
        if (!step(mu)) break;
    return theta_;
  }

 private:
  double value(const Eigen::VectorXd& theta, double mu) const {
    const Eigen::MatrixXd g = form_.at(theta);
    if (!positive_definite(g)) return infinity;
    double barrier = 2.0 * Eigen::MatrixXd(Eigen::LLT<Eigen::MatrixXd>(g).matrixL()).diagonal().array().log().sum();
    for (Eigen::Index k = 1; k < theta.size(); ++k) {
      if (!(theta(k) > 0.0)) return infinity;
      barrier += std::log(theta(k));
    }
    return theta(0) - mu * barrier;
  }

  bool step(double mu) {
    const Eigen::Index n = theta_.size();
    const Eigen::LDLT<Eigen::MatrixXd> factor(form_.at(theta_));
    std::vector<Eigen::MatrixXd> solved;
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(n);
    Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(n, n);
    gradient(0) = 1.0;
    for (Eigen::Index k = 0; k < n; ++k) {
      solved.push_back(factor.solve(form_.slope[static_cast<std::size_t>(k)]));
      gradient(k) -= mu * solved.back().trace();
      if (k > 0) {
        gradient(k) -= mu / theta_(k);
        hessian(k, k) += mu / (theta_(k) * theta_(k));
      }
    }
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        hessian(i, j) += mu * (solved[static_cast<std::size_t>(i)] * solved[static_cast<std::size_t>(j)]).trace();
    const Eigen::VectorXd direction = -hessian.ldlt().solve(gradient);
    const double decrease = -gradient.dot(direction);
    if (!(decrease > 1e-10 * mu) || !direction.allFinite()) return false;
    const double here = value(theta_, mu);
    for (double length = 1.0; length > 1e-10; length *= 0.5) {
      const Eigen::VectorXd next = theta_ + length * direction;
      if (value(next, mu) < here) {
        theta_ = next;
        return true;
      }
    }
    return false;
  }

  const Form& form_;
  Eigen::VectorXd theta_;
};

// lambda = kappa D with kappa large and t larger still: A^T D + D A - 2 x A^T D A > 0 as x < m_D[A^-1].
bool feasible_start(const Form& form, const StageMonotonicity& stages, Eigen::VectorXd& theta) {
  const Eigen::Index s = static_cast<Eigen::Index>(stages.diagonal.size());
  theta.resize(s + 1);
  for (double kappa = 1.0; kappa < 1e9; kappa *= 4.0) {
    for (Eigen::Index i = 0; i < s; ++i) theta(i + 1) = kappa * stages.diagonal[static_cast<std::size_t>(i)];
    for (double t = 4.0; t < 1e14; t *= 8.0) {
      theta(0) = t;
      if (positive_definite(form.at(theta))) return true;
    }
  }
  return false;
}

// Of an algebraically stable method, lambda = b proves phi = 1 for all x <= 0: at x = 0 the form is that of
// M = B A + A^T B - b b^T >= 0, and less x only adds to it. It need not be positive definite, which Newton's method on
// a barrier asks for: Lobatto IIIC has m_D[A^-1] = 0 from three stages on, and no interior at x = 0.
ErrorGrowth by_algebraic_stability(const Tableau& tableau, double x) {
  ErrorGrowth growth{.factor = 1.0, .multipliers = tableau.b};
  return x <= 0.0 && check(growth, tableau, x) ? growth : ErrorGrowth{.factor = infinity};
}

ErrorGrowth by_barrier(const Tableau& tableau, const StageMonotonicity& stages, double x) {
  if (!(x < stages.value)) return {.factor = infinity};
  const Form form(tableau, x);
  Eigen::VectorXd theta;
  if (!feasible_start(form, stages, theta)) return {.factor = infinity};
  theta = BarrierMethod(form, theta).run();
  ErrorGrowth growth{.factor = std::sqrt(theta(0))};
  for (Eigen::Index k = 1; k < theta.size(); ++k) growth.multipliers.push_back(theta(k));
  return growth;
}

}  // namespace

ErrorGrowth error_growth(const Tableau& tableau, const StageMonotonicity& stages, double x) {
  ErrorGrowth simple = by_algebraic_stability(tableau, x), found = by_barrier(tableau, stages, x);
  return found.factor < simple.factor ? found : simple;
}

bool check(const ErrorGrowth& growth, const Tableau& tableau, double x) {
  if (growth.multipliers.size() != tableau.stages()) return false;
  Eigen::VectorXd theta(static_cast<Eigen::Index>(tableau.stages()) + 1);
  theta(0) = growth.factor * growth.factor * (1.0 + 1e-12) + 1e-13;
  for (std::size_t i = 0; i < growth.multipliers.size(); ++i) {
    if (!(growth.multipliers[i] >= 0.0)) return false;
    theta(static_cast<Eigen::Index>(i) + 1) = growth.multipliers[i];
  }
  const Form form(tableau, x);
  return symmetric_eigen(from_eigen(form.at(theta))).values.front() >= -1e-13 * form.size(theta);
}

}  // namespace driftless
