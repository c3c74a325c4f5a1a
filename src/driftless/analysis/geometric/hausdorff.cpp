#include "driftless/analysis/geometric/hausdorff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nanoflann.hpp>

namespace driftless {

namespace {

void require_points(const PointCloud& cloud) {
  if (cloud.size() == 0) throw Misuse("a set without points has no distance to others");
  for (std::size_t i = 0; i < cloud.coordinates.size(); ++i)
    if (!std::isfinite(cloud.coordinates[i]))
      throw Misuse(
          fmt::format("point {} of a set is not finite in coordinate {}", i / cloud.dimension, i % cloud.dimension));
}

// The points of a cloud along a Z-shaped curve, so that neighbours in space are neighbours in memory: searches for one
// after the other then find most of what they need in the cache.
std::vector<std::size_t> z_order(const PointCloud& cloud) {
  const std::size_t used = std::min<std::size_t>(cloud.dimension, 16), bits = std::min<std::size_t>(16, 64 / used);
  Vector low(used, std::numeric_limits<double>::max()), scale(used, 0.0);
  for (std::size_t i = 0; i < cloud.size(); ++i)
    for (std::size_t k = 0; k < used; ++k) low[k] = std::min(low[k], cloud.point(i)[k]);
  for (std::size_t i = 0; i < cloud.size(); ++i)
    for (std::size_t k = 0; k < used; ++k) scale[k] = std::max(scale[k], cloud.point(i)[k] - low[k]);
  std::vector<std::pair<std::uint64_t, std::size_t>> keys(cloud.size());
  const double cells = static_cast<double>((std::uint64_t{1} << bits) - 1);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    std::uint64_t key = 0;
    for (std::size_t k = 0; k < used; ++k) {
      const double part = scale[k] > 0.0 ? (cloud.point(i)[k] - low[k]) / scale[k] : 0.0;
      const auto cell = static_cast<std::uint64_t>(part * cells);
      for (std::size_t b = 0; b < bits; ++b) key |= ((cell >> b) & 1u) << (b * used + k);
    }
    keys[i] = {key, i};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].second;
  return order;
}

PointCloud reordered(const PointCloud& cloud, const std::vector<std::size_t>& order) {
  PointCloud result{.dimension = cloud.dimension};
  result.coordinates.reserve(cloud.coordinates.size());
  for (std::size_t i : order) result.append(cloud.point(i));
  return result;
}

// The view of a cloud that nanoflann asks for.
struct Adaptor {
  const PointCloud& cloud;
  std::size_t kdtree_get_point_count() const { return cloud.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t k) const { return cloud.coordinates[i * cloud.dimension + k]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

// The nearest neighbour, unless one within `enough` is found first: such a point does not decide the maximum.
class NearestOrEnough {
 public:
  using DistanceType = double;
  explicit NearestOrEnough(double enough) : enough_(enough) {}

  bool addPoint(double squared, std::size_t index) {
    if (squared < best_) {
      best_ = squared;
      index_ = index;
    }
    return best_ > enough_;
  }
  double worstDist() const { return best_; }
  bool full() const { return true; }
  double squared() const { return best_; }
  std::size_t index() const { return index_; }

 private:
  double enough_, best_ = std::numeric_limits<double>::max();
  std::size_t index_ = 0;
};

using Metric = nanoflann::L2_Simple_Adaptor<double, Adaptor>;
using Index = nanoflann::KDTreeSingleIndexAdaptor<Metric, Adaptor, -1, std::size_t>;

constexpr std::size_t points_per_task = 8192;

}  // namespace

struct NearestPoints::Tree {
  explicit Tree(const PointCloud& cloud)
      : order(z_order(cloud)),
        points(reordered(cloud, order)),
        adaptor{points},
        index(static_cast<int>(points.dimension), adaptor, nanoflann::KDTreeSingleIndexAdaptorParams(16)) {}
  std::vector<std::size_t> order;
  PointCloud points;
  Adaptor adaptor;
  Index index;
};

NearestPoints::NearestPoints(const PointCloud& cloud) {
  require_points(cloud);
  tree_ = std::make_unique<Tree>(cloud);
  tree_->index.buildIndex();
}
NearestPoints::~NearestPoints() = default;
NearestPoints::NearestPoints(NearestPoints&&) noexcept = default;

NearestPoints::Neighbour NearestPoints::nearest(ConstSpan point) const {
  NearestOrEnough result(0.0);
  tree_->index.findNeighbors(result, point.data(), nanoflann::SearchParams());
  return {tree_->order[result.index()], std::sqrt(result.squared())};
}

void NearestPoints::require_comparable(const PointCloud& from) const {
  require_points(from);
  if (from.dimension != tree_->points.dimension)
    throw Misuse(fmt::format("sets of points with {} and {} coordinates cannot be compared", from.dimension,
                             tree_->points.dimension));
}

double NearestPoints::separation_of(const PointCloud& from, double share, const Execution& execution) const {
  if (!(share > 0.0) || !(share <= 1.0)) throw Misuse(fmt::format("a share of the points is in (0, 1], not {}", share));
  if (share == 1.0) return separation_of(from, execution).distance;
  require_comparable(from);
  const std::vector<std::size_t> order = z_order(from);
  Vector distances(from.size());
  const std::size_t tasks = (from.size() + points_per_task - 1) / points_per_task;
  for_each_index({.threads = execution.threads, .progress = execution.progress}, "distances", tasks,
                 [&](std::size_t task) {
                   const std::size_t end = std::min(from.size(), (task + 1) * points_per_task);
                   for (std::size_t i = task * points_per_task; i < end; ++i)
                     distances[i] = nearest(from.point(order[i])).distance;
                 });
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(from.size()))) - 1;
  std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(rank), distances.end());
  return distances[rank];
}

Separation NearestPoints::separation_of(const PointCloud& from, const Execution& execution) const {
  require_comparable(from);
  const std::vector<std::size_t> order = z_order(from);
  const std::size_t tasks = (from.size() + points_per_task - 1) / points_per_task;
  std::vector<Separation> farthest(tasks);
  // Each task begins anew with its own maximum, so that its result is the same whoever works on the others.
  const auto search = [&](std::size_t task) {
    const std::size_t end = std::min(from.size(), (task + 1) * points_per_task);
    double most = -1.0;
    for (std::size_t i = task * points_per_task; i < end; ++i) {
      NearestOrEnough result(most);
      tree_->index.findNeighbors(result, from.point(order[i]).data(), nanoflann::SearchParams());
      if (result.squared() <= most) continue;
      most = result.squared();
      farthest[task] = {std::sqrt(most), order[i], tree_->order[result.index()]};
    }
  };
  for_each_index({.threads = execution.threads, .progress = execution.progress}, "distances", tasks, search);
  Separation result = farthest.front();
  for (const Separation& candidate : farthest)
    if (candidate.distance > result.distance) result = candidate;
  return result;
}

Separation hausdorff_separation(const PointCloud& a, const PointCloud& b, const Execution& execution) {
  return NearestPoints(b).separation_of(a, execution);
}

double hausdorff_distance(const PointCloud& a, const PointCloud& b, const Execution& execution) {
  return hausdorff_distance(a, b, 1.0, execution);
}

double hausdorff_distance(const PointCloud& a, const PointCloud& b, double share, const Execution& execution) {
  const double there = NearestPoints(b).separation_of(a, share, execution);
  return std::max(there, NearestPoints(a).separation_of(b, share, execution));
}

}  // namespace driftless
