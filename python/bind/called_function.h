// A Python function of one vector, called from wherever the library runs.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "driftless/core/matrix.h"

namespace driftless::python {

// Takes the interpreter's lock for as long as the function runs. What it raises goes through the library as an
// exception and comes out with its traceback.
class CalledFunction {
 public:
  CalledFunction(pybind11::object function, std::size_t results);

  std::size_t results() const { return results_; }
  void operator()(ConstSpan x, Span out) const;
  double number(ConstSpan x) const;
  // A matrix comes row by row.
  void matrix(ConstSpan x, MatrixView out) const;

 private:
  // Copies and ends without the lock must not touch Python's counts of references.
  std::shared_ptr<const pybind11::object> function_;
  std::size_t results_;
};

// The arguments of one: parts one behind another, then the time.
Vector joined(std::initializer_list<ConstSpan> parts, double t);

}  // namespace driftless::python
