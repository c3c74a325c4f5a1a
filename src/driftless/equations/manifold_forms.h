// The manifolds of the general forms; mechanical ones have a file of their own.
#pragma once

#include <initializer_list>

#include "driftless/equations/index2_normal.h"
#include "driftless/equations/index3_normal.h"
#include "driftless/equations/manifold.h"
#include "driftless/equations/size_norm.h"
#include "driftless/linalg/decisive_system.h"
#include "driftless/linalg/pattern_product.h"

namespace driftless {

// Where the decisive matrix is singular, corrections are of least norm and may leave something of a constraint. True if
// more than rounding of its terms is left on one of these levels: it cannot be satisfied.
bool leaves_something(Manifold& manifold, std::initializer_list<int> levels, double t, ConstSpan state,
                      const SizeNorm& norm);

class Index3Manifold final : public Manifold {
 public:
  explicit Index3Manifold(const Index3& form);

  int levels() const override { return 3; }
  std::size_t constraint_count() const override { return m_; }
  ManifoldStatus residual(int level, double t, ConstSpan state, Span out) override;
  ManifoldStatus derivative(double t, ConstSpan state, Span out) override;
  ManifoldStatus set_multipliers(double t, Span state) override;
  ManifoldStatus project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) override;
  ManifoldStatus remove_normal(double t, ConstSpan state, Span change) override;
  ManifoldStatus remove_normal_nearby(double t, ConstSpan state, Span change) override;
  ManifoldStatus decisive_matrix(double t, ConstSpan state, Matrix& out) override;
  Range determined_by(int level) const override;
  ManifoldStatus level_jacobian(int level, double t, ConstSpan state, Matrix& out) override;
  ManifoldStatus level_effect(int level, double t, ConstSpan state, ConstSpan sizes, Span out) override;
  ManifoldStatus level_values(int level, double t, ConstSpan state, Pattern& pattern, Vector& values) override;
  ManifoldStatus jump_step(int level, double t, ConstSpan state, const std::vector<char>& free, ConstSpan residual,
                           Span step) override;
  bool is_sparse() override { return m_ > 0 && normal().is_sparse(); }
  ManifoldStatus examine(double t, ConstSpan state, Examination& out) override;
  ManifoldStatus regularity(double t, ConstSpan state, Regularity& out) override;
  void regularity_nearby(Regularity& out) const override;
  bool decisive_nearby(Matrix& out) const override;

 private:
  Index3Normal& normal();
  ManifoldStatus linearise(double t, ConstSpan state);
  void velocity_residual(Span out) const;
  void acceleration_residual(double t, ConstSpan u, Span out);

  std::shared_ptr<const Index3::Functions> f_;
  std::size_t n_, p_, m_;
  Vector lambda_sizes_;                   // empty: all 1
  std::unique_ptr<Index3Normal> normal_;  // made when it is first asked for
  Vector slope_, rate_, second_;          // f and k at the current point, and u'' from them
  SizeNorm norm_;
};

class Index2Manifold final : public Manifold {
 public:
  explicit Index2Manifold(const Index2& form);

  int levels() const override { return 2; }
  std::size_t constraint_count() const override { return m_; }
  ManifoldStatus residual(int level, double t, ConstSpan state, Span out) override;
  ManifoldStatus derivative(double t, ConstSpan state, Span out) override;
  ManifoldStatus set_multipliers(double t, Span state) override;
  ManifoldStatus set_multipliers_nearby(double t, Span state) override;
  ManifoldStatus flow(double t, Span state, Span slope) override;
  ManifoldStatus project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) override;
  ManifoldStatus remove_normal(double t, ConstSpan state, Span change) override;
  ManifoldStatus project_nearby(double t, Span state) override;
  ManifoldStatus settle(double t, Span state) override;
  ManifoldStatus remove_normal_nearby(double t, ConstSpan state, Span change) override;
  ManifoldStatus decisive_matrix(double t, ConstSpan state, Matrix& out) override;
  Range determined_by(int level) const override;
  ManifoldStatus level_jacobian(int level, double t, ConstSpan state, Matrix& out) override;
  ManifoldStatus level_effect(int level, double t, ConstSpan state, ConstSpan sizes, Span out) override;
  ManifoldStatus level_values(int level, double t, ConstSpan state, Pattern& pattern, Vector& values) override;
  ManifoldStatus jump_step(int level, double t, ConstSpan state, const std::vector<char>& free, ConstSpan residual,
                           Span step) override;
  bool is_sparse() override { return m_ > 0 && normal().is_sparse(); }
  ManifoldStatus examine(double t, ConstSpan state, Examination& out) override;
  ManifoldStatus regularity(double t, ConstSpan state, Regularity& out) override;
  void regularity_nearby(Regularity& out) const override;
  bool decisive_nearby(Matrix& out) const override;

 private:
  Index2Normal& normal();
  ManifoldStatus set_gamma(double t, ConstSpan u);
  ManifoldStatus linearise(double t, ConstSpan state);
  void velocity_residual(Span out) const;
  void evaluate_slope(double t, ConstSpan state, Span out);
  bool correct_multipliers(double t, Span state);
  bool is_settled(double t, ConstSpan u) const;

  std::shared_ptr<const Index2::Functions> f_;
  std::size_t n_, m_;
  Vector lambda_sizes_;                   // empty: all 1
  std::unique_ptr<Index2Normal> normal_;  // made when it is first asked for: residuals alone need no matrix
  Vector slope_;                          // Gamma^-1 f
  SizeNorm norm_;
  Vector settled_;  // where settle() ended last; empty if matrices have been evaluated elsewhere since
  double settled_t_ = 0.0;
};

class Index1Manifold final : public Manifold {
 public:
  explicit Index1Manifold(const Index1& form);

  int levels() const override { return 1; }
  std::size_t constraint_count() const override { return m_; }
  ManifoldStatus residual(int level, double t, ConstSpan state, Span out) override;
  ManifoldStatus derivative(double t, ConstSpan state, Span out) override;
  ManifoldStatus rates(double t, ConstSpan state, Span out) override;
  ManifoldStatus flow_of_all(double t, Span state, Span slope) override;
  ManifoldStatus set_multipliers(double t, Span state) override;
  ManifoldStatus settle(double t, Span state) override { return set_multipliers(t, state); }
  ManifoldStatus project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) override;
  ManifoldStatus remove_normal(double t, ConstSpan state, Span change) override;
  ManifoldStatus decisive_matrix(double t, ConstSpan state, Matrix& out) override;
  Range determined_by(int level) const override;
  ManifoldStatus level_jacobian(int level, double t, ConstSpan state, Matrix& out) override;
  ManifoldStatus level_effect(int level, double t, ConstSpan state, ConstSpan sizes, Span out) override;
  bool is_sparse() override { return m_ > 0 && linear().s.is_sparse(); }
  ManifoldStatus examine(double t, ConstSpan state, Examination& out) override;
  ManifoldStatus regularity(double t, ConstSpan state, Regularity& out) override;
  void regularity_nearby(Regularity& out) const override;
  bool decisive_nearby(Matrix& out) const override;

 private:
  struct Linearisation;
  Linearisation& linear();
  ManifoldStatus linearise(double t, ConstSpan x);
  Vector gradients(double t, ConstSpan state);
  double norm_of_change(ConstSpan along) const;
  ManifoldStatus arrived(double t, ConstSpan state);  // at a point of the manifold, if there is one

  std::shared_ptr<const Index1::Functions> f_;
  std::shared_ptr<const ProjectorParts> parts_;
  std::size_t n_, m_;
  Vector value_;
  SizeNorm norm_;
  Pattern pattern_;  // of f_x, if there are constraints
  // Made when it is first asked for: who asks for residuals alone needs no matrix.
  struct Linearisation {
    PatternProduct product;  // rows^T f_x image
    DecisiveSystem s;
    Vector f_values;
  };
  std::unique_ptr<Linearisation> linearisation_;
  PatternProduct gradients_;  // rows^T f_x
};

}  // namespace driftless
