#include "apps/driftless/commands/attractor_report.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"

namespace driftless::cli {

namespace {

using Complex = std::complex<double>;
constexpr std::size_t most_listed = 8;

std::string complex_text(Complex z) {
  if (std::abs(z.imag()) < 1e-12 * (1.0 + std::abs(z.real()))) return fmt::format("{:.6g}", z.real() + 0.0);
  return fmt::format("{:.6g} {} {:.6g}i", z.real(), z.imag() < 0.0 ? "-" : "+", std::abs(z.imag()));
}

std::string list_text(const std::vector<Complex>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), most_listed); ++i)
    text += (i > 0 ? ", " : "") + complex_text(values[i]);
  return values.size() > most_listed ? text + ", ..." : text;
}

// The slowest decay per unit of time; empty where there is none.
std::string attraction_text(const RecognisedAttractor& found) {
  double rate = 0.0;
  if (found.equilibrium && !found.equilibrium->exponents.empty()) rate = found.equilibrium->exponents.front().real();
  if (found.periodic && !found.periodic->multipliers.empty())
    rate = std::log(std::abs(found.periodic->multipliers.front())) / found.periodic->period;
  return rate < 0.0 && std::isfinite(rate) ? fmt::format("; it attracts like exp({:.6g} t)", rate) : "";
}

std::string list_text(const Vector& values) { return list_text(std::vector<Complex>(values.begin(), values.end())); }

}  // namespace

std::string kind_text(const RecognisedAttractor& found) {
  switch (found.kind) {
    case AttractorKind::equilibrium: {
      std::string text = fmt::format("a stable equilibrium; exponents {}", list_text(found.equilibrium->exponents));
      if (!found.step_multipliers.empty())
        text += fmt::format("; multipliers of a step {}", list_text(found.step_multipliers));
      return text + attraction_text(found);
    }
    case AttractorKind::periodic:
      return fmt::format("a stable periodic orbit; period {:.10g}, multipliers {}{}", found.periodic->period,
                         list_text(found.periodic->multipliers), attraction_text(found));
    case AttractorKind::neutral:
      return fmt::format(
          "none: a periodic orbit that neither attracts nor repels, as conservative systems have; period "
          "{:.8g}, multipliers {}",
          found.periodic->period, list_text(found.periodic->multipliers));
    case AttractorKind::chaotic:
    case AttractorKind::undecided: break;
  }
  const LyapunovExponents& lyapunov = *found.lyapunov;
  return fmt::format("{}; Lyapunov exponents {} (standard errors {}), Kaplan-Yorke dimension {}",
                     found.kind == AttractorKind::chaotic
                         ? "chaotic"
                         : "neither an equilibrium nor a periodic orbit, nor clearly chaotic",
                     list_text(lyapunov.exponents), list_text(lyapunov.standard_errors),
                     short_number(lyapunov.kaplan_yorke_dimension));
}

std::string remark(const AttractorStudy::Row& row, const AttractorStudy& study) {
  if (row.failure) return fmt::format("{}: {}", driftless::name_of(row.failure->kind), row.failure->what_happened);
  if (!row.settled()) return "still moving";
  if (row.distance <= std::max(row.gap, study.reference_gap)) return "below the gap";
  return row.distance <= study.reference_accuracy ? "below the tolerance" : "";
}

const char* const inside_note =
    "The runs of the method end on less than the set of the equations, with small steps as with large ones (inward). "
    "That is no contradiction to Theorem 2.2: its discrete set contains all of the attracting set, so that its "
    "distance "
    "is `outward`. Sampled are limit sets, and where motion inside neither attracts nor repels, those of a method may "
    "be smaller. The starts (--box) have to fill the attracting set for `outward` to be its distance.";

std::optional<double> agreement(const AttractorStudy& study) {
  constexpr double rounding = 1e-7;
  double largest = 0.0;
  for (const auto& row : study.rows) {
    if (row.failure || !row.settled() || !(row.distance <= rounding)) return std::nullopt;
    largest = std::max({largest, row.distance, study.reference_gap});
  }
  return study.rows.empty() ? std::nullopt : std::optional(largest);
}

namespace {

std::string rate_text(const AttractorStudy& study) {
  if (study.rate.used >= 2)
    return fmt::format("rate {:.2f} from {}", study.rate.order, counted(study.rate.used, "step size", "step sizes"));
  if (const auto within = agreement(study))
    return fmt::format("no rate to be seen: the sets agree to within {:.2g}", *within);
  return fmt::format("rate unknown from {}", counted(study.rate.used, "step size", "step sizes"));
}

std::string study_text(const AttractorStudy& study, bool advise) {
  using Align = TextTable::Align;
  TextTable table({{"h", Align::right},
                   {"distance", Align::right},
                   {"outward", Align::right},
                   {"inward", Align::right},
                   {"gap", Align::right},
                   {"drift", Align::right},
                   {"|g(u)|", Align::right},
                   {""}});
  for (const auto& row : study.rows)
    table.add({fmt::format("{:.6g}", row.step_size), short_number(row.distance), short_number(row.outward),
               short_number(row.inward), short_number(row.gap), short_number(row.drift), short_number(row.residual),
               remark(row, study)});
  std::string text = table.text(2);
  text += fmt::format("\n  {}; gap of the reference {}\n", rate_text(study), short_number(study.reference_gap));
  if (study.leaves_out_inside()) text += wrapped(inside_note, terminal_width(), 2);
  if (advise && study.rate.used < 2 && !agreement(study))
    text += wrapped(
        "distances below the gaps cannot be told from sampling: more --starts and --samples, larger step "
        "sizes, or a --section show more",
        terminal_width(), 2);
  return text;
}

Json complex_json(const std::vector<Complex>& values) {
  Json list = Json::array();
  for (const Complex& z : values) list.push_back({{"re", json_number(z.real())}, {"im", json_number(z.imag())}});
  return list;
}

Json kind_json(const RecognisedAttractor& found) {
  Json object = {{"kind", name_of(found.kind)}, {"state", json_numbers(found.state)}};
  if (found.equilibrium) {
    object["equilibrium"] = {{"state", json_numbers(found.equilibrium->state)},
                             {"residual", json_number(found.equilibrium->residual)},
                             {"exponents", complex_json(found.equilibrium->exponents)}};
    if (!found.step_multipliers.empty())
      object["equilibrium"]["step_multipliers"] = complex_json(found.step_multipliers);
  }
  if (found.periodic)
    object["periodic"] = {{"state", json_numbers(found.periodic->state)},
                          {"period", found.periodic->period},
                          {"residual", json_number(found.periodic->residual)},
                          {"multipliers", complex_json(found.periodic->multipliers)},
                          {"trivial_multiplier", json_number(found.periodic->trivial_multiplier)}};
  if (found.lyapunov)
    object["lyapunov"] = {{"exponents", json_numbers(found.lyapunov->exponents)},
                          {"standard_errors", json_numbers(found.lyapunov->standard_errors)},
                          {"kaplan_yorke_dimension", json_number(found.lyapunov->kaplan_yorke_dimension)}};
  return object;
}

Json study_json(const AttractorStudy& study) {
  Json rows = Json::array();
  for (const auto& row : study.rows) {
    Json one = {{"h", row.step_size},
                {"distance", json_number(row.distance)},
                {"outward", json_number(row.outward)},
                {"inward", json_number(row.inward)},
                {"gap", json_number(row.gap)},
                {"drift", json_number(row.drift)},
                {"residual", json_number(row.residual)},
                {"settled", !row.failure && row.settled()}};
    if (row.failure) one["failure"] = row.failure->message();
    rows.push_back(std::move(one));
  }
  const auto within = agreement(study);
  return {{"reference_gap", json_number(study.reference_gap)},
          {"agree_within", within ? Json(*within) : Json(nullptr)},
          {"leaves_out_inside", study.leaves_out_inside()},
          {"rate", json_number(study.rate.order)},
          {"rate_from", study.rate.used},
          {"rows", std::move(rows)}};
}

void append(Recording& recording, double h, const PointCloud& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    recording.values.push_back(h);
    recording.values.insert(recording.values.end(), points.point(i).begin(), points.point(i).end());
  }
}

}  // namespace

std::string attractor_text(const Model& model, const Index2Start& start, const AttractorFindings& findings) {
  std::string text =
      fmt::format("{}{}\n\n", bold(model.name), model.title.empty() ? "" : fmt::format(": {}", model.title));
  const auto line = [&](const std::string& label, const std::string& content) {
    text += labelled(label, content, terminal_width(), 14);
  };
  line("  equations", describe_form(start.equations));
  line("  method",
       findings.method + (findings.underlying_ode ? ", on the underlying ODE: the constraint is left out" : ""));
  if (findings.of_dae) line("  attractor", kind_text(*findings.of_dae));
  if (findings.of_method) line(fmt::format("  h = {:.6g}", findings.smallest_step), kind_text(*findings.of_method));
  if (findings.study) text += "\n" + study_text(*findings.study, !findings.across);
  if (findings.across)
    text += "\n  on planes across the orbit, where it is one point:\n" + study_text(*findings.across, true);
  return text;
}

Json attractor_json(const Model& model, const Index2Start& start, const AttractorFindings& findings) {
  Json object = {{"status", "ok"},
                 {"model", model.name},
                 {"method", findings.method},
                 {"underlying_ode", findings.underlying_ode},
                 {"unknowns", start.equations.layout().names()}};
  if (findings.of_dae) object["attractor"] = kind_json(*findings.of_dae);
  if (findings.of_method) object["attractor_of_method"] = kind_json(*findings.of_method);
  if (findings.study) object["distances"] = study_json(*findings.study);
  if (findings.across) object["distances_across"] = study_json(*findings.across);
  return object;
}

Recording attractor_points(const Index2Start& start, const AttractorStudy& study) {
  std::vector<ResultColumn> columns;
  for (std::size_t i = 0; i < study.reference.dimension; ++i)
    columns.push_back({start.equations.layout().name(i), "", ""});
  Recording recording(columns);
  recording.columns[0] = {"h", "", "step size of the method; 0: the differential-algebraic equation itself"};
  append(recording, 0.0, study.reference);
  for (const auto& row : study.rows) append(recording, row.step_size, row.points);
  return recording;
}

}  // namespace driftless::cli
