#include "called_function.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>

#include "driftless/core/failure.h"

namespace py = pybind11;

namespace driftless::python {

CalledFunction::CalledFunction(py::object function, std::size_t results)
    : function_(new py::object(std::move(function)),
                [](const py::object* held) {
                  const py::gil_scoped_acquire lock;
                  delete held;
                }),
      results_(results) {}

void CalledFunction::operator()(ConstSpan x, Span out) const {
  const py::gil_scoped_acquire lock;
  // An array of its own for each call: the function may keep it, or write into it.
  const py::array_t<double> argument(static_cast<py::ssize_t>(x.size()), x.data());
  const py::object found = (*function_)(argument);
  const auto values = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(found);
  if (!values) throw py::error_already_set();
  if (static_cast<std::size_t>(values.size()) != out.size())
    throw Misuse(fmt::format("a function returned {} values where {} are needed", values.size(), out.size()));
  std::copy_n(values.data(), out.size(), out.begin());
}

double CalledFunction::number(ConstSpan x) const {
  double value = 0.0;
  (*this)(x, Span(&value, 1));
  return value;
}

void CalledFunction::matrix(ConstSpan x, MatrixView out) const {
  Vector rows(out.rows * out.cols);
  (*this)(x, rows);
  for (std::size_t i = 0; i < out.rows; ++i)
    for (std::size_t k = 0; k < out.cols; ++k) out(i, k) = rows[i * out.cols + k];
}

Vector joined(std::initializer_list<ConstSpan> parts, double t) {
  Vector all;
  for (const ConstSpan part : parts) all.insert(all.end(), part.begin(), part.end());
  all.push_back(t);
  return all;
}

}  // namespace driftless::python
