// Is the index what it was? Where the matrix S that decides it becomes singular, multipliers have poles and solutions
// may branch: a run that steps over such a point goes on as if nothing had happened, and is wrong.
//
// det S goes through zero with a change of sign, which two steps show; or it touches zero, as the square of something
// does. Its root then falls in a line to zero inside the step that the last two steps announce, and the step is
// searched for the place; the first step after a start or a jump is announced by its own beginning. Constraints that
// are redundant anyway may lose more of their rank and go on: they are left alone. Where S is block triangular, each
// block is watched by itself: the others may grow as fast as one falls, and det S then shows nothing.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driftless/equations/manifold.h"
#include "driftless/linalg/blocks.h"
#include "driftless/linalg/lu.h"

namespace driftless {

class IndexWatch {
 public:
  // `with_condition`: keep the worst condition, too.
  IndexWatch(const Equations& equations, bool with_condition);

  // A run starts here, or goes on after a jump.
  void restart(double t, ConstSpan state);
  // An accepted step ended here. True: search it.
  // `decisive`: writes the matrix itself, if it is at hand; asked only where blocks of it are watched.
  using Decisive = std::function<bool(Matrix& out)>;
  bool see(double t, ConstSpan state, const Regularity& here, const Decisive& decisive = {});
  bool see(double t, ConstSpan state);  // the same, with an evaluation of its own

  // The last step, between two states seen: a Failure if the index is lost inside.
  using Interpolant = std::function<void(double t, Span out)>;
  std::optional<Failure> search(const Interpolant& at);

  // A run that ended with this failure of a step of size h: another one if the index is lost right ahead.
  Failure explain(Failure failure, double h) const;

  // The worst over the run so far, and when. One constraint: its rows and columns at their longest, over its decisive
  // number; several: singular values of S, with rows and columns scaled to the same length.
  double condition() const { return worst_.condition; }
  double condition_time() const { return worst_.time; }

  // For who needs one that nobody continues with: everything here begins with a linearisation of its own.
  Manifold& manifold() { return *manifold_; }

 private:
  IndexWatch(const Equations& equations, MatrixBlock block, const Matrix& entries);  // of one block alone

  struct Point {
    double t = 0.0;
    Regularity is;
    bool on_manifold = true;
  };
  using Grid = std::array<Point, 10>;
  ManifoldStatus regularity(double t, ConstSpan state, Regularity& out);
  Regularity regularity_of_block(ConstMatrixView decisive);
  void divide();
  bool see_parts(double t, ConstSpan state, const Decisive& decisive);
  std::size_t size() const { return block_ ? block_->rows.size() : mu1_.size(); }
  std::optional<Failure> search_whole(const Interpolant& at);
  Point at(double t, const Interpolant& interpolant);
  bool announced(const Point& before, const Point& begin, const Point& end) const;
  Point right_after_begin();
  std::optional<Failure> bisect(Point low, Point high, const Interpolant& interpolant);
  std::optional<Failure> search_between(const Interpolant& interpolant);
  Grid grid(const Point& low, const Point& high, const Interpolant& interpolant);
  std::optional<Failure> zoom(Grid points, const Interpolant& interpolant);
  std::optional<Failure> narrow(double low, double high, double around, const Interpolant& interpolant);
  bool ends_in_zero(const Point& middle) const;
  bool remember(const Point& point);
  bool is_suspicious(bool fell);
  std::optional<double> zero_in_reach(double h) const;
  void judge(double t, ConstSpan state);
  void judge_before(double zero, const Interpolant& interpolant);
  Failure lost(double t, double uncertainty, const std::string& why) const;

  const Equations& equations_;
  std::optional<MatrixBlock> block_;
  std::vector<std::unique_ptr<IndexWatch>> parts_;  // regular blocks, if there are several
  RealLu lu_{0};                                    // of the block
  Matrix entries_;                                  // 1 where S has had any so far
  bool whole_is_suspicious_ = false, is_suspicious_ = false;
  std::unique_ptr<Manifold> manifold_;
  bool watching_, with_condition_;
  std::array<Point, 4> steps_, falls_;  // the last steps; the last times that det S had fallen to a quarter
  std::size_t step_count_ = 0, fall_count_ = 0;
  double peak_ = 0.0;              // log det S before it fell
  std::optional<double> found_;    // a zero that the falls have led to
  double largest_scale_, lowest_;  // of log_scale, and of log det S where the condition was judged last
  struct {
    double condition = 1.0, time = 0.0;
  } worst_;
  Matrix decisive_;
  Vector state_, mu1_, mu2_;
  Vector first_, slope_;  // the state that was seen first, and how it goes on
};

}  // namespace driftless
