// Index-1 problems whose projector depends on time, P(t) x' = f(x, t): remark 4 of Higueras and Soderlind 2003. As
// (P x)' = P' x + P f, everything holds with P' + Pf in the place of Pf.
#pragma once

#include "driftless/analysis/stability/lipschitz_tube.h"
#include "driftless/equations/model_calls.h"

namespace driftless {

class MovingIndex1 {
 public:
  class Functions {
   public:
    virtual ~Functions() = default;
    virtual void projector(double t, MatrixView p, MatrixView derivative) const = 0;
    virtual void f(ConstSpan x, double t, Span out) const = 0;
    virtual void f_jacobian(ConstSpan x, double t, MatrixView j) const = 0;  // (x, t)
  };
  MovingIndex1(std::size_t size, std::shared_ptr<const Functions> functions)
      : size_(size), functions_(std::move(functions)) {}

  std::size_t size() const { return size_; }
  const Functions& functions() const { return *functions_; }
  // Bases and norms at a time; Misuse if P(t) is no projector.
  Index1Split split(double t, const Norm& norm) const;

 private:
  std::size_t size_;
  std::shared_ptr<const Functions> functions_;
};

// The constants of the linearisation at one point.
SplitConstants constants_at(const MovingIndex1& form, ConstSpan x, double t, const Norm& norm);
Majorant elimination_at(const MovingIndex1& form, ConstSpan x, double t, const Norm& norm);

struct MovingOptions {
  Norm norm = Norm::two();
  Vector radii = {};         // half widths of the tube, component by component; empty: none
  std::size_t samples = 20;  // per piece, states and times
  BoundTheorem theorem = BoundTheorem::best;
};
// Along a path, piece by piece of its grid, from samples: the images of P(t) move, so no enclosure is made.
std::vector<MajorantPiece> majorants_along(const MovingIndex1& form, const ReferencePath& path,
                                           const MovingOptions& options = {});

// Bounds for P(t) x' = f(x, t) + p(t); `start` is |P dx| at the first time.
std::vector<DeviationBound> bound_deviation(const MovingIndex1& form, const Norm& norm,
                                            std::span<const MajorantPiece> pieces, const Disturbance& disturbance,
                                            std::span<const double> times);

namespace detail {

template <class Model>
class AutomaticMoving final : public MovingIndex1::Functions {
 public:
  AutomaticMoving(Model model, std::size_t n) : model_(std::move(model)), n_(n) {}

  void projector(double t, MatrixView p, MatrixView derivative) const override {
    using T = Tangent<double>;
    Scratch scratch;
    const auto entries = scratch.take<T>(n_ * n_);
    T time(t);
    time.d.set(0, 1.0);
    model_.projector(time, OutMatrix<T>(entries, n_, n_));
    for (std::size_t k = 0; k < n_ * n_; ++k) {
      p(k % n_, k / n_) = entries[k].value;
      derivative(k % n_, k / n_) = entries[k].d.get(0);
    }
  }
  void f(ConstSpan x, double t, Span out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    model_.f(In<double>(x), t, Out<double>(out));
  }
  void f_jacobian(ConstSpan x, double t, MatrixView j) const override {
    Scratch scratch;
    const ConstSpan all = Joined(scratch, n_ + 1).add(x).add(t).all();
    jacobian(
        [&](auto arguments, auto y) {
          using T = typename decltype(y)::value_type;
          Split<T> split(arguments);
          const In<T> state = split.next(n_);
          model_.f(state, split.scalar(), Out<T>(y));
        },
        all, 0, j);
  }

 private:
  Model model_;
  std::size_t n_;
};

}  // namespace detail

// From a model with projector(t, out) and f(x, t, out), written for any scalar type.
template <class Model>
MovingIndex1 moving_index1(Model model, std::size_t size) {
  return MovingIndex1(size, std::make_shared<const detail::AutomaticMoving<Model>>(std::move(model), size));
}

}  // namespace driftless
