// Lower estimates of constants: random points of the box, many of them on its boundary and in its middle where extrema
// like to be, then a search by coordinates from the best one.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "driftless/analysis/stability/constraint_graph.h"
#include "driftless/analysis/stability/lipschitz_constants.h"
#include "driftless/core/infinity.h"
#include "driftless/core/stop.h"
#include "driftless/equations/manifold.h"

namespace driftless {

namespace {

class Sampler {
 public:
  Sampler(const Index1& form, const Index1Split& split, const Box& box, Quantity quantity, unsigned seed)
      : form_(form),
        box_(box),
        quantity_(quantity),
        split_(split),
        manifold_(make_manifold(form)),
        on_manifold_(lives_on_manifold(quantity) && form.constraint_count() > 0),
        engine_(seed) {
    best_.quantity = quantity;
    best_.sampled = -infinity;
  }

  LipschitzConstant run(const Sampling& sampling) {
    look(middle());
    for (std::size_t k = 0; k < sampling.points; ++k) {
      check_stop();
      look(random_point());
    }
    if (sampling.climb) climb();
    return best_;
  }

 private:
  using Point = Vector;  // x, then t

  Point middle() const {
    Point p(box_.coordinates());
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = box_.side(k).middle();
    return p;
  }

  // Sides without an end are sampled with a heavy tail.
  double random_on(const Interval& side) {
    if (side.is_point()) return side.lower();
    const double choice = uniform_(engine_);
    const double tail = std::tan(1.5 * uniform_(engine_));
    if (!std::isfinite(side.lower()) && !std::isfinite(side.upper())) return choice < 0.5 ? tail : -tail;
    if (!std::isfinite(side.upper())) return side.lower() + tail;
    if (!std::isfinite(side.lower())) return side.upper() - tail;
    if (choice < 0.15) return side.lower();
    if (choice < 0.3) return side.upper();
    if (choice < 0.4) return side.middle();
    return std::clamp(side.lower() + uniform_(engine_) * (side.upper() - side.lower()), side.lower(), side.upper());
  }

  Point random_point() {
    Point p(box_.coordinates());
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = random_on(box_.side(k));
    return p;
  }

  bool look(const Point& p) {
    Vector x(p.begin(), p.end() - 1);
    const double t = p.back();
    if (on_manifold_ && (!bring_to_constraint(*manifold_, form_, t, x) || !box_.contains(x))) return false;
    const double value = value_at(form_, split_, quantity_, x, t);
    if (!(value > best_.sampled)) return false;
    best_.sampled = value;
    best_.sampled_at = x;
    best_.sampled_time = t;
    return true;
  }

  // One coordinate after the other, by steps that are halved when none of them helps.
  void climb() {
    if (best_.sampled_at.empty()) return;
    for (double step = 0.25; step > 1e-4; step *= 0.5) {
      for (int round = 0; round < 4; ++round) {
        check_stop();
        bool better = false;
        for (std::size_t k = 0; k < box_.coordinates(); ++k) {
          const Interval& side = box_.side(k);
          if (side.is_point()) continue;
          const double scale = side.is_bounded() ? side.width() : 1.0 + std::abs(coordinate(k));
          for (const double sign : {-1.0, 1.0}) {
            Point p = best_.sampled_at;
            p.push_back(best_.sampled_time);
            p[k] = std::clamp(p[k] + sign * step * scale, side.lower(), side.upper());
            better = look(p) || better;
          }
        }
        if (!better) break;
      }
    }
  }
  double coordinate(std::size_t k) const {
    return k < best_.sampled_at.size() ? best_.sampled_at[k] : best_.sampled_time;
  }

  const Index1& form_;
  const Box& box_;
  Quantity quantity_;
  const Index1Split& split_;
  std::unique_ptr<Manifold> manifold_;
  bool on_manifold_;
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{0.0, 1.0};
  LipschitzConstant best_;
};

}  // namespace

LipschitzConstant sampled_constant(const Index1& form, const Box& box, Quantity quantity,
                                   const LipschitzOptions& options) {
  return sampled_constant(form, Index1Split(form.projector(), options.norm), box, quantity, options);
}

LipschitzConstant sampled_constant(const Index1& form, const Index1Split& split, const Box& box, Quantity quantity,
                                   const LipschitzOptions& options) {
  LipschitzConstant result = Sampler(form, split, box, quantity, options.sampling.seed).run(options.sampling);
  result.lower = -infinity;
  result.upper = infinity;
  return result;
}

}  // namespace driftless
