#include "apps/driftless/reproduce/counts_table.h"

namespace reproduce {

Table compute_table(const Experiment& experiment) {
  Table table{.experiment = experiment, .rows = {}};
  for (const PaperRow& paper : experiment.paper)
    table.rows.push_back({.paper = paper,
                          .without = run(experiment, classic_options(experiment, false), paper.tol),
                          .with = run(experiment, classic_options(experiment, true), paper.tol),
                          .standard = run(experiment, {}, paper.tol)});
  return table;
}

}  // namespace reproduce
