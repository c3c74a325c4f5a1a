// One line per point of a picture; the first columns say to which curve it belongs.
#include <fmt/format.h>

#include "apps/driftless/reproduce/stability_heat.h"
#include "apps/driftless/reproduce/stability_items.h"
#include "testset/stability/study.h"

namespace reproduce {

using namespace driftless::stability;

std::string constants_csv() {
  std::string text = "problem,norm,constant,exact,boxes,lower,upper,sampled\n";
  for (const ConstantRow& row : study_constants({1, 3, 10, 30, 100, 300, 1000, 3000}))
    text += fmt::format("{},{},{},{},{},{},{},{}\n", row.problem, row.norm, row.symbol, row.exact, row.boxes, row.lower,
                        row.upper, row.sampled);
  return text;
}

std::string deviations_csv() {
  std::string text =
      "problem,perturbation,norm,time,p,q,p_theorem_3_4,q_theorem_3_4,p_theorem_3_5,q_theorem_3_5,p_tube,q_tube\n";
  for (const DeviationStudy& study : study_deviations())
    for (const DeviationPoint& point : study.points)
      text += fmt::format("\"{}\",{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n",
                          study.problem, study.perturbation, study.norm, point.time, point.p, point.q, point.product.p,
                          point.product.q, point.sharp.p, point.sharp.q, point.in_tube.p, point.in_tube.q);
  return text;
}

namespace {

std::string points_csv(const std::string& curve, const std::vector<ErrorPoint>& points) {
  std::string text;
  for (const ErrorPoint& point : points)
    text += fmt::format("{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", curve, point.time, point.p.measured,
                        point.p.bound, point.q.measured, point.q.bound, point.q_residual);
  return text;
}

}  // namespace

std::string errors_csv() {
  std::string text = "problem,method,newton,time,p_error,p_bound,q_error,q_bound,q_residual\n";
  for (const ErrorStudy& study : study_errors())
    text += points_csv(fmt::format("\"{}\",{},{:g}", study.problem, study.method, study.newton), study.points);
  return text;
}

std::string runs_csv() {
  std::string text = "problem,run,time,p_error,p_bound,q_error,q_bound,q_residual\n";
  for (const RunStudy& study : study_runs())
    text += points_csv(fmt::format("\"{}\",\"{}\"", study.problem, study.run), study.points);
  return text;
}

std::string index_loss_csv() {
  std::string text = "problem,time,m_q,smallest_singular_value,found,exact\n";
  for (const IndexLossStudy& study : study_index_loss())
    for (const driftless::IndexWatchPoint& point : study.found.history)
      text += fmt::format("{},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g}\n", study.problem, point.time, point.monotonicity,
                          point.regularity, study.found.time, study.exact);
  return text;
}

std::string contraction_csv() {
  std::string text = "method,mesh,unknowns,time,distance\n";
  for (const HeatRun& run : heat_runs())
    for (std::size_t n = 0; n < run.contraction.times.size(); ++n)
      text += fmt::format("\"{}\",\"{}\",{},{:.6g},{:.10g}\n", run.method, run.mesh, run.unknowns,
                          run.contraction.times[n], run.contraction.distance[n]);
  return text;
}

}  // namespace reproduce
