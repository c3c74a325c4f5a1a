// A polynomial from both ends of a step and slopes of the equations: through both states, with the slopes at both ends
// and, for order 4 and 5, at one or two points inside. The states at these are taken from the polynomial of the order
// before: its error, O(h^(k + 1)), is that of the slope there, and h times a slope counts in the next one.
#include <cmath>

#include "driftless/equations/manifold.h"
#include "driftless/integrate/dense_step.h"
#include "driftless/linalg/lu.h"
#include "driftless/step/collocation.h"

namespace driftless {

namespace {

constexpr int nodes = 5;  // a polynomial of degree 5 is its values at these
// Slopes at 0 and 1 first. With one point inside at 1/2, or two at those of Lobatto, the conditions depend on each
// other.
constexpr double slopes_at[] = {0.0, 1.0, 0.25, 0.4, 0.6};
struct Points {
  std::size_t inside, count;  // the first of slopes_at[] that is new, and how many are
};
constexpr Points points_of(int order) { return order == 4 ? Points{2, 1} : Points{3, 2}; }  // order 5: not those of 4

// p(tau) = w_0 (x_1 - x_0) + h sum_k w_k f_k for the polynomial without constant term whose value at 1 and whose slopes
// are given: p = sum_j a_j tau^j with M a = (x_1 - x_0, h f), so that M^T w = (tau^j)_j.
Vector weights_at(double tau, ConstSpan at) {
  const std::size_t d = at.size() + 1;
  RealLu lu(d);
  Vector w(d);
  for (std::size_t j = 0; j < d; ++j) {
    const auto power = static_cast<double>(j + 1);
    lu.matrix()(j, 0) = 1.0;
    for (std::size_t k = 0; k < at.size(); ++k) lu.matrix()(j, k + 1) = power * std::pow(at[k], power - 1.0);
    w[j] = std::pow(tau, power);
  }
  lu.factorise();
  lu.solve(w);
  return w;
}

class Slopes {
 public:
  Slopes(Manifold& manifold, const DenseStep& dense)
      : manifold_(manifold), dense_(dense), size_(dense.base.size()), whole_(dense.increments) {}

  bool add(double tau, ConstSpan state) {
    Vector point(state.begin(), state.end()), slope(size_);
    ++evaluations_;
    if (manifold_.flow(dense_.begin + tau * dense_.h, point, slope) != ManifoldStatus::ok) return false;
    at_.push_back(tau);
    slopes_.push_back(std::move(slope));
    return true;
  }
  // p(tau), without the state at the beginning.
  void value(double tau, Span out) const {
    const Vector w = weights_at(tau, at_);
    for (std::size_t i = 0; i < size_; ++i) {
      out[i] = tau * whole_[i];
      if (i + dense_.multipliers >= size_) continue;
      out[i] = w[0] * whole_[i];
      for (std::size_t k = 0; k < at_.size(); ++k) out[i] += w[k + 1] * dense_.h * slopes_[k][i];
    }
  }
  void forget_after(std::size_t count) {
    at_.resize(count);
    slopes_.resize(count);
  }
  std::size_t evaluations() const { return evaluations_; }

 private:
  Manifold& manifold_;
  const DenseStep& dense_;
  std::size_t size_;
  Vector whole_;  // from one end to the other
  Vector at_;
  std::vector<Vector> slopes_;
  std::size_t evaluations_ = 0;
};

bool find_slopes(Slopes& slopes, const DenseStep& dense) {
  const std::size_t n = dense.base.size();
  Vector point = dense.base;
  if (!slopes.add(0.0, point)) return false;
  for (std::size_t i = 0; i < n; ++i) point[i] += dense.increments[i];
  if (!slopes.add(1.0, point)) return false;
  for (int order = 4; order <= dense.order_by_slopes; ++order) {
    const auto [first, count] = points_of(order);
    std::vector<Vector> states(count, Vector(n));
    for (std::size_t k = 0; k < count; ++k) {
      slopes.value(slopes_at[first + k], states[k]);
      for (std::size_t i = 0; i < n; ++i) states[k][i] += dense.base[i];
    }
    if (order == 5) slopes.forget_after(2);
    for (std::size_t k = 0; k < count; ++k)
      if (!slopes.add(slopes_at[first + k], states[k])) return false;
  }
  return true;
}

}  // namespace

std::size_t DenseStep::finish(Manifold& manifold) {
  if (order_by_slopes == 0) return 0;
  Slopes slopes(manifold, *this);
  if (find_slopes(slopes, *this)) {
    const std::size_t n = base.size();
    Vector at_nodes(n * nodes);
    for (std::size_t j = 0; j < nodes; ++j) slopes.value(radau_constants(nodes).c[j], Span(at_nodes).subspan(j * n, n));
    increments = std::move(at_nodes);
    stages = nodes;
  }
  order_by_slopes = 0;
  return slopes.evaluations();
}

}  // namespace driftless
