#include "driftless/equations/minimisation.h"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/core/failure.h"
#include "driftless/equations/convert_parts.h"

namespace driftless {

Minimisation::Minimisation(Shape shape, std::shared_ptr<const Functions> functions) : functions_(std::move(functions)) {
  if (!functions_) throw Misuse("a minimisation needs functions, but none were given");
  u_names_ = complete_names("u", shape.u > 0 ? shape.u : shape.u_names.size(), shape.u_names);
  constraint_names_ = complete_names("g", shape.constraints > 0 ? shape.constraints : shape.constraint_names.size(),
                                     shape.constraint_names);
  if (u_names_.empty()) throw Misuse("minimisation: there are no unknowns");
  if (constraint_names_.size() >= u_names_.size())
    throw Misuse(fmt::format("minimisation: {} constraints leave nothing to choose for {} unknowns",
                             constraint_names_.size(), u_names_.size()));
}

namespace {

class GradientFlow final : public Index2::Functions {
 public:
  explicit GradientFlow(const Minimisation& problem)
      : problem_(problem.share()), n_(problem.u_size()), m_(problem.constraint_count()) {}

  bool has_gamma() const override { return false; }
  void gamma(ConstSpan, double, MatrixView) const override {}
  void gamma_jacobian(ConstSpan, double, ConstSpan, MatrixView) const override {}

  void f(ConstSpan u, ConstSpan lambda, double, Span out) const override {
    problem_->gradient(u, out);
    for (double& x : out) x = -x;
    Scratch scratch;
    const MatrixView g = take_matrix(scratch, m_, n_);
    problem_->constraint_jacobian(u, g);
    add_transposed_product(g, -1.0, lambda, out);
  }
  void f_jacobian(ConstSpan u, ConstSpan lambda, double, MatrixView j) const override {
    Scratch scratch;
    const MatrixView g = take_matrix(scratch, m_, n_), h = take_matrix(scratch, n_, n_);
    problem_->constraint_jacobian(u, g);
    problem_->lagrangian_hessian(u, lambda, h);
    j.fill(0.0);
    add_block(h, -1.0, j.block(0, 0, n_, n_));
    add_transposed(g, -1.0, j.block(0, n_, n_, m_));
  }
  void g(ConstSpan u, double, Span out) const override { problem_->constraint(u, out); }
  void g_jacobian(ConstSpan u, double, MatrixView j) const override {
    j.fill(0.0);
    problem_->constraint_jacobian(u, j.block(0, 0, m_, n_));
  }

 private:
  std::shared_ptr<const Minimisation::Functions> problem_;
  std::size_t n_, m_;
};

}  // namespace

Index2 gradient_flow(const Minimisation& problem) {
  Index2::Shape shape{.u = problem.u_size(),
                      .lambda = problem.constraint_count(),
                      .u_names = problem.u_names(),
                      .constraint_names = problem.constraint_names()};
  for (const auto& name : problem.constraint_names()) shape.lambda_names.push_back(fmt::format("lambda({})", name));
  return Index2(shape, std::make_shared<const GradientFlow>(problem));
}

}  // namespace driftless
