// Index 1 in projector form, (3.2) of Higueras and Soderlind 2003:  P x' = f(x, t) with P P = P and Q = I - P.
// The constraint is Q f(x, t) = 0.
#pragma once

#include <memory>

#include "driftless/core/interval.h"
#include "driftless/equations/layout.h"
#include "driftless/equations/projector.h"

namespace driftless {

class Index1 {
 public:
  class Functions {
   public:
    virtual ~Functions() = default;
    virtual void f(ConstSpan x, double t, Span out) const = 0;
    virtual void f_jacobian(ConstSpan x, double t, MatrixView j) const = 0;  // (x, t)
    virtual void f_by_x(ConstSpan x, double t, MatrixView j) const;          // the same without the column of t

    // Which derivatives by x can differ from zero, known once (null: all), and their values in the order of the
    // pattern. A full pattern in column order is a dense matrix.
    virtual const Pattern* pattern() const { return nullptr; }
    virtual void f_values(ConstSpan x, double t, Span values) const;
    virtual void f_by_t(ConstSpan x, double t, Span out) const;

    // Intervals that contain f and its derivatives by (x, t) for all x and t of a box, where the model was made for it
    // (index1_enclosed.h). UndecidedComparison if a formula takes different branches inside the box.
    virtual bool encloses() const { return false; }
    virtual void enclose(std::span<const Interval> x, const Interval& t, std::span<Interval> f,
                         BasicMatrixView<Interval> j) const;
  };

  // `equation_names` name the rows of f. Misuse if `projector` is none; large ones are given by their entries.
  struct Shape {
    ConstantMatrix projector;
    Names x_names = {}, equation_names = {};
  };

  Index1(Shape shape, std::shared_ptr<const Functions> functions, std::shared_ptr<const Functions> automatic = nullptr);

  // The same form with other functions, without analysing the projector again.
  Index1 with_functions(std::shared_ptr<const Functions> functions) const;

  const Functions& functions() const { return *functions_; }
  const Functions& automatic() const { return *automatic_; }
  std::shared_ptr<const Functions> share() const { return functions_; }
  std::size_t size() const { return parts_->p.rows(); }
  // P, and bases of the images of Q and of its transpose, by their entries: see ProjectorParts.
  const ProjectorParts& parts() const { return *parts_; }
  std::shared_ptr<const ProjectorParts> share_parts() const { return parts_; }
  Pattern pattern() const;  // of f_x
  // With all of their zeros, for analyses: P, Q and the bases.
  Matrix projector() const { return parts_->p.dense(); }
  Matrix complement() const;
  Matrix q_image() const { return parts_->q_image.dense(); }
  Matrix q_rows() const { return parts_->q_rows.dense(); }
  std::size_t constraint_count() const { return parts_->q_image.cols(); }
  const Layout& layout() const { return layout_; }  // x
  void set_sizes(ConstSpan sizes) { layout_.set_sizes(sizes); }
  const Names& equation_names() const { return *equations_; }
  // One name per basis row of Q^T: the equation that weighs most in it.
  const Names& constraint_names() const { return *constraints_; }

 private:
  std::shared_ptr<const ProjectorParts> parts_;
  Layout layout_;
  std::shared_ptr<const Names> equations_, constraints_;
  std::shared_ptr<const Functions> functions_, automatic_;
};

}  // namespace driftless
