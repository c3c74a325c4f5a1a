#include "driftless/autodiff/jacobian.h"

#include <algorithm>

#include "driftless/core/scratch.h"

namespace driftless {

template <int W>
void sweep_jacobian(FormulaOf<Dual<double, W>> function, ConstSpan x, std::size_t first, MatrixView j) {
  using X = Dual<double, W>;
  Scratch scratch;
  const auto arguments = scratch.take_raw<X>(x.size());
  const auto results = scratch.take_raw<X>(j.rows);
  for (std::size_t i = 0; i < x.size(); ++i) arguments[i] = X(x[i]);
  for (std::size_t begin = 0; begin < j.cols; begin += W) {
    const std::size_t count = std::min<std::size_t>(W, j.cols - begin);
    for (std::size_t l = 0; l < count; ++l) arguments[first + begin + l].d.set(static_cast<int>(l), 1.0);
    std::fill(results.begin(), results.end(), X());
    function(std::span<const X>(arguments), results);
    for (std::size_t l = 0; l < count; ++l) {
      arguments[first + begin + l].d = {};
      for (std::size_t i = 0; i < j.rows; ++i) j(i, begin + l) = results[i].d.get(static_cast<int>(l));
    }
  }
}
template void sweep_jacobian<4>(FormulaOf<Dual<double, 4>>, ConstSpan, std::size_t, MatrixView);
template void sweep_jacobian<8>(FormulaOf<Dual<double, 8>>, ConstSpan, std::size_t, MatrixView);

void jacobian_of_tangent(FormulaOf<Tangent<SweepDual>> function, ConstSpan x, ConstSpan direction, MatrixView j) {
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

void first_derivative(FormulaOf<Tangent<double>> function, ConstSpan x, ConstSpan direction, Span y) {
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

void second_derivative(FormulaOf<Taylor<double>> function, ConstSpan x, ConstSpan direction, Span y) {
  using X = Taylor<double>;
  Scratch scratch;
  const auto arguments = scratch.take<X>(x.size());
  const auto results = scratch.take<X>(y.size());
  for (std::size_t i = 0; i < x.size(); ++i) arguments[i] = X(x[i], direction[i], 0.0);
  function(std::span<const X>(arguments), results);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = results[i].second;
}

void jacobian_of_second_derivative(FormulaOf<Taylor<SweepDual>> function, ConstSpan x, ConstSpan direction,
                                   MatrixView j) {
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

template <int W>
void sweep_jacobian_and_second_derivative(FormulaOf<GradientTaylor<W>> function, ConstSpan x, ConstSpan direction,
                                          MatrixView j, Span y) {
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
template void sweep_jacobian_and_second_derivative<4>(FormulaOf<GradientTaylor<4>>, ConstSpan, ConstSpan, MatrixView,
                                                      Span);
template void sweep_jacobian_and_second_derivative<8>(FormulaOf<GradientTaylor<8>>, ConstSpan, ConstSpan, MatrixView,
                                                      Span);

template <int W>
void compressed_jacobian_and_second_derivative(FormulaOf<GradientTaylor<W>> function, ConstSpan x, ConstSpan direction,
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
template void compressed_jacobian_and_second_derivative<4>(FormulaOf<GradientTaylor<4>>, ConstSpan, ConstSpan,
                                                           const CompressedColumns&, Span, Span);
template void compressed_jacobian_and_second_derivative<8>(FormulaOf<GradientTaylor<8>>, ConstSpan, ConstSpan,
                                                           const CompressedColumns&, Span, Span);

template <int W>
void compressed_jacobian(FormulaOf<Dual<double, W>> function, ConstSpan x, const CompressedColumns& columns,
                         Span values) {
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
template void compressed_jacobian<4>(FormulaOf<Dual<double, 4>>, ConstSpan, const CompressedColumns&, Span);
template void compressed_jacobian<8>(FormulaOf<Dual<double, 8>>, ConstSpan, const CompressedColumns&, Span);

}  // namespace driftless
