// Tables in Markdown, as they stand in docs/stability.md.
#include <fmt/format.h>

#include "apps/driftless/reproduce/stability_heat.h"
#include "apps/driftless/reproduce/stability_items.h"
#include "testset/stability/study.h"

namespace reproduce {

using namespace driftless::stability;

std::string constants_text() {
  std::string text =
      "| problem | norm | constant | closed form | boxes | proved lower | proved upper | width | sampled |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const ConstantRow& row : study_constants())
    text += fmt::format("| {} | {} | {} | {:g} | {} | {:.10f} | {:.10f} | {:.1e} | {:.10f} |\n", row.problem, row.norm,
                        row.symbol, row.exact, row.boxes, row.lower, row.upper, row.width(), row.sampled);
  return text;
}

std::string deviations_text() {
  std::string text =
      "| problem | perturbation | norm | Theorem 3.4: P | Q | all | Theorem 3.5: P | Q | all | tube: P | Q | all |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const DeviationStudy& study : study_deviations()) {
    text += fmt::format("| {} | {} | {} |", study.problem, study.perturbation, study.norm);
    for (const auto bound : {&DeviationPoint::product, &DeviationPoint::sharp, &DeviationPoint::in_tube}) {
      const auto largest = study.largest(bound);
      text += fmt::format(" {:.3f} | {:.3f} | {:.3f} |", largest.p, largest.q, largest.total);
    }
    text += "\n";
  }
  return text;
}

std::string errors_text() {
  std::string text =
      "| problem | method | Newton to | error/bound P | Q | error of Q at the end | its bound | largest Qf | Q "
      "residuals in "
      "the bound of P | of Q |\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const ErrorStudy& study : study_errors())
    text += fmt::format("| {} | {} | {:.0e} | {:.3f} | {:.3f} | {:.1e} | {:.1e} | {:.1e} | {:.1f}% | {:.1f}% |\n",
                        study.problem, study.method, study.newton, study.p_quotient, study.q_quotient,
                        study.points.back().q.measured, study.points.back().q.bound, study.q_residual,
                        100.0 * study.q_share_of_p, 100.0 * study.q_share_of_q);
  return text;
}

std::string runs_text() {
  std::string text =
      "| problem | run | steps | error at the end | its bound | largest error/bound P | Q | from the constraint |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const RunStudy& study : study_runs()) {
    const ErrorPoint& last = study.points.back();
    text += fmt::format("| {} | {} | {} | {:.1e} | {:.1e} | {:.3f} | {:.3f} | {:.0f}% |\n", study.problem, study.run,
                        study.points.size(), last.p.measured + last.q.measured, last.p.bound + last.q.bound,
                        study.p_quotient, study.q_quotient, 100.0 * study.constraint_share);
  }
  return text;
}

std::string index_loss_text() {
  std::string text =
      "| problem | index 1 is lost at | found at | uncertainty | the constraint | how |\n|---|---|---|---|---|---|\n";
  std::string verdicts;
  for (const IndexLossStudy& study : study_index_loss()) {
    text += fmt::format("| {} | {:.10f} | {:.10f} | {:.1e} | {} | {} |\n", study.problem, study.exact, study.found.time,
                        study.found.uncertainty, study.found.singular ? "becomes singular" : "stays regular",
                        study.found.extrapolated ? "extrapolated from a run that broke down" : "between two steps");
    verdicts += fmt::format("\n{}: {}\n", study.problem, study.found.verdict);
  }
  return text + verdicts;
}

std::string contraction_text() {
  std::string text =
      "| method | mesh | unknowns | steps | largest quotient of a step | distance at the end / at the start |\n"
      "|---|---|---|---|---|---|\n";
  for (const HeatRun& run : heat_runs())
    text += fmt::format("| {} | {} | {} | {} | {:.6f} | {:.4f} |\n", run.method, run.mesh, run.unknowns,
                        run.contraction.times.size() - 1, run.contraction.largest_quotient,
                        run.contraction.distance.back() / run.contraction.distance.front());
  return text;
}

}  // namespace reproduce
