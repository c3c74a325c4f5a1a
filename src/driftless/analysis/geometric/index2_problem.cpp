#include "driftless/analysis/geometric/index2_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/equations/convert.h"
#include "driftless/equations/manifold.h"
#include "driftless/integrate/solve.h"

namespace driftless {

Index2 index2_of(const Equations& equations) {
  if (const auto* form = std::get_if<Index2>(&equations)) return *form;
  if (const auto* form = std::get_if<Mechanical>(&equations)) return as_ggl(*form);
  if (std::holds_alternative<WideMechanical>(equations))
    throw Misuse(
        "the geometric analysis is for index 2 and for mechanical problems with q' = v and constraints on positions; "
        "this one is in the wide form (generalised speeds, constraints on velocities, or a singular mass matrix)");
  throw Misuse(
      fmt::format("the geometric analysis is for index 2 and for mechanical problems (by Gear, Gupta and Leimkuhler), "
                  "but this problem is stated with index {}",
                  index_of(equations)));
}

Vector state_as_index2_of(const Equations& equations, double t, ConstSpan state) {
  if (const auto* form = std::get_if<Mechanical>(&equations)) return state_as_ggl(*form, t, state);
  return Vector(state.begin(), state.end());
}

ConstSpan point_of(const Index2& equations, ConstSpan state) { return state.subspan(0, equations.u_size()); }

Result<Vector> on_continuous_manifold(const Index2& equations, double t, ConstSpan given) {
  const std::size_t size = equations.layout().size();
  if (given.size() != size && given.size() != equations.u_size())
    throw Misuse(fmt::format("a point of the manifold has {} values (or {} with multipliers), but {} were given",
                             equations.u_size(), size, given.size()));
  Vector state(given.begin(), given.end());
  state.resize(size, 0.0);
  const auto status = make_manifold(equations)->set_multipliers(t, state);
  if (status != ManifoldStatus::ok) return explain(status, equations, t, state);
  return state;
}

namespace {

// f, then g, then the rows of Gamma.
Vector right_sides(const Index2& equations, double t, ConstSpan state) {
  const std::size_t n = equations.u_size(), m = equations.constraint_names().size();
  const ConstSpan u = state.subspan(0, n), lambda = state.subspan(n);
  Vector values(n + m);
  equations.functions().f(u, lambda, t, Span(values).subspan(0, n));
  equations.functions().g(u, t, Span(values).subspan(n));
  if (!equations.functions().has_gamma()) return values;
  Matrix gamma(n, n);
  equations.functions().gamma(u, t, gamma);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) values.push_back(gamma(i, j));
  return values;
}

}  // namespace

std::optional<Failure> require_autonomous(const Index2& equations, ConstSpan state) {
  const std::size_t n = equations.u_size(), m = equations.constraint_names().size();
  const Vector now = right_sides(equations, 0.0, state);
  for (double t : {0.3183, 1.7724, 5.3}) {  // no period that anybody would choose
    const Vector later = right_sides(equations, t, state);
    const auto i = static_cast<std::size_t>(std::mismatch(now.begin(), now.end(), later.begin()).first - now.begin());
    if (i == now.size() || std::isnan(now[i])) continue;
    const std::string where = i >= n && i < n + m ? equations.constraint_names()[i - n]
                                                  : equations.layout().name(i < n ? i : (i - n - m) / n) + "'";
    return Failure{.kind = FailureKind::assumption_violated,
                   .time = t,
                   .what_happened = fmt::format(
                       "the equations depend on time explicitly, first seen in {}: they have no attracting set in the "
                       "sense of the theory",
                       where),
                   .what_to_try =
                       "state time as an unknown: a point on the unit circle with p' = -w q, q' = w p for a "
                       "periodic force",
                   .where = where};
  }
  return std::nullopt;
}

Result<std::vector<ManifoldPoint>> points_along_solution(const Index2& equations, double begin, double end,
                                                         ConstSpan start, std::size_t count) {
  if (count == 0) throw Misuse("at least one point is needed");
  Vector times(count);
  for (std::size_t i = 0; i < count; ++i)
    times[i] = i + 1 == count && count > 1 ? end
                                           : begin + (end - begin) * static_cast<double>(i) /
                                                         static_cast<double>(std::max<std::size_t>(1, count - 1));
  const Solution run = solve(equations, start,
                             {.span = {begin, end},
                              .tolerance = {.relative = 1e-11, .absolute = 1e-12},
                              .output_times = times,
                              .dense = false});
  if (!run.ok()) return run.failure();
  std::vector<ManifoldPoint> points;
  for (std::size_t i = 0; i < run.size() && points.size() < count; ++i) {
    points.push_back({run.time(i), Vector(run.state(i).begin(), run.state(i).end())});
  }
  return points;
}

}  // namespace driftless
