#include "driftless/analysis/stability/supremum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "driftless/core/infinity.h"
#include "driftless/core/stop.h"

namespace driftless {

namespace {

constexpr double smallest_side = 1e-13;  // relative to the whole box: no further bisection

struct Enclosed {
  Box box;
  double upper;
  bool operator<(const Enclosed& o) const { return upper < o.upper; }
};

// Half way, also of sides without an end.
double cut_of(const Interval& side) {
  if (side.is_bounded()) return side.middle();
  if (std::isfinite(side.lower())) return side.lower() + 1.0 + std::abs(side.lower());
  return std::isfinite(side.upper()) ? side.upper() - 1.0 - std::abs(side.upper()) : 0.0;
}

class Search {
 public:
  Search(const Box& whole, const BoxFunction& function, const Refinement& refinement)
      : whole_(whole), function_(function), refinement_(refinement) {}

  Supremum run() {
    add(whole_);
    while (!queue_.empty() && result_.boxes < refinement_.boxes) {
      check_stop();
      const Enclosed top = queue_.top();
      if (narrow(top.upper)) break;
      const std::size_t k = best_side(top);
      if (k == top.box.coordinates()) {  // a point in every direction
        finished_ = std::max(finished_, top.upper);
        queue_.pop();
        continue;
      }
      queue_.pop();
      Box left = top.box, right = top.box;
      const double cut = cut_of(top.box.side(k));
      left.side(k) = Interval(top.box.side(k).lower(), cut);
      right.side(k) = Interval(cut, top.box.side(k).upper());
      add(left, top.upper);
      add(right, top.upper);
    }
    result_.upper = std::max({finished_, queue_.empty() ? -infinity : queue_.top().upper, result_.lower});
    result_.undecided = undecided_ && result_.upper == infinity;
    return result_;
  }

 private:
  // An infinite bound is never narrow: inf - x <= relative * inf would be true of it.
  bool narrow(double upper) const {
    return std::isfinite(upper) &&
           upper - result_.lower <= refinement_.absolute + refinement_.relative * std::abs(upper);
  }

  std::optional<Interval> over(const Box& box) {
    try {
      return function_.over(box);
    } catch (const UndecidedComparison&) {
      undecided_ = true;
      return Interval::whole();
    }
  }

  void add(const Box& box, double limit = infinity) {
    ++result_.boxes;
    const auto values = over(box);
    if (!values) return;
    Box point = box;
    try {
      if (const auto here = function_.at(point); here && here->lower() > result_.lower) {
        result_.lower = here->lower();
        result_.where = point.middle();
        result_.time = point.t.middle();
      }
    } catch (const UndecidedComparison&) {  // on an edge exactly: it is no sample
    }
    const double upper = std::isnan(values->upper()) ? infinity : values->upper();
    queue_.push({box, std::min(upper, limit)});
  }

  double relative_side(const Box& box, std::size_t k) const {
    const double whole = whole_.side(k).width(), here = box.side(k).width();
    if (std::isinf(here)) return 2.0;
    if (std::isinf(whole)) return here / (1.0 + box.side(k).magnitude());
    return whole > 0.0 ? here / whole : 0.0;
  }

  // The side whose collapse narrows the values most; else the widest of those on which the values depend at all; else
  // the widest. Boxes of many sides take the widest at once.
  std::size_t best_side(const Enclosed& candidate) {
    const Box& box = candidate.box;
    const std::size_t none = box.coordinates();
    const bool try_all = box.coordinates() <= collapse_limit;
    const auto whole = try_all ? over(box) : std::nullopt;
    std::size_t best = none, influential = none, widest = none;
    double narrowest = whole ? whole->width() * (1.0 - 1e-9) : 0.0, influential_side = 0.0, widest_side = 0.0;
    for (std::size_t k = 0; k < box.coordinates(); ++k) {
      const double side = relative_side(box, k);
      if (side <= smallest_side) continue;
      if (side > widest_side) {
        widest_side = side;
        widest = k;
      }
      if (!whole) continue;
      Box thin = box;
      thin.side(k) = Interval(thin.side(k).middle());
      const auto values = over(thin);
      const double left = values ? values->width() : 0.0;
      if (left < narrowest) {
        narrowest = left;
        best = k;
      }
      if (differ(values, whole) && side > influential_side) {
        influential_side = side;
        influential = k;
      }
    }
    return best != none ? best : influential != none ? influential : widest;
  }
  static bool differ(const std::optional<Interval>& x, const std::optional<Interval>& y) {
    if (!x || !y) return x.has_value() != y.has_value();
    const auto apart = [](double a, double b) { return a != b && !(std::abs(a - b) <= 1e-12 * std::abs(b)); };
    return apart(x->lower(), y->lower()) || apart(x->upper(), y->upper());
  }

  static constexpr std::size_t collapse_limit = 24;
  const Box& whole_;
  const BoxFunction& function_;
  const Refinement& refinement_;
  std::priority_queue<Enclosed> queue_;
  Supremum result_{.lower = -infinity, .upper = infinity, .where = {}};
  double finished_ = -infinity;
  bool undecided_ = false;
};

}  // namespace

Supremum supremum_on(const Box& box, const BoxFunction& function, const Refinement& refinement) {
  return Search(box, function, refinement).run();
}

}  // namespace driftless
