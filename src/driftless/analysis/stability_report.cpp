#include "driftless/analysis/stability_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Upper bound below the limit: proved. A point above it: refuted.
Verdict below(const LipschitzConstant& c, double limit) {
  if (c.certain && c.upper < limit) return Verdict::yes;
  return c.sampled >= limit ? Verdict::no : Verdict::open;
}

std::string where(const LipschitzConstant& c, const Index1& form) {
  std::string text;
  for (std::size_t i = 0; i < c.sampled_at.size(); ++i)
    text += fmt::format("{}{} = {:.6g}", i > 0 ? ", " : "", form.layout().name(i), c.sampled_at[i]);
  return text;
}

std::string index_sentence(const StabilityReport& r, const Index1& form) {
  if (form.constraint_count() == 0) return "There is no constraint: the problem is an ordinary differential equation.";
  const LipschitzConstant& m = r.algebraic;
  if (r.index_1 == Verdict::yes)
    return fmt::format(
        "The index is 1 on the whole box: M_Q+[Qf] <= {:.6g} < 0, so the constraint determines the algebraic part, and "
        "an error s in the constraint moves it by at most {:.4g} s.",
        m.upper, r.product.direct);
  if (r.index_1 == Verdict::no)
    return fmt::format(
        "The monotonicity that proves index 1 fails: M_Q+[Qf] = {:.6g} >= 0 at {}. The index may still be 1 there; "
        "scale the constraint (newton) or take a smaller box.",
        m.sampled, where(m, form));
  return fmt::format("Whether M_Q+[Qf] < 0 on the whole box is not decided: {:.6g} was seen, {:.6g} is proved.",
                     m.sampled, m.upper);
}

std::string rate_sentence(const StabilityReport& r) {
  const char* by = r.sharp.rate < r.product.rate ? "Theorem 3.5" : "Theorem 3.4";
  const char* sure = r.certain ? "" : " (from samples, not proved)";
  if (r.rate == infinity) return "No bound for the growth of deviations was found.";
  if (r.rate < 0.0)
    return fmt::format("Exponentially stable{}: deviations shrink at least like exp({:.6g} t) ({}).", sure, r.rate, by);
  if (r.rate == 0.0) return fmt::format("Contractive{}: deviations never grow ({}).", sure, by);
  return fmt::format("Deviations grow at most like exp({:.6g} t){} ({}); exponential stability is not shown.", r.rate,
                     sure, by);
}

std::string step_sentence(const StabilityReport& r) {
  if (r.rate == infinity) return "Nothing can be said about the steps of implicit Euler.";
  if (r.euler_step_limit == infinity) return "Implicit Euler has a unique solution for every step size (Theorem 4.3).";
  return fmt::format("Implicit Euler has a unique solution for step sizes below {:.6g} (Theorem 4.3).",
                     r.euler_step_limit);
}

void conclude(StabilityReport& r, const Index1& form) {
  r.split = {r.differential.value(), r.differential_from_algebraic.value(), r.algebraic_from_differential.value(),
             r.algebraic.value()};
  r.schur = schur_complement_constant(r.split);
  r.product = majorant_of(r.split);
  r.sharp = {r.reduced.value(), r.reduced_gain.value(), r.implicit_slope.value(), r.implicit_gain.value()};
  r.sharp = smaller_of(r.sharp, r.product);
  r.rate = std::min(r.product.rate, r.sharp.rate);
  r.certain = r.differential.certain && r.differential_from_algebraic.certain &&
              r.algebraic_from_differential.certain && r.algebraic.certain;
  r.index_1 = form.constraint_count() == 0 ? Verdict::yes : below(r.algebraic, 0.0);
  const bool proved = (r.certain && r.product.rate < 0.0) || (r.reduced.certain && r.sharp.rate < 0.0);
  r.exponentially_stable = proved ? Verdict::yes : Verdict::open;
  r.euler_step_limit = r.rate > 0.0 ? 1.0 / r.rate : infinity;
  r.sentences = {index_sentence(r, form), rate_sentence(r), step_sentence(r)};
}

}  // namespace

const char* name_of(Verdict verdict) {
  return verdict == Verdict::yes ? "yes" : verdict == Verdict::no ? "no" : "open";
}

StabilityReport analyse_stability(const Index1& given, const Box& box, const StabilityOptions& options) {
  const Index1 form = options.scaling == ConstraintScaling::newton && given.constraint_count() > 0
                          ? with_newton_scaling(given, box.middle(), box.t.middle())
                          : given;
  const LipschitzOptions how{.norm = options.norm,
                             .refinement = options.refinement,
                             .sampling = options.sampling,
                             .manifold_radius = options.manifold_radius};
  StabilityReport r;
  r.norm = options.norm.name();
  r.box = box;
  const auto find = [&](Quantity quantity) { return lipschitz_constant(form, box, quantity, how); };
  r.whole = find(Quantity::whole);
  r.differential = find(Quantity::differential);
  r.differential_from_algebraic = find(Quantity::differential_from_algebraic);
  r.algebraic_from_differential = find(Quantity::algebraic_from_differential);
  r.algebraic = find(Quantity::algebraic);
  r.reduced = find(Quantity::reduced);
  r.reduced_gain = find(Quantity::reduced_gain);
  r.implicit_slope = find(Quantity::implicit_slope);
  r.implicit_gain = find(Quantity::implicit_gain);
  conclude(r, form);
  return r;
}

}  // namespace driftless
