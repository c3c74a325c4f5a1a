// driftless analyse embedding: solutions off the constraint, (3.1) of the attracting-sets paper, and how methods lead
// them back to it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "apps/driftless/commands/analysis_watch.h"
#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/model/matrix_file.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"
#include "apps/driftless/program/names.h"
#include "apps/driftless/report/article_file.h"
#include "apps/driftless/report/embedding_article.h"
#include "driftless/analysis/geometric/fit.h"
#include "driftless/analysis/geometric/stability_function.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/rank.h"
#include "driftless/linalg/spectrum.h"
#include "driftless/step/stepper.h"

namespace driftless::cli {

namespace {

struct EmbeddingRequest : AnalysisRequest {
  std::vector<std::string> methods, start;
  std::optional<double> rate, off, step_size, t_begin, t_end;
  std::string decay;
};

constexpr double usual_distance = 0.1, usual_step = 0.01;
constexpr double most_steps = 1e7;

// B of v' = -B v.
Matrix decay_matrix(const EmbeddingRequest& request, const Index2& equations) {
  const std::size_t m = equations.lambda_size();
  if (!request.decay.empty() && request.rate)
    throw Stop(ExitCode::usage, "--rate and --decay both say what B is; choose one");
  if (!request.decay.empty()) {
    const MatrixFile file = read_matrix(request.decay);
    if (file.values.rows() != m || file.values.cols() != m)
      throw Stop(ExitCode::file,
                 fmt::format("{}: B is {} x {}, but there {}", file.path, file.values.rows(), file.values.cols(),
                             m == 1 ? "is 1 constraint" : fmt::format("are {} constraints", m)));
    return file.values;
  }
  const double rate = request.rate.value_or(1.0);
  if (!(rate > 0.0) || !std::isfinite(rate))
    throw Stop(ExitCode::usage, fmt::format("--rate must be positive to lead back to the constraint, not {}", rate));
  Matrix b(m, m);
  for (std::size_t i = 0; i < m; ++i) b(i, i) = rate;
  return b;
}

// The consistent start, moved so that each constraint is off alike, along the shortest way to first order.
Vector moved_start(const Index2Start& start, double distance) {
  const std::size_t n = start.equations.u_size(), m = start.equations.lambda_size();
  Vector u(start.state.begin(), start.state.begin() + static_cast<std::ptrdiff_t>(n));
  Matrix jacobian(m, n + 1);
  start.equations.functions().g_jacobian(u, start.time, jacobian);
  const Vector move =
      least_norm_solution(jacobian.view().block(0, 0, m, n), Vector(m, distance / std::sqrt(static_cast<double>(m))));
  for (std::size_t i = 0; i < n; ++i) u[i] += move[i];
  return u;
}

// The consistent start with single values replaced, which nobody projects back.
Vector stated_start(const Index2Start& start, const std::vector<std::string>& lists) {
  const std::size_t n = start.equations.u_size();
  Vector u(start.state.begin(), start.state.begin() + static_cast<std::ptrdiff_t>(n));
  Names names = start.equations.layout().names();
  names.resize(n);
  for (const std::string& list : lists)
    for (const std::string& word : words_from(list)) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos || equals == 0)
        throw Stop(ExitCode::usage, fmt::format("--start wants name=value, not '{}'", word));
      const std::string name = word.substr(0, equals);
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        throw Stop(ExitCode::usage, fmt::format("--start: '{}' is not one of the states{}\n  known:  {}", name,
                                                perhaps(name, names), fmt::join(names, ", ")));
      u[static_cast<std::size_t>(found - names.begin())] = numbers_from("--start", word.substr(equals + 1))[0];
    }
  return u;
}

double length_of(ConstSpan x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

// |R(-h B)^n g_0| for all n: what the method makes of v' = -B v, whatever the rest of the equations does.
Vector predicted_residuals(const Tableau& tableau, const Matrix& b, double h, Vector v, std::size_t steps) {
  Matrix z = b;
  for (std::size_t k = 0; k < z.rows() * z.cols(); ++k) z.data()[k] *= -h;
  const auto r = stability_function(tableau, z);
  Vector residuals;
  for (std::size_t n = 0; r && n <= steps; ++n) {
    residuals.push_back(length_of(v));
    v = product(*r, v);
  }
  return residuals;
}

MeasuredEmbedding measured(const Embedding& embedding, const Matrix& b, const EmbeddingFindings& findings,
                           const std::string& name, const Tableau& tableau, std::size_t steps, AnalysisWatch& watch) {
  MeasuredEmbedding one{.method = name, .run = {}};
  one.run = watch.value_of(run_embedded(embedding, findings.begin, findings.start,
                                        {.method = {.tableau = tableau},
                                         .step_size = findings.step,
                                         .steps = steps,
                                         .execution = watch.execution(name)}));
  Vector g(embedding.original().lambda_size());
  embedding.original().functions().g(findings.start, findings.begin, g);
  one.predicted = predicted_residuals(tableau, b, findings.step, g, steps);
  const double floor = 1e-13 * (1.0 + length_of(findings.start)) * (1.0 + length_of(findings.start));
  one.predicted_rate = -std::log(fit_rate(one.predicted, floor)) / findings.step;
  return one;
}

std::size_t steps_of(const EmbeddingRequest& request, const EmbeddingFindings& findings) {
  if (!(findings.step > 0.0) || !std::isfinite(findings.step))
    throw Stop(ExitCode::usage, fmt::format("--step-size must be positive, not {}", findings.step));
  const double end = request.t_end.value_or(findings.begin + 10.0 / findings.eta);
  const double count = std::round((end - findings.begin) / findings.step);
  if (!(count >= 1.0))
    throw Stop(ExitCode::usage,
               fmt::format("--t-end {} leaves no step of {} after t = {}", end, findings.step, findings.begin));
  if (count > most_steps)
    throw Stop(ExitCode::usage, fmt::format("steps of {} to t = {} are {:.3g} of them; choose a larger --step-size or "
                                            "an earlier --t-end",
                                            findings.step, end, count));
  return static_cast<std::size_t>(count);
}

EmbeddingFindings look_at(const EmbeddingRequest& request, const Model& model) {
  std::vector<std::pair<std::string, Tableau>> methods;
  for (const std::string& list : request.methods)
    for (const std::string& name : words_from(list)) methods.emplace_back(name, tableau_from(name));
  if (methods.empty())
    for (const char* name : {"radau-iia-2", "radau-iia-3", "sdirk-2-half", "hem3"})
      methods.emplace_back(name, tableau_from(name));
  const Index2Start start = index2_start(model, request.t_begin);
  const Matrix b = decay_matrix(request, start.equations);
  const Embedding embedding = embed(start.equations, b);  // refuses a B that is not stable
  if (!request.start.empty() && request.off)
    throw Stop(ExitCode::usage, "--start and --off both say where to begin; choose one");
  EmbeddingFindings findings{.model = model.name, .title = model.title, .source = model.source};
  findings.start = request.start.empty() ? moved_start(start, request.off.value_or(usual_distance))
                                         : stated_start(start, request.start);
  findings.unknowns = start.equations.layout().names();
  findings.unknowns.resize(start.equations.u_size());
  findings.constraints = start.equations.constraint_names();
  findings.decay = request.decay.empty() ? fmt::format("{:g} I", b(0, 0)) : request.decay;
  findings.begin = start.time;
  findings.step = request.step_size.value_or(usual_step);
  findings.eta = -embedding.logarithmic_norm(start.time, findings.start);
  const std::size_t steps = steps_of(request, findings);
  for (const auto& [name, tableau] : methods) make_stepper(embedding.equations(), {.tableau = tableau});
  AnalysisWatch watch(request);
  for (const auto& [name, tableau] : methods)
    findings.methods.push_back(measured(embedding, b, findings, name, tableau, steps, watch));
  return findings;
}

std::string precise(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "-"; }

void print(const EmbeddingFindings& findings) {
  using Align = TextTable::Align;
  say("{}{}\n\n", bold(findings.model), findings.title.empty() ? "" : ": " + findings.title);
  const auto line = [](const char* label, const std::string& content) {
    say("{}", labelled(label, content, terminal_width(), 14));
  };
  line("  embedding", "v' = -B v, 0 = g(u) - v beside the equations for u: solutions off the constraint, too");
  line("  B", fmt::format("{}: |g(u)| falls at least like exp(-{:.6g} t)", findings.decay, findings.eta));
  line("  start",
       fmt::format("|g(u)| = {:.6g} at t = {:.6g}", findings.methods[0].run.residuals.front(), findings.begin));
  say("\n");
  TextTable rates({{"method"},
                   {"rate", Align::right},
                   {"of the method", Align::right},
                   {fmt::format("|g(u)| at {:.6g}", findings.methods[0].run.times.back()), Align::right},
                   {"predicted", Align::right},
                   {"largest difference", Align::right}});
  for (const MeasuredEmbedding& one : findings.methods)
    rates.add({one.method, precise(one.run.measured_decay), precise(one.predicted_rate),
               fmt::format("{:.3e}", one.run.residuals.back()),
               one.predicted.empty() ? "-" : fmt::format("{:.3e}", one.predicted.back()),
               one.predicted.empty() ? "-" : fmt::format("{:.1e}", EmbeddingFindings::deviation(one))});
  say("{}\n", rates.text(2));
  say("{}", wrapped("rate: at which |g(u)| falls per unit of time, measured above rounding. of the method: that "
                    "of |R(-h B)^n g(u_0)|, R its stability function, which comes close to that of the "
                    "equations for small steps. largest difference: between the two over the whole run, "
                    "relative to |g(u_0)|.",
                    terminal_width(), 2));
}

Json as_json(const EmbeddingFindings& findings) {
  Json methods = Json::array(), start = Json::object();
  for (std::size_t i = 0; i < findings.start.size(); ++i) start[findings.unknowns[i]] = json_number(findings.start[i]);
  for (const MeasuredEmbedding& one : findings.methods) {
    const std::size_t n = findings.start.size();
    methods.push_back({{"method", one.method},
                       {"rate", json_number(one.run.measured_decay)},
                       {"predicted_rate", json_number(one.predicted_rate)},
                       {"largest_difference", json_number(EmbeddingFindings::deviation(one))},
                       {"t", json_numbers(one.run.times)},
                       {"residuals", json_numbers(one.run.residuals)},
                       {"predicted", json_numbers(one.predicted)},
                       {"final", json_numbers(ConstSpan(one.run.final_state).subspan(0, n))}});
  }
  return {{"status", "ok"},
          {"model", findings.model},
          {"constraints", findings.constraints},
          {"decay", findings.decay},
          {"eta", findings.eta},
          {"step_size", findings.step},
          {"start", std::move(start)},
          {"methods", std::move(methods)}};
}

ExitCode run(const EmbeddingRequest& request) {
  const auto model = request.model.load();
  print_warnings(*model);
  ArticleFile page(request.report);
  const EmbeddingFindings findings = look_at(request, *model);
  if (request.json)
    answer(as_json(findings));
  else
    print(findings);
  if (page) page.write(embedding_article(findings), request.json);
  return ExitCode::ok;
}

std::vector<Option> options_of(EmbeddingRequest& request) {
  const std::string where = "Where", what = "What";
  return {tableau_option("--method NAMES", &request.methods,
                         "tableaux, by name or as FILE.json, separated by commas (default: radau-iia-2, radau-iia-3, "
                         "sdirk-2-half, hem3)",
                         what),
          option("--step-size H", &request.step_size, "default: 0.01", what),
          option("--rate R", &request.rate, "B = R I: all constraints come back with this rate (default: 1)", what),
          {.name = "--decay",
           .target = &request.decay,
           .value = "B.csv",
           .text = "another B, from a file: a row and a column for each constraint",
           .group = what,
           .file_endings = {".csv"}},
          option("--off D", &request.off, "begin about this far off: |g(u)|, from the consistent start (default: 0.1)",
                 where),
          option("--start NAME=VALUE", &request.start,
                 "begin with these values instead, which are not made consistent; the others are those of the "
                 "consistent start",
                 where),
          option("--t-begin T", &request.t_begin, "start of the run (default: the model's StartTime, or 0)", where),
          option("--t-end T", &request.t_end,
                 "end of the run (default: when |g(u)| has fallen to exp(-10) of its size)", where)};
}

}  // namespace

Command analyse_embedding_command() {
  const auto request = std::make_shared<EmbeddingRequest>();
  return {
      .name = "analyse embedding",
      .summary = "starts off the constraint, and the way back",
      .details =
          "The equations are embedded in some that have solutions off the constraint as well, and these come back to "
          "it: v' = -B v, 0 = g(u) - v. This begins off the constraint, runs methods with fixed steps, and puts the "
          "rate at which |g(u)| falls beside what B and the stability function of the method promise "
          "(docs/geometric.md).\n"
          "The model has index 2, or is a mechanism, which is stabilised after Gear, Gupta and Leimkuhler.",
      .examples =
          "driftless analyse embedding problem:limit_cycle_sphere\n"
          "driftless analyse embedding swing.mo --rate 5 --off 0.01 --method radau-iia-2,hem5\n"
          "driftless analyse embedding problem:limit_cycle_sphere --start u1=0.7,u2=0.2 --step-size 0.05 --json\n"
          "driftless analyse embedding swing.mo --report embedding.html   # to look at",
      .options = one_after_another({model_options(request->model), options_of(*request), execution_options(*request)}),
      .run = [request] { return run(*request); }};
}

}  // namespace driftless::cli
