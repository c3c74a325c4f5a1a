// Index 1 in projector form, (3.2) of Higueras and Soderlind 2003:  P x' = f(x, t) with P P = P and Q = I - P.
// The constraint is Q f(x, t) = 0.
#pragma once

#include <memory>

#include "driftless/core/interval.h"
#include "driftless/equations/layout.h"

namespace driftless {

class Index1 {
 public:
  class Functions {
   public:
    virtual ~Functions() = default;
    virtual void f(ConstSpan x, double t, Span out) const = 0;
    virtual void f_jacobian(ConstSpan x, double t, MatrixView j) const = 0;  // (x, t)
    virtual void f_by_x(ConstSpan x, double t, MatrixView j) const;          // the same without the column of t

    // Intervals that contain f and its derivatives by (x, t) for all x and t of a box, where the model was made for it
    // (index1_enclosed.h). UndecidedComparison if a formula takes different branches inside the box.
    virtual bool encloses() const { return false; }
    virtual void enclose(std::span<const Interval> x, const Interval& t, std::span<Interval> f,
                         BasicMatrixView<Interval> j) const;
  };

  // `equation_names` name the rows of f. Misuse if `projector` is none.
  struct Shape {
    Matrix projector;
    Names x_names = {}, equation_names = {};
  };

  Index1(Shape shape, std::shared_ptr<const Functions> functions, std::shared_ptr<const Functions> automatic = nullptr);

  // The same form with other functions, without analysing the projector again.
  Index1 with_functions(std::shared_ptr<const Functions> functions) const;

  const Functions& functions() const { return *functions_; }
  const Functions& automatic() const { return *automatic_; }
  std::shared_ptr<const Functions> share() const { return functions_; }
  std::size_t size() const { return p_.rows(); }
  const Matrix& projector() const { return p_; }
  const Matrix& complement() const { return q_; }
  // Orthonormal bases of the images of P and Q, and of the images of their transposes (the rows that matter).
  const Matrix& q_image() const { return q_image_; }
  const Matrix& q_rows() const { return q_rows_; }
  std::size_t constraint_count() const { return q_image_.cols(); }
  const Layout& layout() const { return layout_; }  // x
  void set_sizes(ConstSpan sizes) { layout_.set_sizes(sizes); }
  const Names& equation_names() const { return equations_; }
  // One name per basis row of Q^T: the equation that weighs most in it.
  const Names& constraint_names() const { return constraints_; }

 private:
  Matrix p_, q_, q_image_, q_rows_;
  Layout layout_;
  Names equations_, constraints_;
  std::shared_ptr<const Functions> functions_, automatic_;
};

// A x' = g(x) with singular A, brought to projector form: with A = W S Z^T (singular values), T = Z diag(S_r^-1, I/s_1)
// W^T is regular and T A = Z diag(I_r, 0) Z^T is the orthogonal projector along Ker A, so that T A x' = T g(x). Its
// algebraic part is scaled by the largest singular value s_1, so that small units (microfarads) do not drown the
// constraint in rounding.
struct ProjectorForm {
  Matrix projector;
  Matrix transform;  // T
};
ProjectorForm projector_form(const Matrix& a);

}  // namespace driftless
