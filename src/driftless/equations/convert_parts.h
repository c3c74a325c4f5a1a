// Shared by the conversions between forms: matrices in scratch memory, blocks of Jacobians, names.
#pragma once

#include <algorithm>

#include "driftless/core/scratch.h"
#include "driftless/equations/mechanical.h"

namespace driftless {

inline MatrixView take_matrix(Scratch& scratch, std::size_t rows, std::size_t cols) {
  return {scratch.take<double>(rows * cols).data(), rows, cols, rows};
}

// to += factor * from, for blocks of equal size.
inline void add_block(ConstMatrixView from, double factor, MatrixView to) {
  for (std::size_t j = 0; j < from.cols; ++j)
    for (std::size_t i = 0; i < from.rows; ++i) to(i, j) += factor * from(i, j);
}
inline void add_transposed(ConstMatrixView from, double factor, MatrixView to) {
  for (std::size_t j = 0; j < from.cols; ++j)
    for (std::size_t i = 0; i < from.rows; ++i) to(j, i) += factor * from(i, j);
}
inline void add_identity(MatrixView to) {
  for (std::size_t i = 0; i < to.rows; ++i) to(i, i) += 1.0;
}
// out += factor * a^T x
inline void add_transposed_product(ConstMatrixView a, double factor, ConstSpan x, Span out) {
  for (std::size_t j = 0; j < out.size(); ++j)
    for (std::size_t i = 0; i < x.size(); ++i) out[j] += factor * a(i, j) * x[i];
}
// out += a x
inline void add_product(ConstMatrixView a, ConstSpan x, Span out) {
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += a(i, j) * x[j];
}

// A mechanical problem as its conversions see it: its functions, either the given or the automatic ones, kept alive.
class MechanicalSource {
 public:
  MechanicalSource(const Mechanical& form, bool automatic)
      : n(form.q_size()),
        r(form.s_size()),
        m(form.lambda_size()),
        form_(form),
        functions_(automatic ? &form_.automatic() : &form_.functions()) {}
  MechanicalSource(const MechanicalSource&) = delete;
  MechanicalSource& operator=(const MechanicalSource&) = delete;

  const Mechanical::Functions* operator->() const { return functions_; }

  const std::size_t n, r, m;  // coordinates, first-order states, constraints

 private:
  Mechanical form_;
  const Mechanical::Functions* functions_;
};

// `Converted` on the given functions, and once more on the automatic ones where they differ.
template <class Form, class Converted>
Form convert(const Mechanical& form, typename Form::Shape shape) {
  std::shared_ptr<const typename Form::Functions> automatic;
  if (&form.automatic() != &form.functions()) automatic = std::make_shared<const Converted>(form, true);
  return Form(std::move(shape), std::make_shared<const Converted>(form, false), std::move(automatic));
}

inline Names names_of(const Layout& layout, std::string_view symbol) {
  const Block& block = layout.block(symbol);
  const auto begin = layout.names().begin() + static_cast<std::ptrdiff_t>(block.begin);
  return Names(begin, begin + static_cast<std::ptrdiff_t>(block.size));
}
inline Names joined(Names first, const Names& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
// "rod" -> "rod'"
inline Names with_suffix(Names names, std::string_view suffix) {
  for (auto& name : names) name += suffix;
  return names;
}

}  // namespace driftless
