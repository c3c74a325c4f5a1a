#include "apps/driftless/report/embedding_article.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace driftless::cli {

namespace {

Section summary(const EmbeddingFindings& findings) {
  Section section{.id = "summary",
                  .title = "Summary",
                  .what = fmt::format("The start is off the constraint: |g(u)| = {:.4g}.",
                                      findings.methods[0].run.residuals.front())};
  for (const MeasuredEmbedding& one : findings.methods) {
    const double off = EmbeddingFindings::deviation(one);
    section.remarks.push_back(
        {off < 1e-6 ? "good" : "bad",
         fmt::format("{}: |g(u)| falls with the rate {}, where its stability function promises {}; largest difference "
                     "{:.1e} of the first residual.",
                     one.method, short_number(one.run.measured_decay), short_number(one.predicted_rate), off)});
  }
  section.remarks.push_back(
      {"note", fmt::format("The embedding has solutions off the constraint, which approach it at least like "
                           "exp(-{:.4g} t): v' = -B v, 0 = g(u) - v. A method with the stability function R makes "
                           "R(-h B) of it in each step.",
                           findings.eta)});
  return section;
}

Section residuals(const EmbeddingFindings& findings) {
  Picture picture{.title = "Distance |g(u)| from the constraint", .log_y = true, .y = "|g(u)|"};
  ArticleTable table{.title = "Rates", .columns = {{"method", false}, {"measured"}, {"of the method"}, {"at the end"}}};
  for (const MeasuredEmbedding& one : findings.methods) {
    picture.curves.push_back({.label = one.method, .x = one.run.times, .y = one.run.residuals});
    table.rows.push_back({one.method, short_number(one.run.measured_decay), short_number(one.predicted_rate),
                          fmt::format("{:.3e}", one.run.residuals.back())});
  }
  Curve guide{.label = fmt::format("exp(-{:.4g} t)", findings.eta), .style = Curve::Style::guide};
  const EmbeddedRun& first = findings.methods[0].run;
  for (const double t : first.times) {
    guide.x.push_back(t);
    guide.y.push_back(first.residuals.front() * std::exp(-findings.eta * (t - findings.begin)));
  }
  picture.curves.push_back(std::move(guide));
  return {.id = "residuals",
          .title = "Back to the constraint",
          .pictures = {std::move(picture)},
          .tables = {std::move(table)}};
}

Section setting(const EmbeddingFindings& findings) {
  ArticleTable start{.title = "Start", .columns = {{"unknown", false}, {"value"}}, .folded = true};
  for (std::size_t i = 0; i < findings.start.size(); ++i)
    start.rows.push_back({findings.unknowns[i], fmt::format("{:.10g}", findings.start[i])});
  return {.id = "options",
          .title = "Options",
          .tables = {facts({{"model", findings.model},
                            {"source", findings.source},
                            {"constraints", fmt::format("{}", fmt::join(findings.constraints, ", "))},
                            {"B", findings.decay},
                            {"step size", fmt::format("{:.6g}", findings.step)}}),
                     std::move(start)}};
}

}  // namespace

double EmbeddingFindings::deviation(const MeasuredEmbedding& one) {
  double worst = 0.0;
  for (std::size_t n = 0; n < one.predicted.size(); ++n)
    worst = std::max(worst, std::abs(one.run.residuals[n] - one.predicted[n]));
  const double first = one.run.residuals.front();
  return first > 0.0 ? worst / first : worst;
}

Article embedding_article(const EmbeddingFindings& findings) {
  return {.title = findings.model,
          .subtitle = "solutions off the constraint" + (findings.title.empty() ? "" : ": " + findings.title),
          .sections = {summary(findings), residuals(findings), setting(findings)}};
}

}  // namespace driftless::cli
