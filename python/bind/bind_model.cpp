// A model from text, and its runs.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <chrono>
#include <memory>

#include "bind.h"
#include "driftless/simulate.h"
#include "driftless/simulate/output_times.h"

namespace py = pybind11;

namespace driftless::python {

namespace {

// Ctrl-C, looked for now and then while the interpreter is free for others. What Python raises is kept.
class Interrupt {
 public:
  bool stop_requested() const {
    if (state_->raised) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now < state_->next) return false;
    state_->next = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire lock;
    state_->raised = PyErr_CheckSignals() != 0;
    return state_->raised;
  }
  // A callback wants the run to end; whatever it raised is raised again behind the run.
  void raise() const { state_->raised = true; }
  bool raised() const { return state_->raised; }

 private:
  struct State {
    bool raised = false;
    std::chrono::steady_clock::time_point next = {};
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

AdaptiveMethod method_of(const std::string& name) {
  const std::pair<const char*, AdaptiveMethod> known[] = {
      {"auto", AdaptiveMethod::automatic}, {"radau", AdaptiveMethod::radau}, {"dop853", AdaptiveMethod::dop853},
      {"dopri5", AdaptiveMethod::dopri5},  {"hem5", AdaptiveMethod::hem5},
  };
  for (const auto& [word, method] : known)
    if (name == word) return method;
  throw Misuse("there is no method '" + name + "'; there are: auto, radau, dop853, dopri5, hem5");
}

// What `solve` of the package hands over: checked there for its types, here for its meaning.
struct Request {
  double begin, end, relative, absolute;
  std::string method = "auto";
  std::optional<double> first_step = {}, largest_step = {};
  Vector output_times = {};
  bool every_step = false, dense = false;
  std::optional<std::size_t> step_limit = {};
  std::optional<Tableau> tableau = {};  // fixed steps, with their number or size
  std::optional<std::size_t> steps = {};
  std::optional<double> step_size = {};
  std::function<bool(double)> callback = {};                       // true: end the run
  std::vector<std::pair<std::string, double>> absolute_each = {};  // of components with a tolerance of their own
};

// Fixed steps have a tableau and no tolerance, adaptive ones the opposite.
void choose_steps(const Request& request, SolveOptions& solve) {
  if (request.steps || request.step_size) {
    solve.steps = request.steps;
    solve.step_size = request.step_size;
    solve.method.tableau = request.tableau ? *request.tableau : tableau_by_name(request.method);
    return;
  }
  if (request.tableau)
    throw Misuse("'" + request.tableau->name +
                 "' is a method for fixed steps: give their number, steps=..., or step_size=...");
  solve.tolerance = {.relative = request.relative, .absolute = request.absolute};
  solve.adaptive = method_of(request.method);
  solve.stepping.first = request.first_step;
  if (request.largest_step) solve.stepping.largest = *request.largest_step;
  if (request.step_limit) solve.stepping.limit = *request.step_limit;
}

SimulateOptions options_of(const Model& model, const Request& request, const Interrupt& interrupt,
                           std::optional<py::error_already_set>& raised, bool& ended) {
  SimulateOptions options;
  SolveOptions& solve = options.solve;
  solve.span = {request.begin, request.end};
  choose_steps(request, solve);
  if (!request.output_times.empty())
    solve.output_times = request.output_times;
  else if (!request.every_step)
    solve.output_times =
        model.interval ? times_every(*model.interval, solve.span) : times_of_grid(usual_rows, solve.span);
  options.dense = request.dense;
  solve.stop = interrupt;
  if (request.callback)
    solve.observer = [&, interrupt](double t, ConstSpan) {
      const py::gil_scoped_acquire lock;
      try {
        if (!request.callback(t)) return;
        ended = true;
      } catch (py::error_already_set& error) {
        raised.emplace(std::move(error));
      }
      interrupt.raise();
    };
  return options;
}

// Tolerances by name are those of the components that are integrated, which the start tells.
Simulation simulated(const Model& model, const Request& request, SimulateOptions& options) {
  if (request.absolute_each.empty()) return simulate(model, options);
  Start start = model.start(request.begin);
  const Names& names = layout_of(start.stretch.equations).names();
  Vector& each = options.solve.tolerance.absolute_by_component;
  each.assign(names.size(), request.absolute);
  Names plain;
  for (const std::string& name : names) plain.push_back(unquoted(name));
  for (const auto& [name, value] : request.absolute_each) each[place_of(name, plain, "component")] = value;
  return simulate(model, std::move(start), options);
}

std::shared_ptr<Simulation> run(const Model& model, const Request& request) {
  const Interrupt interrupt;
  std::optional<py::error_already_set> raised;
  bool ended = false;
  std::shared_ptr<Simulation> result;
  {
    const py::gil_scoped_release others;
    SimulateOptions options = options_of(model, request, interrupt, raised, ended);
    result = std::make_shared<Simulation>(simulated(model, request, options));
  }
  if (raised) throw std::move(*raised);
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (ended && result->failure && result->failure->kind == FailureKind::stopped) {
    result->failure.reset();
    result->ended_by = "callback";
  }
  return result;
}

TextModel read(const std::string& text, const std::string& file,
               const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<Setting> all;
  for (const auto& [name, value] : settings) all.push_back({name, value});
  const py::gil_scoped_release others;
  return TextModel({file, text}, all);
}

py::list columns_of(const Model& model) {
  py::list all;
  for (const ResultColumn& column : model.results)
    all.append(py::make_tuple(column.name, column.unit, column.description, column.group));
  return all;
}

py::dict parameters_of(const TextModel& model) {
  py::dict all;
  const Parameters parameters = model.parameters();
  for (const std::string& name : parameters.names()) all[py::str(name)] = parameters[name];
  return all;
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<Request>(module, "Request")
      .def(py::init([](double begin, double end, double relative, double absolute) {
        return Request{.begin = begin, .end = end, .relative = relative, .absolute = absolute};
      }))
      .def_readonly("begin", &Request::begin)
      .def_readonly("end", &Request::end)
      .def_readonly("relative", &Request::relative)
      .def_readonly("absolute", &Request::absolute)
      .def_readwrite("method", &Request::method)
      .def_readwrite("first_step", &Request::first_step)
      .def_readwrite("largest_step", &Request::largest_step)
      .def_readwrite("output_times", &Request::output_times)
      .def_readwrite("every_step", &Request::every_step)
      .def_readwrite("dense", &Request::dense)
      .def_readwrite("step_limit", &Request::step_limit)
      .def_readwrite("tableau", &Request::tableau)
      .def_readwrite("steps", &Request::steps)
      .def_readwrite("step_size", &Request::step_size)
      .def_readwrite("callback", &Request::callback)
      .def_readwrite("absolute_each", &Request::absolute_each);
  py::class_<Model, std::shared_ptr<Model>>(module, "AnyModel")
      .def("run", &run)
      .def_property_readonly("name", [](const Model& model) { return model.name; })
      .def_property_readonly("title", [](const Model& model) { return model.title; })
      .def_property_readonly("span", [](const Model& model) { return std::pair(model.begin, model.end); })
      .def_property_readonly("tolerance", [](const Model& model) { return model.tolerance; })
      .def_property_readonly("columns", &columns_of)
      .def_property_readonly("warnings", [](const Model& model) { return model.warnings; });
  py::class_<TextModel, Model, std::shared_ptr<TextModel>>(module, "Model")
      .def(py::init(&read))
      .def("copy", [](const TextModel& model) { return TextModel(model); })
      .def("set",
           [](TextModel& model, const std::vector<std::pair<std::string, double>>& values) {
             std::vector<Parameter> all;
             for (const auto& [name, value] : values) all.push_back({name, value});
             const py::gil_scoped_release others;
             model.set(all);
           })
      .def_property_readonly("parameters", &parameters_of);
  module.def("compilations", &compilations);
}

}  // namespace driftless::python
