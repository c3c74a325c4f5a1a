// Model files: how long from text to machine code, and what their functions cost beside those written in C++.
//   driftless_bench_modelfile [FOLDER WITH THE MODELS]
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <functional>
#include <sstream>

#include "driftless/integrate/solve.h"
#include "driftless/modelfile/compiled/compiled_model.h"
#include "driftless/modelfile/flatten/read_model.h"
#include "testset/problem.h"

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
double least_ns(const std::function<void()>& f, int calls) {
  double least = 1e99;
  for (int batch = 0; batch < 100; ++batch)
    least = std::min(least, 1e9 / calls * seconds([&] {
                              for (int k = 0; k < calls; ++k) f();
                            }));
  return least;
}

std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  if (text.str().empty()) throw Misuse("cannot read " + path);
  return text.str();
}

FlatModel read(const std::string& text, const std::string& n) {
  ReadOptions options;
  if (!n.empty()) options.parameters.emplace_back("n", n);
  ModelReading reading = read_model(text, "model.mo", options);
  if (!reading.ok()) throw Misuse(render(reading.diagnostics));
  return *std::move(reading.model);
}

CompiledModel compiled(FlatModel flat) {
  Compilation compilation = compile(std::move(flat));
  if (!compilation.ok()) throw Misuse(compilation.errors.front().message);
  return *std::move(compilation.model);
}

struct Costs {
  double dynamics, linearised;  // ns
};

// The functions of a mechanism at one state, with memory for their values.
class Evaluation {
 public:
  Evaluation(const Mechanical& mechanical, ConstSpan state, double t)
      : f_(mechanical.functions()), n_(mechanical.q_size()), m_(mechanical.lambda_size()), state_(state), t_(t) {}

  std::size_t coordinates() const { return n_; }
  // M, F, G and the curvature of the constraint.
  void dynamics() { f_.dynamics(q(), v(), {}, t_, mass_, force_, g_, curvature_); }
  // Everything that a linearisation needs.
  void linearise() {
    dynamics();
    f_.force_jacobian(q(), v(), {}, t_, force_jacobian_);
    if (f_.has_mass()) f_.mass_jacobian(q(), t_, v(), mass_jacobian_);
    f_.reaction_jacobian(q(), t_, state_.subspan(2 * n_, m_), reaction_);
    f_.constraint_jacobians(q(), t_, v(), v(), value_, first_, second_);
  }

 private:
  ConstSpan q() const { return state_.subspan(0, n_); }
  ConstSpan v() const { return state_.subspan(n_, n_); }

  const Mechanical::Functions& f_;
  std::size_t n_, m_;
  ConstSpan state_;
  double t_;
  Matrix mass_{n_, n_}, g_{m_, n_}, force_jacobian_{n_, 2 * n_ + 1}, mass_jacobian_{n_, n_ + 1}, reaction_{n_, n_ + 1};
  Matrix value_{m_, n_ + 1}, first_{m_, n_ + 1}, second_{m_, n_ + 1};
  Vector force_ = Vector(n_), curvature_ = Vector(m_);
};

Costs costs_of(const Equations& equations, ConstSpan state, double t) {
  Evaluation evaluation(std::get<Mechanical>(equations), state, t);
  const int calls = evaluation.coordinates() < 30 ? 2000 : 200;
  return {least_ns([&] { evaluation.dynamics(); }, calls), least_ns([&] { evaluation.linearise(); }, calls)};
}

// Machine code is made when a function is called for the first time.
void call_all(const CompiledModel& model) {
  Vector held;  // these models have no events
  const Equations equations = model.equations(held);
  const Vector state(layout_of(equations).size(), 0.3);
  Evaluation(std::get<Mechanical>(equations), state, 0.0).linearise();
}

// Least milliseconds for: text to equations, equations to machine code for everything that a step calls, a consistent
// start.
void time_to_machine_code(const std::string& path, const std::string& n, int repetitions) {
  double reading = 1e9, compiling = 1e9, all = 1e9, starting = 1e9;
  std::size_t variables = 0;
  for (int k = 0; k < repetitions; ++k) {
    const double begin = now();
    FlatModel flat = read(file_text(path), n);
    const double read = now();
    const CompiledModel model = compiled(std::move(flat));
    call_all(model);
    const double ready = now();
    if (!model.start().ok()) throw Misuse("no consistent start");
    const double started = now();
    reading = std::min(reading, 1e3 * (read - begin));
    compiling = std::min(compiling, 1e3 * (ready - read));
    all = std::min(all, 1e3 * (ready - begin));
    starting = std::min(starting, 1e3 * (started - ready));
    variables = model.variables().size();
  }
  fmt::print("{:32} {:9} {:9.2f} {:9.2f} {:9.2f} {:9.2f}\n",
             path.substr(path.rfind('/') + 1) + (n.empty() ? "" : ", n = " + n), variables, reading, compiling, all,
             starting);
}

// A chain of n links, with the functions on their nonzeros, as the integrator calls them.
void time_large(const std::string& path, const std::string& n) {
  const double begin = now();
  FlatModel flat = read(file_text(path), n);
  const double read = now();
  std::vector<Expr> residuals;
  for (const FlatEquation& equation : flat.equations) residuals.push_back(equation.residual);
  const std::size_t operations = Program(flat.graph, residuals, Engine::interpreter).operations();
  const double counted = now();
  const CompiledModel model = compiled(std::move(flat));
  const double planned = now();
  const Equations equations = model.equations(Vector{});
  const auto& mechanical = std::get<Mechanical>(equations);
  const auto& f = mechanical.functions();
  const std::size_t q = mechanical.q_size(), m = mechanical.lambda_size();
  Vector position(q, 0.3), velocity(q, 0.1), force(q), curvature(m), time_derivative(m);
  Vector mass(f.structure()->mass.count()), jacobian(f.structure()->jacobian.count());
  f.sparse_dynamics(position, velocity, {}, 0.0, mass, force, jacobian, curvature);
  f.sparse_gradients(position, 0.0, mass, jacobian, time_derivative);
  const double ready = now();
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{:>8} {:10} {:8.0f} {:8.0f} {:12.0f} {:8.0f} {:6.0f}\n", n, operations, 1e3 * (read - begin),
             1e3 * (planned - counted), 1e3 * (ready - planned), 1e3 * (ready - counted + read - begin),
             static_cast<double>(usage.ru_maxrss) / 1024.0);
}

double solve_ms(const Equations& equations, const Vector& start, TimeSpan span) {
  return 1e-6 * least_ns([&] { solve(equations, start, {.span = span, .dense = false}).or_throw(); }, 1);
}

void compare(const std::string& problem_name, const std::string& path, const std::string& n) {
  const auto problem = testset::problem(problem_name);
  const CompiledModel model = compiled(read(file_text(path), n));
  const ModelStart start = model.start();
  const Equations text = model.equations(start.held);
  const Costs cpp = costs_of(problem.equations, problem.start, problem.begin);
  const Costs own = costs_of(text, start.state, start.time);
  const TimeSpan span{problem.begin, problem.references.front().time};
  fmt::print("{:24} {:9.0f} {:9.0f} {:6.2f}   {:9.0f} {:9.0f} {:6.2f}   {:8.2f} {:8.2f}\n", problem_name, cpp.dynamics,
             own.dynamics, own.dynamics / cpp.dynamics, cpp.linearised, own.linearised, own.linearised / cpp.linearised,
             solve_ms(problem.equations, problem.start, span), solve_ms(text, start.state, span));
}

void run(const std::string& folder) {
  fmt::print("{:>8} {:>10} {:>8} {:>8} {:>12} {:>8} {:>6}\n", "links", "operations", "read", "compile", "machine code",
             "all, ms", "MB");
  for (const char* n : {"1250", "2500", "5000", "9999"}) time_large(folder + "/chain_pendulum.mo", n);
  fmt::print("\n{:32} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "file to machine code, ms", "variables", "read", "compile",
             "together", "start");
  time_to_machine_code(folder + "/pendulum_schropp.mo", "", 100);
  time_to_machine_code(folder + "/andrews_squeezer.mo", "", 100);
  for (const char* n : {"10", "100", "300"}) time_to_machine_code(folder + "/chain_pendulum.mo", n, 3);
  fmt::print("\n{:24} {:>27}   {:>27}   {:>17}\n", "", "M, F, G, curvature, ns", "with all derivatives, ns",
             "solve, ms");
  fmt::print("{:24} {:>9} {:>9} {:>6}   {:>9} {:>9} {:>6}   {:>8} {:>8}\n", "", "C++", "text", "ratio", "C++", "text",
             "ratio", "C++", "text");
  compare("pendulum_schropp", folder + "/pendulum_schropp.mo", "");
  compare("andrews_squeezer", folder + "/andrews_squeezer.mo", "");
  compare("car_axis", folder + "/car_axis.mo", "");
  compare("chain_pendulum_10", folder + "/chain_pendulum.mo", "10");
  compare("fekete20", folder + "/fekete20.mo", "");
}

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
  try {
    bench::run(count > 1 ? arguments[1] : DRIFTLESS_MODELS);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
