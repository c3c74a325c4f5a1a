#include "driftless/modelfile/structure/sample_points.h"

#include <cmath>
#include <limits>
#include <random>

#include "driftless/expression/program.h"

namespace driftless {

namespace {

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
double held_value(const FlatVariable& variable, double start, std::size_t point) {
  if (variable.boolean) return truth_at(variable.slot, point);
  if (variable.integer) return start + static_cast<double>((variable.slot + point) % 3);
  return start + 0.17 * truth_at(variable.slot, point) * std::max(1.0, std::abs(start));
}

}  // namespace

void vary_modes(const FlatModel& model, std::size_t point, Vector& inputs) {
  for (const FlatRelation& relation : model.relations) inputs[relation.slot] = truth_at(relation.slot, point);
  for (const FlatVariable& variable : model.variables)
    if (variable.boolean || variable.integer)
      inputs[variable.slot] = inputs[variable.derivative] =
          held_value(variable, variable.boolean ? 0.0 : start_value(model, variable, 0.0), point);
}

double start_value(const FlatModel& model, const FlatVariable& variable, double time) {
  if (!variable.start) return 0.0;
  if (model.graph.is_constant(*variable.start)) return model.graph.value(*variable.start);
  Vector inputs(model.slots, 0.0);
  inputs[model.time_slot] = time;
  return evaluate(model.graph, *variable.start, inputs);
}

SamplePoints::SamplePoints(const FlatModel& model, std::size_t count) : points_(count, Vector(model.slots, 0.0)) {
  std::mt19937 random(20240229);
  const double time = model.experiment.start_time.value_or(0.0);
  for (std::size_t p = 0; p < count; ++p) {
    Vector& point = points_[p];
    for (double& x : point) x = shifted(random, 1.0);
    vary_modes(model, p, point);
    point[model.time_slot] = time + (p == 0 ? 0.0 : std::abs(shifted(random, 1.0)));
    for (const FlatVariable& variable : model.variables) {
      const double start = start_value(model, variable, time);
      double& value = point[variable.slot];
      if (variable.discrete && p > 0)
        value = point[variable.derivative] = held_value(variable, start, p);  // and pre()
      else if (variable.discrete)
        value = point[variable.derivative] = start;
      else if (p == 0)
        value = start;
      else
        value = start + shifted(random, std::max(variable.nominal.value_or(1.0), 0.1 * std::abs(start)));
    }
  }
}

void SamplePoints::scatter(std::uint32_t slot) {
  std::mt19937 random(slot);
  for (Vector& point : points_) {
    if (point.size() <= slot) point.resize(slot + 1, 0.0);
    point[slot] = shifted(random, 1.0);
  }
}

std::vector<Vector> SamplePoints::values(const Graph& graph, std::span<const Expr> expressions) const {
  const Program program(graph, expressions, Engine::interpreter);
  std::vector<Vector> result;
  for (const Vector& point : points_) {
    Vector inputs = point;
    inputs.resize(std::max(inputs.size(), program.inputs()), 0.21);
    Vector& values = result.emplace_back(expressions.size());
    program.run(inputs.data(), values.data());
  }
  return result;
}

double constant_ratio(const std::vector<Vector>& a, const std::vector<Vector>& b, std::size_t entry_a,
                      std::size_t entry_b) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double ratio = 0.0;
  bool seen = false, zero = true;
  for (std::size_t p = 0; p < a.size(); ++p) {
    const double x = a[p][entry_a], y = b[p][entry_b];
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    if (x == 0.0 && y == 0.0) continue;
    zero = false;
    if (x == 0.0 || y == 0.0) return none;
    if (seen && !(std::abs(x / y - ratio) <= 1e-9 * std::abs(ratio))) return none;
    if (!seen) ratio = x / y;
    seen = true;
  }
  return zero ? 0.0 : ratio;
}

}  // namespace driftless
