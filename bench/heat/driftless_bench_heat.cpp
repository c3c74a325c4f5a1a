// Heat conduction in flux form on a square, two solutions at a time: how they approach each other, and what it costs
// from 10^4 to 10^6 unknowns; times are the least of some repetitions.
//   driftless_bench_heat [--steps N] [--largest UNKNOWNS] [--repeat N] [--csv FILE]
#include <fmt/format.h>
#include <fmt/os.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "driftless/analysis/stability/contraction.h"
#include "driftless/tableau/families.h"
#include "testset/heat/heat_problem.h"

namespace {

using namespace driftless;
using namespace driftless::testset;

// psi(q) = q^2/2 + q^4/4: the flux grows like the cube root of steep gradients.
struct Quartic {
  template <class T>
  T operator()(const T& q, double, double) const {
    return 0.5 * q * q + 0.25 * q * q * q * q;
  }
};

struct Options {
  std::size_t steps = 20, repeat = 1;
  double largest = 1e6;
  std::string csv;
};

struct Row {
  std::string method;
  std::size_t unknowns = 0;
  double seconds = 0.0;  // of processor time, for all steps of both solutions
  double peak_bytes = 0.0;
  Contraction run = {};
};

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// The same two temperatures on every mesh: smooth waves, and a hot corner.
Row measure(std::size_t side, int stages, const Options& options) {
  const HeatProblem problem{.mesh = rectangle_mesh(uniform_edges(side), uniform_edges(side)),
                            .law = flux_of_dissipation(Quartic{})};
  Vector one(problem.cells()), two(problem.cells());
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double x = problem.mesh.x[i], y = problem.mesh.y[i];
    one[i] = std::cos(3.0 * M_PI * x) * std::cos(2.0 * M_PI * y);
    two[i] = std::exp(-8.0 * (x * x + y * y));
  }
  Row row{.method = stages == 1 ? "implicit Euler" : fmt::format("Radau IIA, {} stages", stages),
          .unknowns = problem.unknowns()};
  row.seconds = std::numeric_limits<double>::infinity();
  const Index1 form = as_index1(problem);
  const Vector from_one = consistent_state(problem, one), from_two = consistent_state(problem, two);
  const Vector capacity = capacities(problem);
  for (std::size_t k = 0; k < options.repeat; ++k) {
    const double begin = processor_seconds();
    row.run = measure_contraction(form, from_one, from_two,
                                  [&](ConstSpan difference) { return heat_norm(capacity, difference); },
                                  {.method = {.tableau = radau_iia(stages)}, .h = 0.005, .steps = options.steps});
    row.seconds = std::min(row.seconds, processor_seconds() - begin);
  }
  row.peak_bytes = peak_bytes();
  return row;
}

// The exponent of the power law that fits the times best.
double exponent(const std::vector<Row>& rows, const std::string& method, double smallest) {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (const Row& row : rows) {
    if (row.method != method || static_cast<double>(row.unknowns) < smallest) continue;
    const double a = std::log(static_cast<double>(row.unknowns)), b = std::log(row.seconds);
    n += 1.0, x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void print_header() {
  fmt::print(
      "| method | unknowns | contractive | largest quotient | all steps | CPU s | us per unknown and step | Newton "
      "per step | peak MB |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
}

void print_row(const Row& row, std::size_t steps) {
  const double both = 2.0 * static_cast<double>(steps), work = both * static_cast<double>(row.unknowns);
  fmt::print("| {} | {} | {} | {:.6f} | {:.4f} | {:.2f} | {:.2f} | {:.1f} | {:.0f} |\n", row.method, row.unknowns,
             row.run.contractive ? "in every step" : "NO", row.run.largest_quotient,
             row.run.distance.back() / row.run.distance.front(), row.seconds, 1e6 * row.seconds / work,
             static_cast<double>(row.run.newton_iterations) / both, row.peak_bytes / 1e6);
  std::fflush(stdout);
}

void write_csv(const std::vector<Row>& rows, const std::string& file) {
  auto out = fmt::output_file(file);
  out.print("method,unknowns,time,distance,cpu_seconds\n");
  for (const Row& row : rows)
    for (std::size_t n = 0; n < row.run.times.size(); ++n)
      out.print("\"{}\",{},{:.6g},{:.10g},{:.4g}\n", row.method, row.unknowns, row.run.times[n], row.run.distance[n],
                row.seconds);
}

std::optional<Options> read(int argc, char** argv) {
  Options options;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string name = argv[k], value = argv[k + 1];
    if (name == "--steps")
      options.steps = static_cast<std::size_t>(std::atoll(value.c_str()));
    else if (name == "--largest")
      options.largest = std::atof(value.c_str());
    else if (name == "--repeat")
      options.repeat = static_cast<std::size_t>(std::atoll(value.c_str()));
    else if (name == "--csv")
      options.csv = value;
    else
      return std::nullopt;
  }
  if (argc % 2 == 0 || options.steps == 0 || options.repeat == 0 || !(options.largest >= 1e3)) return std::nullopt;
  return options;
}

int run(const Options& options) {
  print_header();
  std::vector<Row> rows;
  for (const double unknowns : {1e4, 3e4, 1e5, 3e5, 1e6}) {
    if (unknowns > 1.01 * options.largest) break;
    for (const int stages : {1, 3}) {
      rows.push_back(measure(static_cast<std::size_t>(std::lround(std::sqrt(unknowns / 3.0))), stages, options));
      print_row(rows.back(), options.steps);
    }
  }
  for (const char* method : {"implicit Euler", "Radau IIA, 3 stages"})
    for (const double smallest : {1e4, 1e5})
      if (options.largest > 2.0 * smallest)
        fmt::print("\n{}: from {:g} unknowns on, CPU time grows like unknowns^{:.3f}\n", method, smallest,
                   exponent(rows, method, 0.9 * smallest));
  if (!options.csv.empty()) write_csv(rows, options.csv);
  bool all = true;
  for (const Row& row : rows) all = all && row.run.contractive;
  return all ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = read(argc, argv);
  if (!options) {
    fmt::print(stderr, "usage: driftless_bench_heat [--steps N] [--largest UNKNOWNS] [--repeat N] [--csv FILE]\n");
    return 2;
  }
  try {
    return run(*options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "driftless_bench_heat: {}\n", error.what());
    return 1;
  }
}
