#include <fmt/format.h>

#include <cmath>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/commands/stability_output.h"

namespace driftless::cli {

namespace {

// Infinity has no place in CSV: an empty cell.
std::string cell(double x) { return std::isfinite(x) ? fmt::format("{}", x) : ""; }

Json as_json(const LipschitzConstant& c) {
  return {{"symbol", symbol_of(c.quantity)},
          {"proved", c.certain},
          {"upper", json_number(c.certain ? c.upper : INFINITY)},
          {"lower", json_number(c.certain ? c.lower : -INFINITY)},
          {"sampled", json_number(c.sampled)},
          {"boxes", c.boxes},
          {"branches", c.undecided}};
}

Json as_json(const Majorant& m, bool proved) {
  return {{"proved", proved},
          {"rate", json_number(m.rate)},
          {"gain", json_number(m.gain)},
          {"slope", json_number(m.slope)},
          {"direct", json_number(m.direct)}};
}

Json as_json(const ConstraintGraph& graph) {
  return {{"solved", name_of(graph.solved)}, {"why", graph.reason}, {"try", graph.advice}};
}

std::string bound_cells(const std::vector<DeviationBound>& bounds, std::size_t n) {
  return n < bounds.size() ? fmt::format(",{},{}", cell(bounds[n].p), cell(bounds[n].q)) : ",,";
}

Json as_json(const PerturbationSizes& sizes, const std::vector<DeviationBound>& bounds) {
  Json list = Json::array();
  for (const DeviationBound& b : bounds)
    list.push_back(
        {{"t", b.time}, {"p", json_number(b.p)}, {"q", json_number(b.q)}, {"total", json_number(b.total())}});
  return {{"start", sizes.start},
          {"differential", sizes.differential},
          {"constraint", sizes.constraint},
          {"bounds", std::move(list)}};
}

Json as_json(const IndexLoss& index) {
  Json object = {{"lost", index.lost}, {"verdict", index.verdict}};
  if (index.lost)
    object.update({{"time", index.time},
                   {"uncertainty", json_number(index.uncertainty)},
                   {"singular", index.singular},
                   {"extrapolated", index.extrapolated}});
  return object;
}

Json as_json(const RunBound& error) {
  Json list = Json::array();
  for (const DeviationBound& b : error.at)
    list.push_back({{"t", b.time}, {"p", json_number(b.p)}, {"q", json_number(b.q)}});
  return {{"valid", error.valid},
          {"valid_until", error.valid_until},
          {"proved", error.certain},
          {"dominant", name_of(error.dominant)},
          {"constraint_share", json_number(error.constraint_share)},
          {"bounds", std::move(list)}};
}

}  // namespace

Json as_json(const Model& model, const BoxFindings& findings) {
  const StabilityReport& report = findings.report;
  Json box = Json::object(), constants = Json::array();
  for (std::size_t i = 0; i < findings.unknowns.size(); ++i)
    box[findings.unknowns[i]] = {report.box.x[i].lower(), report.box.x[i].upper()};
  for (const LipschitzConstant* c : report.constants()) constants.push_back(as_json(*c));
  Json object = {{"status", "ok"},
                 {"model", model.name},
                 {"norm", report.norm},
                 {"box", std::move(box)},
                 {"time", {report.box.t.lower(), report.box.t.upper()}},
                 {"differential", findings.differential},
                 {"constraint_scaled", report.scaled},
                 {"constants", std::move(constants)},
                 {"schur", json_number(report.schur)},
                 {"theorem_3_4", as_json(report.product, report.product_proved)},
                 {"theorem_3_5", as_json(report.sharp, report.sharp_proved && report.graph.solved == Verdict::yes)},
                 {"rate", json_number(report.rate)},
                 {"rate_proved", report.rate_proved},
                 {"proved", report.proved},
                 {"index_1", name_of(report.index_1)},
                 {"constraint_in_box", as_json(report.graph)},
                 {"exponentially_stable", name_of(report.exponentially_stable)},
                 {"euler_step_limit", json_number(report.euler_step_limit)},
                 {"euler_unique", !report.rate_proved                   ? "open"
                                  : std::isinf(report.euler_step_limit) ? "every step size"
                                                                        : "below the limit"},
                 {"sentences", report.sentences}};
  if (!findings.norm_source.empty()) object["norm_source"] = findings.norm_source;
  if (findings.deviation.empty()) return object;
  object["perturbation"] = as_json(findings.perturbation, findings.deviation);
  object["perturbation"]["proved"] = report.sharp_proved;
  object["perturbation"]["p_for_ever"] = json_number(findings.lasting);
  return object;
}

Json as_json(const Model& model, const AlongFindings& findings) {
  const StabilityAlong& along = findings.along;
  Json pieces = Json::array();
  for (const MajorantPiece& piece : along.tube.majorants()) {
    Json one = {{"begin", piece.begin}, {"end", piece.end}};
    one.update(as_json(piece.majorant, along.certain && piece.majorant.is_finite()));
    pieces.push_back(std::move(one));
  }
  Json object = {{"status", "ok"},
                 {"model", model.name},
                 {"norm", along.norm},
                 {"begin", along.begin},
                 {"end", along.end},
                 {"tube", along.tube.p_radius},
                 {"constraint_scaled", findings.scaled},
                 {"proved", along.certain},
                 {"index", as_json(along.index)},
                 {"growth", json_number(along.growth)},
                 {"mean_rate", json_number(along.mean_rate)},
                 {"largest_rate", {{"value", json_number(along.largest_rate)}, {"t", along.largest_rate_at}}},
                 {"error", as_json(along.error)},
                 {"pieces", std::move(pieces)},
                 {"sentences", along.sentences}};
  if (!findings.norm_source.empty()) object["norm_source"] = findings.norm_source;
  if (!findings.ended.empty()) object["ended"] = findings.ended;
  if (along.deviation.empty()) return object;
  object["perturbation"] = as_json(findings.perturbation, along.deviation);
  object["perturbation"]["valid"] = along.deviation_valid;
  return object;
}

std::string as_csv(const BoxFindings& findings) {
  std::string text = "time,p_bound,q_bound\n";
  for (const DeviationBound& b : findings.deviation) text += fmt::format("{},{},{}\n", b.time, cell(b.p), cell(b.q));
  return text;
}

std::string as_csv(const AlongFindings& findings) {
  const StabilityAlong& along = findings.along;
  std::string text = "time,rate,m_q,error_p,error_q,deviation_p,deviation_q\n";
  for (std::size_t n = 0; n < along.index.history.size(); ++n) {
    const IndexWatchPoint& point = along.index.history[n];
    text += fmt::format("{},{},{}", point.time, cell(along.rate_at(point.time)), cell(point.monotonicity));
    text += bound_cells(along.error.at, n) + bound_cells(along.deviation, n) + "\n";
  }
  return text;
}

}  // namespace driftless::cli
