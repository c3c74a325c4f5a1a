// Which results of a formula depend on which of its arguments, found by calling it once with numbers that remember what
// they were made from; and derivatives on the pattern that this gives.
#pragma once

#include "driftless/autodiff/jacobian.h"
#include "driftless/autodiff/tracer.h"
#include "driftless/linalg/pattern.h"

namespace driftless {

std::vector<Tracer> traced_arguments(std::size_t count);

// Which of the first `cols` arguments each result depends on.
Pattern traced_dependence(std::span<const Tracer> results, std::size_t cols);

// Are derivatives of all results by `count` arguments, from `first` on, the same everywhere?
bool traced_constant(std::span<const Tracer> results, std::size_t first, std::size_t count);

// The colours of columns; arguments before the first of them are held.
CompressedColumns compress(const Pattern& pattern, std::size_t held = 0);

// Calls what makes lists with Tracers, for so many unknowns; where everything depends on everything, they would take
// more memory than this allows, and nothing is known then.
std::size_t traceable_bytes(std::size_t unknowns);
template <class Trace>
void trace_within_budget(std::size_t unknowns, Trace&& trace) {
  const TraceBudget budget(traceable_bytes(unknowns));
  try {
    trace();
  } catch (const TraceBudget::Exceeded&) {
  }
}

// Below, dense matrices are quicker whatever is zero in them: see linear_system.h.
bool pattern_is_worth_tracing(std::size_t unknowns);

// A Jacobian on its pattern, with as few lanes as its colours need.
template <class Function>
void coloured_jacobian(Function&& formula, ConstSpan arguments, const CompressedColumns& columns, Span values) {
  if (columns.colours <= 4)
    compressed_jacobian<4>(formula, arguments, columns, values);
  else
    compressed_jacobian<sweep_width>(formula, arguments, columns, values);
}

// Receives a matrix of which only the entries of a pattern are kept.
template <class T>
class SparseOutMatrix {
 public:
  using value_type = T;
  SparseOutMatrix(const Pattern& pattern, std::span<T> values) : pattern_(pattern), values_(values) {}
  std::size_t rows() const { return pattern_.rows; }
  std::size_t cols() const { return pattern_.cols; }
  T& operator()(std::size_t i, std::size_t j) const {
    const auto first = pattern_.row.begin() + pattern_.begin[j], last = pattern_.row.begin() + pattern_.begin[j + 1];
    const auto found = std::lower_bound(first, last, static_cast<std::uint32_t>(i));
    return found != last && *found == i ? values_[static_cast<std::size_t>(found - pattern_.row.begin())] : elsewhere_;
  }

 private:
  const Pattern& pattern_;
  std::span<T> values_;
  mutable T elsewhere_{};
};

}  // namespace driftless
