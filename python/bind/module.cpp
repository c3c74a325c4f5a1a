#include "bind.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of driftless; use the package, which has the documentation.";
  driftless::python::bind_errors(module);
  driftless::python::bind_result(module);
  driftless::python::bind_methods(module);
  driftless::python::bind_model(module);
  driftless::python::bind_called(module);
  driftless::python::bind_events(module);
}
