// The Python module, one file per concept.
#pragma once

#include <pybind11/pybind11.h>

namespace driftless::python {

void bind_errors(pybind11::module_& module);
void bind_result(pybind11::module_& module);
void bind_methods(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_called(pybind11::module_& module);
void bind_events(pybind11::module_& module);

}  // namespace driftless::python
