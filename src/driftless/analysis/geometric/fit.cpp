#include "driftless/analysis/geometric/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Line {
  double intercept, slope;
};

Line least_squares(const Vector& x, const Vector& y) {
  const double n = static_cast<double>(x.size());
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double slope = xx > 0.0 ? xy / xx : unknown;
  return {mean_y - slope * mean_x, slope};
}

}  // namespace

OrderFit fit_order(ConstSpan step_sizes, ConstSpan values, ConstSpan floors) {
  Vector x, y;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double floor = floors.empty() ? 0.0 : floors[i];
    if (!(values[i] > floor) || !(values[i] > 0.0) || !std::isfinite(values[i])) continue;
    x.push_back(std::log(step_sizes[i]));
    y.push_back(std::log(values[i]));
  }
  OrderFit fit{.order = unknown, .factor = unknown, .used = x.size()};
  if (x.size() < 2) return fit;
  const Line line = least_squares(x, y);
  fit.order = line.slope;
  fit.factor = std::exp(line.intercept);
  for (std::size_t i = 0; i < x.size(); ++i)
    fit.scatter = std::max(fit.scatter, std::abs(y[i] - line.intercept - line.slope * x[i]) / std::log(10.0));
  return fit;
}

double fit_rate(ConstSpan values, double floor) {
  Vector x, y;
  for (std::size_t i = 0; i < values.size() && values[i] > floor && values[i] > 0.0; ++i) {
    x.push_back(static_cast<double>(i));
    y.push_back(std::log(values[i]));
  }
  return x.size() < 2 ? unknown : std::exp(least_squares(x, y).slope);
}

}  // namespace driftless
