#include "driftless/analysis/geometric/start_cloud.h"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/core/require.h"
#include "driftless/integrate/consistent_start.h"

namespace driftless {

// The mixing function of SplitMix64 (Steele, Lea and Flood 2014) applied to a counter.
double scattered(std::uint64_t seed, std::uint64_t k) {
  std::uint64_t z = (seed * 0x9e3779b97f4a7c15u) ^ (0x9e3779b97f4a7c15u * (k + 1));
  for (int round = 0; round < 2; ++round) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
  }
  return static_cast<double>(z >> 11) * 0x1p-53;
}

namespace {

void require_box(const Index2& equations, const CloudOptions& options) {
  const std::size_t n = equations.u_size();
  if (options.center.size() != n)
    throw Misuse(fmt::format("the centre of a cloud has {} values, but u has {}", options.center.size(), n));
  if (options.half_widths.size() != n && options.half_widths.size() != 1)
    throw Misuse(
        fmt::format("a cloud needs {} half widths, or one for all, but {} were given", n, options.half_widths.size()));
  if (options.count == 0) throw Misuse("a cloud needs at least one start");
  for (const double x : options.center) require_finite("the centre of a cloud", x);
  for (const double x : options.half_widths) require_not_negative("a half width", x);
  require_finite("the time of a cloud", options.time);
}

Vector point_in_box(const CloudOptions& options, std::size_t i) {
  Vector u = options.center;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double width = options.half_widths[options.half_widths.size() == 1 ? 0 : k];
    u[k] += width * (2.0 * scattered(options.seed, i * u.size() + k) - 1.0);
  }
  return u;
}

}  // namespace

Result<std::vector<Vector>> make_cloud(const Index2& equations, const CloudOptions& options) {
  require_box(equations, options);
  std::vector<std::optional<Result<ConsistentStart>>> starts(options.count);
  const bool done = for_each_index(options.execution, "starts", options.count, [&](std::size_t i) {
    starts[i] = make_consistent(equations, options.time, point_in_box(options, i));
  });
  if (!done) return stopped_analysis("the cloud of starts");
  std::vector<Vector> cloud;
  const Failure* first = nullptr;
  for (auto& start : starts) {
    if (start->ok())
      cloud.push_back(std::move((*start)->state));
    else if (!first)
      first = &start->failure();
  }
  if (!first || (options.leave_out_inconsistent && !cloud.empty())) return cloud;
  return Failure{
      .kind = FailureKind::inconsistent_start,
      .time = options.time,
      .what_happened = fmt::format("{} of {} starts of the cloud cannot be brought onto the constraint; the first: {}",
                                   options.count - cloud.size(), options.count, first->what_happened),
      .what_to_try = "a smaller cloud, or one that is centred further inside the domain of the constraint",
      .where = first->where};
}

}  // namespace driftless
