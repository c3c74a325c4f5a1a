#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/equations/mechanical_linearisation.h"

namespace driftless {

// Everything by one factorisation of [M G^T; G 0]: f_v k_lambda of the paper is -M^-1 G^T.
class MechanicalManifold final : public Manifold {
 public:
  explicit MechanicalManifold(const Mechanical& form);

  int levels() const override { return 3; }
  std::size_t constraint_count() const override { return m_; }
  ManifoldStatus residual(int level, double t, ConstSpan state, Span out) override;
  ManifoldStatus derivative(double t, ConstSpan state, Span out) override;
  ManifoldStatus set_multipliers(double t, Span state) override;
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
  bool is_sparse() override { return m_ > 0 && at_.is_large(); }
  ManifoldStatus examine(double t, ConstSpan state, Examination& out) override;
  ManifoldStatus regularity(double t, ConstSpan state, Regularity& out) override;
  void regularity_nearby(Regularity& out) const override;

 private:
  template <class T>
  struct Parts {
    std::span<T> q, v, s, lambda;
  };
  Parts<double> split(Span x) const;
  Parts<const double> split(ConstSpan x) const;

  bool is_known(double t, ConstSpan q) const;
  void evaluate_gradients(double t, ConstSpan q);
  ManifoldStatus factorise(double t, ConstSpan q);
  ManifoldStatus accelerations(double t, ConstSpan q, ConstSpan v, ConstSpan s, Span a, Span lambda);
  ManifoldStatus project_positions(double t, Span q, Span mu);
  void project_velocities(Span v, Span nu);
  void remove_normal_here(Span change) const;
  bool correct_nearby(double t, Span q, Span v);
  bool contradicts(double t, ConstSpan q, ConstSpan v) const;
  ManifoldStatus find_rank(double t, ConstSpan q);
  bool is_lasting(double t, ConstSpan q, std::size_t rank);

  std::shared_ptr<const Mechanical::Functions> f_;
  std::size_t n_, r_, m_;
  MechanicalLinearisation at_;
  // Where M, G and their factorisation were last computed: the steps of one point ask for them several times.
  Vector at_q_;
  double at_t_ = 0.0;
  bool known_ = false;
  // Of G where the constraints hold, if that is less than m along the motion. Off them rows are independent by what is
  // missing there, and accelerations would be anything.
  std::size_t lasting_rank_;
  SizeNorm norm_;
};

}  // namespace driftless
