// Higueras and Soderlind 2003: a bound is never exceeded and never far away, constants lie in narrow enclosures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/stability_heat.h"
#include "apps/driftless/reproduce/stability_items.h"
#include "testset/stability/study.h"

namespace reproduce {

using namespace driftless::stability;

namespace {

// By how much bounds may exceed what they bound: less than twice what they do. Norms take every flux of the heat
// problem as if it went where it hurts most. Bounds of Radau IIA add up the errors of its stages, whose order is lower
// than that of the step, so that they are far away, but no farther than this.
struct Farthest {
  const char* problem;
  double deviation, euler, radau_2, radau_3;       // where the bound is closest
  double deviation_end, euler_end, euler_run_end;  // at the end, where what grows or decays with time shows
};
constexpr Farthest all_farthest[] = {
    {"lognorm_linear", 2, 2, 80, 15e3, 1.5, 1.5, 1.5}, {"lognorm_nonlinear", 2.5, 2, 130, 90e3, 1.5, 1.5, 1.5},
    {"heat, 6 cells", 30, 7, 300, 40e3, 1.5, 30, 4},   {"diode circuit", 6, 3, 80, 25e3, 1.5, 100, 40},
    {"reactor", 3, 2, 130, 23e3, 1.5, 2, 2},           {"nonautonomous", 3, 4, 400, 70e3, 6, 60, 2}};

const Farthest& farthest(const std::string& problem) {
  for (const Farthest& one : all_farthest)
    if (problem == one.problem) return one;
  throw std::logic_error("no factor is on record for " + problem);
}

}  // namespace

Measurement constants() {
  Measurement result;
  for (const ConstantRow& row : study_constants({1000})) {
    const std::string id = fmt::format("{} {} {}", row.problem, row.norm, row.symbol);
    const std::string what = fmt::format("{}, norm {}: {}", row.problem, row.norm, row.symbol);
    const double widest = row.problem == "lognorm_linear" ? 1e-12 : 0.01;
    result.lines.push_back({.id = id,
                            .what = what + " as sampled",
                            .paper = fmt::format("{:.6g}, of which samples are lower estimates", row.exact),
                            .measured = row.sampled,
                            .low = row.exact - 1e-4,
                            .high = row.exact + 1e-12});
    result.lines.push_back({.id = id + " enclosed",
                            .what = what + " in closed form",
                            .paper = fmt::format("inside of its enclosure [{:.6g}, {:.6g}]", row.lower, row.upper),
                            .measured = row.exact,
                            .low = row.lower - 1e-14,
                            .high = row.upper + 1e-14});
    result.lines.push_back({.id = id + " width",
                            .what = what + ", width of its enclosure",
                            .paper = "the enclosure shrinks to the constant",
                            .measured = row.width(),
                            .low = 0.0,
                            .high = widest});
  }
  return result;
}

namespace {

// Perturbations that heat all cells alike, or lift both capacitors alike, move no flux and no current: there |Q dx| =
// 0, and its bound shows in that of |dx|.
bool moves_the_algebraic_part(const DeviationStudy& study) {
  return study.perturbation != "constant in P" ||
         (study.problem != "heat, 6 cells" && study.problem != "diode circuit");
}

void add_deviations(const DeviationStudy& study, Measurement& result) {
  struct Bound {
    const driftless::DeviationBound DeviationPoint::*bound;
    const char *id, *name;
  };
  const double factor = farthest(study.problem).deviation;
  for (const auto& [bound, id, name] :
       {Bound{&DeviationPoint::product, "3.4", "Theorem 3.4"}, Bound{&DeviationPoint::sharp, "3.5", "Theorem 3.5"},
        Bound{&DeviationPoint::in_tube, "3.23", "(3.23), (3.24)"}}) {
    const auto add = [&, id = id, name = name](const char* part, double quotient) {
      result.lines.push_back(below_bound(
          fmt::format("{} {} {} {} {}", study.problem, study.perturbation, study.norm, id, part),
          fmt::format("{}, {}, norm {}: |{}| / bound of {}", study.problem, study.perturbation, study.norm, part, name),
          quotient, factor, "at most 1"));
    };
    const auto largest = study.largest(bound);
    add("P dx", largest.p);
    if (moves_the_algebraic_part(study)) add("Q dx", largest.q);
    add("dx", largest.total);
  }
  if (study.perturbation != "constant in P" || study.norm != "2-norm") return;
  result.lines.push_back(
      below_bound(fmt::format("{} at the end", study.problem),
                  fmt::format("{}, constant in P, 2-norm: |P dx| / bound of Theorem 3.5, at the end", study.problem),
                  study.largest(&DeviationPoint::sharp).p_at_end, farthest(study.problem).deviation_end, "at most 1"));
}

}  // namespace

Measurement deviations() {
  Measurement result;
  const DeviationStudy* widest = nullptr;
  const auto studies = study_deviations();
  for (const DeviationStudy& study : studies) {
    if (!widest && study.perturbation == "pulse in both") widest = &study;
    add_deviations(study, result);
  }
  if (!widest) return result;
  Curve measured{"measured"}, product{"Theorem 3.4"}, sharp{"Theorem 3.5"};
  for (const DeviationPoint& point : widest->points) {
    const std::pair<Curve*, double> values[] = {
        {&measured, point.p}, {&product, point.product.p}, {&sharp, point.sharp.p}};
    for (const auto& [curve, value] : values) {
      curve->x.push_back(point.time);
      curve->y.push_back(std::max(value, 1e-17));
    }
  }
  result.pictures.push_back({.title = fmt::format("|P dx|: {}, {}", widest->problem, widest->perturbation),
                             .log_y = true,
                             .curves = {measured, product, sharp}});
  return result;
}

Measurement errors() {
  Measurement result;
  for (const ErrorStudy& study : study_errors()) {
    const Farthest& most = farthest(study.problem);
    const bool euler = study.method == "implicit-euler";
    const double factor = study.method == "radau-iia-2" ? most.radau_2 : most.radau_3;
    const auto add = [&](const char* part, double quotient, double allowed) {
      result.lines.push_back(below_bound(
          fmt::format("{} {} {:.0e} {}", study.problem, study.method, study.newton, part),
          fmt::format("{}, {}, Newton to {:.0e}: |{}| / bound", study.problem, study.method, study.newton, part),
          quotient, allowed, "at most 1"));
    };
    add("P e", study.p_quotient, euler ? 1.5 : factor);
    add("Q e", study.q_quotient, euler ? most.euler : factor);
    if (!euler) continue;
    const ErrorPoint& last = study.points.back();
    add("P e at the end", last.p.measured / last.p.bound, most.euler_end);
    add("Q e at the end", last.q.measured / last.q.bound, most.euler_end);
  }
  return result;
}

namespace {

// At a tolerance of 1e-9 the errors are those of rounding, or nearly: the bound is compared with the tolerance.
constexpr const char* tight_run = "adaptive, 1e-9";

void add_run(const RunStudy& study, Measurement& result) {
  const bool tight = study.run == tight_run, guaranteed = study.valid && study.certain;
  const double factor = study.run == "the same, Newton to 1e-3" ? 6.0 : 3.0;
  for (const auto& [part, quotient] : {std::pair{"P e", study.p_quotient}, std::pair{"Q e", study.q_quotient}}) {
    result.lines.push_back(below_bound(fmt::format("{} {} {}", study.problem, study.run, part),
                                       fmt::format("{}, {}: |{}| / bound it carries", study.problem, study.run, part),
                                       guaranteed ? quotient : std::nan(""), factor, "at most 1, guaranteed"));
    if (tight) result.lines.back().low = 0.0;
  }
  const ErrorPoint& last = study.points.back();
  if (study.run.starts_with("Euler"))
    result.lines.push_back(below_bound(fmt::format("{} {} at the end", study.problem, study.run),
                                       fmt::format("{}, {}: |P e| / bound at the end", study.problem, study.run),
                                       last.p.measured / last.p.bound, farthest(study.problem).euler_run_end,
                                       "at most 1"));
  if (!tight) return;
  result.lines.push_back({.id = fmt::format("{} {} bound", study.problem, study.run),
                          .what = fmt::format("{}, {}: bound at the end / tolerance", study.problem, study.run),
                          .paper = "a bound that says something",
                          .measured = (last.p.bound + last.q.bound) / 1e-9,
                          .low = 0.005,
                          .high = 1000.0});
}

}  // namespace

Measurement runs() {
  Measurement result;
  for (const RunStudy& study : study_runs()) add_run(study, result);
  return result;
}

Measurement index_loss() {
  Measurement result;
  for (const IndexLossStudy& study : study_index_loss()) {
    const double accuracy = study.found.extrapolated ? 1e-6 : 1e-8;
    result.lines.push_back({.id = study.problem,
                            .what = fmt::format("{}: index 1 is lost at", study.problem),
                            .paper = fmt::format("{:.10f}", study.exact),
                            .measured = study.found.lost ? study.found.time : std::nan(""),
                            .low = study.exact - accuracy,
                            .high = study.exact + accuracy});
    result.lines.push_back({.id = study.problem + " uncertainty",
                            .what = study.problem + ": how well that time is known",
                            .paper = "remark 3 after Theorem 3.5",
                            .measured = study.found.uncertainty,
                            .low = 0.0,
                            .high = accuracy});
    const bool turns = study.problem == "turning constraint";  // monotonicity ends, but its block stays regular
    result.lines.push_back({.id = study.problem + " singular",
                            .what = study.problem + ": the constraint becomes singular there (1) or not (0)",
                            .paper = turns ? "no" : "yes",
                            .measured = study.found.singular ? 1.0 : 0.0,
                            .low = turns ? -0.5 : 0.5,
                            .high = turns ? 0.5 : 1.5});
  }
  return result;
}

Measurement contraction() {
  Measurement result;
  Picture picture{.title = "Distance of two temperatures", .log_y = true};
  for (const HeatRun& run : heat_runs()) {
    const std::string name = fmt::format("{}, {}", run.method, run.mesh);
    result.lines.push_back({.id = name,
                            .what = name + ": largest quotient of a step",
                            .paper = "at most 1: the method contracts as the equations do",
                            .measured = run.contraction.largest_quotient,
                            .low = 0.99,
                            .high = 1.0});
    const double in_all = run.mesh.starts_with("interval") ? 0.060 : 0.186;  // on record
    result.lines.push_back({.id = name + " in all",
                            .what = name + ": distance at the end / at the start",
                            .paper = "less than 1",
                            .measured = run.contraction.distance.back() / run.contraction.distance.front(),
                            .low = 0.95 * in_all,
                            .high = 1.05 * in_all});
    picture.curves.push_back({name, run.contraction.times, run.contraction.distance});
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

}  // namespace reproduce
