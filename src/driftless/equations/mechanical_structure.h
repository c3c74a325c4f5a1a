// What can differ from zero in a mechanical model, found by calling its formulas once with numbers that remember what
// they were made from.
#pragma once

#include <memory>

#include "driftless/autodiff/view.h"
#include "driftless/equations/mechanical.h"
#include "driftless/equations/tracing.h"

namespace driftless {

// What is written into a square matrix, and where.
class TracedEntries {
 public:
  TracedEntries();
  ~TracedEntries();
  Tracer& at(std::size_t i, std::size_t j);

 private:
  friend Pattern traced_pattern(const TracedEntries& entries, std::size_t size);
  struct Places;
  std::unique_ptr<Places> places_;
};

[[noreturn]] void refuse_index(std::size_t i, std::size_t j, std::size_t size);

class TracedMatrix {
 public:
  using value_type = Tracer;
  TracedMatrix(TracedEntries& entries, std::size_t size) : entries_(entries), size_(size) {}
  std::size_t rows() const { return size_; }
  std::size_t cols() const { return size_; }
  Tracer& operator()(std::size_t i, std::size_t j) const {
    if (i >= size_ || j >= size_) refuse_index(i, j, size_);
    return entries_.at(i, j);
  }

 private:
  TracedEntries& entries_;
  std::size_t size_;
};

// Entries that depend on an argument, or are a number other than zero; the diagonal in any case.
Pattern traced_pattern(const TracedEntries& entries, std::size_t size);

// What implicit steps with many unknowns need: which derivatives can differ from zero, and their columns in colours.
struct TracedDerivatives {
  Mechanical::Functions::Derivatives patterns;
  CompressedColumns force, states, momentum;
  std::vector<std::uint32_t> reaction_place;  // see compressed_hessian_values
};

// `constraint` has the columns of G. Of two arguments of a constraint the second derivative is taken for other than 0.
TracedDerivatives traced_derivatives(Pattern force, Pattern states, Pattern momentum,
                                     const CompressedColumns& constraint);

}  // namespace driftless
