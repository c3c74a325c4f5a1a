#include "driftless/analysis/stability/pencil_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/spectrum.h"

namespace driftless {

namespace {

// Sizes of entries as 2^(offset + row + column), by least squares of their logarithms (Curtis and Reid 1972), with an
// offset for A and one for B: units of equations, unknowns and time.
class Units {
 public:
  Units(const Matrix& a, const Matrix& b) : rows(a.rows()), columns(a.cols()) {
    collect(a, 0);
    collect(b, 1);
    constexpr int sweeps = 100;
    for (int k = 0; k < sweeps; ++k) {
      fit(offsets_, [](const Entry& e) { return e.matrix; });
      fit(rows, [](const Entry& e) { return e.row; });
      fit(columns, [](const Entry& e) { return e.column; });
    }
  }
  Vector rows, columns;

 private:
  struct Entry {
    std::size_t row, column, matrix;
    double size;
  };

  // What is rounding beside the rest of its row and its column is no matter of units.
  void collect(const Matrix& m, std::size_t matrix) {
    Vector row(m.rows()), column(m.cols());
    for (std::size_t i = 0; i < m.rows(); ++i)
      for (std::size_t j = 0; j < m.cols(); ++j) {
        row[i] = std::max(row[i], std::abs(m(i, j)));
        column[j] = std::max(column[j], std::abs(m(i, j)));
      }
    for (std::size_t i = 0; i < m.rows(); ++i)
      for (std::size_t j = 0; j < m.cols(); ++j)
        if (std::abs(m(i, j)) > 1e-14 * std::min(row[i], column[j]))
          entries_.push_back({i, j, matrix, std::log2(std::abs(m(i, j)))});
  }

  // The best values of one kind, the others as they are: means of what they leave.
  template <class Of>
  void fit(Vector& values, const Of& of) {
    Vector sum(values.size()), count(values.size());
    for (const Entry& e : entries_) {
      sum[of(e)] += e.size - offsets_[e.matrix] - rows[e.row] - columns[e.column] + values[of(e)];
      count[of(e)] += 1.0;
    }
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = count[i] > 0.0 ? sum[i] / count[i] : 0.0;
  }

  Vector offsets_ = Vector(2);
  std::vector<Entry> entries_;
};

// R A C / |A| and R B C / |B| in units of their own: the same structure, eigenvalues times |A| / |B|. By powers of two,
// so that nothing is rounded.
class Scaled {
 public:
  Scaled(const Matrix& a, const Matrix& b) : a_(a), b_(b), column_(a.cols()) {
    const Units units(a, b);
    for (std::size_t j = 0; j < a.cols(); ++j) {
      column_[j] = std::exp2(-std::round(units.columns[j]));
      for (std::size_t i = 0; i < a.rows(); ++i) {
        const double by = column_[j] * std::exp2(-std::round(units.rows[i]));
        a_(i, j) *= by;
        b_(i, j) *= by;
      }
    }
    factor_ = shrink(b_) / shrink(a_);
  }

  const Matrix& a() const { return a_; }
  const Matrix& b() const { return b_; }
  double eigenvalue_factor() const { return factor_; }
  // C v: back to the unknowns as they were.
  Matrix unscaled(Matrix v) const {
    for (std::size_t i = 0; i < v.rows(); ++i)
      for (std::size_t j = 0; j < v.cols(); ++j) v(i, j) *= column_[i];
    return v.cols() > 0 ? thin_qr(v).q : v;
  }

 private:
  static double shrink(Matrix& m) {
    double largest = 0.0;
    for (std::size_t k = 0; k < m.rows() * m.cols(); ++k) largest = std::max(largest, std::abs(m.data()[k]));
    const double size = largest > 0.0 ? std::exp2(std::round(std::log2(largest))) : 1.0;
    for (std::size_t k = 0; k < m.rows() * m.cols(); ++k) m.data()[k] /= size;
    return size;
  }

  Matrix a_, b_;
  Vector column_;
  double factor_ = 1.0;
};

class WongSequence {
 public:
  WongSequence(const Scaled& pencil, PencilStructure& result) : a_(pencil.a()), b_(pencil.b()), result_(result) {
    a_size_ = std::max(1.0, largest_singular_value(a_));
    b_size_ = std::max(1.0, largest_singular_value(b_));
  }

  // V*: dimensions on the way there are in the result.
  Matrix limit() {
    Matrix v = Matrix::identity(a_.cols());
    result_.dimensions = {v.cols()};
    while (v.cols() > 0) {
      Matrix next = preimage(v);
      if (next.cols() == v.cols()) break;
      v = std::move(next);
      result_.dimensions.push_back(v.cols());
    }
    return v;
  }

  // Does V meet Ker A in 0 only?
  bool is_injective_on(const Matrix& v) {
    return v.cols() == 0 || (v.cols() <= a_.rows() && rank_of(singular_values(product(a_, v)).s, a_size_) == v.cols());
  }

 private:
  // { x : B x in A V }: what B x has orthogonal to A V must vanish.
  Matrix preimage(const Matrix& v) {
    const SingularValues image = singular_values(product(a_, v));
    const std::size_t rank = rank_of(image.s, a_size_), n = a_.rows();
    if (rank == n) return Matrix::identity(a_.cols());
    const Matrix rotated = product(transpose_of(image.u), b_);
    Matrix outside(n - rank, a_.cols());
    for (std::size_t i = rank; i < n; ++i)
      for (std::size_t j = 0; j < a_.cols(); ++j) outside(i - rank, j) = rotated(i, j);
    const SingularValues null = singular_values(outside);
    const std::size_t determined = rank_of(null.s, b_size_);
    Matrix kernel(a_.cols(), a_.cols() - determined);
    for (std::size_t j = determined; j < a_.cols(); ++j)
      for (std::size_t i = 0; i < a_.cols(); ++i) kernel(i, j - determined) = null.v(i, j);
    return kernel;
  }

  std::size_t rank_of(const Vector& descending, double size) {
    std::size_t rank = 0;
    for (const double s : descending) {
      if (s > result_.tolerance * size) {
        ++rank;
        result_.smallest_kept = std::min(result_.smallest_kept, s / size);
      } else {
        result_.largest_dropped = std::max(result_.largest_dropped, s / size);
      }
    }
    return rank;
  }

  const Matrix &a_, &b_;
  PencilStructure& result_;
  double a_size_ = 1.0, b_size_ = 1.0;
};

// dim V_k - dim V_{k+1} blocks at infinity are larger than k.
std::vector<std::size_t> block_sizes(const std::vector<std::size_t>& dimensions) {
  std::vector<std::size_t> sizes;
  for (std::size_t k = 0; k + 1 < dimensions.size(); ++k) {
    sizes.resize(std::max(sizes.size(), dimensions[k] - dimensions[k + 1]), 0);
    for (std::size_t i = 0; i < dimensions[k] - dimensions[k + 1]; ++i) ++sizes[i];
  }
  return sizes;
}

}  // namespace

PencilStructure analyse_pencil(const Matrix& a, const Matrix& b, double tolerance) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.rows() == 0 || a.cols() == 0)
    throw Misuse(fmt::format("the matrices of a pencil must have the same size, but they are {} x {} and {} x {}",
                             a.rows(), a.cols(), b.rows(), b.cols()));
  PencilStructure result{.dimensions = {}, .subspace = {}, .infinite_blocks = {}, .eigenvalues = {}};
  result.tolerance = tolerance;
  const Scaled scaled(a, b);
  WongSequence sequence(scaled, result);
  const Matrix v = sequence.limit();
  // A square pencil is singular exactly if it has free unknowns, that is, if V* meets Ker A.
  result.regular = a.rows() == a.cols() && sequence.is_injective_on(v);
  result.subspace = scaled.unscaled(v);
  if (!result.regular) return result;
  result.index = result.dimensions.size() - 1;
  result.infinite_blocks = block_sizes(result.dimensions);
  if (v.cols() == 0) return result;
  // B V = A V N on V*, by least squares, which are exact there.
  const ThinQr image = thin_qr(product(scaled.a(), v));
  const Matrix right = product(transpose_of(image.q), product(scaled.b(), v));
  result.eigenvalues = eigenvalues_of(product(*inverse(image.r), right));
  for (auto& s : result.eigenvalues) s *= scaled.eigenvalue_factor();
  return result;
}

}  // namespace driftless
