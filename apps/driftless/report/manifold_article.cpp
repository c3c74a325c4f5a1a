#include "apps/driftless/report/manifold_article.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/output/describe.h"

namespace driftless::cli {

namespace {

constexpr double order_slack = 0.2;  // as the tests of the analysis allow

std::string method_sentence(const MeasuredManifold& one) {
  const auto& [method, study] = one;
  const Attractivity& finest = study.rows.back().attractivity;
  std::string text =
      finest.infinite()
          ? fmt::format("{}: one step leads onto its manifold, as |R(infinity)| = {:.4g} promises", method,
                        study.r_infinity)
          : fmt::format("{}: a step leaves {} of a disturbance of the multiplier; |R(infinity)| is {:.4g}", method,
                        chi_text(finest), study.r_infinity);
  if (study.closeness.used >= 2)
    text += fmt::format(". Its manifold approaches that of the equations with order {}", order_text(study.closeness));
  return text + (study.promised.order ? fmt::format("; promised: {}.", promised_text(study)) : ".");
}

bool as_promised(const ManifoldStudy& study) {
  const Attractivity& finest = study.rows.back().attractivity;
  const bool chi = study.r_infinity == 0.0 ? finest.infinite() : std::abs(finest.chi - study.r_infinity) < 1e-2;
  return chi && (!study.promised.order || study.closeness.used < 2 ||
                 study.closeness.order > *study.promised.order - order_slack);
}

Section summary(const Index2Start& start, const std::vector<MeasuredManifold>& all) {
  Section section{.id = "summary", .title = "Summary", .what = describe_form(start.equations) + "."};
  for (const MeasuredManifold& one : all)
    section.remarks.push_back({as_promised(one.study) ? "good" : "bad", method_sentence(one)});
  section.remarks.push_back({"note",
                             "A solution has multipliers lambda = psi_0(u, t); a method has a manifold psi_0h of its "
                             "own that attracts its steps. chi_h is the factor by which one step reduces the distance "
                             "to it, closeness is |psi_0 - psi_0h| (Schropp 2001, Theorem 2.1)."});
  return section;
}

Section closeness(const std::vector<MeasuredManifold>& all) {
  Picture picture{.title = "Closeness |psi_0 - psi_0h| against the step size",
                  .x = "h",
                  .log_x = true,
                  .log_y = true,
                  .note = "A straight line of slope p is an order of p. Values of the size of rounding end it."};
  ArticleTable table{.title = "Closeness", .columns = {{"method", false}, {"promised"}, {"order"}}};
  for (const auto& row : all[0].study.rows) table.columns.push_back({fmt::format("h = {:.6g}", row.step_size)});
  for (const auto& [method, study] : all) {
    Curve curve{.label = fmt::format("{}, order {}", method, order_text(study.closeness))};
    std::vector<std::string> cells = {method, promised_text(study), order_text(study.closeness)};
    for (const auto& row : study.rows) {
      curve.x.insert(curve.x.begin(), row.step_size);
      curve.y.insert(curve.y.begin(), row.closeness);
      cells.push_back(fmt::format("{:.3e}", row.closeness));
    }
    picture.curves.push_back(std::move(curve));
    table.rows.push_back(std::move(cells));
  }
  return {.id = "closeness", .title = "Closeness", .pictures = {std::move(picture)}, .tables = {std::move(table)}};
}

// Up to the first distance that is rounding; nothing if that is one of the first two.
std::optional<Curve> by_step(const std::string& label, const Vector& distances, double rounding) {
  Curve curve{.label = label};
  for (std::size_t n = 0; n < distances.size(); ++n) {
    curve.x.push_back(static_cast<double>(n));
    curve.y.push_back(distances[n]);
    if (distances[n] <= rounding) break;
  }
  if (curve.y.size() < 2 && distances.size() > 1) return std::nullopt;
  return curve;
}

Section attraction(const std::vector<MeasuredManifold>& all) {
  const double h = all[0].study.rows.back().step_size;
  Picture lambda{.title = fmt::format("Distance of lambda to the manifold, step by step, h = {:.6g}", h),
                 .x = "step",
                 .log_y = true};
  ArticleTable table{.title = "chi_h", .columns = {{"method", false}, {"|R(inf)|"}}};
  for (const auto& row : all[0].study.rows) table.columns.push_back({fmt::format("h = {:.6g}", row.step_size)});
  for (const auto& [method, study] : all) {
    if (auto curve = by_step(method, study.rows.back().attractivity.distances, 0.0)) lambda.curves.push_back(*curve);
    std::vector<std::string> cells = {method, fmt::format("{:.4g}", study.r_infinity)};
    for (const auto& row : study.rows) cells.push_back(chi_text(row.attractivity));
    table.rows.push_back(std::move(cells));
  }
  return {.id = "attraction",
          .title = "Attraction",
          .what = "The multiplier is disturbed, and the method goes on. 0 in the table: nothing is left but rounding.",
          .pictures = {std::move(lambda)},
          .tables = {std::move(table)}};
}

Section phase(const std::vector<MeasuredManifold>& all) {
  Picture u{
      .title = "Asymptotic phase: |u_n - u~_n| between a disturbed run and its partner", .x = "step", .log_y = true};
  Picture lambda{.title = "Asymptotic phase: |lambda_n - lambda~_n| between the two", .x = "step", .log_y = true};
  ArticleTable table{.title = "Rates per step", .columns = {{"method", false}, {"u"}, {"lambda"}}};
  for (const auto& [method, study] : all) {
    const AsymptoticPhase& found = study.rows.back().phase;
    if (auto curve = by_step(method, found.u_distances, found.u_rounding)) u.curves.push_back(*curve);
    if (auto curve = by_step(method, found.lambda_distances, found.lambda_rounding)) lambda.curves.push_back(*curve);
    table.rows.push_back({method, short_number(found.u_rate), short_number(found.lambda_rate)});
  }
  Section section{.id = "phase",
                  .title = "Asymptotic phase",
                  .what = "A run that begins off the manifold approaches one that lies on it."};
  if (u.curves.empty()) section.what += " In u nothing is left above rounding.";
  for (Picture* picture : {&u, &lambda})
    if (!picture->curves.empty()) section.pictures.push_back(std::move(*picture));
  section.tables.push_back(std::move(table));
  return section;
}

Section setting(const Model& model, const Index2Start& start, const std::vector<ManifoldPoint>& points) {
  ArticleTable where{.title = "Points where it was measured", .columns = {{"t", false}}, .folded = true};
  for (const std::string& name : start.equations.layout().names()) where.columns.push_back({name});
  for (const ManifoldPoint& point : points) {
    std::vector<std::string> cells = {fmt::format("{:.6g}", point.t)};
    for (const double x : point.state) cells.push_back(fmt::format("{:.6g}", x));
    where.rows.push_back(std::move(cells));
  }
  return {.id = "options",
          .title = "Options",
          .tables = {
              facts({{"model", model.name}, {"source", model.source}, {"equations", describe_form(start.equations)}}),
              std::move(where)}};
}

}  // namespace

std::string promised_text(const ManifoldStudy& study) {
  return study.promised.order ? fmt::format("{} = {}", study.promised.symbol, *study.promised.order) : "exact";
}

std::string chi_text(const Attractivity& attractivity) {
  return attractivity.infinite() ? "0" : fmt::format("{:.6f}", attractivity.chi);
}

std::string order_text(const OrderFit& fit) { return fit.used < 2 ? "-" : fmt::format("{:.2f}", fit.order); }

Article manifold_article(const Model& model, const Index2Start& start, const std::vector<ManifoldPoint>& points,
                         const std::vector<MeasuredManifold>& all) {
  return {
      .title = model.name,
      .subtitle = "invariant manifolds of methods" + (model.title.empty() ? "" : ": " + model.title),
      .sections = {summary(start, all), closeness(all), attraction(all), phase(all), setting(model, start, points)}};
}

}  // namespace driftless::cli
