#include "apps/driftless/commands/stability_measured.h"

#include <algorithm>

#include "driftless/analysis/stability/altered_form.h"
#include "driftless/analysis/stability/index1_split.h"

namespace driftless::cli {

namespace {

constexpr Tolerance accurate{.relative = 1e-11, .absolute = 1e-13};

// The same number for every component of the image of a projector, so that the norm is `size`.
Vector alike(const Matrix& projector, const Norm& norm, double size) {
  Vector direction(projector.rows());
  for (std::size_t i = 0; i < direction.size(); ++i)
    for (std::size_t j = 0; j < direction.size(); ++j) direction[i] += projector(i, j);
  const double length = norm(direction);
  for (double& x : direction) x *= length > 0.0 ? size / length : 0.0;
  return direction;
}

MeasuredDeviation difference(const Solution& a, const Solution& b, const Index1Split& split, const Vector& times) {
  MeasuredDeviation result{.times = times};
  for (const double t : times) {
    Vector d = a.at(t);
    const Vector x = b.at(t);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] -= x[i];
    result.p.push_back(split.p_norm(d));
    result.q.push_back(split.q_norm(d));
  }
  return result;
}

bool inside(const Solution& run, const Box& box) {
  for (std::size_t n = 0; n < run.size(); ++n)
    for (std::size_t i = 0; i < box.x.size(); ++i)
      if (run.state(n)[i] < box.x[i].lower() || run.state(n)[i] > box.x[i].upper()) return false;
  return true;
}

}  // namespace

std::optional<MeasuredDeviation> measure_error(const Solution& run, const Index1& form, const Norm& norm) {
  const double begin = run.time(0), end = run.time(run.size() - 1);
  const Solution reference = solve(form, run.state(0), {.span = {begin, end}, .tolerance = accurate});
  if (!reference.ok()) return std::nullopt;
  Vector times;
  for (std::size_t n = 0; n < run.size(); ++n) times.push_back(run.time(n));
  return difference(run, reference, Index1Split(form.projector(), norm), times);
}

std::optional<MeasuredDeviation> measure_perturbation(const Index1& form, ConstSpan start, const Norm& norm,
                                                      const PerturbationSizes& sizes, const Vector& times,
                                                      const Box* box) {
  const Vector differential = alike(form.projector(), norm, sizes.differential);
  const Vector constraint = alike(form.complement(), norm, sizes.constraint);
  const Vector moved = alike(form.projector(), norm, sizes.start);
  const SolveOptions options{.span = {times.front(), times.back()}, .tolerance = accurate};
  const Solution reference = solve(form, start, options);
  if (!reference.ok()) return std::nullopt;
  Vector other(reference.state(0).begin(), reference.state(0).end());
  for (std::size_t i = 0; i < other.size(); ++i) other[i] += moved[i];
  const Solution deviated = solve(perturbed(form,
                                            [differential, constraint](double, Span p) {
                                              for (std::size_t i = 0; i < p.size(); ++i)
                                                p[i] = differential[i] + constraint[i];
                                            }),
                                  other, options);
  if (!deviated.ok() || (box && !(inside(reference, *box) && inside(deviated, *box)))) return std::nullopt;
  return difference(deviated, reference, Index1Split(form.projector(), norm), times);
}

}  // namespace driftless::cli
