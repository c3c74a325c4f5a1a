// Jacobians of functions written for any scalar type, a few columns per sweep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "driftless/autodiff/functions.h"
#include "driftless/core/matrix.h"
#include "driftless/core/scratch.h"

namespace driftless {

// Eight partial derivatives per sweep: measured best between 4 and 28 for functions of 5 to 30 arguments.
inline constexpr int sweep_width = 8;
using SweepDual = Dual<double, sweep_width>;
template <class T>
using Tangent = Dual<T, 1>;

// J(:, j) = d y / d x[first + j] for j < J.cols; `function(std::span<const X> x, std::span<X> y)` for X = SweepDual.
template <class Function>
void jacobian(Function&& function, ConstSpan x, std::size_t first, MatrixView j) {
  Scratch scratch;
  const auto arguments = scratch.take_raw<SweepDual>(x.size());
  const auto results = scratch.take_raw<SweepDual>(j.rows);
  for (std::size_t i = 0; i < x.size(); ++i) arguments[i] = SweepDual(x[i]);
  for (std::size_t begin = 0; begin < j.cols; begin += sweep_width) {
    const std::size_t count = std::min<std::size_t>(sweep_width, j.cols - begin);
    for (std::size_t l = 0; l < count; ++l) arguments[first + begin + l].d.set(static_cast<int>(l), 1.0);
    std::fill(results.begin(), results.end(), SweepDual());
    function(std::span<const SweepDual>(arguments), results);
    for (std::size_t l = 0; l < count; ++l) {
      arguments[first + begin + l].d = {};
      for (std::size_t i = 0; i < j.rows; ++i) j(i, begin + l) = results[i].d.get(static_cast<int>(l));
    }
  }
}

// J = d/dx of the derivative of y along `direction`: J(i, j) = sum_k d^2 y_i / dx_j dx_k direction_k.
template <class Function>
void jacobian_of_tangent(Function&& function, ConstSpan x, ConstSpan direction, MatrixView j) {
  using X = Tangent<SweepDual>;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(j.rows);
  for (std::size_t i = 0; i < x.size(); ++i) {
    arguments[i] = X(x[i]);
    arguments[i].d.set(0, SweepDual(direction[i]));
  }
  for (std::size_t begin = 0; begin < j.cols; begin += sweep_width) {
    const std::size_t count = std::min<std::size_t>(sweep_width, j.cols - begin);
    for (std::size_t l = 0; l < count; ++l) arguments[begin + l].value.d.set(static_cast<int>(l), 1.0);
    std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t l = 0; l < count; ++l) {
      arguments[begin + l].value.d = {};
      for (std::size_t i = 0; i < j.rows; ++i) j(i, begin + l) = results[i].d.get(0).d.get(static_cast<int>(l));
    }
  }
}

// y' along the straight line x + s direction: D y direction.
template <class Function>
void first_derivative(Function&& function, ConstSpan x, ConstSpan direction, Span y) {
  using X = Tangent<double>;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    arguments[i] = X(x[i]);
    arguments[i].d.set(0, direction[i]);
  }
  function(std::span<const X>(arguments), results);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = results[i].d.get(0);
}

// y'' along the straight line x + s direction: D^2 y (direction, direction).
template <class Function>
void second_derivative(Function&& function, ConstSpan x, ConstSpan direction, Span y) {
  using X = Taylor<double>;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(y.size());
  for (std::size_t i = 0; i < x.size(); ++i) arguments[i] = X(x[i], direction[i], 0.0);
  function(std::span<const X>(arguments), results);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = results[i].second;
}

// The Jacobian of that second derivative with respect to x, at fixed direction.
template <class Function>
void jacobian_of_second_derivative(Function&& function, ConstSpan x, ConstSpan direction, MatrixView j) {
  using X = Taylor<SweepDual>;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(j.rows);
  for (std::size_t i = 0; i < x.size(); ++i) arguments[i] = X(SweepDual(x[i]), SweepDual(direction[i]), SweepDual());
  for (std::size_t begin = 0; begin < j.cols; begin += sweep_width) {
    const std::size_t count = std::min<std::size_t>(sweep_width, j.cols - begin);
    for (std::size_t l = 0; l < count; ++l) arguments[begin + l].value.d.set(static_cast<int>(l), 1.0);
    std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t l = 0; l < count; ++l) {
      arguments[begin + l].value.d = {};
      for (std::size_t i = 0; i < j.rows; ++i) j(i, begin + l) = results[i].second.d.get(static_cast<int>(l));
    }
  }
}

// J and D^2 y (direction, direction) together, in one sweep per W columns.
template <int W, class Function>
void sweep_jacobian_and_second_derivative(Function&& function, ConstSpan x, ConstSpan direction, MatrixView j, Span y) {
  using X = GradientTaylor<W>;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    arguments[i].value = x[i];
    arguments[i].first = direction[i];
  }
  for (std::size_t begin = 0; begin == 0 || begin < j.cols; begin += W) {
    const std::size_t count = std::min<std::size_t>(W, j.cols - begin);
    for (std::size_t l = 0; l < count; ++l) arguments[begin + l].d.set(static_cast<int>(l), 1.0);
    if (begin > 0) std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t l = 0; l < count; ++l) {
      arguments[begin + l].d = {};
      for (std::size_t i = 0; i < y.size(); ++i) j(i, begin + l) = results[i].d.get(static_cast<int>(l));
    }
  }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = results[i].second;
}

template <class Function>
void jacobian_and_second_derivative(Function&& function, ConstSpan x, ConstSpan direction, MatrixView j, Span y) {
  if (j.cols <= sweep_width / 2)
    sweep_jacobian_and_second_derivative<sweep_width / 2>(function, x, direction, j, y);
  else
    sweep_jacobian_and_second_derivative<sweep_width>(function, x, direction, j, y);
}

// The same with columns that share no row swept together: argument j has colour[j], entry k is in row[k] of a column
// with colour entry_colour[k]; the columns of row i are column[row_begin[i]] and on.
struct CompressedColumns {
  std::vector<std::uint32_t> colour, row, entry_colour, row_begin, column;
  std::uint32_t colours = 0;
};
template <int W, class Function>
void compressed_jacobian_and_second_derivative(Function&& function, ConstSpan x, ConstSpan direction,
                                               const CompressedColumns& columns, Span values, Span y) {
  using X = GradientTaylor<W>;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    arguments[i].value = x[i];
    arguments[i].first = direction[i];
  }
  for (std::uint32_t begin = 0; begin == 0 || begin < columns.colours; begin += W) {
    for (std::size_t j = 0; j < columns.colour.size(); ++j) {
      if (begin > 0) arguments[j].d = {};
      if (const std::uint32_t lane = columns.colour[j] - begin; lane < W)
        arguments[j].d.set(static_cast<int>(lane), 1.0);
    }
    if (begin > 0) std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (const std::uint32_t lane = columns.entry_colour[k] - begin; lane < W)
        values[k] = results[columns.row[k]].d.get(static_cast<int>(lane));
  }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = results[i].second;
}

// The Jacobian alone, on the pattern of the columns; y has as many components as the pattern has rows. Arguments behind
// the coloured ones are held.
template <int W, class Function>
void compressed_jacobian(Function&& function, ConstSpan x, const CompressedColumns& columns, Span values) {
  using X = Dual<double, W>;
  Scratch scratch;
  const auto arguments = scratch.take_raw<X>(x.size());
  const auto results = scratch.take_raw<X>(columns.row_begin.size() - 1);
  for (std::uint32_t begin = 0; begin < columns.colours; begin += W) {
    for (std::size_t j = 0; j < x.size(); ++j) arguments[j] = X(x[j]);
    for (std::size_t j = 0; j < columns.colour.size(); ++j)
      if (const std::uint32_t lane = columns.colour[j] - begin; lane < W)
        arguments[j].d.set(static_cast<int>(lane), 1.0);
    std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (const std::uint32_t lane = columns.entry_colour[k] - begin; lane < W)
        values[k] = results[columns.row[k]].d.get(static_cast<int>(lane));
  }
}

// The Jacobians of y and of its first and second derivative along the curve x + s velocity + s^2/2 acceleration, both
// fixed.
template <class Function>
void jacobians_along_curve(Function&& function, ConstSpan x, ConstSpan velocity, ConstSpan acceleration,
                           MatrixView value, MatrixView first, MatrixView second) {
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

// The same, where it is known which arguments y depends on: arguments of one colour share no component of y. An
// argument behind the coloured ones has a colour of its own.
template <class Function>
void compressed_jacobians_along_curve(Function&& function, ConstSpan x, ConstSpan velocity, ConstSpan acceleration,
                                      const CompressedColumns& columns, MatrixView value, MatrixView first,
                                      MatrixView second) {
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

// The second derivatives of multipliers . y: rows for the leading arguments, a column for each argument, in blocks of 8
// x 8.
template <class Function>
void hessian(Function&& function, ConstSpan x, ConstSpan multipliers, MatrixView h) {
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

// The same, where it is known which arguments y depends on: arguments of one colour share no component of y, so that
// second derivatives by two colours tell those by the two arguments. An argument behind the coloured ones has a colour
// of its own.
template <class Function>
void compressed_hessian(Function&& function, ConstSpan x, ConstSpan multipliers, const CompressedColumns& columns,
                        MatrixView h) {
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

}  // namespace driftless
