#include "driftless/analysis/stability/index1_split.h"

#include <cmath>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

bool is_coordinate_projector(const Matrix& p) {
  for (std::size_t i = 0; i < p.rows(); ++i)
    for (std::size_t j = 0; j < p.cols(); ++j)
      if (i == j ? p(i, i) != 0.0 && p(i, i) != 1.0 : p(i, j) != 0.0) return false;
  return true;
}

Matrix complement_of(const Matrix& p) {
  Matrix q = Matrix::identity(p.rows());
  for (std::size_t k = 0; k < p.rows() * p.cols(); ++k) q.data()[k] -= p.data()[k];
  return q;
}

// Orthonormal basis of the image of a projector: its nonzero singular values are at least 1.
Matrix image_of(const Matrix& projector) {
  const SingularValues svd = singular_values(projector);
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < svd.s.size() && svd.s[k] > 0.5; ++k) chosen.push_back(k);
  return columns_of(svd.u, chosen);
}

Matrix coordinate_image(const Matrix& projector) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < projector.rows(); ++i)
    if (projector(i, i) == 1.0) chosen.push_back(i);
  return columns_of(Matrix::identity(projector.rows()), chosen);
}

Matrix image(const Matrix& projector) {
  return is_coordinate_projector(projector) ? coordinate_image(projector) : image_of(projector);
}

Matrix rows_of(const Matrix& a, std::size_t begin, std::size_t count) {
  Matrix r(count, a.cols());
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < count; ++i) r(i, j) = a(begin + i, j);
  return r;
}

Matrix beside(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows(), a.cols() + b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j) c(i, j) = a(i, j);
    for (std::size_t j = 0; j < b.cols(); ++j) c(i, a.cols() + j) = b(i, j);
  }
  return c;
}

// The same operations for numbers and for intervals.
Matrix difference(Matrix a, const Matrix& b) {
  for (std::size_t k = 0; k < a.rows() * a.cols(); ++k) a.data()[k] -= b.data()[k];
  return a;
}
bool invert(const Matrix& a, Matrix& result) {
  auto inverted = inverse(a);
  if (!inverted) return false;
  result = std::move(*inverted);
  return true;
}
bool invert(const IntervalMatrix& a, IntervalMatrix& result) { return enclose_inverse(a, result); }
void add(const Matrix& a, Matrix& b) {
  for (std::size_t k = 0; k < a.rows() * a.cols(); ++k) b.data()[k] += a.data()[k];
}
void add(const Matrix& a, IntervalMatrix& b) {
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) b(i, j) += Interval(a(i, j));
}
Matrix lifted(const Matrix& a, const Matrix&) { return a; }
IntervalMatrix lifted(const Matrix& a, const IntervalMatrix&) { return IntervalMatrix(a.view()); }

double unbounded(const Matrix&) { return infinity; }
Interval unbounded(const IntervalMatrix&) { return Interval::whole(); }

}  // namespace

const char* symbol_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::whole: return "M+[f]";
    case Quantity::differential: return "M_P+[Pf]";
    case Quantity::differential_from_algebraic: return "L_Q[Pf]";
    case Quantity::algebraic_from_differential: return "L_P[Qf]";
    case Quantity::algebraic: return "M_Q+[Qf]";
    case Quantity::reduced: return "M_P+[Pfg]";
    case Quantity::reduced_gain: return "L_Q[Pfg]";
    case Quantity::implicit_slope: return "L_P[phi]";
    case Quantity::implicit_gain: return "L_Q[phi]";
  }
  return "";
}

bool is_logarithmic(Quantity quantity) {
  return quantity == Quantity::whole || quantity == Quantity::differential || quantity == Quantity::algebraic ||
         quantity == Quantity::reduced;
}

bool lives_on_manifold(Quantity quantity) {
  return quantity == Quantity::reduced || quantity == Quantity::reduced_gain || quantity == Quantity::implicit_slope ||
         quantity == Quantity::implicit_gain;
}

Index1Split::Index1Split(const Matrix& projector, const Norm& norm)
    : norm_(norm),
      p_(projector),
      q_(complement_of(projector)),
      by_coordinates_(is_coordinate_projector(projector)),
      u_(image(p_)),
      v_(image(q_)),
      on_all_(norm, Matrix::identity(projector.rows())),
      on_p_(norm, u_),
      on_q_(norm, v_) {
  if (u_.cols() + v_.cols() != p_.rows()) throw Misuse("the images of P and I - P do not span the space");
  const auto left = by_coordinates_ ? std::optional(transpose_of(beside(u_, v_))) : inverse(beside(u_, v_));
  u_left_ = rows_of(*left, 0, u_.cols());
  v_left_ = rows_of(*left, u_.cols(), v_.cols());
}

Index1Split::Index1Split(const Matrix& projector, const Matrix& projector_derivative, const Norm& norm)
    : Index1Split(projector, norm) {
  p_derivative_ = projector_derivative;
  moving_ = true;
}

double Index1Split::p_norm(ConstSpan x) const { return norm_(product(p_, x)); }
double Index1Split::q_norm(ConstSpan x) const { return norm_(product(q_, x)); }

Matrix Index1Split::algebraic_block(const Matrix& j) const { return product(v_left_, product(j, v_)); }

template <class M>
auto Index1Split::evaluate(Quantity quantity, const M& j) const {
  if (quantity == Quantity::whole) {
    M all = j;
    if (moving_) add(p_derivative_, all);
    return on_all_.log_norm(all);
  }
  const auto upper = [&] {  // P J + P'
    M pj = product(p_.view(), j);
    if (moving_) add(p_derivative_, pj);
    return pj;
  };
  switch (quantity) {
    case Quantity::differential: return on_p_.log_norm(product(upper(), u_.view()));
    case Quantity::differential_from_algebraic: return on_q_.norm(product(upper(), v_.view()));
    case Quantity::algebraic_from_differential: return on_p_.norm(product(q_.view(), product(j, u_.view())));
    case Quantity::algebraic: return on_q_.log_norm(product(q_.view(), product(j, v_.view())));
    default: break;
  }
  if (v_.cols() == 0 && quantity == Quantity::reduced) return on_p_.log_norm(product(upper(), u_.view()));
  if (v_.cols() == 0) return decltype(on_p_.norm(j))(0.0);
  // phi: V (Q J V)^-1, and its product with Q J U.
  M inverted;
  if (!invert(product(v_left_.view(), product(j, v_.view())), inverted)) return unbounded(j);
  const M gain = product(v_.view(), inverted);
  if (quantity == Quantity::implicit_gain) return on_q_.norm(gain);
  if (quantity == Quantity::reduced_gain) return on_q_.norm(product(upper(), gain));
  const M slope = product(gain, product(v_left_.view(), product(j, u_.view())));
  if (quantity == Quantity::implicit_slope) return on_p_.norm(slope);
  return on_p_.log_norm(product(upper(), difference(lifted(u_, j), slope)));
}

double Index1Split::value(Quantity quantity, const Matrix& j) const { return evaluate(quantity, j); }
Interval Index1Split::value(Quantity quantity, const IntervalMatrix& j) const {
  const Interval direct = evaluate(quantity, j);
  if (quantity != Quantity::reduced || !norm_.is_euclidean() || v_.cols() == 0 || moving_) return direct;
  const double upper = std::min(direct.upper(), reduced_by_form(j));
  return Interval::unchecked(std::min(direct.lower(), upper), upper);
}

double Index1Split::reduced_by_form(const IntervalMatrix& j) const {
  const double mp = evaluate(Quantity::differential, j).upper(), mq = evaluate(Quantity::algebraic, j).upper();
  if (!(mq < 0.0)) return infinity;
  double best = infinity;
  for (const double tau : coupling_factors(evaluate(Quantity::differential_from_algebraic, j).upper(),
                                           evaluate(Quantity::algebraic_from_differential, j).upper()))
    best = std::min(best, reduced_bound(mp, mq, coupling(tau, j).upper(), tau));
  return best;
}

Interval Index1Split::coupling(double tau, const IntervalMatrix& j) const {
  IntervalMatrix sum = on_p_.in_orthonormal_basis(product(p_.view(), product(j, v_.view())), on_q_);
  const IntervalMatrix qp = on_q_.in_orthonormal_basis(product(q_.view(), product(j, u_.view())), on_p_);
  for (std::size_t a = 0; a < sum.rows(); ++a)
    for (std::size_t b = 0; b < sum.cols(); ++b) sum(a, b) += Interval(tau) * qp(b, a);
  const Interval lengths = on_p_.squared_length() * on_q_.squared_length();
  if (!(lengths.lower() > 0.25)) return Interval(0.0, infinity);
  return largest_singular_value(sum) / sqrt(lengths);
}

double Index1Split::reduced_bound(double mp, double mq, double coupling, double tau) {
  if (!(mq < 0.0) || !std::isfinite(coupling)) return infinity;
  if (coupling == 0.0) return mp;
  return (Interval(mp) + square(Interval(coupling)) / (Interval(4.0 * tau) * Interval(-mq))).upper();
}

std::vector<double> Index1Split::coupling_factors(double lq, double lp) {
  const double tau = lq > 0.0 && lp > 0.0 ? lq / lp : 1.0;
  if (!(tau > 0.0) || !std::isfinite(tau)) return {1.0};
  return {std::exp2(std::round(std::log2(tau))), tau};
}

}  // namespace driftless
