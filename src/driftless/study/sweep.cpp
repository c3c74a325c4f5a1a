#include "driftless/study/sweep.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include "driftless/core/stop.h"

namespace driftless {

namespace {

SimulateOptions options_for(const std::vector<Measure>& measures, const SweepOptions& options) {
  SimulateOptions one = options.simulate;
  const bool path = std::ranges::any_of(measures, &Measure::needs_path);
  one.dense = path;
  one.solve.dense = false;
  one.solve.output_times = path ? options.rows : Vector{};
  one.solve.keep_every = path ? 1 : std::numeric_limits<std::size_t>::max();
  return one;
}

// An event is called what its relation is in the text.
void require_relation(const TextModel& model, const Measure& measure) {
  std::string known;
  for (const FlatRelation& relation : model.compiled().flat().relations) {
    std::string text = relation.text;
    std::erase(text, ' ');
    if (text == measure.name) return;
    known += (known.empty() ? "" : ", ") + relation.text;
  }
  throw Misuse(measure.text + ": the model has no such relation; " +
               (known.empty() ? "it has no events" : "there are: " + known));
}

void require_results(const TextModel& model, const std::vector<Measure>& measures) {
  const Recording columns(model.results);
  for (const Measure& measure : measures)
    if (measure.kind == Measure::Kind::time_of_event)
      require_relation(model, measure);
    else
      (void)columns.column(measure.name);
}

// A value that a parameter cannot have is wrong for this run alone.
void set(TextModel& model, const std::vector<Parameter>& values) {
  try {
    model.set(values);
  } catch (const Misuse& misuse) {
    throw RefusedModel(RefusedModel::Stage::reading, misuse.what());
  }
}

// What went wrong with a run is its result; what is wrong with the study is thrown.
StudyRow row_of(const TextModel& model, const StudyDesign& design, const std::vector<Measure>& measures,
                std::size_t run, const SimulateOptions& options) {
  StudyRow row{.run = run, .values = design.values(run), .measures = {}};
  row.measures.assign(measures.size(), std::numeric_limits<double>::quiet_NaN());
  try {
    TextModel own = model;
    std::vector<Parameter> values;
    for (std::size_t k = 0; k < row.values.size(); ++k) values.push_back({design.names()[k], row.values[k]});
    set(own, values);
    const Simulation simulation = simulate(own, options);
    row.failure = simulation.failure;
    if (row.failure && row.failure->kind == FailureKind::stopped) throw Stopped();
    if (row.failure) return row;
    for (std::size_t k = 0; k < measures.size(); ++k) row.measures[k] = measured(measures[k], simulation);
  } catch (const RefusedModel& refused) {
    row.refused = refused.stage();
    row.failure = Failure{
        .kind = FailureKind::inconsistent_start, .what_happened = refused.what(), .what_to_try = "", .where = ""};
  } catch (const FailedRun& failed) {
    row.failure = failed.failure();
  }
  return row;
}

// Names that are wrong would be wrong in every run.
void require_names(const TextModel& model, const StudyDesign& design) {
  const Parameters parameters = model.parameters();
  for (const std::string& name : design.names()) (void)parameters[name];
}

}  // namespace

bool sweep(const TextModel& model, const StudyDesign& design, const std::vector<Measure>& measures,
           std::span<const std::size_t> runs, const SweepOptions& options,
           const std::function<void(const StudyRow&)>& done) {
  require_results(model, measures);
  require_names(model, design);
  const SimulateOptions one = options_for(measures, options);
  std::mutex mutex;
  return for_each_index(options.execution, "runs", runs.size(), [&](std::size_t k) {
    const StudyRow row = row_of(model, design, measures, runs[k], one);
    const std::lock_guard lock(mutex);
    done(row);
  });
}

}  // namespace driftless
