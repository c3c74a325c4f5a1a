#include "driftless/autodiff/enclosing.h"

#include <algorithm>

#include "driftless/core/scratch.h"

namespace driftless {

void enclose_jacobian(FormulaOf<EnclosingDual> function, std::span<const Interval> x, std::span<Interval> f,
                      IntervalMatrixView j) {
  using X = EnclosingDual;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(j.rows);
  for (std::size_t i = 0; i < x.size(); ++i) arguments[i] = X(x[i]);
  for (std::size_t begin = 0; begin < j.cols; begin += enclosing_width) {
    const std::size_t count = std::min<std::size_t>(enclosing_width, j.cols - begin);
    for (std::size_t l = 0; l < count; ++l) arguments[begin + l].d.set(static_cast<int>(l), Interval(1.0));
    std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t l = 0; l < count; ++l) {
      arguments[begin + l].d = {};
      for (std::size_t i = 0; i < j.rows; ++i) j(i, begin + l) = results[i].d.get(static_cast<int>(l));
    }
  }
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = results[i].value;
}

}  // namespace driftless
