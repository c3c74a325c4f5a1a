#include "driftless/linalg/large_svd.h"

#include <Eigen/Householder>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "driftless/core/stop.h"

namespace driftless {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

// m = U B V^T with d on the diagonal of B and e beside it: the vectors of the reflections stand where zeros are.
struct Bidiagonal {
  MatrixXd packed;
  VectorXd d, e, left, right;
};

Bidiagonal bidiagonal_of(const MatrixXd& m) {
  const Index rows = m.rows(), n = m.cols();
  Bidiagonal b{m, VectorXd(n), VectorXd(n), VectorXd(n), VectorXd(n)};
  VectorXd work(rows);
  for (Index k = 0; k < n; ++k) {
    check_stop();
    b.packed.col(k).tail(rows - k).makeHouseholderInPlace(b.left(k), b.d(k));
    b.packed.bottomRightCorner(rows - k, n - k - 1)
        .applyHouseholderOnTheLeft(b.packed.col(k).tail(rows - k - 1), b.left(k), work.data());
    if (k + 1 == n) break;
    b.packed.row(k).tail(n - k - 1).makeHouseholderInPlace(b.right(k), b.e(k));
    b.packed.bottomRightCorner(rows - k - 1, n - k - 1)
        .applyHouseholderOnTheRight(b.packed.row(k).tail(n - k - 2).transpose(), b.right(k), work.data());
  }
  return b;
}

MatrixXd left_vectors(const Bidiagonal& b) {
  const Index rows = b.packed.rows();
  MatrixXd u = MatrixXd::Identity(rows, rows);
  VectorXd work(rows);
  for (Index k = b.packed.cols() - 1; k >= 0; --k) {
    check_stop();
    u.bottomRightCorner(rows - k, rows - k)
        .applyHouseholderOnTheLeft(b.packed.col(k).tail(rows - k - 1), b.left(k), work.data());
  }
  return u;
}

MatrixXd right_vectors(const Bidiagonal& b) {
  const Index n = b.packed.cols();
  MatrixXd v = MatrixXd::Identity(n, n);
  VectorXd work(n);
  for (Index k = n - 2; k >= 0; --k) {
    check_stop();
    v.bottomRightCorner(n - k - 1, n - k - 1)
        .applyHouseholderOnTheLeft(b.packed.row(k).tail(n - k - 2).transpose(), b.right(k), work.data());
  }
  return v;
}

// (y, z) becomes (r, 0).
struct Rotation {
  double c = 1.0, s = 0.0, r = 0.0;
  Rotation(double y, double z) : r(std::hypot(y, z)) {
    if (r == 0.0) return;
    c = y / r;
    s = z / r;
  }
  void columns(MatrixXd& m, Index i, Index j) const {
    if (m.size() == 0) return;
    double* __restrict a = m.col(i).data();
    double* __restrict b = m.col(j).data();
    for (Index k = 0; k < m.rows(); ++k) {
      const double before = a[k];
      a[k] = c * before + s * b[k];
      b[k] = c * b[k] - s * before;
    }
  }
};

// G. Golub and C. Reinsch, Numer. Math. 14 (1970), as in G. Golub and C. Van Loan, Matrix Computations, 8.6. Of
// U diag(d, e) V^T to begin with; the vectors may be empty.
class QrIteration {
 public:
  QrIteration(VectorXd& d, VectorXd& e, MatrixXd& u, MatrixXd& v) : d_(d), e_(e), u_(u), v_(v) {
    for (Index k = 0; k < d.size(); ++k)
      largest_ = std::max({largest_, std::abs(d(k)), k + 1 < d.size() ? std::abs(e(k)) : 0.0});
  }

  // False if it does not end, which nobody has seen.
  bool run() {
    Index last = d_.size() - 1;
    for (Index left = 100 + 30 * d_.size(); last > 0 && left > 0; --left) {
      check_stop();
      for (Index k = 0; k < last; ++k)
        if (std::abs(e_(k)) <= rounding * (std::abs(d_(k)) + std::abs(d_(k + 1)))) e_(k) = 0.0;
      while (last > 0 && e_(last - 1) == 0.0) --last;
      if (last == 0) break;
      Index first = last - 1;
      while (first > 0 && e_(first - 1) != 0.0) --first;
      if (!split_at_zero(first, last)) step(first, last);
    }
    return last == 0;
  }

 private:
  static constexpr double rounding = std::numeric_limits<double>::epsilon();

  bool is_zero(Index k) const { return std::abs(d_(k)) <= rounding * largest_; }

  // A zero on the diagonal takes the entry beside it away, and the matrix apart.
  bool split_at_zero(Index first, Index last) {
    Index k = first;
    while (k <= last && !is_zero(k)) ++k;
    if (k > last) return false;
    d_(k) = 0.0;
    if (k < last)
      clear_row(k, last);
    else
      clear_column(first, last);
    return true;
  }

  void clear_row(Index k, Index last) {
    double f = std::exchange(e_(k), 0.0);
    for (Index j = k + 1; j <= last && f != 0.0; ++j) {
      const Rotation turn(d_(j), f);
      d_(j) = turn.r;
      turn.columns(u_, j, k);
      if (j == last) break;
      f = -turn.s * e_(j);
      e_(j) *= turn.c;
    }
  }

  void clear_column(Index first, Index last) {
    double f = std::exchange(e_(last - 1), 0.0);
    for (Index j = last - 1; j >= first && f != 0.0; --j) {
      const Rotation turn(d_(j), f);
      d_(j) = turn.r;
      turn.columns(v_, j, last);
      if (j == first) break;
      f = -turn.s * e_(j - 1);
      e_(j - 1) *= turn.c;
    }
  }

  // The eigenvalue of the last two rows and columns of B^T B that is nearer to its last entry (Wilkinson).
  double shift(Index first, Index last) const {
    const double above = last - 1 > first ? e_(last - 2) : 0.0;
    const double t11 = d_(last - 1) * d_(last - 1) + above * above;
    const double t22 = d_(last) * d_(last) + e_(last - 1) * e_(last - 1), t12 = d_(last - 1) * e_(last - 1);
    const double half = 0.5 * (t11 - t22), root = std::hypot(half, t12);
    return root == 0.0 ? t22 : t22 - t12 * t12 / (half + std::copysign(root, half));
  }

  void step(Index first, Index last) {
    double y = d_(first) * d_(first) - shift(first, last), z = d_(first) * e_(first);
    for (Index k = first; k < last; ++k) {
      const Rotation right(y, z);
      if (k > first) e_(k - 1) = right.r;
      y = right.c * d_(k) + right.s * e_(k);
      e_(k) = right.c * e_(k) - right.s * d_(k);
      z = right.s * d_(k + 1);
      d_(k + 1) *= right.c;
      right.columns(v_, k, k + 1);
      const Rotation left(y, z);
      d_(k) = left.r;
      y = left.c * e_(k) + left.s * d_(k + 1);
      d_(k + 1) = left.c * d_(k + 1) - left.s * e_(k);
      e_(k) = y;
      left.columns(u_, k, k + 1);
      if (k + 1 == last) break;
      z = left.s * e_(k + 1);
      e_(k + 1) *= left.c;
    }
  }

  VectorXd &d_, &e_;
  MatrixXd &u_, &v_;
  double largest_ = 0.0;
};

// Positive, in descending order; columns of u beyond the values stay where they are.
Svd in_order(const VectorXd& d, MatrixXd u, MatrixXd v) {
  const Index n = d.size();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return std::abs(d(a)) > std::abs(d(b)); });
  Svd svd{u, v, VectorXd(n)};
  for (Index k = 0; k < n; ++k) {
    const Index from = order[static_cast<std::size_t>(k)];
    svd.values(k) = std::abs(d(from));
    if (u.size() == 0) continue;
    svd.u.col(k) = u.col(from);
    svd.v.col(k) = d(from) < 0.0 ? VectorXd(-v.col(from)) : VectorXd(v.col(from));
  }
  return svd;
}

}  // namespace

Svd large_svd(const MatrixXd& m, SingularVectors vectors) {
  if (m.rows() < m.cols()) {
    Svd svd = large_svd(m.transpose(), vectors);
    svd.u.swap(svd.v);
    return svd;
  }
  const double size = m.cwiseAbs().maxCoeff();  // squares neither overflow nor vanish
  if (size == 0.0) return jacobi_svd(m, vectors);
  Bidiagonal b = bidiagonal_of(m / size);
  MatrixXd u, v;
  if (vectors != SingularVectors::none) {
    u = left_vectors(b);
    v = right_vectors(b);
  }
  if (!QrIteration(b.d, b.e, u, v).run()) return jacobi_svd(m, vectors);
  Svd svd = in_order(b.d, std::move(u), std::move(v));
  svd.values *= size;
  return svd;
}

}  // namespace driftless
