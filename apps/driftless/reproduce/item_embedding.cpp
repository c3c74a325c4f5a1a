// Schropp 2001, section 3: time as an unknown. The attracting-sets paper, section 3: solutions off the constraint.
#include <fmt/format.h>

#include <cmath>

#include "apps/driftless/reproduce/item.h"
#include "driftless/analysis/geometric/embedded_run.h"
#include "driftless/driftless.h"
#include "testset/experiments.h"

namespace reproduce {

using namespace driftless;

namespace {

constexpr double h = 0.05, rate = 1.0;
const Vector off = {0.7, 0.2, 0.6};  // |u|^2 = 0.89, g = -0.11

double distance_to_equator(ConstSpan u) { return std::hypot(std::hypot(u[0], u[1]) - 1.0, u[2]); }

void add_continuous(const Embedding& embedding, Measurement& result, Picture& picture) {
  const Vector start = embedding.state(0.0, off).value();
  const Solution run =
      solve(embedding.equations(), start, {.span = {0.0, 20.0}, .tolerance = {.relative = 1e-10, .absolute = 1e-13}});
  run.or_throw();
  Curve curve{"the equations"};
  for (int k = 0; k <= 40; ++k) {
    const double t = 0.25 * k;
    curve.x.push_back(t);
    curve.y.push_back(std::abs(run.at(t)[3]));
  }
  result.lines.push_back({.id = "decay",
                          .what = "embedded equations: |g(u(5))| / |g(u(0))| by exp(-5)",
                          .paper = "1, as B = I",
                          .measured = curve.y[20] / curve.y[0] * std::exp(5.0 * rate),
                          .low = 1.0 - 1e-6,
                          .high = 1.0 + 1e-6});
  result.lines.push_back({.id = "attraction",
                          .what = "embedded equations: distance from the limit cycle at t = 20",
                          .paper = "goes to 0 like exp(-t), from starts off the constraint as well (Lemma 4.1)",
                          .measured = distance_to_equator(run.at(20.0)),
                          .low = 5e-10,
                          .high = 5e-9});
  picture.curves.push_back(std::move(curve));
}

}  // namespace

Measurement time_as_unknown() {
  Measurement result;
  for (const char* name : {"mms_index2_gamma", "ascher_petzold_index2", "mms_index3_nonautonomous"}) {
    const testset::Problem problem = testset::problem(name);
    for (const Tableau& tableau : {radau_iia(3), radau_ia(3), hem4()}) {
      if (tableau.name == "hem4" && index_of(problem.equations) == 3) continue;
      const auto [difference, rounding] = testset::compare_with_rewriting(problem, tableau);
      result.lines.push_back({.id = fmt::format("{} {}", name, tableau.name),
                              .what = fmt::format("{}, {}: difference of the iterates", name, tableau.name),
                              .paper = "they coincide, (3.17)",
                              .measured = difference,
                              .low = 0.0,
                              .high = rounding});
    }
  }
  return result;
}

Measurement embedded_starts() {
  const Embedding embedding = embed(index2_of(testset::problem("limit_cycle_sphere").equations), rate);
  Measurement result;
  Picture picture{.title = "|g(u)| of runs that begin off the constraint", .log_y = true};
  add_continuous(embedding, result, picture);
  for (const char* name : {"radau-iia-2", "sdirk-2-half", "hem3"}) {
    const EmbeddedRun run =
        run_embedded(embedding, 0.0, off,
                     {.method = {.tableau = tableau_by_name(name)}, .step_size = h, .steps = 400, .least_decay = 0.9})
            .value();
    result.lines.push_back({.id = fmt::format("{} decay", name),
                            .what = fmt::format("{}: rate at which |g(u_n)| falls", name),
                            .paper = "that of the equations, 1; S attracts globally (Lemma 3.2)",
                            .measured = run.measured_decay,
                            .low = 0.99,
                            .high = 1.01});
    result.lines.push_back({.id = fmt::format("{} attraction", name),
                            .what = fmt::format("{}: distance from the equator after 400 steps", name),
                            .paper = "goes to 0 like exp(-t)",
                            .measured = distance_to_equator(run.final_state),
                            .low = 5e-10,
                            .high = 5e-9});
    picture.curves.push_back({name, Vector(run.times.begin(), run.times.begin() + 201),
                              Vector(run.residuals.begin(), run.residuals.begin() + 201)});
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

}  // namespace reproduce
