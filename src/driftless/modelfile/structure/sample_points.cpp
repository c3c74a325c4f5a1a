#include "driftless/modelfile/structure/sample_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "driftless/expression/differentiate.h"
#include "driftless/expression/subgraph.h"

namespace driftless {

namespace {

constexpr double unknown_slot = 0.21;  // the value of what the model does not know

// Not zero and not one, lest terms vanish or hide each other.
double shifted(std::mt19937& random, double scale) {
  std::uniform_real_distribution<double> size(0.07, 0.31);
  return (random() % 2 == 0 ? 1.0 : -1.0) * size(random) * scale;
}

// Changes from point to point, or every other time, beginning with true or with false: four patterns.
double truth_at(std::uint32_t slot, std::size_t point) {
  const std::uint32_t pattern = (slot * 2654435761U) >> 30;
  return static_cast<double>((pattern ^ (pattern & 2 ? point : point / 2)) & 1);
}

// Of a discrete variable: not always as at the start.
Number held_value(const FlatVariable& variable, Number start, std::size_t point) {
  if (variable.boolean) return truth_at(variable.slot, point);
  if (variable.integer) return start + static_cast<double>((variable.slot + point) % 3);
  return start + 0.17 * truth_at(variable.slot, point) * max(1.0, abs(start));
}

}  // namespace

void vary_modes(const FlatModel& model, std::size_t point, Vector& inputs) {
  for (const FlatRelation& relation : model.relations) inputs[relation.slot] = truth_at(relation.slot, point);
  for (const FlatVariable& variable : model.variables)
    if (variable.boolean || variable.integer)
      inputs[variable.slot] = inputs[variable.derivative] =
          held_value(variable, variable.boolean ? 0.0 : start_value(model, variable, 0.0), point).pinned();
}

Number start_value(const FlatModel& model, const FlatVariable& variable, double time) {
  if (!variable.start) return 0.0;
  if (model.graph.is_constant(*variable.start)) return model.graph.number(*variable.start);
  Numbers inputs(model.time_slot + 1, 0.0);
  inputs[model.time_slot] = time;
  return evaluate(model.graph, std::span(&*variable.start, 1), inputs)[0];
}

Numbers evaluate(const Graph& graph, std::span<const Expr> expressions, const Numbers& inputs, double other) {
  const Subgraph part(graph, expressions);
  Numbers values;
  values.reserve(part.size());
  for (const auto& [node, children, child] : part) {
    const Op op = graph.op(node);
    if (op == Op::constant)
      values.push_back(graph.number(node));
    else if (op == Op::input)
      values.push_back(graph.slot(node) < inputs.size() ? inputs[graph.slot(node)] : Number(other));
    else
      values.push_back(compute(op, values[child[0]], children > 1 ? values[child[1]] : Number(),
                               children > 2 ? values[child[2]] : Number()));
  }
  Numbers result;
  for (const std::uint32_t root : part.roots()) result.push_back(values[root]);
  return result;
}

SamplePoints::SamplePoints(const FlatModel& model, std::size_t count) : points_(count, Numbers(model.slots, 0.0)) {
  std::mt19937 random(20240229);
  const double time = model.experiment.start_time.value_or(0.0);
  for (std::size_t p = 0; p < count; ++p) {
    Vector random_point(model.slots);
    for (double& x : random_point) x = shifted(random, 1.0);
    vary_modes(model, p, random_point);
    Numbers& point = points_[p];
    point.assign(random_point.begin(), random_point.end());
    point[model.time_slot] = time + (p == 0 ? 0.0 : std::abs(shifted(random, 1.0)));
    for (const FlatVariable& variable : model.variables) {
      const Number start = start_value(model, variable, time);
      Number& value = point[variable.slot];
      if (variable.discrete && p > 0)
        value = point[variable.derivative] = held_value(variable, start, p);  // and pre()
      else if (variable.discrete)
        value = point[variable.derivative] = start;
      else if (p == 0)
        value = start;
      else
        value = start + shifted(random, 1.0) * max(variable.nominal.value_or(1.0), 0.1 * abs(start));
    }
  }
}

void SamplePoints::scatter(std::uint32_t slot) {
  std::mt19937 random(slot);
  for (Numbers& point : points_) {
    if (point.size() <= slot) point.resize(slot + 1, 0.0);
    point[slot] = shifted(random, 1.0);
  }
}

namespace {

// y with (A + a little of its diagonal) y = b for a symmetric A >= 0, row by row. No pivots are looked for, so that
// nothing is decided on numbers.
Numbers solve_definite(Numbers a, Numbers b) {
  constexpr double little = 1e-13;  // what rows that repeat others are solved with
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) a[k * n + k] *= 1.0 + little;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) {
      const Number factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return b;
}

}  // namespace

void SamplePoints::move_onto(Graph& graph, std::span<const Expr> residuals, std::span<const std::uint32_t> slots) {
  constexpr int steps = 10;
  const std::size_t m = residuals.size(), n = slots.size();
  std::vector<Expr> all(residuals.begin(), residuals.end());
  for (const Expr residual : residuals)
    for (const std::uint32_t slot : slots) all.push_back(differentiate(graph, residual, slot));
  const auto moved = [&](Numbers& point) {
    for (int step = 0; step < steps; ++step) {
      const Numbers at = evaluate(graph, all, point, unknown_slot);
      Numbers square(m * m, 0.0), residual(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(m));
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j)
          for (std::size_t k = 0; k < n; ++k) square[i * m + j] += at[m + i * n + k] * at[m + j * n + k];
      const Numbers y = solve_definite(std::move(square), std::move(residual));
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < m; ++i) point[slots[k]] -= at[m + i * n + k] * y[i];
    }
    const Numbers at = evaluate(graph, residuals, point, unknown_slot);
    return std::ranges::all_of(at, [](Number r) { return abs(r) <= 1e-12; });
  };
  std::erase_if(points_, [&](Numbers& point) { return !moved(point); });
}

std::vector<Numbers> SamplePoints::values(const Graph& graph, std::span<const Expr> expressions) const {
  std::vector<Numbers> result;
  for (const Numbers& point : points_) result.push_back(evaluate(graph, expressions, point, unknown_slot));
  return result;
}

Number constant_ratio(const std::vector<Numbers>& a, const std::vector<Numbers>& b, std::size_t entry_a,
                      std::size_t entry_b) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Number ratio = 0.0;
  bool seen = false, zero = true;
  for (std::size_t p = 0; p < a.size(); ++p) {
    const Number x = a[p][entry_a], y = b[p][entry_b];
    if (!isfinite(x) || !isfinite(y)) continue;
    if (x == 0.0 && y == 0.0) continue;
    zero = false;
    if (x == 0.0 || y == 0.0) return none;
    if (seen && !(abs(x / y - ratio) <= 1e-9 * abs(ratio))) return none;
    if (!seen) ratio = x / y;
    seen = true;
  }
  return zero ? Number(0.0) : ratio;
}

}  // namespace driftless
