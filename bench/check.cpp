#include "bench/check.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "bench/contestants.h"

namespace bench {

namespace {

using Function = std::function<void(const std::vector<double>& x, std::vector<double>& out)>;

// The columns of a matrix by central differences; rows in the order of the function.
std::vector<std::vector<double>> differences(const Function& function, std::vector<double> x) {
  std::vector<std::vector<double>> columns;
  std::vector<double> plus(x.size()), minus(x.size());
  for (double& component : x) {
    const double kept = component, h = 1e-5 * std::max(1.0, std::abs(kept));
    component = kept + h;
    function(x, plus);
    component = kept - h;
    function(x, minus);
    component = kept;
    std::vector<double> column;
    for (std::size_t i = 0; i < plus.size(); ++i) column.push_back((plus[i] - minus[i]) / (2.0 * h));
    columns.push_back(std::move(column));
  }
  return columns;
}

// `given(i, j)` must be the derivative of row i by component j, but for what differences cannot see.
void compare(const std::string& what, const std::vector<std::vector<double>>& right, std::size_t first_row,
             const std::function<double(std::size_t, std::size_t)>& given) {
  double largest = 1.0;
  for (const auto& column : right)
    for (const double value : column) largest = std::max(largest, std::abs(value));
  for (std::size_t j = 0; j < right.size(); ++j)
    for (std::size_t i = first_row; i < right[j].size(); ++i)
      if (!(std::abs(right[j][i] - given(i, j)) <= 1e-6 * largest))
        throw std::runtime_error(
            fmt::format("{}: derivative of row {} by component {} is {:.10g}, by differences {:.10g}", what, i, j,
                        given(i, j), right[j][i]));
}

std::vector<double> moved(std::vector<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.02 * std::sin(1.0 + static_cast<double>(i));
  return y;
}

void check(const std::string& what, LinearlyImplicit& system, double t, bool with_mu, int mu) {
  std::vector<double> y = moved(system.start());
  if (with_mu) std::fill(y.begin() + mu, y.end(), 0.0);  // derivatives of G^T mu are left out, as mu is zero
  const auto right = differences(
      [&](const std::vector<double>& x, std::vector<double>& out) { system.function(t, x.data(), out.data()); }, y);
  const auto n = static_cast<std::size_t>(system.size()), m1 = static_cast<std::size_t>(system.m1());
  const auto lower = static_cast<std::size_t>(system.lower()), upper = static_cast<std::size_t>(system.upper());
  std::vector<double> given(n * (system.banded() ? lower + upper + 1 : n - m1));
  system.jacobian(t, y.data(), given.data());
  compare(what, right, m1, [&](std::size_t i, std::size_t j) {
    if (!system.banded()) return given[i - m1 + j * (n - m1)];
    return i > j + lower || j > i + upper ? 0.0 : given[i + upper - j + j * (lower + upper + 1)];
  });
}

double entry(const FullyImplicit& system, const std::vector<double>& given, std::size_t i, std::size_t j) {
  const auto n = static_cast<std::size_t>(system.size());
  const auto lower = static_cast<std::size_t>(system.lower()), upper = static_cast<std::size_t>(system.upper());
  switch (system.storage()) {
    case Storage::dense: return given[i + j * n];
    case Storage::band:
      return i > j + lower || j > i + upper ? 0.0 : given[i + lower + upper - j + j * (2 * lower + upper + 1)];
    default: break;
  }
  const auto& begin = system.matrix().column_begin();
  for (auto k = static_cast<std::size_t>(begin[j]); k < static_cast<std::size_t>(begin[j + 1]); ++k)
    if (system.matrix().row_index()[k] == static_cast<long>(i)) return given[k];
  return 0.0;
}

void check(const std::string& what, FullyImplicit& system, double t, bool with_mu, int mu) {
  constexpr double cj = 7.0;
  std::vector<double> y, yp;
  system.start(y, yp);
  y = moved(y);
  yp = moved(yp);
  if (with_mu) std::fill(y.begin() + mu, y.end(), 0.0);
  // y' moves with cj times y.
  const auto right = differences(
      [&](const std::vector<double>& x, std::vector<double>& out) {
        std::vector<double> slope = yp;
        for (std::size_t i = 0; i < x.size(); ++i) slope[i] += cj * (x[i] - y[i]);
        system.residual(t, x.data(), slope.data(), out.data());
      },
      y);
  std::vector<double> given(system.matrix().size());
  system.jacobian(t, y.data(), yp.data(), cj, given.data());
  compare(what, right, 0, [&](std::size_t i, std::size_t j) { return entry(system, given, i, j); });
}

}  // namespace

std::string check_systems(const BenchProblem& problem) {
  int count = 0;
  const double t = problem.begin + 0.01 * (problem.end - problem.begin);
  const auto name = [&](const char* form) { return fmt::format("{}, {}", problem.name, form); };
  if (!problem.mechanism) {
    for (const auto& system : {problem.system, problem.hinted}) {
      if (!system) continue;
      check(name("RADAU5"), *radau_system(*system), t, false, 0);
      for (const Storage storage : {Storage::dense, Storage::sparse})
        check(name("residual"), *residual_system(*system, storage), t, false, 0);
      count += 3;
    }
    return fmt::format("{}: {} Jacobians are right\n", problem.name, count);
  }
  const MechanismStart start = start_of(problem);
  Mechanism& mechanism = *problem.mechanism;
  const int lambda = (mechanism.diagonal_mass().empty() ? 3 : 2) * mechanism.n(), m = mechanism.m();
  for (const Form form : {Form::index3, Form::ggl, Form::index1})
    for (const bool second_order : {false, true}) {
      const auto system = radau_system(mechanism, start, {.form = form, .second_order = second_order});
      check(name("RADAU5"), *system, t, form == Form::ggl, lambda + m);
      ++count;
    }
  check(name("RADAU5 band"), *radau_system(mechanism, start, {.form = Form::index1, .band = true}), t, false, 0);
  ++count;
  for (const Form form : {Form::ggl, Form::index1, Form::baumgarte})
    for (const Storage storage : {Storage::dense, Storage::sparse, Storage::band}) {
      if (form == Form::ggl && storage == Storage::band) continue;  // the second multiplier is not at the end there
      const auto system = residual_system(mechanism, start, {form, storage, 3.0});
      check(name("residual"), *system, t, form == Form::ggl, 2 * mechanism.n() + m);
      ++count;
    }
  return fmt::format("{}: {} Jacobians are right\n", problem.name, count);
}

}  // namespace bench
