// Second derivatives of functions of which it is known which arguments each result depends on, as values on patterns.
#pragma once

#include "driftless/autodiff/jacobian.h"

namespace driftless {

// The second derivatives of multipliers . y. Arguments of one colour share no component of y, so that derivatives by
// two colours tell those by two arguments. Results depend on the arguments of columns.column; `place` has where the
// derivative by each two arguments of a result is to be added, result by result.
template <class Function>
void compressed_hessian_values(Function&& function, ConstSpan x, ConstSpan multipliers,
                               const CompressedColumns& columns, std::span<const std::uint32_t> place, Span values) {
  using X = Dual<SweepDual, sweep_width>;
  constexpr auto width = static_cast<std::uint32_t>(sweep_width);
  Scratch scratch;
  const auto arguments = scratch.take_raw<X>(x.size());
  const auto results = scratch.take_raw<X>(multipliers.size());
  std::ranges::fill(values, 0.0);
  for (std::uint32_t top = 0; top < columns.colours; top += width)
    for (std::uint32_t begin = 0; begin < columns.colours; begin += width) {
      for (std::size_t j = 0; j < x.size(); ++j) {
        arguments[j] = X();
        arguments[j].value.value = x[j];
        if (j >= columns.colour.size()) continue;
        const std::uint32_t down = columns.colour[j] - top, across = columns.colour[j] - begin;
        if (down < width) arguments[j].d.lane[down].value = 1.0;
        if (across < width) arguments[j].value.d.set(static_cast<int>(across), 1.0);
      }
      std::fill(results.begin(), results.end(), X());
      function(std::span<const X>(arguments), results);
      std::size_t next = 0;
      for (std::size_t i = 0; i < results.size(); ++i) {
        const std::uint32_t first = columns.row_begin[i], last = columns.row_begin[i + 1];
        for (std::uint32_t a = first; a < last; ++a)
          for (std::uint32_t b = first; b < last; ++b, ++next) {
            const std::uint32_t down = columns.colour[columns.column[a]] - top;
            const std::uint32_t across = columns.colour[columns.column[b]] - begin;
            if (down < width && across < width)
              values[place[next]] += multipliers[i] * results[i].d.lane[down].d.get(static_cast<int>(across));
          }
      }
    }
}

// The Jacobians of the first and of the second derivative of y along the curve x + s velocity + s^2/2 acceleration, on
// the pattern of the Jacobian of y itself.
template <class Function>
void compressed_turning(Function&& function, ConstSpan x, ConstSpan velocity, ConstSpan acceleration,
                        const CompressedColumns& columns, Span first, Span second) {
  using X = Taylor<SweepDual>;
  constexpr auto width = static_cast<std::uint32_t>(sweep_width);
  Scratch scratch;
  const auto arguments = scratch.take_raw<X>(x.size());
  const auto results = scratch.take_raw<X>(columns.row_begin.size() - 1);
  for (std::uint32_t begin = 0; begin < columns.colours; begin += width) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      arguments[j] = X(SweepDual(x[j]), SweepDual(velocity[j]), SweepDual(acceleration[j]));
      if (j >= columns.colour.size()) continue;
      if (const std::uint32_t lane = columns.colour[j] - begin; lane < width)
        arguments[j].value.d.set(static_cast<int>(lane), 1.0);
    }
    std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t k = 0; k < first.size(); ++k)
      if (const std::uint32_t lane = columns.entry_colour[k] - begin; lane < width) {
        first[k] = results[columns.row[k]].first.d.get(static_cast<int>(lane));
        second[k] = results[columns.row[k]].second.d.get(static_cast<int>(lane));
      }
  }
}

}  // namespace driftless
