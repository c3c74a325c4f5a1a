// Norms and logarithmic norms of linear maps that are given on a subspace only: for the subspace spanned by the columns
// of Y and a map that takes Y c to Z c,
//     norm      = sup |Z c| / |Y c|,
//     log_norm  = sup (Y c, Z c)_+ / |Y c|^2 = lim_{h -> 0+} (sup |(Y + h Z) c| / |Y c| - 1) / h.
// With Y = I they are the norm and the logarithmic norm of Z; with Y = A V, Z = B V those of the pencil (A, B) on V.
#pragma once

#include <optional>

#include "driftless/analysis/stability/interval_matrix.h"
#include "driftless/analysis/stability/vector_norm.h"

namespace driftless {

class RestrictedNorm {
 public:
  // Misuse if the columns of y depend on each other.
  RestrictedNorm(Norm norm, Matrix y);

  double norm(const Matrix& z) const;
  double log_norm(const Matrix& z) const;

  // Contain the values for every Z in z. For subspaces other than those of coordinates, the 1-norm and the maximum norm
  // are certain up to a relative error of 1e-12 in the arithmetic of their linear programs.
  Interval norm(const IntervalMatrix& z) const;
  Interval log_norm(const IntervalMatrix& z) const;

  // Euclidean norms: the matrix of a map from the subspace of `from` (given on its basis) into this one, in orthonormal
  // bases of both.
  IntervalMatrix in_orthonormal_basis(const IntervalMatrix& z, const RestrictedNorm& from) const;
  // |x|^2 / |c|^2 for a vector x of the subspace with coordinates c in that basis: 1, up to the rounding of the basis.
  Interval squared_length() const { return Interval(1.0) + Interval(-gram_defect_, gram_defect_); }

  std::size_t dimension() const { return y_.cols(); }
  const Norm& vector_norm() const { return norm_; }
  const Matrix& basis() const { return y_; }
  // The 1-norm on a general subspace is a maximum over its vertices; if they are too many, values are upper bounds.
  bool is_exact() const { return exact_; }

 private:
  // Coordinate subspaces (after the weights): column j of W Y has its only entry in row row_[j].
  struct Coordinates {
    std::vector<std::size_t> row;
    Vector entry;
  };
  static std::optional<Coordinates> coordinates_of(const Matrix& wy);
  template <class M>
  M scaled(const M& z) const;
  template <class M>
  auto coordinate_value(const M& z, bool logarithmic) const;
  Interval euclidean(const IntervalMatrix& z, bool logarithmic) const;
  IntervalMatrix transposed_basis() const;
  double polyhedral(const Matrix& z, bool logarithmic) const;
  Interval polyhedral(const IntervalMatrix& z, bool logarithmic) const;

  Norm norm_;
  Matrix y_, wy_;
  std::optional<Coordinates> coordinates_;
  Matrix r_inverse_;    // Euclidean: W Y r^-1 is orthonormal
  Matrix orthonormal_;  // W Y r^-1
  double gram_defect_ = 0.0;
  Matrix left_inverse_;           // polyhedral: of W Y
  std::vector<Vector> vertices_;  // 1-norm: the c of the vertices of the unit ball, |Y c| = 1
  bool exact_ = true;
};

// Extreme points of { Y c : |Y c|_1 <= 1 }, one of each pair +-; nothing if there are more than `limit` candidates.
std::optional<std::vector<Vector>> one_norm_vertices(const Matrix& y, std::size_t limit);

// max z . c  subject to |Y c|_inf <= 1 and, if `row` is given, (Y c)_row = 1, by the simplex method on the dual.
double maximise_on_cube(const Matrix& y, ConstSpan z, std::optional<std::size_t> row);

}  // namespace driftless
