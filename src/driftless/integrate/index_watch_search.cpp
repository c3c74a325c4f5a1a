// The search of a step for a zero of det S.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "driftless/core/infinity.h"
#include "driftless/integrate/index_watch.h"

namespace driftless {

namespace {

// Logarithms of how far det S falls: what is no dip any more but a zero, as seen inside a step, or close to a change of
// sign; and where no way leads back to the manifold.
const double log_zero = std::log(1e4), log_cross = std::log(1e3), log_near = std::log(100.0);

}  // namespace

// On the manifold, where there is a way to it: what an interpolant is off by may hide a zero. An algebraic equation is
// left as it is, since near a fold it may have two roots, or none.
IndexWatch::Point IndexWatch::at(double t, const Interpolant& interpolant) {
  interpolant(t, state_);
  const Vector kept = state_;
  Point point{t, steps_[1].is};
  if (manifold_->levels() > 1)
    point.on_manifold = manifold_->project(t, state_, true, mu1_, mu2_) == ManifoldStatus::ok;
  if (!point.on_manifold) state_ = kept;
  regularity(t, state_, point.is);  // where it cannot be told, nothing is said
  return point;
}

std::optional<Failure> IndexWatch::search(const Interpolant& interpolant) {
  std::optional<Failure> first;
  if (whole_is_suspicious_) first = search_whole(interpolant);
  const double direction = steps_[0].t < steps_[1].t ? -1.0 : 1.0;
  for (const auto& part : parts_)
    if (part->is_suspicious_)
      if (auto found = part->search(interpolant); found && (!first || direction * (found->time - first->time) < 0.0))
        first = std::move(found);
  if (first) judge_before(first->time, interpolant);
  return first;
}

// The condition of a run that ends in a zero is that of the last way to it, however long the step is.
void IndexWatch::judge_before(double zero, const Interpolant& interpolant) {
  constexpr double share = 0.99;
  const double begin = steps_[1].t;
  const Point near = at(begin + share * (zero - begin), interpolant);
  if (!near.on_manifold || near.is.sign == 0) return;
  const Point end = std::exchange(steps_[0], near);
  judge(near.t, state_);
  steps_[0] = end;
}

std::optional<Failure> IndexWatch::search_whole(const Interpolant& interpolant) {
  const Point end = steps_[0], begin = steps_[1];
  std::optional<Failure> result;
  if (end.is.sign * begin.is.sign < 0)
    result = bisect(begin, end, interpolant);
  else
    result = search_between(interpolant);
  if (!result && found_) result = lost(*found_, std::max(std::abs(*found_ - end.t), std::abs(end.t - begin.t)), "");
  interpolant(end.t, state_);
  if (!result) judge(end.t, state_);
  return result;
}

// A formula that jumps has no zero between its two signs.
std::optional<Failure> IndexWatch::bisect(Point low, Point high, const Interpolant& interpolant) {
  const double around = std::min(low.is.log_determinant, high.is.log_determinant);
  const double width = std::abs(high.t - low.t);
  for (int k = 0; k < 50 && std::abs(high.t - low.t) > 1e-13 * (1.0 + std::abs(low.t)); ++k) {
    const Point middle = at(0.5 * (low.t + high.t), interpolant);
    if (middle.is.sign == 0) return lost(middle.t, std::abs(high.t - low.t), "");
    (middle.is.sign == low.is.sign ? low : high) = middle;
  }
  if (std::max(low.is.log_determinant, high.is.log_determinant) > around - log_cross) return std::nullopt;
  return lost(0.5 * (low.t + high.t), 1e-6 * width, "");
}

namespace {

// Where the line through sqrt |det S| at two points is zero.
template <class Point>
double zero_of_line(const Point& far, const Point& near) {
  return far.t + (near.t - far.t) / (1.0 - std::exp(0.5 * (near.is.log_determinant - far.is.log_determinant)));
}

// The last points before and after those that are off the manifold; the same one twice if none is.
template <class Points>
std::pair<std::size_t, std::size_t> gap_of(const Points& points) {
  std::size_t left = 0, right = points.size() - 1;
  while (left < right && points[left + 1].on_manifold) ++left;
  while (left < right && points[right - 1].on_manifold) --right;
  return {left, right};
}

// Around a zero there may be no way from the interpolant to the manifold. Then sqrt |det S| tells, which falls in a
// line from both sides: a least value of a tenth, instead of zero, would part the two zeros by a hundredth.
template <class Points>
std::optional<double> where_lines_meet(const Points& points) {
  constexpr double apart = 0.01;
  const auto [left, right] = gap_of(points);
  if (left == right || left == 0 || right + 1 == points.size()) return std::nullopt;
  const double from_left = zero_of_line(points[left - 1], points[left]),
               from_right = zero_of_line(points[right + 1], points[right]), gap = points[right].t - points[left].t;
  const double share = (from_left - points[left].t) / gap;
  if (!(share > 0.0 && share < 1.0 && std::abs(from_right - from_left) < apart * std::abs(gap))) return std::nullopt;
  return from_left;
}

// Of the points of a grid, those around what is off the manifold, or else around the least |det S|.
template <class Points>
std::pair<std::size_t, std::size_t> closer(const Points& points) {
  auto [left, right] = gap_of(points);
  if (left == right) {
    const auto less = [](const auto& a, const auto& b) { return a.is.log_determinant < b.is.log_determinant; };
    left = right = static_cast<std::size_t>(std::min_element(points.begin(), points.end(), less) - points.begin());
  }
  return {left - (left > 0), std::min(right + 1, points.size() - 1)};
}

}  // namespace

// Ends are known.
IndexWatch::Grid IndexWatch::grid(const Point& low, const Point& high, const Interpolant& interpolant) {
  Grid points;
  const std::size_t parts = points.size() - 1;
  for (std::size_t k = 1; k < parts; ++k)
    points[k] = at(low.t + (high.t - low.t) * static_cast<double>(k) / static_cast<double>(parts), interpolant);
  points.front() = low;
  points.back() = high;
  return points;
}

// The least of |det S| over a few points, then closer and closer around it.
std::optional<Failure> IndexWatch::search_between(const Interpolant& interpolant) {
  const Point begin = steps_[1], end = steps_[0];
  const double around = std::min(begin.is.log_determinant, end.is.log_determinant);
  Grid points = grid(begin, end, interpolant);
  const double width = std::abs(points[1].t - points[0].t);
  for (std::size_t k = 1; k < points.size(); ++k) {
    if (points[k].is.sign == 0 && k + 1 < points.size()) return lost(points[k].t, width, "");
    if (points[k].is.sign * points[k - 1].is.sign < 0)
      if (auto found = bisect(points[k - 1], points[k], interpolant)) return found;
  }
  if (ends_in_zero(points[points.size() / 2 - 1])) return lost(end.t, std::abs(end.t - begin.t), "");
  const auto [low, high] = closer(points);
  if (auto found = narrow(points[low].t, points[high].t, around, interpolant)) return found;
  return manifold_->levels() > 1 ? zoom(points, interpolant) : std::nullopt;
}

std::optional<Failure> IndexWatch::zoom(Grid points, const Interpolant& interpolant) {
  constexpr int times = 4;
  for (int k = 0;; ++k) {
    const auto [low, high] = closer(points);
    if (const auto time = where_lines_meet(points)) return lost(*time, std::abs(points[high].t - points[low].t), "");
    if (k == times) return std::nullopt;
    points = grid(points[low], points[high], interpolant);
  }
}

// The golden section between two times. Close to a zero there may be no way back to the manifold: where det S has been
// seen to fall towards such a place, that is the proof.
std::optional<Failure> IndexWatch::narrow(double low, double high, double around, const Interpolant& interpolant) {
  constexpr double golden = 0.6180339887498949;
  double least = infinity;
  Point left, right;
  const auto log_at = [](const Point& point) { return point.is.log_determinant; };
  const auto look = [&](Point& point, double t) {
    point = at(t, interpolant);
    if (point.on_manifold) least = std::min(least, log_at(point));
    return least < around - (point.on_manifold ? 2.0 * log_zero : log_near);
  };
  bool found = look(left, high - golden * (high - low));
  Point* newest = &left;
  if (!found) found = look(*(newest = &right), low + golden * (high - low));
  for (int k = 0; k < 60 && !found; ++k) {
    if (log_at(left) < log_at(right)) {
      high = std::exchange(right, left).t;
      found = look(*(newest = &left), high - golden * (high - low));
    } else {
      low = std::exchange(left, right).t;
      found = look(*(newest = &right), low + golden * (high - low));
    }
  }
  if (!found && least > around - log_zero) return std::nullopt;
  return lost(newest->t, std::abs(high - low), "");
}

}  // namespace driftless
