// The values of a form and their derivatives on boxes of states, made when they are first asked for.
#pragma once

#include "driftless/expression/enclosure.h"
#include "driftless/modelfile/compiled/formula_book.h"

namespace driftless {

class LazyEnclosure {
 public:
  using Build = std::function<std::vector<Expr>(Graph&)>;
  LazyEnclosure(std::shared_ptr<const FormulaBook> book, std::size_t count, Build build)
      : book_(std::move(book)), count_(count), build_(std::move(build)) {}

  // `x` are the first `count` inputs; the derivatives are by them and by time.
  void operator()(std::span<const Interval> x, const Interval& t, const HeldValues& held, std::span<Interval> values,
                  BasicMatrixView<Interval> jacobian) const;

 private:
  void make() const;

  std::shared_ptr<const FormulaBook> book_;
  std::size_t count_;
  Build build_;
  mutable std::once_flag once_;
  mutable std::size_t rows_ = 0;
  mutable MatrixEntries entries_;
  mutable Enclosure enclosure_;  // the values, then the entries
};

}  // namespace driftless
