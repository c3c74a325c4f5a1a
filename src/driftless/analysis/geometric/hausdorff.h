// Distances between sets of points: the Hausdorff separation and distance of the attracting-sets paper, section 2.
#pragma once

#include <memory>

#include "driftless/core/execution.h"
#include "driftless/core/matrix.h"

namespace driftless {

struct PointCloud {
  std::size_t dimension = 0;
  Vector coordinates = {};  // point after point

  std::size_t size() const { return dimension > 0 ? coordinates.size() / dimension : 0; }
  ConstSpan point(std::size_t i) const { return ConstSpan(coordinates).subspan(i * dimension, dimension); }
  void append(ConstSpan point) { coordinates.insert(coordinates.end(), point.begin(), point.end()); }
};

// H*(A, B) = max over a in A of dist(a, B), and the pair of points that attains it.
struct Separation {
  double distance = 0.0;
  std::size_t from = 0, to = 0;  // the point of A that is farthest from B, and its nearest neighbour there
};

// A set that is asked for nearest neighbours many times; it copies the points. Misuse if it is empty or has
// coordinates that are not finite.
class NearestPoints {
 public:
  explicit NearestPoints(const PointCloud& cloud);
  ~NearestPoints();
  NearestPoints(NearestPoints&&) noexcept;

  struct Neighbour {
    std::size_t index = 0;
    double distance = 0.0;
  };
  Neighbour nearest(ConstSpan point) const;
  // H*(from, this set); nothing of the result depends on the number of threads. A stop token has no effect here.
  Separation separation_of(const PointCloud& from, const Execution& execution = {}) const;
  // The distance that this share of the points of `from` does not exceed: H* for share = 1. Where an attracting set is
  // visited rarely, samples of it differ much; this leaves the rarest points out.
  double separation_of(const PointCloud& from, double share, const Execution& execution = {}) const;

 private:
  void require_comparable(const PointCloud& from) const;

  struct Tree;
  std::unique_ptr<Tree> tree_;
};

Separation hausdorff_separation(const PointCloud& a, const PointCloud& b, const Execution& execution = {});
// H(A, B) = max(H*(A, B), H*(B, A)), or of this share of the points.
double hausdorff_distance(const PointCloud& a, const PointCloud& b, const Execution& execution = {});
double hausdorff_distance(const PointCloud& a, const PointCloud& b, double share, const Execution& execution = {});

}  // namespace driftless
