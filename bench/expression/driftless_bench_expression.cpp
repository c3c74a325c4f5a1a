// Formulas of a graph against hand-written C++ and automatic differentiation.
#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "bench/expression/andrews.h"
#include "bench/expression/formula.h"
#include "driftless/autodiff/jacobian.h"
#include "driftless/expression/differentiate.h"
#include "driftless/expression/program.h"

namespace bench {
namespace {

using namespace driftless;
// Of the processor, not of the clock on the wall: others use this machine, too.
double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds(const std::function<void()>& run) {
  const double start = now();
  run();
  return now() - start;
}

// Nanoseconds per call, the least of many batches.
template <class F>
double least_ns(F&& f, int batches = 200, int calls = 2000) {
  double least = 1e9;
  for (int batch = 0; batch < batches; ++batch) {
    const double time = seconds([&] {
      for (int k = 0; k < calls; ++k) f();
    });
    least = std::min(least, 1e9 * time / calls);
  }
  return least;
}

// `copies` mechanisms side by side, with unknowns of their own.
std::vector<Expr> write_andrews(Graph& graph, std::uint32_t copies) {
  Formula::graph = &graph;
  constexpr std::uint32_t n = Andrews::unknowns;
  std::vector<Expr> rows;
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    Formula y[n], F[n];
    for (std::uint32_t k = 0; k < n; ++k) y[k] = graph.input(n * copy + k);
    Andrews::residual(y, F);
    for (const Formula& f : F) rows.push_back(f.e);
  }
  return rows;
}

std::vector<Expr> with_jacobian(Graph& graph, std::vector<Expr> rows) {
  for (const auto& row : jacobian(graph, rows))
    for (const Partial& partial : row) rows.push_back(partial.derivative);
  return rows;
}

std::vector<double> start_values(std::size_t copies) {
  std::vector<double> y;
  for (std::size_t k = 0; k < Andrews::unknowns * copies; ++k) y.push_back(0.1 + 0.37 * static_cast<double>(k % 11));
  return y;
}

void automatic(const double* y, double* values, MatrixView j) {
  driftless::jacobian([](auto x, auto f) { Andrews::residual(x.data(), f.data()); }, ConstSpan(y, Andrews::unknowns), 0,
                      j);
  Andrews::residual(y, values);
}

// Columns of one colour have no row in common, so that one direction serves all of them.
class Coloured {
 public:
  explicit Coloured(const std::vector<std::vector<Partial>>& rows) : rows_(rows), colour_(Andrews::unknowns, 0) {
    for (std::uint32_t column = 0; column < colour_.size(); ++column) {
      while (clashes(column)) ++colour_[column];
      colours_ = std::max(colours_, colour_[column] + 1);
    }
  }
  int colours() const { return colours_; }
  // F and the entries of J row by row, as the programs give them.
  void evaluate(const double* y, double* out) const {
    SweepDual x[Andrews::unknowns], f[Andrews::unknowns];
    for (int first = 0; first < colours_; first += sweep_width) {
      for (std::size_t k = 0; k < Andrews::unknowns; ++k) {
        x[k] = SweepDual(y[k]);
        const int lane = colour_[k] - first;
        if (lane >= 0 && lane < sweep_width) x[k].d.set(lane, 1.0);
      }
      Andrews::residual(x, f);
      double* entry = out + Andrews::unknowns;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        out[i] = f[i].value;
        for (const Partial& partial : rows_[i]) {
          const int lane = colour_[partial.slot] - first;
          if (lane >= 0 && lane < sweep_width) *entry = f[i].d.get(lane);
          ++entry;
        }
      }
    }
  }

 private:
  bool clashes(std::uint32_t column) const {
    for (const auto& row : rows_) {
      bool has_column = false, has_colour = false;
      for (const Partial& partial : row) {
        if (partial.slot == column) has_column = true;
        if (partial.slot < column && colour_[partial.slot] == colour_[column]) has_colour = true;
      }
      if (has_column && has_colour) return true;
    }
    return false;
  }
  std::vector<std::vector<Partial>> rows_;
  std::vector<int> colour_;
  int colours_ = 0;
};

void evaluation() {
  const std::vector<double> y = start_values(1);
  Graph graph;
  const auto f = write_andrews(graph, 1);
  const auto fj = with_jacobian(graph, f);
  std::vector<double> out(fj.size());
  Matrix j(Andrews::unknowns, Andrews::unknowns);
  fmt::print("Andrews, {} operations for F, {} for F and J ({} entries)\n", operations_in(graph, f),
             operations_in(graph, fj), fj.size() - f.size());
  const double by_hand = least_ns([&] { hand_written(y.data(), out.data()); });
  const double native = least_ns([&] { hand_written_native(y.data(), out.data()); });
  const double ad = least_ns([&] { automatic(y.data(), out.data(), j); });
  fmt::print("  F    hand-written C++ {:6.1f} ns, for this processor {:6.1f} ns\n", by_hand, native);
  const Coloured coloured(jacobian(graph, f));
  const double compressed = least_ns([&] { coloured.evaluate(y.data(), out.data()); });
  fmt::print("  F+J  automatic differentiation {:6.1f} ns, with columns in {} colours {:6.1f} ns\n", ad,
             coloured.colours(), compressed);
  for (const Engine engine : {Engine::machine_code, Engine::interpreter}) {
    const Program function(graph, f, engine), both(graph, fj, engine);
    const double time_f = least_ns([&] { function.run(y.data(), out.data()); });
    const double time_fj = least_ns([&] { both.run(y.data(), out.data()); });
    fmt::print(
        "  {:12}  F {:6.1f} ns = {:.2f} by hand ({:.2f} for this processor), F+J {:6.1f} ns = {:.2f} automatic ({:.2f} "
        "coloured)\n",
        engine == Engine::machine_code ? "machine code" : "interpreter", time_f, time_f / by_hand, time_f / native,
        time_fj, time_fj / ad, time_fj / compressed);
  }
}

long peak_kilobytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

void making(std::uint32_t copies, int times) {
  double write = 1e9, differentiate_ = 1e9, compile = 1e9, interpret = 1e9, total = 1e9;
  std::size_t operations = 0, nodes = 0;
  const long before = peak_kilobytes();
  Program program;
  for (int k = 0; k < times; ++k) {
    Graph graph;
    std::vector<Expr> rows;
    const double t1 = seconds([&] { rows = write_andrews(graph, copies); });
    const double t2 = seconds([&] { rows = with_jacobian(graph, std::move(rows)); });
    const double t3 = seconds([&] { program = Program(graph, rows, Engine::machine_code); });
    const double t4 = seconds([&] { Program(graph, rows, Engine::interpreter); });
    write = std::min(write, t1);
    differentiate_ = std::min(differentiate_, t2);
    compile = std::min(compile, t3);
    interpret = std::min(interpret, t4);
    total = std::min(total, t1 + t2 + t3);
    operations = program.operations();
    nodes = graph.size();
  }
  const long after = peak_kilobytes();
  const std::vector<double> y = start_values(copies);
  std::vector<double> out(program.outputs());
  const double run = least_ns([&] { program.run(y.data(), out.data()); }, 100, copies > 10 ? 5 : 1000);
  fmt::print(
      "{:4} mechanisms, {:7} operations, {:7} nodes: write {:8.3f} ms, differentiate {:8.3f} ms, machine code {:8.3f} "
      "ms = {:8.3f} ms in all; interpreter {:8.3f} ms; memory + {:6} kB; run {:6.1f} ns per mechanism\n",
      copies, operations, nodes, 1e3 * write, 1e3 * differentiate_, 1e3 * compile, 1e3 * total, 1e3 * interpret,
      after - before, run / copies);
}

}  // namespace
}  // namespace bench

int main() {
  bench::evaluation();
  bench::making(1, 200);
  bench::making(100, 40);
  bench::making(300, 20);
  bench::making(1000, 8);
  bench::making(3000, 3);
}
