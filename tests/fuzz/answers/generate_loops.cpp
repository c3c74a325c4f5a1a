// Algebraic loops with one solution: the diagonal is larger than all the rest of its row, and of its column about.
// Whoever solves an equation for another unknown than that of the diagonal multiplies errors, again and again.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generate.h"
#include "signal.h"

namespace driftless::fuzz {

namespace {

std::vector<Unknown*> add_algebraic(Model& model, Random& random, int size) {
  std::vector<Unknown*> result;
  for (int i = 0; i < size; ++i) {
    result.push_back(&model.add("z", Role::algebraic, signal(model, random)));
    result.back()->start = model.start_of_determined(random);
    result.back()->nearby = random.real(0.9, 1.1);
  }
  return result;
}

enum class Pattern { tridiagonal, cyclic, scattered };

std::vector<int> neighbours(Pattern pattern, int i, int n, Random& random) {
  std::vector<int> result;
  if (pattern == Pattern::scattered) {
    for (int k = 0; k < 3; ++k)
      if (const int j = random.integer(0, n - 1); j != i && (result.empty() || result.back() != j)) result.push_back(j);
    return result;
  }
  for (const int j : {i - 1, i + 1}) {
    if (pattern == Pattern::cyclic && n > 2)
      result.push_back((j + n) % n);
    else if (j >= 0 && j < n)
      result.push_back(j);
  }
  return result;
}

Formula outside(const Model& model, Random& random) {
  const Unknown* state = some_state(model, random);
  return state != nullptr && random.chance(0.4) ? random.real(-0.5, 0.5) * Formula(*state) : Formula(0.0);
}

}  // namespace

void generate_linear_loop(Model& model, Random& random, int size) {
  const std::vector<Unknown*> z = add_algebraic(model, random, size);
  const Pattern pattern = random.one_of<Pattern>({Pattern::tridiagonal, Pattern::cyclic, Pattern::scattered});
  for (int i = 0; i < size; ++i) {
    const double diagonal = random.sign() * random.real(2.5, 5.0);
    Formula row = diagonal * Formula(*z[i]);
    for (const int j : neighbours(pattern, i, size, random))
      row = row + random.sign() * random.real(0.3, 0.8) * Formula(*z[j]);
    model.manufacture(row, outside(model, random), Coupling::anything, random);
  }
}

void generate_nonlinear_loop(Model& model, Random& random, int size) {
  const std::vector<Unknown*> z = add_algebraic(model, random, size);
  const Pattern pattern = random.one_of<Pattern>({Pattern::tridiagonal, Pattern::cyclic, Pattern::scattered});
  for (int i = 0; i < size; ++i) {
    Formula row = random.real(2.5, 4.0) * Formula(*z[i]);
    if (random.chance(0.6)) row = row + random.real(0.1, 0.5) * power(*z[i], 3);
    for (const int j : neighbours(pattern, i, size, random))
      row = row + random.sign() * random.real(0.3, 0.8) * slow(*z[j], random);
    model.manufacture(row, outside(model, random), Coupling::anything, random);
  }
}

// -l z[i-1] + d z[i] - r z[i+1] = A[i] + B[i] w(t), where z[i] = a[i] + b[i] w(t).
void generate_array_loop(Model& model, Random& random, int size) {
  const int n = std::max(size, 3);
  const std::string z = model.fresh("z"), a = model.fresh("A"), b = model.fresh("B");
  const double l = random.real(0.3, 1.0), d = random.real(2.5, 4.5), r = random.real(0.3, 1.0);
  const Formula wave = signal(model, random, -1.0, 1.0);
  std::vector<double> constant, varying, right_constant, right_varying, starts;
  for (int i = 0; i < n; ++i) {
    constant.push_back(random.real(0.5, 2.0));
    varying.push_back(random.real(-0.4, 0.4));
    auto unknown = std::make_unique<Unknown>(Unknown{.name = fmt::format("{}[{}]", z, i + 1),
                                                     .role = Role::algebraic,
                                                     .exact = constant.back() + varying.back() * wave});
    starts.push_back(value(unknown->exact, 0.0));
    model.unknowns.push_back(std::move(unknown));
  }
  const auto times_matrix = [&](const std::vector<double>& x) {
    std::vector<double> y;
    for (std::size_t i = 0; i < x.size(); ++i)
      y.push_back((i > 0 ? -l * x[i - 1] : 0.0) + d * x[i] - (i + 1 < x.size() ? r * x[i + 1] : 0.0));
    return y;
  };
  const std::string begin = random.chance(0.5) ? fmt::format("(start = {{{}}})", fmt::join(starts, ", ")) : "";
  model.declarations.push_back(fmt::format("Real {}[{}]{};", z, n, begin));
  model.declarations.push_back(
      fmt::format("parameter Real {}[{}] = {{{}}};", a, n, fmt::join(times_matrix(constant), ", ")));
  model.declarations.push_back(
      fmt::format("parameter Real {}[{}] = {{{}}};", b, n, fmt::join(times_matrix(varying), ", ")));
  const std::string w = model.raw_text(random.chance(0.5) ? wave : of_time(wave));
  model.raw_equations.push_back(fmt::format("{} * {}[1] - {} * {}[2] = {}[1] + {}[1] * ({});", d, z, r, z, a, b, w));
  model.raw_equations.push_back(
      fmt::format("for i in 2:{} loop -{} * {}[i - 1] + {} * {}[i] - {} * {}[i + 1] = {}[i] + {}[i] * ({}); end for;",
                  n - 1, l, z, d, z, r, z, a, b, w));
  model.raw_equations.push_back(
      fmt::format("{} * {}[{}] - {} * {}[{}] = {}[{}] + {}[{}] * ({});", d, z, n, l, z, n - 1, a, n, b, n, w));
}

}  // namespace driftless::fuzz
