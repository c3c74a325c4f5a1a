// Jacobians of functions written for any scalar type, a few columns per sweep.
#pragma once

#include <algorithm>
#include <span>

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
  const auto arguments = scratch.take<SweepDual>(x.size());
  const auto results = scratch.take<SweepDual>(j.rows);
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

}  // namespace driftless
