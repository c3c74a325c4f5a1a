// Models of index 1 whose systems are too large to be factorised: they bring an approximate inverse, with which
// implicit steps solve them by GMRES.
#pragma once

#include <complex>
#include <memory>
#include <optional>

#include "driftless/equations/index1.h"

namespace driftless {

// Approximate inverses of c P - f_x for a few numbers c of positive real part, each kept under a number of its own.
// What they leave of a solution should be well below 1, whatever the size of the problem.
class Index1Preconditioner {
 public:
  virtual ~Index1Preconditioner() = default;

  // What is prepared from now on belongs to f_x at this point.
  virtual void linearise(ConstSpan x, double t) = 0;
  // An unknown that the matrix leaves open, if it is singular.
  virtual std::optional<std::size_t> prepare_real(std::size_t slot, double c) = 0;
  virtual std::optional<std::size_t> prepare_complex(std::size_t slot, std::complex<double> c) = 0;
  // b becomes roughly (c P - f_x)^-1 b.
  virtual void apply_real(std::size_t slot, Span b) = 0;
  virtual void apply_complex(std::size_t slot, Span re, Span im) = 0;
};

class PreconditionedFunctions : public Index1::Functions {
 public:
  // One for each thread that takes steps.
  virtual std::unique_ptr<Index1Preconditioner> make_preconditioner() const = 0;
};

}  // namespace driftless
