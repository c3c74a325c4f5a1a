// Deviations measured against their bounds, (3.19) to (3.25) of Higueras and Soderlind 2003: six problems, three kinds
// of perturbation, three bounds. No quotient may exceed 1; how close it comes is printed.
#include <gtest/gtest.h>

#include "driftless/analysis/lipschitz_tube.h"
#include "driftless/analysis/perturbation_bound.h"
#include "driftless/integrate/solve.h"
#include "tests/reference/stability_problems.h"

namespace driftless {
namespace {

using stability::Case;

Vector times_of(const Case& problem) {
  Vector times;
  for (int k = 0; k <= 40; ++k) times.push_back(problem.end * k / 40.0);
  return times;
}

Solution run(const Index1& form, const Vector& start, const Case& problem) {
  Solution solution =
      solve(form, start, {.span = {0.0, problem.end}, .tolerance = {.relative = 1e-11, .absolute = 1e-13}});
  solution.or_throw();
  return solution;
}

struct Quotients {
  double p = 0.0, q = 0.0, total = 0.0;  // the largest over time of measured / bound
  double p_at_end = 0.0;
};

Quotients compare(const Index1Split& split, const Solution& reference, const Solution& deviated,
                  const std::vector<DeviationBound>& bounds) {
  Quotients largest;
  const double noise = 1e-10;  // of the two integrations
  for (const DeviationBound& b : bounds) {
    Vector d = deviated.at(b.time), x = reference.at(b.time);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] -= x[i];
    const auto quotient = [&](double measured, double bound) {
      return measured <= noise ? 0.0 : (measured - noise) / bound;
    };
    largest.p_at_end = quotient(split.p_norm(d), b.p);
    largest.p = std::max(largest.p, largest.p_at_end);
    largest.q = std::max(largest.q, quotient(split.q_norm(d), b.q));
    largest.total = std::max(largest.total, quotient(split.norm()(d), b.total()));
  }
  return largest;
}

void expect_bounded(const Quotients& q) {
  EXPECT_LE(q.p, 1.0);
  EXPECT_LE(q.q, 1.0);
  EXPECT_LE(q.total, 1.0);
}

TEST(StabilityBounds, HoldForSixProblemsAndThreeKindsOfPerturbation) {
  fmt::print("measured / bound: |P dx| (largest over time, at the end), |Q dx|, |dx|\n");
  fmt::print("{:18} {:14} {:8} | {:>23} | {:>23} | {:>23}\n", "problem", "perturbation", "norm", "Theorem 3.4, box",
             "Theorem 3.5, box", "tube");
  for (const Case& problem : stability::cases()) {
    const Solution reference = run(problem.form, problem.start, problem);
    const Vector times = times_of(problem);
    for (const char* name : {"2", "inf"}) {
      const Norm norm = Norm::by_name(name);
      const Index1Split split(problem.form.projector(), norm);
      const StabilityReport report = analyse_stability(problem.form, problem.box,
                                                       {.norm = norm,
                                                        .refinement = {.relative = 1e-3, .boxes = 400},
                                                        .sampling = {.points = 50},
                                                        .manifold_radius = 0.01});
      EXPECT_EQ(report.index_1, Verdict::yes) << problem.name;
      for (const auto& kind : stability::kinds()) {
        SCOPED_TRACE(problem.name + ", " + kind.name + ", norm " + name);
        const Disturbance disturbance{.p = kind.make(problem.form, 0.01)};
        const Solution deviated = run(perturbed(problem.form, disturbance.p), reference.start().state, problem);
        const auto show = [](const Quotients& q) {
          return fmt::format("{:5.3f} {:5.3f} {:5.3f} {:5.3f}", q.p, q.p_at_end, q.q, q.total);
        };
        const Quotients by_product =
            compare(split, reference, deviated, bound_deviation(split, report.product, disturbance, times));
        const Quotients by_elimination =
            compare(split, reference, deviated, bound_deviation(split, report.sharp, disturbance, times));
        const TubeBound tube =
            bound_along(problem.form, path_of(reference), disturbance, times,
                        {.norm = norm, .p_radius = 0.02, .q_radius = 0.02, .scaling = problem.scaling});
        const Quotients in_tube = compare(split, reference, deviated, tube.bounds);
        fmt::print("{:18} {:14} {:8} | {:>23} | {:>23} | {:>23}{}\n", problem.name, kind.name, name, show(by_product),
                   show(by_elimination), show(in_tube),
                   tube.valid ? "" : fmt::format("  until {:.3g}", tube.valid_until));
        expect_bounded(by_product);
        expect_bounded(by_elimination);
        expect_bounded(in_tube);
      }
    }
  }
}

}  // namespace
}  // namespace driftless
