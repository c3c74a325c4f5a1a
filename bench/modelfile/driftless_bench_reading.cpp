// Model files of any size: processor time and memory of each phase of reading, up to a consistent start.
//   driftless_bench_reading MODEL.mo N [PHASE]     n = N; up to this phase
#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <fstream>
#include <sstream>

#include "driftless/core/failure.h"
#include "driftless/expression/parameter_trace.h"
#include "driftless/modelfile/compiled/model_content.h"
#include "driftless/modelfile/compiled/model_equations.h"
#include "driftless/modelfile/compiled/model_events.h"
#include "driftless/modelfile/compiled/model_modes.h"
#include "driftless/modelfile/flatten/read_model.h"
#include "driftless/modelfile/start/initial_system.h"
#include "driftless/modelfile/structure/form_plan.h"

namespace bench {
namespace {

using namespace driftless;

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double megabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// Prints what each phase took; `last` ends the program after the phase of that name.
class Phases {
 public:
  explicit Phases(std::string last) : last_(std::move(last)), begin_(processor_seconds()) {}

  bool done(const std::string& name, std::size_t count, const std::string& of) {
    const double end = processor_seconds();
    fmt::print("{:12} {:10.3f} s {:10.0f} MB {:10} {}\n", name, end - begin_, megabytes(), count, of);
    std::fflush(stdout);
    begin_ = processor_seconds();
    return name == last_;
  }

 private:
  std::string last_;
  double begin_;
};

FlatModel read(const std::string& path, const std::string& n) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  ReadOptions options{.parameters = {{"n", n}}};
  options.limits.elements = 100'000'000;
  options.limits.work = 100'000'000'000;
  ModelReading reading = read_model(text.str(), path, options);
  if (!reading.ok()) throw Misuse(render(reading.diagnostics));
  return *std::move(reading.model);
}

void run(const std::string& path, const std::string& n, const std::string& last) {
  Phases phases(last);
  FlatModel flat = read(path, n);
  if (phases.done("read", flat.equations.size(), "equations")) return;
  const Tracing tracing(flat.graph.trace().get());
  Reduction reduction = reduce(std::move(flat));
  if (phases.done("reduce", reduction.unknowns.size(), "unknowns left")) return;
  const FormPlan plan = plan_form(reduction);
  if (phases.done("plan", components_of(plan).size(), "components")) return;
  const HeldLayout held(reduction.model);
  const ModelModes modes(reduction, held);
  if (phases.done("modes", held.slots.size(), "held values")) return;
  const auto equations = make_model_equations(reduction, plan, held.slots, Engine::automatic);
  if (phases.done("formulas", reduction.model.graph.size(), "nodes")) return;
  const ModelEvents events(reduction, plan, held, equations, Engine::automatic);
  if (phases.done("events", reduction.model.relations.size(), "relations")) return;
  const double time = reduction.model.experiment.start_time.value_or(0.0);
  const ParameterValues parameters(reduction.model.graph.trace());
  const OwnNumbers own(reduction, parameters);
  const InitialSystem initial(reduction, time);
  if (phases.done("initial", initial.conditions().size(), "conditions")) return;
  Vector inputs(reduction.model.slots, 0.0);
  const Vector start = held.start(reduction.model, time);
  for (std::size_t k = 0; k < held.slots.size(); ++k) inputs[held.slots[k]] = start[k];
  const InitialSystem::Outcome found = initial.solve(time, inputs);
  for (const Finding& finding : found.errors) fmt::print("{}\n", finding.message);
  phases.done("start", initial.unknowns().size(), "unknowns");
}

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print("driftless_bench_reading MODEL.mo N [PHASE]\n");
    return 2;
  }
  try {
    bench::run(arguments[1], arguments[2], count > 3 ? arguments[3] : "");
  } catch (const driftless::Refusal& refusal) {
    for (const driftless::Finding& finding : refusal.findings) fmt::print("{}\n", finding.message);
    return 1;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
