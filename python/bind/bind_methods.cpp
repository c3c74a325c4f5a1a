// Methods for fixed steps: Runge-Kutta tableaux, known ones and those of the user.
#include <pybind11/stl.h>

#include "bind.h"
#include "driftless/core/failure.h"
#include "driftless/methods.h"

namespace py = pybind11;

namespace driftless::python {

namespace {

Tableau tableau_of(const std::string& name, const std::vector<Vector>& rows, const Vector& b, const Vector& c) {
  Matrix a(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != a.cols()) throw Misuse("the rows of A have different lengths");
    for (std::size_t j = 0; j < a.cols(); ++j) a(i, j) = rows[i][j];
  }
  return from_numbers(name, a, b, c);
}

std::vector<Vector> rows_of(const Tableau& tableau) {
  std::vector<Vector> rows(tableau.a.rows(), Vector(tableau.a.cols()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) rows[i][j] = tableau.a(i, j);
  return rows;
}

}  // namespace

void bind_methods(py::module_& module) {
  py::class_<Tableau>(module, "Tableau")
      .def(py::init(&tableau_of))
      .def_readonly("name", &Tableau::name)
      .def_readonly("citation", &Tableau::citation)
      .def_readonly("b", &Tableau::b)
      .def_readonly("c", &Tableau::c)
      .def_property_readonly("a", &rows_of);
  module.def("tableau_by_name", [](const std::string& name) { return tableau_by_name(name); });
  module.def("tableau_names", &tableau_names);
}

}  // namespace driftless::python
