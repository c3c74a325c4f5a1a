#include "driftless/analysis/stability/stability_words.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "driftless/core/infinity.h"

namespace driftless {

namespace {

constexpr double rounding = 1e-12;  // a rate below this is that of a skew coupling in numbers

std::string at_point(ConstSpan x, const Index1& form) {
  std::string text;
  for (std::size_t i = 0; i < x.size(); ++i)
    text += fmt::format("{}{} = {:.6g}", i > 0 ? ", " : "", form.layout().name(i), x[i]);
  return text;
}

std::string index_sentence(const StabilityReport& r, const Index1& form) {
  if (form.constraint_count() == 0) return "There is no constraint: the problem is an ordinary differential equation.";
  const LipschitzConstant& m = r.algebraic;
  if (r.index_1 == Verdict::yes)
    return fmt::format(
        "The index is 1 on the whole box: M_Q+[Qf] <= {:.6g} < 0, so the constraint determines the algebraic part, and "
        "an error s in the constraint moves it by at most {:.4g} s.",
        m.upper, 1.0 / -m.upper);
  if (r.singular)
    return fmt::format(
        "The constraint does not determine the algebraic part everywhere in the box: it is singular at {}, where the "
        "index is above 1. Take a box that leaves this point out.",
        at_point(r.box.middle(), form));
  if (r.index_1 == Verdict::no)
    return fmt::format(
        "The monotonicity that proves index 1 fails: M_Q+[Qf] = {:.6g} >= 0 at {}. The index may still be 1 there; "
        "scale the constraint (newton) or take a smaller box.",
        m.sampled, at_point(m.sampled_at, form));
  if (!m.certain)
    return fmt::format("Whether M_Q+[Qf] < 0 on the whole box is not decided: {:.6g} was seen, no bound is proved.",
                       m.sampled);
  return fmt::format("Whether M_Q+[Qf] < 0 on the whole box is not decided: {:.6g} was seen, {:.6g} is proved.",
                     m.sampled, m.upper);
}

std::string rate_sentence(const StabilityReport& r) {
  const char* by = !(r.sharp.rate < r.product.rate) ? "Theorem 3.4"
                   : r.graph.solved == Verdict::yes ? "Theorem 3.5"
                                                    : "Theorem 3.5 for means of Jacobians";
  if (r.rate == infinity) return "No bound for the growth of deviations was found.";
  if (!r.rate_proved)
    return fmt::format(
        "Nothing is proved about the growth of deviations. At the points that were looked at, no rate is above {:.6g} "
        "({}); this is a lower estimate, not a bound.",
        r.rate, by);
  if (r.rate < 0.0)
    return fmt::format(
        "Exponentially stable: deviations between solutions in the box shrink at least like exp({:.6g} t) ({}).",
        r.rate, by);
  if (r.rate == 0.0) return fmt::format("Contractive: deviations between solutions in the box never grow ({}).", by);
  if (r.rate <= rounding)
    return fmt::format(
        "Contractive up to rounding: deviations between solutions in the box grow at most like exp({:.2g} t) ({}).",
        r.rate, by);
  return fmt::format(
      "Deviations between solutions in the box grow at most like exp({:.6g} t) ({}); exponential stability is not "
      "shown.",
      r.rate, by);
}

// On a box, the theorem shows that there are no two solutions. That there is one depends on what is outside, too.
std::string step_sentence(const StabilityReport& r) {
  if (!r.rate_proved) return "Nothing is proved about the steps of implicit Euler.";
  if (r.euler_step_limit == infinity)
    return "Implicit Euler has at most one solution in the box, for every step size (Theorem 4.3).";
  return fmt::format("Implicit Euler has at most one solution in the box for step sizes below {:.6g} (Theorem 4.3).",
                     r.euler_step_limit);
}

std::string graph_sentence(const StabilityReport& r) {
  const std::string what = r.graph.solved == Verdict::no
                               ? "The constraint leaves the box"
                               : "It is not proved that the constraint has a solution in the box for all of P x";
  return fmt::format(
      "{}: {}. So Theorem 3.5 cannot follow it from one solution to the other, and its constants are those of all "
      "means of "
      "Jacobians of the box, which are larger. Try {}.",
      what, r.graph.reason, r.graph.advice);
}

}  // namespace

std::vector<std::string> sentences_of(const StabilityReport& r, const Index1& form) {
  std::vector<std::string> sentences = {index_sentence(r, form), rate_sentence(r), step_sentence(r)};
  if (r.index_1 == Verdict::yes && r.graph.solved != Verdict::yes) sentences.push_back(graph_sentence(r));
  return sentences;
}

}  // namespace driftless
