#include "apps/driftless/report/report_run.h"

#include <algorithm>

#include "apps/driftless/commands/solve_report.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/metadata.h"
#include "apps/driftless/report/thin_rows.h"

namespace driftless::cli {

namespace {

constexpr std::size_t most_frames = 3000, most_events = 5000;

Table series_of(const Recording& recording) {
  Table table;
  for (std::size_t column = 0; column < recording.columns.size(); ++column) {
    Vector values(recording.rows());
    for (std::size_t row = 0; row < values.size(); ++row) values[row] = recording.at(row, column);
    table.add(recording.columns[column].name, std::move(values));
  }
  return table;
}

Table steps_of(const StepHistory& history, int levels) {
  Table table;
  const auto add = [&](const char* name, auto value) {
    Vector values;
    values.reserve(history.steps.size());
    for (const StepRecord& step : history.steps) values.push_back(value(step));
    table.add(name, std::move(values));
  };
  add("time", [](const StepRecord& step) { return step.time; });
  add("h", [](const StepRecord& step) { return std::abs(step.h); });
  add("order", [](const StepRecord& step) { return static_cast<double>(step.order); });
  add("newton", [](const StepRecord& step) { return static_cast<double>(step.newton_iterations); });
  const char* names[] = {"g", "g_1", "g_2"};
  for (int level = 0; level < levels; ++level)
    add(names[level], [&](const StepRecord& step) { return step.residual[static_cast<std::size_t>(level)]; });
  return table;
}

Table rejections_of(const StepHistory& history) {
  Vector time, h, cause;
  for (const Rejection& rejection : history.rejections) {
    time.push_back(rejection.time);
    h.push_back(std::abs(rejection.h));
    cause.push_back(static_cast<double>(rejection.cause));
  }
  Table table;
  table.add("time", std::move(time));
  table.add("h", std::move(h));
  table.add("cause", std::move(cause));
  return table;
}

// Frames are rows of the results, so that every one of them is a state of the mechanism.
Table frames_of(const Drawing& drawing, const Recording& recording) {
  const auto rows = rows_evenly(recording.rows(), most_frames);
  Table table;
  table.add("time", Vector(rows.size()));
  for (std::size_t k = 0; k < drawing.coordinates; ++k) table.add(std::to_string(k), Vector(rows.size()));
  Vector results(recording.columns.size() - 1), out(drawing.coordinates);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double t = recording.at(rows[i], 0);
    for (std::size_t k = 0; k < results.size(); ++k) results[k] = recording.at(rows[i], k + 1);
    drawing.points(t, results, out);
    table.columns[0][i] = t;
    for (std::size_t k = 0; k < out.size(); ++k) table.columns[k + 1][i] = out[k];
  }
  return table;
}

Json columns_of(const Recording& recording) {
  Json all = Json::array();
  for (const ResultColumn& column : recording.columns)
    all.push_back(
        {{"name", column.name}, {"unit", column.unit}, {"description", column.description}, {"group", column.group}});
  return all;
}

Json events_of(const Run& run) {
  Json all = Json::array();
  for (std::size_t i = 0; i < std::min(run.happened.size(), most_events); ++i)
    all.push_back({{"t", run.happened[i].time}, {"name", run.happened[i].name}});
  return all;
}

}  // namespace

void put_in_order(Table& table) {
  if (table.rows() < 2 || table.columns[0].front() <= table.columns[0].back()) return;
  for (Vector& column : table.columns) std::reverse(column.begin(), column.end());
}

ReportRun report_of(const Model& model, const Plan& plan, const Run& run) {
  ReportRun report;
  Json& about = report.about = metadata_of(model, plan, run);
  const int levels = index_of(run.start.stretch.equations);
  about["result"] = solve_result(model, plan, run);
  about["equations"] = describe_form(run.start.stretch.equations);
  about["seconds"] = run.seconds;
  about["levels"] = levels;
  about["text"] = model.text();
  about["columns"] = columns_of(run.recording);
  about["events"] = events_of(run);
  about["event_count"] = run.happened.size();
  about["changes"] = Json::array();
  for (const MethodChange& change : run.method_changes)
    about["changes"].push_back({{"t", change.time}, {"to", change.to}, {"why", change.why}});
  about["summary"] = Json::array();
  for (const Remark& remark : summary_of(model, plan, run))
    about["summary"].push_back({{"kind", remark.kind}, {"text", remark.text}});
  report.series = series_of(run.recording);
  report.steps = steps_of(run.history, levels);
  report.rejections = rejections_of(run.history);
  if (const auto drawing = model.drawing()) {
    about["drawing"] = drawing->shape;
    report.frames = frames_of(*drawing, run.recording);
  }
  for (Table* table : {&report.series, &report.steps, &report.rejections, &report.frames}) put_in_order(*table);
  return report;
}

}  // namespace driftless::cli
