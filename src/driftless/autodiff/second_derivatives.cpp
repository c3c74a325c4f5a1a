#include "driftless/autodiff/second_derivatives.h"

#include <algorithm>

#include "driftless/core/scratch.h"

namespace driftless {

void jacobians_along_curve(FormulaOf<Taylor<SweepDual>> function, ConstSpan x, ConstSpan velocity,
                           ConstSpan acceleration, MatrixView value, MatrixView first, MatrixView second) {
  using X = Taylor<SweepDual>;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(value.rows);
  for (std::size_t i = 0; i < x.size(); ++i)
    arguments[i] = X(SweepDual(x[i]), SweepDual(velocity[i]), SweepDual(acceleration[i]));
  for (std::size_t begin = 0; begin < value.cols; begin += sweep_width) {
    const std::size_t count = std::min<std::size_t>(sweep_width, value.cols - begin);
    for (std::size_t l = 0; l < count; ++l) arguments[begin + l].value.d.set(static_cast<int>(l), 1.0);
    if (begin > 0) std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t l = 0; l < count; ++l) {
      const int lane = static_cast<int>(l);
      arguments[begin + l].value.d = {};
      for (std::size_t i = 0; i < value.rows; ++i) {
        value(i, begin + l) = results[i].value.d.get(lane);
        first(i, begin + l) = results[i].first.d.get(lane);
        second(i, begin + l) = results[i].second.d.get(lane);
      }
    }
  }
}

void compressed_jacobians_along_curve(FormulaOf<Taylor<SweepDual>> function, ConstSpan x, ConstSpan velocity,
                                      ConstSpan acceleration, const CompressedColumns& columns, MatrixView value,
                                      MatrixView first, MatrixView second) {
  using X = Taylor<SweepDual>;
  constexpr auto width = static_cast<std::uint32_t>(sweep_width);
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(value.rows);
  const std::size_t coloured = columns.colour.size();
  auto colour_of = [&](std::size_t j) { return j < coloured ? columns.colour[j] : columns.colours; };
  for (const MatrixView& matrix : {value, first, second}) matrix.fill(0.0);
  for (std::uint32_t begin = 0; begin <= columns.colours; begin += width) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      arguments[j] = X(SweepDual(x[j]), SweepDual(velocity[j]), SweepDual(acceleration[j]));
      if (const std::uint32_t lane = colour_of(j) - begin; lane < width)
        arguments[j].value.d.set(static_cast<int>(lane), 1.0);
    }
    if (begin > 0) std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t i = 0; i < results.size(); ++i) {
      auto take = [&](std::size_t column) {
        const std::uint32_t across = colour_of(column) - begin;
        if (across >= width) return;
        const int lane = static_cast<int>(across);
        value(i, column) = results[i].value.d.get(lane);
        first(i, column) = results[i].first.d.get(lane);
        second(i, column) = results[i].second.d.get(lane);
      };
      for (std::uint32_t a = columns.row_begin[i]; a < columns.row_begin[i + 1]; ++a) take(columns.column[a]);
      for (std::size_t column = coloured; column < value.cols; ++column) take(column);
    }
  }
}

void hessian(FormulaOf<Dual<SweepDual, sweep_width>> function, ConstSpan x, ConstSpan multipliers, MatrixView h) {
  using X = Dual<SweepDual, sweep_width>;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(multipliers.size());
  for (std::size_t i = 0; i < x.size(); ++i) arguments[i].value.value = x[i];
  for (std::size_t top = 0; top < h.rows; top += sweep_width) {
    const std::size_t height = std::min<std::size_t>(sweep_width, h.rows - top);
    for (std::size_t k = 0; k < height; ++k) arguments[top + k].d.lane[k].value = 1.0;
    for (std::size_t begin = 0; begin < h.cols; begin += sweep_width) {
      const std::size_t count = std::min<std::size_t>(sweep_width, h.cols - begin);
      for (std::size_t l = 0; l < count; ++l) arguments[begin + l].value.d.set(static_cast<int>(l), 1.0);
      if (top + begin > 0) std::fill(results.begin(), results.end(), X());
      function(std::span<const X>(arguments), results);
      for (std::size_t l = 0; l < count; ++l) arguments[begin + l].value.d = {};
      for (std::size_t k = 0; k < height; ++k) {
        Lanes<double, sweep_width> sum{};
        for (std::size_t i = 0; i < results.size(); ++i) {
          Lanes<double, sweep_width> row = results[i].d.lane[k].d;
          row *= multipliers[i];
          sum += row;
        }
        for (std::size_t l = 0; l < count; ++l) h(top + k, begin + l) = sum.get(static_cast<int>(l));
      }
    }
    for (std::size_t k = 0; k < height; ++k) arguments[top + k].d.lane[k].value = 0.0;
  }
}

void compressed_hessian(FormulaOf<Dual<SweepDual, sweep_width>> function, ConstSpan x, ConstSpan multipliers,
                        const CompressedColumns& columns, MatrixView h) {
  using X = Dual<SweepDual, sweep_width>;
  constexpr auto width = static_cast<std::uint32_t>(sweep_width);
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(multipliers.size());
  const std::size_t coloured = columns.colour.size();
  auto colour_of = [&](std::size_t j) { return j < coloured ? columns.colour[j] : columns.colours; };
  for (std::size_t j = 0; j < h.cols; ++j)
    for (std::size_t i = 0; i < h.rows; ++i) h(i, j) = 0.0;
  for (std::uint32_t top = 0; top < columns.colours; top += width)
    for (std::uint32_t begin = 0; begin <= columns.colours; begin += width) {
      for (std::size_t j = 0; j < x.size(); ++j) {
        arguments[j] = X();
        arguments[j].value.value = x[j];
        if (const std::uint32_t lane = colour_of(j) - top; j < coloured && lane < width)
          arguments[j].d.lane[lane].value = 1.0;
        if (const std::uint32_t lane = colour_of(j) - begin; lane < width)
          arguments[j].value.d.set(static_cast<int>(lane), 1.0);
      }
      std::fill(results.begin(), results.end(), X());
      function(std::span<const X>(arguments), results);
      for (std::size_t i = 0; i < results.size(); ++i)
        for (std::uint32_t a = columns.row_begin[i]; a < columns.row_begin[i + 1]; ++a) {
          const std::uint32_t row = columns.column[a], across = columns.colour[row] - top;
          if (across >= width) continue;
          const auto& second = results[i].d.lane[across].d;
          auto add = [&](std::size_t column) {
            if (const std::uint32_t lane = colour_of(column) - begin; lane < width)
              h(row, column) += multipliers[i] * second.get(static_cast<int>(lane));
          };
          for (std::uint32_t b = columns.row_begin[i]; b < columns.row_begin[i + 1]; ++b) add(columns.column[b]);
          for (std::size_t column = coloured; column < h.cols; ++column) add(column);
        }
    }
}

void compressed_hessian_values(FormulaOf<Dual<SweepDual, sweep_width>> function, ConstSpan x, ConstSpan multipliers,
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

void compressed_turning(FormulaOf<Taylor<SweepDual>> function, ConstSpan x, ConstSpan velocity, ConstSpan acceleration,
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
