// driftless init: the consistent start, multipliers included.
#include <fmt/format.h>

#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"

namespace driftless::cli {

namespace {

struct InitRequest {
  ModelRequest model;
  std::optional<double> t_begin;
  bool json = false;
};

void print(const Model& model, const Start& start, const Vector& values) {
  say("{}{}\n\n", bold(model.name), model.title.empty() ? "" : ": " + model.title);
  say("  {}\n\n", start.changes.empty() ? "consistent as given"
                                        : fmt::format("{} changed", counted(start.changes.size(), "value", "values")));
  using Align = TextTable::Align;
  TextTable table({{"result"},
                   {fmt::format("at t = {:.9g}", start.stretch.begin), Align::right},
                   {"unit"},
                   {"given", Align::right},
                   {""}});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ResultColumn& quantity = model.results[i];
    std::string given;
    for (const StartChange& change : start.changes)
      if (change.name == quantity.name) given = fmt::format("{:.10g}", change.from);
    for (const ChosenValue& chosen : start.chosen)
      if (chosen.name == quantity.name) given = "not stated";
    table.add({quantity.name, fmt::format("{}", values[i] + 0.0), quantity.unit, given, quantity.description});
  }
  say("{}", table.text(2));
}

Json as_json(const Model& model, const Start& start, const Vector& values) {
  Json all = Json::object(), result;
  for (std::size_t i = 0; i < values.size(); ++i) all[model.results[i].name] = values[i];
  result = {{"status", "ok"}, {"t", start.stretch.begin}, {"start", std::move(all)}};
  result.update(start_as_json(start));
  return result;
}

ExitCode init(const InitRequest& request) {
  const auto model = request.model.load();
  print_warnings(*model);
  const Start start = model->start(request.t_begin.value_or(model->begin));
  Vector values(model->results.size());
  start.stretch.results(start.stretch.begin, start.stretch.start, values);
  if (request.json)
    answer(as_json(*model, start, values));
  else
    print(*model, start, values);
  return ExitCode::ok;
}

}  // namespace

Command init_command() {
  const auto request = std::make_shared<InitRequest>();
  Command command{.name = "init",
                  .summary = "the consistent start, multipliers included",
                  .details =
                      "Moves the start values as little as possible until they satisfy all constraints, hidden "
                      "ones included; values with fixed = true stay as they are. Multipliers are computed.",
                  .examples =
                      "driftless init swing.mo\n"
                      "driftless init swing.mo --set x=0.6 --json",
                  .options = model_options(request->model),
                  .run = [request] { return init(*request); }};
  command.options.push_back(
      option("--t-begin T", &request->t_begin, "at this time (default: the model's StartTime, or 0)", "The run"));
  command.options.push_back(option("--json", &request->json, "one JSON object", "Output"));
  return command;
}

}  // namespace driftless::cli
