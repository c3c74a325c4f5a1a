#include "driftless/modelfile/compiled/lazy_enclosure.h"

namespace driftless {

void LazyEnclosure::make() const {
  const FormulaBook::Addition addition(*book_);
  std::vector<Expr> all = build_(book_->graph());
  rows_ = all.size();
  add_jacobian(book_->graph(), all, count_, book_->time(), 0, entries_);
  for (const MatrixEntry& entry : entries_) all.push_back(entry.value);
  enclosure_ = Enclosure(book_->graph(), all);
}

void LazyEnclosure::operator()(std::span<const Interval> x, const Interval& t, const HeldValues& held,
                               std::span<Interval> values, BasicMatrixView<Interval> jacobian) const {
  std::call_once(once_, [this] { make(); });
  Scratch scratch;
  const auto inputs = scratch.take<Interval>(book_->inputs());
  std::copy(x.begin(), x.end(), inputs.begin());
  inputs[book_->time()] = t;
  for (std::size_t k = 0; k < held.values.size(); ++k) inputs[book_->held() + k] = Interval(held.values[k]);
  const auto outputs = scratch.take<Interval>(enclosure_.outputs());
  enclosure_.run(inputs.data(), outputs.data(), held.parameters.get());
  std::copy(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(rows_), values.begin());
  for (std::size_t j = 0; j < jacobian.cols; ++j)
    for (std::size_t i = 0; i < jacobian.rows; ++i) jacobian(i, j) = Interval(0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k) jacobian(entries_[k].row, entries_[k].column) = outputs[rows_ + k];
}

}  // namespace driftless
