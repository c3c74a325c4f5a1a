#include "driftless/analysis/geometric/hausdorff.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace driftless::hausdorff_test {
namespace {

PointCloud random_cloud(std::size_t dimension, std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  PointCloud cloud{.dimension = dimension, .coordinates = Vector(dimension * size)};
  for (double& x : cloud.coordinates) x = uniform(generator);
  return cloud;
}

double distance(ConstSpan x, ConstSpan y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

Separation by_all_pairs(const PointCloud& a, const PointCloud& b) {
  Separation result{.distance = -1.0};
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t nearest = 0;
    for (std::size_t j = 1; j < b.size(); ++j)
      if (distance(a.point(i), b.point(j)) < distance(a.point(i), b.point(nearest))) nearest = j;
    const double d = distance(a.point(i), b.point(nearest));
    if (d > result.distance) result = {d, i, nearest};
  }
  return result;
}

TEST(Hausdorff, AgreesWithAllPairs) {
  for (std::size_t dimension : {1, 2, 3, 5, 8}) {
    const PointCloud a = random_cloud(dimension, 700, 1), b = random_cloud(dimension, 900, 2);
    const Separation expected = by_all_pairs(a, b), found = hausdorff_separation(a, b);
    EXPECT_NEAR(found.distance, expected.distance, 1e-15) << dimension;
    EXPECT_EQ(found.from, expected.from) << dimension;
    EXPECT_EQ(found.to, expected.to) << dimension;
    EXPECT_NEAR(hausdorff_distance(a, b), std::max(expected.distance, by_all_pairs(b, a).distance), 1e-15) << dimension;
  }
}

// Circles of radius 1 and 1.25, and a part of one: H* is not symmetric, H is.
TEST(Hausdorff, SeparationHasADirection) {
  const auto arc = [](double radius, double part, std::size_t n) {
    PointCloud cloud{.dimension = 2};
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = 2.0 * std::numbers::pi * part * static_cast<double>(i) / static_cast<double>(n);
      cloud.append(Vector{radius * std::cos(angle), radius * std::sin(angle)});
    }
    return cloud;
  };
  const PointCloud circle = arc(1.0, 1.0, 2000), larger = arc(1.25, 1.0, 2000), half = arc(1.0, 0.5, 1000);
  EXPECT_NEAR(hausdorff_distance(circle, larger), 0.25, 1e-12);
  EXPECT_NEAR(hausdorff_separation(half, circle).distance, 0.0, 1e-12);
  EXPECT_NEAR(hausdorff_separation(circle, half).distance, std::sqrt(2.0), 2e-3);
  EXPECT_NEAR(hausdorff_distance(half, circle), std::sqrt(2.0), 2e-3);
  EXPECT_EQ(hausdorff_distance(circle, circle), 0.0);
}

TEST(Hausdorff, ResultsDoNotDependOnTheNumberOfThreads) {
  const PointCloud a = random_cloud(3, 30000, 3), b = random_cloud(3, 20000, 4);
  const NearestPoints index(b);
  const Separation one = index.separation_of(a, {.threads = 1});
  for (unsigned threads : {2u, 3u, 8u}) {
    const Separation many = index.separation_of(a, {.threads = threads});
    EXPECT_EQ(one.distance, many.distance);
    EXPECT_EQ(one.from, many.from);
    EXPECT_EQ(one.to, many.to);
  }
}

TEST(Hausdorff, ManyEqualPointsAreNoTrouble) {
  PointCloud same{.dimension = 2, .coordinates = Vector(20000, 0.5)}, other{.dimension = 2, .coordinates = {0.5, 1.5}};
  EXPECT_EQ(hausdorff_distance(same, other), 1.0);
}

TEST(Hausdorff, SetsThatCannotBeComparedAreMisuse) {
  const PointCloud empty{.dimension = 2}, plane = random_cloud(2, 10, 1), space = random_cloud(3, 10, 1);
  PointCloud broken = plane;
  broken.coordinates[5] = std::nan("");
  const auto message = [](const PointCloud& a, const PointCloud& b) -> std::string {
    try {
      hausdorff_distance(a, b);
    } catch (const Misuse& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(plane, empty), "a set without points has no distance to others");
  EXPECT_EQ(message(plane, space), "sets of points with 2 and 3 coordinates cannot be compared");
  EXPECT_EQ(message(broken, plane), "point 2 of a set is not finite in coordinate 1");
}

}  // namespace
}  // namespace driftless::hausdorff_test
