// driftless beside RADAU5 on the pendulum and on Andrews' mechanism, in one process: see README.md in this folder.
//     driftless_bench_radau [rounds]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <stdexcept>

#include "bench/measure.h"
#include "bench/radau5_peer.h"
#include "driftless/integrate/adaptive_radau.h"
#include "testset/problem.h"

namespace {

using namespace driftless;

struct Outcome {
  bool succeeded = false;
  std::size_t steps = 0, evaluations = 0, jacobians = 0, factorisations = 0;
  double error_q = NAN, error_v = NAN;
  bench::Times times = {};
};

struct Code {
  std::string name;
  std::vector<Outcome> outcomes = {};  // one per tolerance
  std::size_t bytes = 0;               // of the run at 1e-8
};

double error_of(ConstSpan state, ConstSpan reference, std::size_t first, std::size_t count) {
  double worst = 0.0;
  for (std::size_t i = first; i < first + count; ++i)
    worst = std::max(worst, std::abs(state[i] - reference[i]) / std::max(1.0, std::abs(reference[i])));
  return worst;
}

Outcome run_driftless(const testset::Problem& problem, double tolerance, const testset::Reference& reference,
                      std::size_t n) {
  AdaptiveRadau radau(problem.equations, {.tolerance = {tolerance, tolerance}}, problem.begin, reference.time,
                      problem.start);
  Outcome outcome;
  while (!radau.finished())
    if (radau.step()) return outcome;
  const Statistics& s = radau.statistics();
  return {.succeeded = true,
          .steps = s.steps,
          .evaluations = s.evaluations,
          .jacobians = s.jacobians,
          .factorisations = s.factorisations,
          .error_q = error_of(radau.state(), reference.state, 0, n),
          .error_v = error_of(radau.state(), reference.state, n, n)};
}

Outcome run_peer(const bench::Radau5& radau5, const bench::PeerProblem& problem, double tolerance,
                 const testset::Reference& reference, std::size_t n) {
  const bench::PeerRun run = radau5.run(problem, tolerance, reference.time);
  return {.succeeded = run.verdict == 1,
          .steps = static_cast<std::size_t>(run.accepted),
          .evaluations = static_cast<std::size_t>(run.evaluations),
          .jacobians = static_cast<std::size_t>(run.jacobians),
          .factorisations = static_cast<std::size_t>(run.factorisations),
          .error_q = error_of(run.state, reference.state, 0, n),
          .error_v = error_of(run.state, reference.state, n, n)};
}

// The peer's Jacobian against differences of its function, its function against the start, where it must vanish in the
// algebraic rows.
void check_peer(const bench::PeerProblem& problem, bool exact) {
  const int n = problem.size, rows = n - problem.m1;
  std::vector<double> y = problem.start, plus(problem.size), minus(problem.size),
                      df(static_cast<std::size_t>(rows * n));
  double t = 0.0, largest = 1.0;
  problem.function(&n, &t, y.data(), plus.data(), nullptr, nullptr);
  for (int i = problem.differential; i < n; ++i)
    if (std::abs(plus[static_cast<std::size_t>(i)]) > 1e-9)
      throw std::runtime_error(fmt::format("{}: row {} of the peer's function is {:.3g} at the start", problem.form, i,
                                           plus[static_cast<std::size_t>(i)]));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.1 * std::sin(1.0 + static_cast<double>(i));
  problem.jacobian(&n, &t, y.data(), &rows, &rows, df.data(), &rows, nullptr, nullptr);
  if (!exact) return;
  for (int j = 0; j < n; ++j) {
    const double kept = y[static_cast<std::size_t>(j)], h = 1e-5;
    y[static_cast<std::size_t>(j)] = kept + h;
    problem.function(&n, &t, y.data(), plus.data(), nullptr, nullptr);
    y[static_cast<std::size_t>(j)] = kept - h;
    problem.function(&n, &t, y.data(), minus.data(), nullptr, nullptr);
    y[static_cast<std::size_t>(j)] = kept;
    for (int i = 0; i < rows; ++i) {
      const auto k = static_cast<std::size_t>(i + problem.m1);
      const double difference = (plus[k] - minus[k]) / (2.0 * h), given = df[static_cast<std::size_t>(i + j * rows)];
      largest = std::max(largest, std::abs(difference));
      if (std::abs(difference - given) > 1e-6 * largest)
        throw std::runtime_error(fmt::format("{}: the peer's df{}/dy{} is {:.8g}, by differences {:.8g}", problem.form,
                                             k, j, given, difference));
    }
  }
}

void print_runs(const Code& code, const std::vector<double>& tolerances) {
  fmt::print("\n{}  (memory of a run: {:.1f} kB)\n", code.name, static_cast<double>(code.bytes) / 1024.0);
  fmt::print("      tol   steps      f      J     LU   error q   error v    least ms  median ms   us/step\n");
  for (std::size_t k = 0; k < tolerances.size(); ++k) {
    const Outcome& o = code.outcomes[k];
    if (!o.succeeded) {
      fmt::print("  {:7.1e}   failed\n", tolerances[k]);
      continue;
    }
    fmt::print("  {:7.1e} {:7} {:6} {:6} {:6}  {:8.1e}  {:8.1e}  {:10.4f} {:10.4f}  {:8.3f}\n", tolerances[k], o.steps,
               o.evaluations, o.jacobians, o.factorisations, o.error_q, o.error_v, 1e3 * o.times.least,
               1e3 * o.times.median, 1e6 * o.times.least / static_cast<double>(o.steps));
  }
}

void print_ratios(const std::vector<Code>& codes, const char* what,
                  const std::function<double(const Outcome&)>& error) {
  fmt::print("\nms at equal achieved error of {}; in brackets the ratio to driftless\n     error", what);
  for (const Code& code : codes) fmt::print("  {:>24}", code.name);
  fmt::print("  {:>14}\n", "best / ours");
  for (int digits = 4; digits <= 10; ++digits) {
    const double wanted = std::pow(10.0, -digits);
    std::vector<std::optional<double>> times;
    for (const Code& code : codes) {
      std::vector<bench::Point> points;
      for (const Outcome& o : code.outcomes)
        if (o.succeeded) points.push_back({error(o), o.times.least});
      times.push_back(bench::time_at_error(points, wanted));
    }
    fmt::print("     {:5.0e}", wanted);
    std::optional<double> best;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (!times[i])
        fmt::print("  {:>24}", "never");
      else if (i == 0)
        fmt::print("  {:>24.4f}", 1e3 * *times[i]);
      else
        fmt::print("  {:>24}", fmt::format("{:.4f} [{:.2f}]", 1e3 * *times[i], times[0] ? *times[i] / *times[0] : NAN));
      if (i > 0 && times[i] && (!best || *times[i] < *best)) best = times[i];
    }
    fmt::print("  {:>14}\n", best && times[0] ? fmt::format("{:.2f}", *best / *times[0]) : "-");
  }
}

void compare(const bench::Radau5& radau5, const char* name, double end, const std::vector<bench::PeerProblem>& forms,
             int rounds) {
  const testset::Problem problem = testset::problem(name);
  const auto reference =
      *std::find_if(problem.references.begin(), problem.references.end(), [&](const auto& r) { return r.time == end; });
  const std::size_t n = std::get<Mechanical>(problem.equations).q_size();
  std::vector<double> tolerances;
  for (int k = 8; k <= 24; ++k) tolerances.push_back(std::pow(10.0, -0.5 * k));

  using Run = std::function<Outcome(double)>;
  std::vector<Code> codes = {{.name = "driftless"}};
  std::vector<Run> run = {[&](double tolerance) { return run_driftless(problem, tolerance, reference, n); }};
  for (const bench::PeerProblem& form : forms) {
    codes.push_back({.name = "RADAU5 " + form.form});
    run.push_back([&](double tolerance) { return run_peer(radau5, form, tolerance, reference, n); });
  }
  std::vector<std::function<void()>> timed;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    for (const double tolerance : tolerances) {
      codes[i].outcomes.push_back(run[i](tolerance));
      timed.push_back([&run, i, tolerance] { run[i](tolerance); });
    }
    codes[i].bytes = bench::peak_bytes([&] { run[i](1e-8); });
  }
  const auto times = bench::measure(timed, rounds);
  for (std::size_t i = 0, k = 0; i < codes.size(); ++i)
    for (Outcome& outcome : codes[i].outcomes) outcome.times = times[k++];

  fmt::print("\n== {}, t = {} ==\n", problem.title, end);
  for (const Code& code : codes) print_runs(code, tolerances);
  print_ratios(codes, "q", [](const Outcome& o) { return o.error_q; });
  print_ratios(codes, "v", [](const Outcome& o) { return o.error_v; });
  print_ratios(codes, "q and v", [](const Outcome& o) { return std::max(o.error_q, o.error_v); });
}

// (q, v, lambda) with w = v' between v and lambda; all accelerations are known at a consistent start.
std::vector<double> with_accelerations(const testset::Problem& problem) {
  const std::size_t n = std::get<Mechanical>(problem.equations).q_size();
  const auto manifold = make_manifold(problem.equations);
  Vector slope(problem.start.size());
  if (manifold->derivative(problem.begin, problem.start, slope) != ManifoldStatus::ok)
    throw std::runtime_error("no accelerations at the start");
  std::vector<double> all(problem.start.begin(), problem.start.begin() + static_cast<std::ptrdiff_t>(2 * n));
  all.insert(all.end(), slope.begin() + static_cast<std::ptrdiff_t>(n),
             slope.begin() + static_cast<std::ptrdiff_t>(2 * n));
  all.insert(all.end(), problem.start.begin() + static_cast<std::ptrdiff_t>(2 * n), problem.start.end());
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 30;
    const bench::Radau5 radau5;
    fmt::print("RADAU5 from {}; least of {} interleaved runs\n", radau5.path(), rounds);
    const auto pendulum = bench::pendulum_for_peer(testset::problem("pendulum_schropp").start);
    const auto andrews = bench::andrews_for_peer(with_accelerations(testset::problem("andrews_squeezer")));
    for (const auto& problem : pendulum) check_peer(problem, true);
    for (const auto& problem : andrews) check_peer(problem, problem.index3 == 0);
    compare(radau5, "pendulum_schropp", 20.0, pendulum, rounds);
    compare(radau5, "andrews_squeezer", 0.03, andrews, rounds);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "driftless_bench_radau: {}\n", error.what());
    return 1;
  }
}
