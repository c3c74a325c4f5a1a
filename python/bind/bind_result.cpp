// What a run produced. Arrays are views of its memory.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <memory>

#include "bind.h"
#include "driftless/simulate.h"

namespace py = pybind11;

namespace driftless::python {

namespace {

// Rows of the recording, time first; the array keeps the run alive and cannot be written to.
py::array rows(const std::shared_ptr<Simulation>& run) {
  const Recording& recording = run->recording;
  py::array_t<double> view({recording.rows(), recording.columns.size()}, recording.values.data(), py::cast(run));
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

py::dict counts(const Statistics& s) {
  using namespace py::literals;
  return py::dict("steps"_a = s.steps, "evaluations"_a = s.evaluations, "jacobians"_a = s.jacobians,
                  "factorisations"_a = s.factorisations, "newton_iterations"_a = s.newton_iterations,
                  "rejected"_a = s.rejected_by_error + s.rejected_by_newton + s.rejected_by_projection,
                  "explicit_steps"_a = s.explicit_steps);
}

py::dict certificate(const Certificate& c) {
  using namespace py::literals;
  py::dict found("position"_a = c.position, "velocity"_a = c.velocity, "acceleration"_a = c.acceleration,
                 "condition"_a = c.condition, "condition_time"_a = c.condition_time);
  if (c.energy_at_start) found["energy_at_start"] = *c.energy_at_start;
  if (c.energy_change) found["energy_change"] = *c.energy_change;
  return found;
}

py::object failure(const Simulation& run) {
  using namespace py::literals;
  if (!run.failure) return py::none();
  const Failure& f = *run.failure;
  return py::dict("kind"_a = name_of(f.kind), "time"_a = f.time, "what"_a = f.what_happened, "where"_a = f.where,
                  "try"_a = f.what_to_try, "message"_a = f.message());
}

py::list moved(const Simulation& run) {
  py::list all;
  for (const StartChange& change : run.start.changes) all.append(py::make_tuple(change.name, change.from, change.to));
  return all;
}

py::list chosen(const Simulation& run) {
  py::list all;
  for (const ChosenValue& value : run.start.chosen) all.append(py::make_tuple(value.name, value.value));
  return all;
}

py::list happened(const Simulation& run) {
  py::list all;
  for (const SimulationEvent& event : run.happened) all.append(py::make_tuple(event.time, event.name));
  return all;
}

py::list impulses(const Simulation& run) {
  py::list all;
  for (const MovesAtEvent& event : run.moved)
    for (const Impulse& impulse : event.impulses) all.append(py::make_tuple(event.time, impulse.name, impulse.size));
  return all;
}

py::list columns(const Simulation& run) {
  py::list all;
  for (const ResultColumn& column : run.recording.columns)
    all.append(py::make_tuple(column.name, column.unit, column.description, column.group));
  return all;
}

py::list warnings(const Simulation& run) {
  py::list all;
  for (const RunWarning& warning : run.warnings) all.append(warning.text);
  return all;
}

}  // namespace

void bind_result(py::module_& module) {
  py::class_<Simulation, std::shared_ptr<Simulation>>(module, "Run")
      .def_property_readonly("rows", &rows)
      .def_property_readonly("columns", &columns)
      .def_property_readonly("t", [](const Simulation& run) { return run.t; })
      .def_property_readonly("results", [](const Simulation& run) { return run.results; })
      .def_property_readonly("counts", [](const Simulation& run) { return counts(run.statistics); })
      .def_property_readonly("certificate", [](const Simulation& run) { return certificate(run.certificate); })
      .def_property_readonly("failure", &failure)
      .def_property_readonly("moved", &moved)
      .def_property_readonly("chosen", &chosen)
      .def_property_readonly("happened", &happened)
      .def_property_readonly("impulses", &impulses)
      .def_property_readonly("events", [](const Simulation& run) { return run.events; })
      .def_property_readonly("ended_by", [](const Simulation& run) { return run.ended_by; })
      .def_property_readonly("warnings", &warnings)
      .def_property_readonly("dense", [](const Simulation& run) { return !run.kept.empty(); })
      .def("at", &Simulation::at)
      .def_property_readonly("seconds", [](const Simulation& run) { return run.seconds; });
}

}  // namespace driftless::python
