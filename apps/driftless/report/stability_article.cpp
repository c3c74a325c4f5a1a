#include "apps/driftless/report/stability_article.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace driftless::cli {

namespace {

using Style = Curve::Style;
constexpr double noise = 1e-10;  // of the runs that are compared

std::string constant_text(double x) {
  if (std::isinf(x) && x > 0.0) return "unbounded";
  return std::isfinite(x) ? fmt::format("{:.6g}", x) : "-";
}
std::string interval_text(const Interval& x) { return fmt::format("{:g} to {:g}", x.lower(), x.upper()); }

// A bound that says nothing any more would leave no room for what is measured.
double sensible(const Picture& measured) {
  double largest = 0.0;
  for (const Curve& curve : measured.curves)
    for (const double y : curve.y) largest = std::fmax(largest, y);
  return largest > 0.0 ? 1e6 * largest : 1e12;
}

// Bounds are guides; what was measured below them, and drawn before, has the colour of its bound.
void add_bounds(const std::vector<DeviationBound>& bounds, double valid_until, Picture& picture) {
  Curve p{.label = "bound of |P dx|", .style = Style::guide, .color = 0};
  Curve q{.label = "bound of |Q dx|", .style = Style::guide, .color = 1};
  const double limit = sensible(picture);
  for (const DeviationBound& b : bounds) {
    if (b.time > valid_until || !(b.p <= limit) || !(b.q <= limit)) break;
    p.x.push_back(b.time);
    p.y.push_back(b.p);
    q.x.push_back(b.time);
    q.y.push_back(b.q);
  }
  picture.curves.push_back(std::move(p));
  picture.curves.push_back(std::move(q));
}

void add_measured(const std::optional<MeasuredDeviation>& measured, Picture& picture) {
  if (!measured) return;
  picture.curves.push_back({.label = "measured |P dx|", .x = measured->times, .y = measured->p, .color = 0});
  picture.curves.push_back({.label = "measured |Q dx|", .x = measured->times, .y = measured->q, .color = 1});
}

// At the start everything is 0, or nearly: what is smaller than the rest by eight digits only squeezes the picture.
void leave_out_tiny(Picture& picture) {
  double largest = 0.0;
  for (const Curve& curve : picture.curves)
    for (const double y : curve.y)
      if (std::isfinite(y)) largest = std::max(largest, y);
  for (Curve& curve : picture.curves)
    for (double& y : curve.y)
      if (y < 1e-8 * largest) y = std::nan("");
  picture.note += fmt::format("{}Values below {:.0e} are left out.", picture.note.empty() ? "" : " ", 1e-8 * largest);
}

// What the bound of P x is made of, by cause.
Picture parts_picture(const std::vector<DeviationBound>& bounds, double valid_until) {
  Picture picture{.title = "What the bound of |P dx| is made of", .log_y = true};
  const std::pair<const char*, double DeviationBound::*> parts[] = {
      {"from the start", &DeviationBound::p_from_start},
      {"from the differential equations", &DeviationBound::p_from_differential},
      {"from the constraint", &DeviationBound::p_from_algebraic}};
  int color = 2;
  for (const auto& [label, part] : parts) {
    Curve curve{.label = label, .color = color++};
    for (const DeviationBound& b : bounds)
      if (b.time <= valid_until && b.*part > 0.0 && b.*part <= 1e12) {
        curve.x.push_back(b.time);
        curve.y.push_back(b.*part);
      }
    if (!curve.x.empty()) picture.curves.push_back(std::move(curve));
  }
  leave_out_tiny(picture);
  return picture;
}

// Quotients of what was measured and its bound: they must not exceed 1, and tell how sharp the bound is.
std::optional<Remark> sharpness(const MeasuredDeviation& measured, const std::vector<DeviationBound>& bounds,
                                double valid_until, const char* what) {
  double worst = 0.0, last = 0.0, until = 0.0;
  for (std::size_t k = 0; k < std::min(measured.times.size(), bounds.size()); ++k) {
    if (bounds[k].time > valid_until || !std::isfinite(bounds[k].total())) break;
    last = 0.0;
    for (const auto& [value, bound] : {std::pair{measured.p[k], bounds[k].p}, {measured.q[k], bounds[k].q}})
      if (bound > noise) last = std::max(last, value / bound);
    worst = std::max(worst, last);
    until = bounds[k].time;
  }
  if (worst == 0.0) return std::nullopt;
  return Remark{worst <= 1.0 + 1e-9 ? "good" : "bad",
                fmt::format("{} uses {:.3g} % of its bound at t = {:.4g}, and {:.3g} % at most.", what, 100.0 * last,
                            until, 100.0 * worst)};
}

double valid_until(const RunBound& error) { return error.valid ? INFINITY : error.valid_until; }

// Without anything to draw a picture is left out.
void add_picture(Picture picture, Section& section) {
  std::erase_if(picture.curves, [](const Curve& curve) { return curve.x.empty(); });
  if (!picture.curves.empty()) section.pictures.push_back(std::move(picture));
}

std::string sizes_text(const PerturbationSizes& sizes) {
  return fmt::format("Perturbations: {:g} at the start, {:g} in the differential equations, {:g} in the constraint. ",
                     sizes.start, sizes.differential, sizes.constraint);
}

const char* constraint_text(bool scaled) { return scaled ? "scaled by Newton's matrix" : "as written in the model"; }

Remark verdict_remark(Verdict verdict, const char* yes, const char* no, const char* open) {
  if (verdict == Verdict::yes) return {"good", yes};
  return verdict == Verdict::no ? Remark{"bad", no} : Remark{"note", open};
}

Section box_summary(const BoxFindings& findings) {
  const StabilityReport& report = findings.report;
  Section section{.id = "summary", .title = "Summary"};
  section.remarks.push_back(
      verdict_remark(report.index_1, "Index 1 is proved on the box: the constraint determines the algebraic part.",
                     "The monotonicity that proves index 1 fails at a point of the box.",
                     "Index 1 is neither proved nor refuted on the box."));
  section.remarks.push_back(verdict_remark(
      report.exponentially_stable, "Deviations decay: the rate is proved to be negative on the whole box.",
      "Deviations do not decay everywhere in the box.", "Whether deviations decay on the whole box is open."));
  for (const std::string& sentence : report.sentences) section.remarks.push_back({"note", sentence});
  if (findings.measured)
    if (const auto remark =
            sharpness(*findings.measured, findings.deviation, INFINITY, "The deviation of a run perturbed like this"))
      section.remarks.push_back(*remark);
  return section;
}

ArticleTable constants_table(const StabilityReport& report) {
  ArticleTable table{
      .title = "Constants",
      .columns = {{"constant", false}, {"proved at most"}, {"proved at least"}, {"seen"}, {"meaning", false}}};
  for (const LipschitzConstant* c : report.constants())
    table.rows.push_back({symbol_of(c->quantity),
                          c->certain     ? constant_text(c->upper)
                          : c->undecided ? "branches"
                                         : "unbounded",
                          c->certain ? constant_text(c->lower) : "-", constant_text(c->sampled),
                          meaning_of(c->quantity)});
  table.rows.push_back({"S[P, f]", report.product_proved ? constant_text(report.schur) : "-", "-", "-",
                        "growth, from M_P, L_Q, L_P and M_Q (Theorem 3.4)"});
  return table;
}

Section box_deviation(const BoxFindings& findings) {
  Picture picture{.title = "Deviation against its bound", .log_y = true};
  add_measured(findings.measured, picture);
  add_bounds(findings.deviation, INFINITY, picture);
  picture.note =
      sizes_text(findings.perturbation) +
      (findings.measured ? "Measured: one run with constant perturbations of these sizes, all components alike."
                         : "Nothing is measured: a run from the model's start fails or leaves the box, or the "
                           "constraint is scaled.") +
      (findings.report.sharp_proved ? "" : " The bounds come from samples and are not proved.");
  leave_out_tiny(picture);
  Section section{.id = "deviation", .title = "Deviation"};
  add_picture(std::move(picture), section);
  add_picture(parts_picture(findings.deviation, INFINITY), section);
  return section;
}

Section along_summary(const AlongFindings& findings) {
  const StabilityAlong& along = findings.along;
  Section section{.id = "summary", .title = "Summary"};
  section.remarks.push_back({along.index.lost ? "bad" : "good", along.index.verdict});
  for (const std::string& sentence : along.sentences)
    if (sentence != along.index.verdict) section.remarks.push_back({"note", sentence});
  if (!findings.ended.empty()) section.remarks.push_back({"note", "The run ended " + findings.ended});
  if (findings.measured_error)
    if (const auto remark =
            sharpness(*findings.measured_error, along.error.at, valid_until(along.error), "The error of the run"))
      section.remarks.push_back(*remark);
  if (findings.measured_deviation)
    if (const auto remark = sharpness(*findings.measured_deviation, along.deviation, INFINITY,
                                      "The deviation of a run perturbed like this"))
      section.remarks.push_back(*remark);
  return section;
}

Section error_section(const AlongFindings& findings) {
  Picture picture{.title = "Error of the run against its bound",
                  .log_y = true,
                  .note = "Measured against a run with a tolerance of 1e-11."};
  add_measured(findings.measured_error, picture);
  const RunBound& error = findings.along.error;
  add_bounds(error.at, valid_until(error), picture);
  leave_out_tiny(picture);
  Section section{.id = "error", .title = "Error"};
  add_picture(std::move(picture), section);
  add_picture(parts_picture(error.at, valid_until(error)), section);
  return section;
}

Section deviation_section(const AlongFindings& findings) {
  Picture picture{.title = "Deviation against its bound", .log_y = true};
  add_measured(findings.measured_deviation, picture);
  add_bounds(findings.along.deviation, INFINITY, picture);
  picture.note =
      sizes_text(findings.perturbation) +
      (findings.measured_deviation
           ? "Measured: one run with constant perturbations of these sizes, all components alike."
           : "Nothing is measured: the constraint is scaled, or the perturbed run fails.") +
      (findings.along.deviation_valid ? "" : " The bound leaves the tube, so that it holds only for a while.");
  leave_out_tiny(picture);
  Section section{.id = "deviation", .title = "Deviation"};
  add_picture(std::move(picture), section);
  add_picture(parts_picture(findings.along.deviation, INFINITY), section);
  return section;
}

Section rates_section(const StabilityAlong& along) {
  Curve rate{.label = "rate"}, monotonicity{.label = "M_Q+[Qf]", .color = 1},
      regularity{.label = "smallest singular value of Q f_x on Im Q", .color = 2};
  for (const IndexWatchPoint& point : along.index.history) {
    for (Curve* curve : {&rate, &monotonicity, &regularity}) curve->x.push_back(point.time);
    rate.y.push_back(along.rate_at(point.time));
    monotonicity.y.push_back(point.monotonicity);
    regularity.y.push_back(point.regularity);
  }
  return {.id = "rates",
          .title = "Rates",
          .what =
              "Where the rate is below 0 deviations shrink; where M_Q+[Qf] is below 0 the constraint determines the "
              "algebraic part.",
          .pictures = {{.title = "Rate of growth of deviations", .curves = {rate}},
                       {.title = "How well the constraint determines the algebraic part",
                        .curves = {monotonicity, regularity}}}};
}

}  // namespace

Article stability_article(const Model& model, const BoxFindings& findings) {
  const StabilityReport& report = findings.report;
  Article article{.title = model.name,
                  .subtitle = "stability on a box" + (model.title.empty() ? "" : ": " + model.title),
                  .sections = {box_summary(findings)}};
  if (!findings.deviation.empty()) article.sections.push_back(box_deviation(findings));
  article.sections.push_back({.id = "constants", .title = "Constants", .tables = {constants_table(report)}});
  std::vector<std::pair<std::string, std::string>> setting = {
      {"model", model.name},
      {"source", model.source},
      {"norm", report.norm + (findings.norm_source.empty() ? "" : ": " + findings.norm_source)},
      {"constraint", constraint_text(report.scaled)},
      {"P x", fmt::format("{}", fmt::join(findings.differential, ", "))}};
  for (std::size_t i = 0; i < findings.unknowns.size(); ++i)
    setting.emplace_back(findings.unknowns[i], interval_text(report.box.x[i]));
  setting.emplace_back("time", interval_text(report.box.t));
  article.sections.push_back({.id = "options", .title = "Options", .tables = {facts(setting)}});
  return article;
}

Article stability_article(const Model& model, const AlongFindings& findings) {
  const StabilityAlong& along = findings.along;
  Article article{.title = model.name,
                  .subtitle = "stability along the solution" + (model.title.empty() ? "" : ": " + model.title),
                  .sections = {along_summary(findings)}};
  if (!along.error.at.empty()) article.sections.push_back(error_section(findings));
  if (!along.deviation.empty()) article.sections.push_back(deviation_section(findings));
  article.sections.push_back(rates_section(along));
  article.sections.push_back({.id = "options",
                              .title = "Options",
                              .tables = {facts({{"model", model.name},
                                                {"source", model.source},
                                                {"norm", along.norm},
                                                {"its matrix", findings.norm_source},
                                                {"from", fmt::format("t = {:g}", along.begin)},
                                                {"to", fmt::format("t = {:g}", along.end)},
                                                {"pieces", fmt::format("{}", along.tube.pieces.size())},
                                                {"radius of the tube", fmt::format("{:g}", along.tube.p_radius)},
                                                {"constraint", constraint_text(findings.scaled)}})}});
  return article;
}

}  // namespace driftless::cli
