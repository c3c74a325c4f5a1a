// Tables 1 and 2 of Schropp 2003: counts of RADAU5's strategies, with and without the velocity projection.
#include <fmt/format.h>

#include "apps/driftless/reproduce/counts_table.h"
#include "apps/driftless/reproduce/item.h"

namespace reproduce {

namespace {

// First steps, the machine and the version of RADAU5 are not in the paper: counts agree within this share.
constexpr double allowed = 0.2;

Line count_line(double tol, const char* which, const char* kind, std::size_t paper, std::size_t measured) {
  const auto p = static_cast<double>(paper);
  return {.id = fmt::format("{} {} {:.0e}", which, kind, tol),
          .what = fmt::format("tol {:.0e}, {} projection: {}", tol, which, kind),
          .paper = fmt::format("{}", paper),
          .measured = static_cast<double>(measured),
          .low = (1.0 - allowed) * p,
          .high = (1.0 + allowed) * p};
}

Measurement measure(const Experiment& experiment) {
  const Table table = compute_table(experiment);
  Measurement result{.details = as_text(table), .data = driftless::cli::Json::parse(as_json(table))};
  Curve paper{"paper, with projection"}, classic{"the same method here"}, standard{"radau as it is by default"};
  for (const TableRow& row : table.rows) {
    const double tol = row.paper.tol;
    for (const auto& [which, said, ours] : {std::tuple{"without", row.paper.without, row.without.counts},
                                            std::tuple{"with", row.paper.with, row.with.counts}}) {
      result.lines.push_back(count_line(tol, which, "evaluations", said.evaluations, ours.evaluations));
      result.lines.push_back(count_line(tol, which, "Jacobians", said.jacobians, ours.jacobians));
    }
    const auto quotient = [](std::size_t a, std::size_t b) { return static_cast<double>(a) / static_cast<double>(b); };
    result.lines.push_back({.id = fmt::format("cheaper {:.0e}", tol),
                            .what = fmt::format("tol {:.0e}: evaluations with / without projection", tol),
                            .paper = fmt::format("{:.3f}, less than 1",
                                                 quotient(row.paper.with.evaluations, row.paper.without.evaluations)),
                            .measured = quotient(row.with.counts.evaluations, row.without.counts.evaluations),
                            .low = 0.0,
                            .high = 1.0});
    for (auto& [curve, counts] :
         {std::pair<Curve*, Counts>{&paper, row.paper.with}, std::pair<Curve*, Counts>{&classic, row.with.counts},
          std::pair<Curve*, Counts>{&standard, row.standard.counts}}) {
      curve->x.insert(curve->x.begin(), tol);
      curve->y.insert(curve->y.begin(), static_cast<double>(counts.evaluations));
    }
  }
  result.pictures.push_back({.title = "Evaluations over the tolerance",
                             .x = "tol",
                             .log_x = true,
                             .log_y = true,
                             .curves = {paper, classic, standard}});
  return result;
}

}  // namespace

Measurement table1() { return measure(pendulum()); }
Measurement table2() { return measure(andrews()); }

}  // namespace reproduce
