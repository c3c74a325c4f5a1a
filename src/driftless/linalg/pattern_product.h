// L^T A R for a sparse A whose values change and constant L and R, on a pattern that is known once.
#pragma once

#include "driftless/linalg/constant_matrix.h"
#include "driftless/linalg/pattern.h"

namespace driftless {

class PatternProduct {
 public:
  PatternProduct() = default;
  PatternProduct(const Pattern& a, const ConstantMatrix& left, const ConstantMatrix& right);

  const Pattern& pattern() const { return pattern_; }
  const Pattern& factor() const { return a_; }  // of A
  void operator()(ConstSpan a, Span product) const;

 private:
  template <class See>
  void see_terms(See&& see) const;
  void find_pattern();
  void list_terms();

  // The entries of one row of L: its columns, and their values.
  struct Part {
    std::uint32_t column;
    double value;
  };
  std::vector<std::uint32_t> left_begin_;  // of each row
  std::vector<Part> left_;
  ConstantMatrix right_;
  Pattern a_, pattern_;
  // product[to] += factor a[from], one after the other; empty if there are too many to list.
  struct Term {
    std::uint32_t from, to;
    double factor;
  };
  std::vector<Term> terms_;
};

}  // namespace driftless
