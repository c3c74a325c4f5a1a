#include "driftless/study/linearise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/linalg/lu.h"
#include "driftless/linalg/rank.h"
#include "driftless/linalg/spectrum.h"
#include "driftless/study/local_equilibrium.h"
#include "driftless/study/local_jacobian.h"

namespace driftless {

namespace {

constexpr double step = 1e-3;   // in usual sizes
constexpr double rough = 1e-3;  // derivatives that change by more are none

// A mode of the model at a time, and a state in it.
struct Place {
  Stretch stretch;
  double time = 0.0;
  Vector state;
};

Place place_of(const TextModel& model, const LineariseOptions& options) {
  Start start = model.start(model.begin);
  if (!options.time || *options.time == model.begin) {
    const Vector state = start.stretch.start;
    return {std::move(start.stretch), model.begin, state};
  }
  SimulateOptions run{.solve = options.run, .dense = true};
  run.solve.span = {model.begin, *options.time};
  run.solve.output_times = {*options.time};
  const Simulation there = simulate(model, std::move(start), run);
  there.or_throw();
  if (there.kept.empty() || there.t != *options.time)
    throw Misuse(fmt::format("the run ends at t = {:.9g}, before t = {:.9g}", there.t, *options.time));
  return {there.kept.back().stretch, there.t, there.state};
}

std::vector<LinearMode> modes_of(const Matrix& a, const Matrix& basis) {
  if (a.cols() == 0) return {};
  const Eigenpairs pairs = eigenpairs_of(a);
  std::vector<LinearMode> modes;
  for (std::size_t k = 0; k < a.cols(); ++k) {
    std::vector<std::complex<double>> shape(basis.rows());
    for (std::size_t j = 0; j < basis.cols(); ++j)
      for (std::size_t i = 0; i < basis.rows(); ++i) shape[i] += basis(i, j) * pairs.vectors[k][j];
    const auto smaller = [](const auto& x, const auto& y) { return std::abs(x) < std::abs(y); };
    const std::complex<double> largest = *std::ranges::max_element(shape, smaller);
    for (auto& part : shape) part /= largest;
    modes.push_back({pairs.values[k], std::move(shape)});
  }
  std::ranges::stable_sort(modes, [](const LinearMode& x, const LinearMode& y) {
    return x.eigenvalue.real() > y.eigenvalue.real() ||
           (x.eigenvalue.real() == y.eigenvalue.real() && x.eigenvalue.imag() > y.eigenvalue.imag());
  });
  return modes;
}

std::vector<std::size_t> places_of(const Names& outputs, const TextModel& model) {
  const Recording columns(model.results);
  std::vector<std::size_t> places;
  for (const std::string& name : outputs) {
    const std::size_t column = columns.column(name);
    if (column == 0) throw Misuse("time is no output");
    places.push_back(column - 1);
  }
  return places;
}

// Of one model near one state: F and the outputs, with parameters moved as well.
class InputsAndOutputs {
 public:
  InputsAndOutputs(const TextModel& model, const Place& place, const Names& outputs)
      : model_(model), place_(place), outputs_(places_of(outputs, model)) {}

  Vector outputs(const Stretch& stretch, const Vector& state) const {
    Vector all(model_.results.size()), chosen;
    stretch.results(place_.time, state, all);
    for (const std::size_t k : outputs_) chosen.push_back(all[k]);
    return chosen;
  }

  // V^T F and the outputs with one parameter at another value.
  Result<Vector> with(const std::string& input, double value, const LocalFlow& flow, const Matrix& basis) const {
    TextModel other = model_;
    other.set(input, value);
    const Stretch stretch = other.start(model_.begin).stretch;
    if (stretch.held != place_.stretch.held || layout_of(stretch.equations).size() != flow.state().size())
      throw Misuse(
          fmt::format("an input is varied in the mode of the start only, and '{}' leads to another one", input));
    const LocalFlow moved(stretch.equations, place_.time, flow.state());
    const auto state = moved.moved(Vector(flow.size(), 0.0), 0.0);
    if (!state) return state.failure();
    const auto slope = moved.slope(*state, place_.time);
    if (!slope) return slope.failure();
    Vector in_sizes = *slope;
    for (std::size_t i = 0; i < in_sizes.size(); ++i) in_sizes[i] *= moved.sizes()[i] / flow.sizes()[i];
    Vector all = in_coordinates(basis, in_sizes);
    const Vector shown = outputs(stretch, *state);
    all.insert(all.end(), shown.begin(), shown.end());
    return all;
  }

 private:
  const TextModel& model_;
  const Place& place_;
  std::vector<std::size_t> outputs_;
};

Failure not_smooth(double t, const std::string& what) {
  return {.kind = FailureKind::assumption_violated,
          .time = t,
          .what_happened = fmt::format("the equations have no derivative here that differences agree on: {}", what),
          .what_to_try = "linearise at another state, away from kinks and limits of the model",
          .where = ""};
}

// Second differences over h^2 stay where there is a second derivative; at a kink they grow like 1/h.
Result<bool> has_kink(const LocalFlow& flow, double t, const Matrix& basis, double size) {
  const auto here = flow.slope(flow.state(), t);
  if (!here) return here.failure();
  for (std::size_t j = 0; j < basis.cols(); ++j) {
    double bend[2] = {};
    for (const int fine : {0, 1}) {
      const double h = fine == 0 ? step_along : step_along / 8.0;
      Vector sum(flow.size(), 0.0);
      for (const double place : {h, -h}) {
        const auto state = flow.moved(basis.view().column(j), place);
        const auto slope = state ? flow.slope(*state, t) : Result<Vector>(state.failure());
        if (!slope) return slope.failure();
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += (*slope)[i] - (*here)[i];
      }
      bend[fine] = max_of(sum) / h;
    }
    if (bend[1] > 1e-5 * size && bend[1] > 0.5 * bend[0]) return true;
  }
  return false;
}

Matrix difference(Matrix a, const Matrix& b) {
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) a(i, j) -= b(i, j);
  return a;
}

// A by two step sizes; the difference is what is said of its accuracy.
std::optional<Failure> find_a(const LocalFlow& flow, double t, const Matrix& basis, Linearisation& out) {
  auto a = local_jacobian(flow, t, basis);
  if (!a) return a.failure();
  const auto finer = local_jacobian(flow, t, basis, 0.5 * step_along);
  if (!finer) return finer.failure();
  if (basis.cols() > 0) {
    const double size = max_of(*a);
    out.accuracy = size > 0.0 ? max_of(difference(*a, *finer)) / size : 0.0;
    if (!(out.accuracy <= rough)) return not_smooth(t, fmt::format("halved ones differ by {:.2g}", out.accuracy));
    const auto kink = has_kink(flow, t, basis, size);
    if (!kink) return kink.failure();
    if (*kink) return not_smooth(t, "those on both sides differ");
  }
  out.a = *std::move(a);
  return std::nullopt;
}

std::optional<Failure> find_inputs_and_outputs(const TextModel& model, const LineariseOptions& options,
                                               const Place& place, const LocalFlow& flow, const Matrix& basis,
                                               Linearisation& out) {
  const InputsAndOutputs quantities(model, place, options.outputs);
  const std::size_t r = basis.cols(), shown = options.outputs.size(), given = options.inputs.size();
  auto c = derivatives_along(
      flow, basis, [&](const Vector& state) -> Result<Vector> { return quantities.outputs(place.stretch, state); });
  if (!c) return c.failure();
  out.c = r > 0 ? *std::move(c) : Matrix(shown, 0);
  out.b = Matrix(r, given);
  out.d = Matrix(shown, given);
  for (std::size_t k = 0; k < given; ++k) {
    const double value = model.parameters()[options.inputs[k]], size = std::max(1.0, std::abs(value));
    const auto column = derivative_at_zero(
        [&](double s) { return quantities.with(options.inputs[k], value + size * s, flow, basis); }, step_along);
    if (!column) return column.failure();
    for (std::size_t i = 0; i < r; ++i) out.b(i, k) = (*column)[i] / size;
    for (std::size_t i = 0; i < shown; ++i) out.d(i, k) = (*column)[r + i] / size;
  }
  return std::nullopt;
}

Result<Vector> in_usual_sizes(const LocalFlow& flow, Vector state) {
  state.resize(flow.size());
  for (std::size_t i = 0; i < state.size(); ++i) state[i] /= flow.sizes()[i];
  return state;
}

void in_natural_units(const LocalFlow& flow, Matrix& basis) {
  for (std::size_t j = 0; j < basis.cols(); ++j)
    for (std::size_t i = 0; i < basis.rows(); ++i) basis(i, j) *= flow.sizes()[i];
}

double largest_real_part(const Matrix& a) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const LinearMode& mode : modes_of(a, Matrix::identity(a.cols())))
    largest = std::max(largest, mode.eigenvalue.real());
  return largest;
}

// Where eigenvalues are near zero, the state is known badly, and they with it: one more correction tells how badly.
double doubt_of(const Equations& equations, const LocalFlow& flow, double t, const Matrix& basis, const Matrix& a,
                const Vector& slope) {
  if (a.cols() == 0) return 0.0;
  const double rounding = 1e-9 * max_of(a);
  const Vector move = product(basis, least_norm_solution(a, in_coordinates(basis, slope), zero_singular_value));
  const auto state = flow.moved(move, -1.0);
  if (!state) return std::numeric_limits<double>::infinity();
  const LocalFlow there(equations, t, *state);
  const auto other_basis = there.tangent_basis();
  const auto other = other_basis ? local_jacobian(there, t, *other_basis) : Result<Matrix>(other_basis.failure());
  if (!other) return std::numeric_limits<double>::infinity();
  return rounding + 2.0 * std::abs(largest_real_part(*other) - largest_real_part(a));
}

}  // namespace

bool Linearisation::at_equilibrium() const { return slope <= slope_of_rest; }

Result<Linearisation> linearise(const TextModel& model, const LineariseOptions& options) {
  for (const std::string& input : options.inputs) (void)model.parameters()[input];
  (void)places_of(options.outputs, model);
  Place place = place_of(model, options);
  if (options.steady) {
    auto found = equilibrium_near(place.stretch.equations, place.time, place.state);
    if (!found) return found.failure();
    place.state = *std::move(found);
  }
  const LocalFlow flow(place.stretch.equations, place.time, place.state);
  auto basis = flow.tangent_basis();
  if (!basis) return basis.failure();
  Linearisation out{.time = place.time};
  const auto slope = flow.slope(place.state, place.time);
  if (!slope) return slope.failure();
  out.slope = max_of(*slope);
  const double soon = 1e-6 * std::max(1.0, std::abs(place.time));
  const auto later = flow.slope(place.state, place.time + soon);
  if (!later) return later.failure();
  for (std::size_t i = 0; i < later->size(); ++i)
    out.drift = std::max(out.drift, std::abs((*later)[i] - (*slope)[i]) / soon);
  if (auto failure = find_a(flow, place.time, *basis, out)) return *std::move(failure);
  if (out.at_equilibrium()) out.doubt = doubt_of(place.stretch.equations, flow, place.time, *basis, out.a, *slope);
  if (auto failure = find_inputs_and_outputs(model, options, place, flow, *basis, out)) return *std::move(failure);
  auto whole = derivatives_along(flow, *basis, [&](const Vector& state) { return in_usual_sizes(flow, state); });
  if (!whole) return whole.failure();
  out.modes = modes_of(out.a, *whole);
  in_natural_units(flow, *whole);
  out.basis = *std::move(whole);
  const Names& names = layout_of(place.stretch.equations).names();
  out.components.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(flow.size()));
  out.state = place.state;
  out.results.resize(model.results.size());
  place.stretch.results(place.time, place.state, out.results);
  return out;
}

std::vector<std::complex<double>> frequency_response(const Linearisation& system, double angular_frequency) {
  const std::size_t r = system.a.cols(), inputs = system.d.cols(), outputs = system.d.rows();
  ComplexLu lu(r);
  for (std::size_t j = 0; j < r; ++j) {
    for (std::size_t i = 0; i < r; ++i) lu.real()(i, j) = -system.a(i, j);
    lu.imag()(j, j) = angular_frequency;
  }
  const bool pole = r > 0 && !lu.factorise();
  std::vector<std::complex<double>> response(outputs * inputs);
  for (std::size_t k = 0; k < inputs; ++k) {
    Vector re(r, pole ? std::numeric_limits<double>::quiet_NaN() : 0.0), im(re);
    for (std::size_t i = 0; i < r && !pole; ++i) re[i] = system.b(i, k);
    if (r > 0 && !pole) lu.solve(re, im);
    for (std::size_t i = 0; i < outputs; ++i) {
      std::complex<double>& entry = response[i + k * outputs] = system.d(i, k);
      for (std::size_t j = 0; j < r; ++j) entry += system.c(i, j) * std::complex<double>(re[j], im[j]);
    }
  }
  return response;
}

// exp(t [A b; 0 0]) has the response of the state to a step of 1 in its last column; from time to time, which may be
// uneven.
Matrix step_response(const Linearisation& system, std::size_t input, ConstSpan times) {
  const std::size_t r = system.a.cols();
  if (input >= system.d.cols()) throw Misuse("there is no such input");
  const auto whole = [&](double h) {
    Matrix m(r + 1, r + 1);
    for (std::size_t i = 0; i < r; ++i) {
      for (std::size_t j = 0; j < r; ++j) m(i, j) = h * system.a(i, j);
      m(i, r) = h * system.b(i, input);
    }
    return m;
  };
  Vector state(r + 1, 0.0);
  state[r] = 1.0;
  Matrix outputs(times.size(), system.d.rows()), advance;
  double now = 0.0, last_step = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double h = times[i] - now;
    if (h != last_step) advance = exponential_of(whole(h));
    last_step = h;
    state = product(advance, state);
    now = times[i];
    for (std::size_t j = 0; j < outputs.cols(); ++j) {
      outputs(i, j) = system.d(j, input);
      for (std::size_t l = 0; l < r; ++l) outputs(i, j) += system.c(j, l) * state[l];
    }
  }
  return outputs;
}

}  // namespace driftless
