#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "apps/driftless/commands/stability_output.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"

namespace driftless::cli {

const char* meaning_of(driftless::Quantity quantity) {
  switch (quantity) {
    case driftless::Quantity::whole: return "growth of all components, constraint included";
    case driftless::Quantity::differential: return "growth of the differential part by itself";
    case driftless::Quantity::differential_from_algebraic: return "how the algebraic part drives the differential one";
    case driftless::Quantity::algebraic_from_differential: return "how the differential part enters the constraint";
    case driftless::Quantity::algebraic: return "below 0: the constraint determines the algebraic part";
    case driftless::Quantity::reduced: return "growth with the constraint solved";
    case driftless::Quantity::reduced_gain: return "what an error in the constraint does to the differential part";
    case driftless::Quantity::implicit_slope: return "how the algebraic part follows the differential one";
    case driftless::Quantity::implicit_gain: return "what an error in the constraint does to the algebraic part";
  }
  return "";
}

namespace {

constexpr std::size_t margin = 14;

void line(const std::string& label, const std::string& content) {
  if (!content.empty()) say("{}", labelled("  " + label, content, terminal_width(), margin));
}

void print_title(const Model& model) {
  say("{}{}\n\n", bold(model.name), model.title.empty() ? "" : ": " + model.title);
}

std::string norm_text(const std::string& name, const std::string& source) {
  return source.empty() ? name : fmt::format("{}: {}", name, source);
}

std::string interval_text(const Interval& x) { return fmt::format("[{:g}, {:g}]", x.lower(), x.upper()); }

std::string box_text(const BoxFindings& findings) {
  std::string text;
  for (std::size_t i = 0; i < findings.unknowns.size(); ++i)
    text += fmt::format("{} in {}, ", findings.unknowns[i], interval_text(findings.report.box.x[i]));
  return text + "time in " + interval_text(findings.report.box.t);
}

std::string constraint_text(bool scaled) {
  return scaled ? "scaled by Newton's matrix, so that its errors are measured in the units of the algebraic unknowns"
                : "as written in the model";
}

// Infinity is no number for people; what is not known is a dash.
std::string number_text(double x, int digits = 8) {
  if (std::isinf(x) && x > 0.0) return "unbounded";
  return std::isfinite(x) ? fmt::format("{:.{}g}", x + 0.0, digits) : "-";  // no -0
}

// Only what is certain has bounds; -infinity is the least upper bound of nothing.
std::string upper_text(const LipschitzConstant& c) {
  if (!c.certain) return c.undecided ? "branches" : "unbounded";
  return number_text(c.upper);
}

void print_constants(const StabilityReport& report) {
  using Align = TextTable::Align;
  TextTable table({{"constant"},
                   {"proved at most", Align::right},
                   {"proved at least", Align::right},
                   {"seen", Align::right},
                   {"meaning"}});
  for (const LipschitzConstant* c : report.constants())
    table.add({symbol_of(c->quantity), upper_text(*c), c->certain ? number_text(c->lower) : "-",
               number_text(c->sampled), meaning_of(c->quantity)});
  table.add({"S[P, f]", report.product_proved ? number_text(report.schur) : "-", "-", "-",
             "growth, from M_P, L_Q, L_P and M_Q (Theorem 3.4)"});
  say("\n{}\n", table.text(2));
}

void print_sentences(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) say("{}", labelled("  -", sentence, terminal_width(), 4));
}

std::string deviation_text(const BoxFindings& findings) {
  const DeviationBound& last = findings.deviation.back();
  if (!std::isfinite(last.total()))
    return "No bound for what perturbations do to a solution in the box was found up to the end of its times.";
  if (!findings.report.sharp_proved)
    return fmt::format(
        "Nothing is proved about perturbations. With the constants at the points that were looked at, the formulas "
        "give {:.4g} at t = {:g}, which bounds nothing.",
        last.total(), last.time);
  std::string text = fmt::format(
      "Perturbations of size {:g} at the start, {:g} in the differential equations and {:g} in the constraint move a "
      "solution that stays in the box by at most {:.4g} at t = {:g} ({:.4g} in P x, {:.4g} in Q x)",
      findings.perturbation.start, findings.perturbation.differential, findings.perturbation.constraint, last.total(),
      last.time, last.p, last.q);
  if (std::isfinite(findings.lasting))
    text += fmt::format("; however long it lasts, P x by no more than {:.4g}", findings.lasting);
  return text + ".";
}

}  // namespace

void print(const Model& model, const BoxFindings& findings) {
  const StabilityReport& report = findings.report;
  print_title(model);
  line("norm", norm_text(report.norm, findings.norm_source));
  line("box", box_text(findings));
  line("P x", fmt::format("{}", fmt::join(findings.differential, ", ")));
  line("constraint", constraint_text(report.scaled));
  print_constants(report);
  print_sentences(report.sentences);
  if (!findings.deviation.empty()) print_sentences({deviation_text(findings)});
  if (!report.proved)
    print_sentences(
        {"`seen` is the largest value at sampled points, a lower estimate. Where nothing is proved, the constraint may "
         "be singular in the box or leave it, formulas branch inside of it, or rates come from a linear system."});
}

void print(const Model& model, const AlongFindings& findings) {
  const StabilityAlong& along = findings.along;
  print_title(model);
  line("norm", norm_text(along.norm, findings.norm_source));
  line("along", fmt::format("the solution from t = {:g} to {:g}, {} pieces, tube of radius {:g}", along.begin,
                            along.end, along.tube.pieces.size(), along.tube.p_radius));
  line("constraint", constraint_text(findings.scaled));
  line("ended", findings.ended);
  say("\n");
  using Align = TextTable::Align;
  TextTable table({{"t", Align::right},
                   {"rate", Align::right},
                   {"M_Q+[Qf]", Align::right},
                   {"error of P x", Align::right},
                   {"error of Q x", Align::right}});
  const auto& history = along.index.history;
  const std::size_t count = history.size(), rows = std::min<std::size_t>(count, 11);
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t n = rows == 1 ? 0 : k * (count - 1) / (rows - 1);
    const bool bounded = n < along.error.at.size();
    table.add({fmt::format("{:.4g}", history[n].time), number_text(along.rate_at(history[n].time)),
               number_text(history[n].monotonicity, 4), bounded ? number_text(along.error.at[n].p, 3) : "-",
               bounded ? number_text(along.error.at[n].q, 3) : "-"});
  }
  say("{}\n", table.text(2));
  print_sentences(along.sentences);
}

}  // namespace driftless::cli
