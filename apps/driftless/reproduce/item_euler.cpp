// Higueras and Soderlind 2003, section 4: what every step of implicit Euler obeys, and that it is the only one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/split_setting.h"
#include "driftless/analysis/stability/discretisation_run.h"
#include "driftless/analysis/stability/semi_inner_product.h"
#include "driftless/integrate/solve.h"

namespace reproduce {

using namespace driftless;
using namespace driftless::stability;

namespace {

constexpr double noise = 1e-11;  // of the solution that stands for the exact one

// The largest quotient of |P e| and its bound by (P - h f)(x + e) - (P - h f)(x), (4.13), over random pairs: where that
// difference vanishes, e = 0.
double uniqueness_quotient(const SplitSetting& s, double h) {
  constexpr int pairs = 2000;
  const double schur = schur_complement_constant(s.c);
  double largest = 0.0;
  Random random;
  for (int k = 0; k < pairs; ++k) {
    const double t = random.between(s.problem.box.t.lower(), s.problem.box.t.upper());
    const Vector x = random.inside(s.problem.box), y = random.inside(s.problem.box);
    const Vector change = combined(s.f(y, t), -1.0, s.f(x, t)), pd = s.p(combined(y, -1.0, x));
    const double data = s.norm(combined(pd, -h, s.p(change))) +
                        h * s.c.differential_from_algebraic / -s.c.algebraic * s.norm(s.q(change));
    largest = std::fmax(largest, (1.0 - h * schur) * s.norm(pd) / data);
  }
  return largest;
}

// Violations of Lemma 4.1 and (4.7), and the largest quotients of |Q e_n|, |P e_n| and their bounds (4.12), (4.13).
struct StepFindings {
  double between = 0.0, differential = 0.0, algebraic = 0.0, q_quotient = 0.0, p_quotient = 0.0;
  double h = 0.0, largest_d = 0.0, largest_residual = 0.0;  // |P d_n|, |Q r_n|
  Vector p_errors = {};                                     // |P e_n|
};

// One step from x(t_n-1) + before to x(t_n) + e.
void judge_step(const SplitSetting& s, const DiscretisationStep& step, double t, const Vector& from, const Vector& x,
                const Vector& before, const Vector& e, StepFindings& worst) {
  const Vector pe = s.p(e), previous = s.p(before);
  const double h = step.h, np = s.norm(pe), nq = s.norm(s.q(e)), quotient = dini_difference(s.norm, pe, previous);
  // d_n: the difference quotient of the solution against its derivative, P x' = P f.
  const double d = s.norm(combined(s.p(combined(x, -1.0, from)), -h, s.p(s.f(x, t)))) + noise;
  const double residual = step.q_residual + noise, mixed = s.c.algebraic_from_differential * np;
  worst.between = std::max({worst.between, violation(np - s.norm(previous), quotient, 1.0),
                            violation(quotient, s.norm(combined(pe, -1.0, previous)), 1.0)});
  worst.differential =
      std::fmax(worst.differential,
                violation(quotient, h * (s.c.differential * np + s.c.differential_from_algebraic * nq) + d, 1.0));
  worst.algebraic = std::fmax(worst.algebraic, violation(0.0, mixed + s.c.algebraic * nq + residual, 1.0));
  worst.q_quotient = std::fmax(worst.q_quotient, nq * -s.c.algebraic / (mixed + residual));
  const double data = s.norm(previous) + d + h * s.c.differential_from_algebraic / -s.c.algebraic * residual;
  worst.p_quotient = std::fmax(worst.p_quotient, (1.0 - h * schur_complement_constant(s.c)) * np / data);
  worst.h = h;
  worst.largest_d = std::fmax(worst.largest_d, d / h);
  worst.largest_residual = std::fmax(worst.largest_residual, residual);
  worst.p_errors.push_back(np);
}

// Theorem 4.4, where it says something for long times: the largest quotient of |P e_n| and (4.14), and of all |P e_n|
// and (4.16).
void add_suprema(const SplitSetting& s, const StepFindings& found, Measurement& result) {
  const Majorant m = majorant_of(s.c);
  if (!(m.rate < 0.0)) return;
  double quotient = 0.0, largest = 0.0;
  for (std::size_t n = 0; n < found.p_errors.size(); ++n) {
    const double bound = euler_error_bound(m, found.h, n + 1, found.largest_d, found.largest_residual);
    quotient = std::fmax(quotient, found.p_errors[n] / bound);
    largest = std::fmax(largest, found.p_errors[n]);
  }
  const std::string& name = s.problem.name;
  const double for_ever = euler_error_bound_for_ever(m, found.largest_d, found.largest_residual);
  result.lines.push_back(
      below_bound(name + " 4.14", name + ": |P e_n| / bound (4.14)", quotient, 2.0, "at most 1, Theorem 4.4"));
  result.lines.push_back(below_bound(name + " 4.16", name + ": largest |P e_n| / bound (4.16)", largest / for_ever,
                                     10.0, "at most 1, for all times"));
}

StepFindings follow(const SplitSetting& s) {
  const Case& problem = s.problem;
  Solution exact = solve(problem.form, problem.start,
                         {.span = {0.0, problem.end}, .tolerance = {.relative = 1e-12, .absolute = 1e-14}});
  exact.or_throw();
  const DiscretisationRun run =
      run_discretisation(problem.form, exact.state(0), {.end = problem.end, .steps = 40}).value();
  StepFindings worst;
  Vector before(problem.start.size()), from(exact.state(0).begin(), exact.state(0).end());
  for (const DiscretisationStep& step : run.steps) {
    const double t = std::min(step.time, problem.end);
    const Vector x = exact.at(t), e = combined(step.state, -1.0, x);
    judge_step(s, step, t, from, x, before, e, worst);
    before = e;
    from = x;
  }
  return worst;
}

}  // namespace

Measurement euler_uniqueness() {
  Measurement result;
  for (const Case& problem : cases()) {
    const SplitSetting setting(problem, "2");
    const double schur = schur_complement_constant(setting.c);
    result.lines.push_back(enclosed_beside_seen(problem.name + " S", problem.name + ": S[P, f] above what pairs show",
                                                schur, schur_complement_constant(setting.seen_in_pairs()), 0.05));
    for (const double h : {0.001, 0.01, 0.1, 1.0, 10.0}) {
      if (h * schur >= 1.0) continue;  // the theorem says nothing, and S is judged above
      result.lines.push_back(below_bound(
          fmt::format("{} {}", problem.name, h),
          fmt::format("{}, S = {:.3g}, h = {}: |P e| / bound of (4.13) by (P - h f)(x)", problem.name, schur, h),
          uniqueness_quotient(setting, h), 4.0, "at most 1, so that x is unique: Theorem 4.3"));
    }
  }
  return result;
}

Measurement euler_inequality() {
  Measurement result;
  for (const Case& problem : cases()) {
    const SplitSetting setting(problem, "2");
    const StepFindings found = follow(setting);
    const std::string& name = problem.name;
    const double factor = name == "heat, 6 cells" ? 5.0 : 2.0;
    result.lines.push_back(never_violated(name + " 4.1", name + ": violation of Lemma 4.1", found.between, "none"));
    result.lines.push_back(
        never_violated(name + " 4.7a", name + ": violation of (4.7a)", found.differential, "none, Theorem 4.2"));
    result.lines.push_back(
        never_violated(name + " 4.7b", name + ": violation of (4.7b)", found.algebraic, "none, Theorem 4.2"));
    result.lines.push_back(
        below_bound(name + " 4.12", name + ": |Q e_n| / bound (4.12)", found.q_quotient, factor, "at most 1"));
    result.lines.push_back(
        below_bound(name + " 4.13", name + ": |P e_n| / bound (4.13)", found.p_quotient, factor, "at most 1"));
    add_suprema(setting, found, result);
  }
  return result;
}

}  // namespace reproduce
