#include "driftless/analysis/stability/stability_along.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

constexpr double before_loss = 0.98;  // of the time until index 1 is lost: constants have a pole there

const Index1& index1_along(const Solution& run) {
  const auto* form = std::get_if<Index1>(&run.equations());
  if (!form) throw Misuse("stability by logarithmic norms is for problems of index 1");
  if (run.size() < 2) throw Misuse("a run without steps has no stability to look at");
  return *form;
}

// The part of the run before its index is lost.
ReferencePath path_before(const Solution& run, double end) {
  ReferencePath path = path_of(run);
  std::erase_if(path.grid, [&](double t) { return t >= end; });
  path.grid.push_back(end);
  return path;
}

DisturbanceNorms norms_in(const PerturbationSizes& sizes, const MajorantPiece& piece, const Index1Split& split) {
  double factor = 1.0;
  if (piece.constraint_scaling.rows() > 0) {
    const Matrix& v = split.q_basis();
    factor = RestrictedNorm(split.norm(), v).norm(product(piece.constraint_scaling, v));
  }
  return {sizes.differential, factor * sizes.constraint};
}

// In a tube that is widened until it contains the bounds.
void follow_perturbation(StabilityAlong& result, const Index1& form, const ReferencePath& path,
                         const AlongOptions& options, TubeOptions tube) {
  const Index1Split split(form.projector(), options.norm);
  Tube current = result.tube;
  for (int round = 0; round < 8; ++round) {
    const auto pieces = current.majorants();
    result.deviation = bound_deviation(
        pieces, {.start = options.perturbation.start, .p = {}, .accuracy = 1e-6},
        [&](double, const MajorantPiece& piece) { return norms_in(options.perturbation, piece, split); }, path.grid);
    double p = 0.0, q = 0.0;
    for (const DeviationBound& b : result.deviation) {
      p = std::max(p, b.p);
      q = std::max(q, b.q);
    }
    result.deviation_valid = p <= current.p_radius && q <= current.q_radius;
    if (result.deviation_valid || !std::isfinite(p) || !std::isfinite(q)) return;
    tube.p_radius = std::max(tube.p_radius, 1.3 * p);
    tube.q_radius = std::max(tube.q_radius, 1.3 * q);
    current = tube_along(form, path, tube);
  }
}

void fill_rates(StabilityAlong& r) {
  r.largest_rate = -infinity;
  double exponent = 0.0;
  for (const MajorantPiece& piece : r.tube.majorants()) {
    exponent += piece.majorant.rate * (piece.end - piece.begin);
    if (piece.majorant.rate <= r.largest_rate) continue;
    r.largest_rate = piece.majorant.rate;
    r.largest_rate_at = 0.5 * (piece.begin + piece.end);
  }
  r.growth = std::exp(exponent);
  r.mean_rate = exponent / (r.end - r.begin);
}

// Where the constraint stays regular it can be scaled anew from piece to piece, and constants go on.
std::string index_sentence(const StabilityAlong& r, bool goes_on) {
  if (!r.index.lost || !goes_on) return r.index.verdict;
  return fmt::format(
      "Index 1 all along: the constraint stays regular. Its monotonicity, scaled at the start, would end at t = "
      "{:.6g}; "
      "it is scaled anew from piece to piece.",
      r.index.time);
}

// Rates of rounding size are none.
double tidy(double rate) { return std::abs(rate) < 1e-12 ? 0.0 : rate; }

std::string growth_sentence(const StabilityAlong& r) {
  const std::string sure = r.certain ? "" : " (from samples, not proved)";
  if (!std::isfinite(r.mean_rate)) return "No bound for the growth of deviations was found along the run.";
  const std::string rates = fmt::format("the rate is {:.4g} on average and at most {:.4g}, at t = {:.4g}",
                                        tidy(r.mean_rate), tidy(r.largest_rate), r.largest_rate_at);
  if (r.mean_rate < 0.0)
    return fmt::format(
        "Deviations that stay within {:.2g} of this solution shrink to {:.4g} of their size from t = {:g} to {:g}{}; "
        "{}.",
        r.tube.p_radius, r.growth, r.begin, r.end, sure, rates);
  return fmt::format(
      "Deviations that stay within {:.2g} of this solution grow at most by the factor {:.4g} from t = {:g} to {:g}{}; "
      "{}.",
      r.tube.p_radius, r.growth, r.begin, r.end, sure, rates);
}

std::string deviation_sentence(const StabilityAlong& r, const PerturbationSizes& sizes) {
  const std::string cause = fmt::format(
      "Perturbations of size {:g} at the start, {:g} in the differential equations and {:g} in "
      "the constraint",
      sizes.start, sizes.differential, sizes.constraint);
  if (!r.deviation_valid) return cause + " cannot be followed: their bound outgrows every tube that was tried.";
  const DeviationBound& last = r.deviation.back();
  double largest = 0.0;
  for (const DeviationBound& b : r.deviation) largest = std::max(largest, b.total());
  return fmt::format(
      "{} move the solution by at most {:.4g} at t = {:g} ({:.4g} in P x, {:.4g} in Q x) and never by more than "
      "{:.4g}.",
      cause, last.total(), last.time, last.p, last.q, largest);
}

}  // namespace

std::vector<DeviationBound> bound_deviation(const Majorant& majorant, const PerturbationSizes& sizes,
                                            std::span<const double> times) {
  const std::vector<MajorantPiece> all = {{times.front(), times.back(), majorant}};
  return bound_deviation(
      all, {.start = sizes.start},
      [&](double, const MajorantPiece&) -> DisturbanceNorms {
        return {sizes.differential, sizes.constraint};
      },
      times);
}

double StabilityAlong::rate_at(double t) const {
  for (const MajorantPiece& piece : tube.majorants())
    if (t <= piece.end) return piece.majorant.rate;
  return infinity;
}

StabilityAlong analyse_along(const Solution& run, const AlongOptions& options) {
  const Index1& form = index1_along(run);
  StabilityAlong r;
  r.norm = options.norm.name();
  r.begin = run.time(0);
  r.end = run.time(run.size() - 1);
  r.index = find_index_loss(run, {.norm = options.norm, .scaling = options.scaling});
  const bool goes_on = !r.index.lost || (!r.index.singular && options.scaling == ConstraintScaling::newton);
  if (!goes_on) r.end = std::min(r.end, r.begin + before_loss * (r.index.time - r.begin));
  const ReferencePath path = path_before(run, r.end);
  const TubeOptions tube{.norm = options.norm,
                         .p_radius = options.radius,
                         .q_radius = options.radius,
                         .scaling = options.scaling,
                         .sharpness = options.sharpness,
                         .halvings = options.halvings};
  r.tube = tube_along(form, path, tube);
  r.certain = r.tube.certain();
  fill_rates(r);
  r.sentences = {index_sentence(r, goes_on), growth_sentence(r)};
  if (goes_on) {
    r.error = bound_run(run, {.norm = options.norm, .scaling = options.scaling});
    r.sentences.push_back(r.error.verdict);
  }
  if (options.perturbation.any()) {
    follow_perturbation(r, form, path, options, tube);
    r.sentences.push_back(deviation_sentence(r, options.perturbation));
  }
  return r;
}

}  // namespace driftless
