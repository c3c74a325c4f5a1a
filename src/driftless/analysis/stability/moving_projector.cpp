#include "driftless/analysis/stability/moving_projector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "driftless/core/failure.h"
#include "driftless/core/require.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

Matrix jacobian_at(const MovingIndex1& form, ConstSpan x, double t) {
  const std::size_t n = form.size();
  Matrix all(n, n + 1);
  form.functions().f_jacobian(x, t, all);
  return copy_of(all.view().block(0, 0, n, n));
}

SplitConstants constants_of(const Index1Split& split, const Matrix& j) {
  return {split.value(Quantity::differential, j), split.value(Quantity::differential_from_algebraic, j),
          split.value(Quantity::algebraic_from_differential, j), split.value(Quantity::algebraic, j)};
}

Majorant elimination_of(const Index1Split& split, const Matrix& j) {
  return {split.value(Quantity::reduced, j), split.value(Quantity::reduced_gain, j),
          split.value(Quantity::implicit_slope, j), split.value(Quantity::implicit_gain, j)};
}

SplitConstants larger_of(const SplitConstants& a, const SplitConstants& b) {
  return {std::max(a.differential, b.differential),
          std::max(a.differential_from_algebraic, b.differential_from_algebraic),
          std::max(a.algebraic_from_differential, b.algebraic_from_differential), std::max(a.algebraic, b.algebraic)};
}

Majorant larger_of(const Majorant& a, const Majorant& b) {
  return {std::max(a.rate, b.rate), std::max(a.gain, b.gain), std::max(a.slope, b.slope), std::max(a.direct, b.direct)};
}

}  // namespace

Index1Split MovingIndex1::split(double t, const Norm& norm) const {
  Matrix p(size_, size_), derivative(size_, size_);
  functions_->projector(t, p, derivative);
  const Matrix square = product(p, p);
  for (std::size_t k = 0; k < size_ * size_; ++k)
    if (!(std::abs(square.data()[k] - p.data()[k]) <= 1e-10))
      throw Misuse(fmt::format("P(t) is not a projector at t = {}", t));
  return Index1Split(p, derivative, norm);
}

SplitConstants constants_at(const MovingIndex1& form, ConstSpan x, double t, const Norm& norm) {
  return constants_of(form.split(t, norm), jacobian_at(form, x, t));
}

Majorant elimination_at(const MovingIndex1& form, ConstSpan x, double t, const Norm& norm) {
  return elimination_of(form.split(t, norm), jacobian_at(form, x, t));
}

std::vector<MajorantPiece> majorants_along(const MovingIndex1& form, const ReferencePath& path,
                                           const MovingOptions& options) {
  if (!options.radii.empty() && options.radii.size() != form.size())
    throw Misuse(fmt::format("{} radii for {} unknowns", options.radii.size(), form.size()));
  for (const double radius : options.radii) require_not_negative("a radius", radius);
  require_at_least<std::size_t>(1, "samples", options.samples);
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<MajorantPiece> pieces;
  for (std::size_t i = 0; i + 1 < path.grid.size(); ++i) {
    const double begin = path.grid[i], end = path.grid[i + 1];
    SplitConstants constants;
    Majorant elimination;
    for (std::size_t k = 0; k <= options.samples; ++k) {
      const double t = begin + (end - begin) * static_cast<double>(k) / static_cast<double>(options.samples);
      Vector x = path.at(t);
      for (std::size_t c = 0; c < options.radii.size(); ++c) x[c] += options.radii[c] * uniform(engine);
      const Index1Split split = form.split(t, options.norm);
      const Matrix j = jacobian_at(form, x, t);
      const SplitConstants here = constants_of(split, j);
      const Majorant reduced = elimination_of(split, j);
      constants = k == 0 ? here : larger_of(constants, here);
      elimination = k == 0 ? reduced : larger_of(elimination, reduced);
    }
    Majorant chosen = majorant_of(constants);
    if (options.theorem == BoundTheorem::elimination) chosen = elimination;
    if (options.theorem == BoundTheorem::best) chosen = smaller_of(chosen, elimination);
    pieces.push_back({begin, end, chosen});
  }
  return pieces;
}

std::vector<DeviationBound> bound_deviation(const MovingIndex1& form, const Norm& norm,
                                            std::span<const MajorantPiece> pieces, const Disturbance& disturbance,
                                            std::span<const double> times) {
  Vector value(form.size());
  const auto norms = [&](double t, const MajorantPiece&) -> DisturbanceNorms {
    if (!disturbance.p) return {};
    std::fill(value.begin(), value.end(), 0.0);
    disturbance.p(t, value);
    const Index1Split split = form.split(t, norm);
    return {split.p_norm(value), split.q_norm(value)};
  };
  return bound_deviation(pieces, disturbance, norms, times);
}

}  // namespace driftless
