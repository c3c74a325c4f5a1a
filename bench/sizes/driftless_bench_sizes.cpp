// driftless beside IDA with KLU on problems of any size: time at equal achieved error, and memory.
//   driftless_bench_sizes [PROBLEM [UNKNOWNS...]]
//   driftless_bench_sizes --once PROBLEM UNKNOWNS TOLERANCE [radau]   one run of driftless in this process, to be
//   profiled
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>

#include "bench/contest.h"
#include "bench/peers/ida.h"
#include "bench/sizes/sized_problem.h"
#include "driftless/integrate/solve.h"

namespace bench {
namespace {

using namespace driftless;

// P x' = f(x, t) as IDA wants it, with the Jacobian by hand.
class SizedSystem final : public FullyImplicit {
 public:
  explicit SizedSystem(const SizedProblem& problem)
      : problem_(problem), form_(std::get<Index1>(problem.equations)), values_(problem.entries.size()) {
    size_ = static_cast<int>(problem.start.size());
    algebraic_ = problem.algebraic;
    for (int k = 0; k < size_; ++k)
      if (!algebraic_[static_cast<std::size_t>(k)]) identity_.add(k, k);
    ones_.assign(identity_.size(), 1.0);
    matrix_.add(problem.entries, values_, {.row = 0, .col = 0, .factor = -1.0});
    matrix_.add(identity_, ones_, {.row = 0, .col = 0, .times_cj = true});
    store(Storage::sparse);
  }
  void residual(double t, const double* y, const double* yp, double* out) override {
    const auto n = static_cast<std::size_t>(size_);
    form_.functions().f({y, n}, t, {out, n});
    for (std::size_t k = 0; k < n; ++k) out[k] = (algebraic_[k] ? 0.0 : yp[k]) - out[k];
  }
  void jacobian(double t, const double* y, const double*, double cj, double* out) override {
    problem_.jacobian(y, t, values_.data());
    matrix_.fill(cj, out);
  }
  void start(std::vector<double>& y, std::vector<double>& yp) const override {
    y = problem_.start;
    yp.assign(y.size(), 0.0);
    form_.functions().f(y, 0.0, yp);
    for (std::size_t k = 0; k < y.size(); ++k)
      if (algebraic_[k]) yp[k] = 0.0;
  }
  std::vector<double> result(const std::vector<double>& y) const override { return y; }

 private:
  const SizedProblem& problem_;
  const Index1& form_;
  std::vector<double> values_, ones_;
  Entries identity_;
};

Outcome run_ours(const SizedProblem& problem, double tolerance, AdaptiveMethod method) {
  const Solution run = solve(problem.equations, problem.start,
                             {.span = {0.0, problem.end},
                              .adaptive = method,
                              .tolerance = {.relative = tolerance, .absolute = tolerance},
                              .keep_every = 1'000'000'000,
                              .dense = false,
                              .certificate = false});
  const auto& count = run.statistics();
  Outcome outcome{.steps = count.steps,
                  .evaluations = count.evaluations,
                  .jacobians = count.jacobians,
                  .factorisations = count.factorisations};
  if (!run.ok()) outcome.failure = name_of(run.failure().kind);
  const auto last = run.state(run.size() - 1);
  outcome.state.assign(last.begin(), last.end());
  return outcome;
}

struct Code {
  std::string name;
  std::function<Outcome(const SizedProblem&, double tolerance, double seconds)> run;
};

// driftless first, then IDA in all forms that it has for the problem, with both orderings.
std::vector<Code> codes_for(const SizedProblem& problem) {
  std::vector<Code> codes = {{"driftless", [](const SizedProblem& sized, double tolerance, double) {
                                return run_ours(sized, tolerance, AdaptiveMethod::automatic);
                              }}};
  const std::size_t forms = std::max<std::size_t>(1, problem.peers.size());
  for (std::size_t k = 0; k < forms; ++k)
    for (const auto ordering : {KluOrdering::amd, KluOrdering::colamd}) {
      const std::string form = problem.peers.empty() ? "" : problem.peers[k].name;
      const auto run = [k, ordering](const SizedProblem& sized, double tolerance, double seconds) {
        const std::unique_ptr<FullyImplicit> system =
            sized.peers.empty() ? std::make_unique<SizedSystem>(sized) : sized.peers[k].make();
        return ida(*system, 0.0, sized.end, tolerance, 0.0, seconds, ordering);
      };
      codes.push_back({fmt::format("IDA{}, KLU with {}", form, ordering == KluOrdering::amd ? "AMD" : "COLAMD"), run});
    }
  return codes;
}
constexpr double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
constexpr double errors[] = {1e-4, 1e-6};
constexpr double reference_tolerance = 1e-10, check_tolerance = 1e-9, seconds_per_run = 100.0;

// What a child tells, followed by the state.
struct Told {
  char failure[64] = {};
  double seconds = 0.0;
  std::size_t steps = 0, factorisations = 0, unknowns = 0;
};

struct Run {
  Told told;
  Vector state;
  double megabytes = 0.0;
};

bool write_all(int to, const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = write(to, from, bytes);
    if (written <= 0) return false;
    from += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int from, void* data, std::size_t bytes) {
  char* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = read(from, to, bytes);
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

[[noreturn]] void work_in_child(int to, const SizedFamily& family, std::size_t unknowns, const Code& code,
                                double tolerance) {
  const SizedProblem problem = family.make(unknowns);
  const double begin = processor_time();
  const Outcome outcome = code.run(problem, tolerance, seconds_per_run);
  Told told;
  told.seconds = processor_time() - begin;
  std::strncpy(told.failure, outcome.failure.c_str(), sizeof told.failure - 1);
  told.steps = outcome.steps;
  told.factorisations = outcome.factorisations;
  told.unknowns = problem.start.size();
  const bool done =
      write_all(to, &told, sizeof told) && write_all(to, outcome.state.data(), outcome.state.size() * sizeof(double));
  _exit(done ? 0 : 1);
}

// Each run has a process of its own, so that its memory can be told from that of the others.
Run run_in_child(const SizedFamily& family, std::size_t unknowns, const Code& code, double tolerance) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to a child process");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    close(ends[0]);
    work_in_child(ends[1], family, unknowns, code, tolerance);
  }
  close(ends[1]);
  Run run;
  bool complete = read_all(ends[0], &run.told, sizeof run.told);
  if (complete) {
    run.state.resize(run.told.unknowns);
    complete = read_all(ends[0], run.state.data(), run.state.size() * sizeof(double));
  }
  close(ends[0]);
  rusage usage;
  wait4(child, nullptr, 0, &usage);
  run.megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  if (!complete) std::strcpy(run.told.failure, "ended without an answer");
  return run;
}

double difference(const Vector& a, const Vector& b, std::size_t compared) {
  double largest = 0.0;
  for (std::size_t k = 0; k < (compared > 0 ? compared : a.size()); ++k)
    largest = std::max(largest, std::abs(a[k] - b[k]) / std::max(1.0, std::abs(b[k])));
  return largest;
}

struct Measured {
  Entry entry;
  double megabytes = 0.0;
};

Measured measure(const SizedFamily& family, std::size_t unknowns, const Code& code, const Vector& reference,
                 std::size_t compared) {
  Measured measured{.entry = {.code = code.name}};
  for (const double tolerance : tolerances) {
    const Run run = run_in_child(family, unknowns, code, tolerance);
    Row& row = measured.entry.rows.emplace_back();
    row.tolerance = tolerance;
    row.failure = run.told.failure;
    row.steps = run.told.steps;
    row.factorisations = run.told.factorisations;
    row.once = row.least = row.median = run.told.seconds;
    if (row.ok()) row.errors.q = difference(run.state, reference, compared);
    measured.megabytes = std::max(measured.megabytes, run.megabytes);
    fmt::print(stderr, "  {:30} {:.0e}: {} {:.3g} s, {} steps, {} factorisations, error {:.1e}, {:.0f} MB\n", code.name,
               tolerance, row.failure, row.once, row.steps, row.factorisations, row.errors.q, run.megabytes);
    if (row.failure == over_time) break;  // tighter ones take longer
    const auto count = measured.entry.rows.size();
    if (row.ok() && row.errors.q < errors[1] && count > 1 && measured.entry.rows[count - 2].errors.q < errors[1]) break;
  }
  return measured;
}

std::string time_at(const Measured& measured, double error) {
  const auto at = at_error(measured.entry, error, Quantity::q);
  return at ? fmt::format("{:.3g}", at->seconds) : "-";
}

void compare(const SizedFamily& family, std::size_t unknowns) {
  const SizedProblem problem = family.make(unknowns);
  const std::size_t size = problem.start.size();
  const std::vector<Code> codes = codes_for(problem);
  Vector reference;
  std::string trust = "closed form";
  if (problem.exact) {
    reference = problem.exact();
  } else {
    reference = run_in_child(family, unknowns, codes[0], reference_tolerance).state;
    const Run other = run_in_child(family, unknowns, codes.back(), check_tolerance);
    trust = other.told.failure[0] ? fmt::format("IDA: {}", other.told.failure)
                                  : fmt::format("{:.0e}", difference(other.state, reference, problem.compared));
  }
  fmt::print(stderr, "{} with {} unknowns; reference: {}\n", family.name, size, trust);
  for (const Code& code : codes) {
    if (&code != codes.data() && !ida_is_here()) continue;
    const Measured measured = measure(family, unknowns, code, reference, problem.compared);
    fmt::print("| {} | {} | {} |", family.name, size, code.name);
    for (const double error : errors) fmt::print(" {} |", time_at(measured, error));
    fmt::print(" {:.0f} | {} |\n", measured.megabytes, trust);
    std::fflush(stdout);
  }
}

const SizedFamily& family_of(const std::string& name) {
  for (const SizedFamily& family : sized_families())
    if (family.name == name) return family;
  throw std::runtime_error(fmt::format("there is no problem {}", name));
}

void run_once(const SizedFamily& family, std::size_t unknowns, double tolerance, AdaptiveMethod method) {
  const SizedProblem problem = family.make(unknowns);
  const double begin = processor_time();
  const Outcome outcome = run_ours(problem, tolerance, method);
  fmt::print("{} with {} unknowns, {:g}: {} {:.4g} s, {} steps, {} evaluations, {} Jacobians, {} factorisations\n",
             family.name, problem.start.size(), tolerance, outcome.failure, processor_time() - begin, outcome.steps,
             outcome.evaluations, outcome.jacobians, outcome.factorisations);
}

void run(int count, char** words) {
  std::vector<std::size_t> sizes;
  for (int k = 2; k < count; ++k) sizes.push_back(std::stoul(words[k]));
  if (sizes.empty()) sizes = {100, 1000, 10'000, 100'000};
  if (count > 1) family_of(words[1]);
  fmt::print("| problem | unknowns | code | s at error 1e-4 | s at error 1e-6 | MB | reference |\n");
  fmt::print("|---|--:|---|--:|--:|--:|--:|\n");
  for (const SizedFamily& family : sized_families()) {
    if (count > 1 && std::string(words[1]) != family.name) continue;
    for (const std::size_t unknowns : sizes) compare(family, unknowns);
  }
}

}  // namespace
}  // namespace bench

int main(int count, char** words) {
  try {
    using enum driftless::AdaptiveMethod;
    if (count >= 5 && std::string(words[1]) == "--once")
      bench::run_once(bench::family_of(words[2]), std::stoul(words[3]), std::stod(words[4]),
                      count > 5 && std::string(words[5]) == "radau" ? radau : automatic);
    else
      bench::run(count, words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "driftless_bench_sizes: {}\n", error.what());
    return 1;
  }
}
