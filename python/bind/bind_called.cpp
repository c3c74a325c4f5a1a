// Models from functions that are called in Python for every value.
#include <pybind11/stl.h>

#include "bind.h"
#include "called_forms.h"
#include "driftless/simulate/function_model.h"

namespace py = pybind11;

namespace driftless::python {

namespace {

// Python shall not look into the variant.
struct Stated {
  Equations equations;
};

std::optional<CalledFunction> optional_function(const py::object& function, std::size_t results) {
  if (function.is_none()) return std::nullopt;
  return CalledFunction(function, results);
}

// Column by column, the rows of entries that can differ from zero.
std::optional<Pattern> pattern_of(std::size_t n, const std::optional<std::vector<std::vector<std::uint32_t>>>& rows) {
  if (!rows) return std::nullopt;
  return pattern_from_columns(n, *rows);
}

Stated index1(const py::object& f, const std::vector<bool>& differential, const Names& names,
              const py::object& jacobian, const std::optional<std::vector<std::vector<std::uint32_t>>>& columns) {
  const std::size_t n = names.size();
  auto pattern = pattern_of(n, columns);
  const std::size_t entries = pattern ? pattern->count() : n * n;
  return {equations_of(CalledIndex1{.f = CalledFunction(f, n),
                                    .differential = differential,
                                    .names = names,
                                    .jacobian = optional_function(jacobian, entries),
                                    .pattern = std::move(pattern)})};
}

Stated index2(const py::object& f, const py::object& g, const Names& names, const Names& lambda_names, bool restoring,
              const py::object& g_jacobian) {
  const std::size_t n = names.size(), m = lambda_names.size();
  return {equations_of(CalledIndex2{.f = CalledFunction(f, n),
                                    .g = CalledFunction(g, m),
                                    .names = names,
                                    .lambda_names = lambda_names,
                                    .restoring = restoring,
                                    .g_jacobian = optional_function(g_jacobian, m * n)})};
}

Stated mechanical(const py::object& force, const py::object& constraint, const py::object& velocity_constraint,
                  const py::object& mass, const py::object& states, const py::object& constraint_jacobian, bool moving,
                  const std::vector<Names>& names) {
  const std::size_t n = names.at(0).size(), r = names.at(2).size(), m = names.at(3).size(), k = names.at(4).size();
  const CalledMechanical given{.force = CalledFunction(force, n),
                               .constraint = CalledFunction(constraint, m),
                               .mass = optional_function(mass, n * n),
                               .states = optional_function(states, r),
                               .constraint_jacobian = optional_function(constraint_jacobian, m * n),
                               .moving = moving,
                               .q_names = names[0],
                               .v_names = names[1],
                               .s_names = names[2],
                               .lambda_names = names[3]};
  return {k > 0 ? equations_of(given, CalledFunction(velocity_constraint, k), names[4]) : equations_of(given)};
}

std::unique_ptr<FunctionModel> model(const Stated& stated, const Vector& start) {
  FunctionModelParts parts;
  parts.name = "functions";
  parts.equations = [equations = stated.equations](const Parameters&) { return equations; };
  parts.start = [start](const Parameters&) { return start; };
  return std::make_unique<FunctionModel>(std::move(parts));
}

}  // namespace

void bind_called(py::module_& module) {
  const py::class_<Stated> stated(module, "Equations");
  module.def("called_index1", &index1);
  module.def("called_index2", &index2);
  module.def("called_mechanical", &mechanical);
  py::class_<FunctionModel, Model, std::shared_ptr<FunctionModel>>(module, "CalledModel").def(py::init(&model));
}

}  // namespace driftless::python
