// The Hausdorff distance of sets of a million points.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>

#include "driftless/analysis/geometric/hausdorff.h"

namespace driftless::geo_hausdorff_test {
namespace {

// Points of a sphere along a spiral, so evenly spread that the nearest one is never farther than 2.5 / sqrt(n).
PointCloud sphere(double radius, std::size_t n, double turn) {
  PointCloud cloud{.dimension = 3, .coordinates = {}};
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  for (std::size_t i = 0; i < n; ++i) {
    const double z = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(n), r = std::sqrt(1.0 - z * z);
    const double angle = golden * static_cast<double>(i) + turn;
    cloud.append(Vector{radius * r * std::cos(angle), radius * r * std::sin(angle), radius * z});
  }
  return cloud;
}

TEST(GeoHausdorff, OfAMillionPoints) {
  constexpr std::size_t n = 1'000'000;
  const PointCloud inner = sphere(1.0, n, 0.0), outer = sphere(1.01, n, 1.0), turned = sphere(1.0, n, 1.0);
  for (const PointCloud* other : {&outer, &turned}) {
    const auto begin = std::chrono::steady_clock::now();
    const double distance = hausdorff_distance(inner, *other);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("H = {:.6f} of 2 x 10^6 points in {:.2f} s\n", distance, seconds);
    const double spacing = 2.5 / std::sqrt(static_cast<double>(n));
    const double exact = other == &outer ? 0.01 : 0.0;
    EXPECT_GT(distance, exact);
    EXPECT_LT(distance, std::hypot(exact, spacing));
  }
}

}  // namespace
}  // namespace driftless::geo_hausdorff_test
