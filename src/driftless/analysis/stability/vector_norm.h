// The norms in which stability is measured: |W x|_p for p = 1, 2, infinity and any regular W.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driftless/core/matrix.h"

namespace driftless {

class Norm {
 public:
  enum class Kind { one, two, maximum };

  static Norm one() { return Norm(Kind::one); }
  static Norm two() { return Norm(Kind::two); }
  static Norm maximum() { return Norm(Kind::maximum); }
  // |diag(weights) x|_p; Misuse unless all weights are positive and finite.
  static Norm weighted(Kind kind, Vector weights);
  // sqrt(x^T G x); Misuse unless G is symmetric and positive definite.
  static Norm inner_product(const Matrix& g);
  // |W x|_p; Misuse unless W is regular.
  static Norm transformed(Kind kind, Matrix w);
  // "1", "2", "inf" (also "max").
  static Norm by_name(std::string_view name);

  double operator()(ConstSpan x) const;
  Kind kind() const { return kind_; }
  // Whether the norm comes from an inner product, which B-stability needs.
  bool is_euclidean() const { return kind_ == Kind::two; }
  bool is_transformed() const { return w_.has_value(); }
  // W x, or W a; copies if there is no W. Misuse if the size does not fit.
  Vector transform(ConstSpan x) const;
  Matrix transform(ConstMatrixView a) const;
  const std::optional<Matrix>& matrix() const { return w_; }
  std::string name() const;  // "2-norm", "weighted maximum norm", ...

 private:
  explicit Norm(Kind kind) : kind_(kind) {}
  void require_size(std::size_t n) const;
  Kind kind_;
  std::optional<Matrix> w_;
  bool diagonal_ = false;
};

}  // namespace driftless
