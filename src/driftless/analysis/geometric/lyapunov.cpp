#include "driftless/analysis/geometric/lyapunov.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/analysis/geometric/tangent.h"
#include "driftless/core/require.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

constexpr std::size_t stretches = 20;

// Gram-Schmidt, twice is enough; returns the lengths before normalisation.
Vector orthonormalise(Matrix& vectors) {
  Vector lengths(vectors.cols());
  for (std::size_t j = 0; j < vectors.cols(); ++j) {
    const Span v = vectors.view().column(j);
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t k = 0; k < j; ++k) {
        const Span w = vectors.view().column(k);
        double product = 0.0;
        for (std::size_t i = 0; i < v.size(); ++i) product += v[i] * w[i];
        for (std::size_t i = 0; i < v.size(); ++i) v[i] -= product * w[i];
      }
    double square = 0.0;
    for (double x : v) square += x * x;
    lengths[j] = std::sqrt(square);
    for (double& x : v) x /= lengths[j];
  }
  return lengths;
}

// One run: the state, and neighbours of it.
class LyapunovRun {
 public:
  LyapunovRun(const Index2& equations, const LyapunovOptions& options, std::size_t count)
      : equations_(equations), options_(options), count_(count), flow_(make_flow(equations, options.flow)) {}

  // Growth rates in each stretch, one column per stretch.
  Result<Matrix> run(Vector state) {
    double t = 0.0;
    for (const std::size_t rounds = steps_in(options_.transient, options_.interval); t < options_.transient;
         t += options_.transient / static_cast<double>(rounds))
      if (auto failure = advance(t, state, options_.transient / static_cast<double>(rounds))) return *failure;
    const Matrix basis = tangent_basis(equations_, t, state);
    vectors_ = Matrix(equations_.u_size(), count_);
    for (std::size_t j = 0; j < count_; ++j)
      for (std::size_t i = 0; i < vectors_.rows(); ++i) vectors_(i, j) = basis(i, j);
    const std::size_t rounds = std::max<std::size_t>(1, steps_in(options_.time, options_.interval) / stretches);
    Matrix rates(count_, stretches);
    for (std::size_t s = 0; s < stretches; ++s)
      for (std::size_t r = 0; r < rounds; ++r, t += options_.interval) {
        auto lengths = advance_all(t, state);
        if (!lengths) return lengths.failure();
        for (std::size_t j = 0; j < count_; ++j)
          rates(j, s) += std::log((*lengths)[j]) / (static_cast<double>(rounds) * options_.interval);
      }
    return rates;
  }

 private:
  std::optional<Failure> advance(double t, Vector& state, double duration) {
    if (options_.execution.stop.stop_requested()) return stopped_analysis("a run");
    if (auto failure = flow_->advance(t, state, duration)) return failure;
    const double size = max_norm(point_of(equations_, state));
    if (size <= options_.bound) return std::nullopt;
    return Failure{.kind = FailureKind::diverged,
                   .time = t + duration,
                   .what_happened = fmt::format("|u| = {:.3g} is beyond the bound of {:.3g}", size, options_.bound),
                   .what_to_try = "a start nearer to the attracting set, or a larger bound if this is no escape",
                   .where = "the run"};
  }

  // The vectors become those that the flow makes of them, orthonormal again.
  Result<Vector> advance_all(double t, Vector& state) {
    const double distance = 1e-5 * (1.0 + max_norm(point_of(equations_, state)));
    TangentMoves moves(equations_, t, state);
    std::vector<Vector> neighbours(count_);
    for (std::size_t j = 0; j < count_; ++j)
      if (auto failure = moves.apply(vectors_.view().column(j), distance, neighbours[j])) return *failure;
    if (auto failure = advance(t, state, options_.interval)) return *failure;
    for (std::size_t j = 0; j < count_; ++j) {
      if (auto failure = advance(t, neighbours[j], options_.interval)) return *failure;
      for (std::size_t i = 0; i < vectors_.rows(); ++i) vectors_(i, j) = (neighbours[j][i] - state[i]) / distance;
    }
    return orthonormalise(vectors_);
  }

  const Index2& equations_;
  const LyapunovOptions& options_;
  std::size_t count_;
  std::unique_ptr<Flow> flow_;
  Matrix vectors_;
};

// j + (sum of the first j) / |next|, where the sum is the last that is not negative.
double kaplan_yorke(const Vector& exponents, bool complete) {
  double sum = 0.0;
  for (std::size_t j = 0; j < exponents.size(); ++j) {
    if (sum + exponents[j] < 0.0) return static_cast<double>(j) + (j == 0 ? 0.0 : sum / std::abs(exponents[j]));
    sum += exponents[j];
  }
  return complete ? static_cast<double>(exponents.size()) : std::numeric_limits<double>::quiet_NaN();
}

LyapunovExponents averaged(const std::vector<Matrix>& runs, std::size_t dimension) {
  const std::size_t count = runs.front().rows();
  const double n = static_cast<double>(runs.size() * stretches);
  LyapunovExponents result{.exponents = Vector(count), .standard_errors = Vector(count)};
  for (std::size_t j = 0; j < count; ++j) {
    double mean = 0.0, square = 0.0;
    for (const Matrix& rates : runs)
      for (std::size_t s = 0; s < stretches; ++s) mean += rates(j, s) / n;
    for (const Matrix& rates : runs)
      for (std::size_t s = 0; s < stretches; ++s) square += (rates(j, s) - mean) * (rates(j, s) - mean);
    result.exponents[j] = mean;
    result.standard_errors[j] = std::sqrt(square / (n * (n - 1.0)));
  }
  result.kaplan_yorke_dimension = kaplan_yorke(result.exponents, count == dimension);
  return result;
}

}  // namespace

Result<LyapunovExponents> lyapunov_exponents(const Index2& equations, const std::vector<Vector>& starts,
                                             const LyapunovOptions& options) {
  if (starts.empty()) throw Misuse("Lyapunov exponents need at least one start");
  if (!(options.interval > 0.0) || !(options.time > 0.0) || !(options.transient >= 0.0))
    throw Misuse(fmt::format("interval ({}) and time ({}) must be positive, and the transient ({}) not negative",
                             options.interval, options.time, options.transient));
  for (const double x : {options.interval, options.time, options.transient}) require_finite("a length of time", x);
  require_positive("bound", options.bound);
  const std::size_t dimension = tangent_basis(equations, 0.0, starts.front()).cols();
  if (options.count > dimension)
    throw Misuse(
        fmt::format("{} exponents were asked for, but the constraint leaves {} dimensions", options.count, dimension));
  const std::size_t count = options.count > 0 ? options.count : dimension;
  make_flow(equations, options.flow);  // Misuse before any work
  std::vector<std::optional<Result<Matrix>>> runs(starts.size());
  const bool done = for_each_index(options.execution, "runs", starts.size(), [&](std::size_t i) {
    runs[i] = LyapunovRun(equations, options, count).run(starts[i]);
  });
  if (!done) return stopped_analysis("the computation of Lyapunov exponents");
  std::vector<Matrix> rates;
  for (auto& run : runs) {
    if (!run->ok()) return run->failure();
    rates.push_back(std::move(**run));
  }
  return averaged(rates, dimension);
}

}  // namespace driftless
