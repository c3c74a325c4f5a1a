#include "bench/problems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <stdexcept>

#include "bench/mechanisms/chain.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace bench {

namespace {

using driftless::Mechanical;
namespace testset = driftless::testset;

constexpr const char* by_test_set = "test set";

struct Known {
  const char *name, *alias;
  BenchProblem (*make)();
};

void set_mechanical_ranges(BenchProblem& problem) {
  const auto& form = std::get<Mechanical>(problem.equations);
  problem.q = {0, form.q_size()};
  problem.v = {form.q_size(), form.q_size()};
  problem.lambda = {2 * form.q_size(), form.lambda_size()};
}

// A problem of the test set up to one of the times of its references.
BenchProblem from_test_set(const char* name, double end) {
  testset::Problem given = testset::problem(name);
  BenchProblem problem{.name = name,
                       .title = given.title,
                       .equations = given.equations,
                       .begin = given.begin,
                       .end = end,
                       .start = given.start,
                       .reference_source = by_test_set};
  for (const testset::Reference& reference : given.references)
    if (reference.time == end) problem.reference = reference.state;
  if (problem.reference.empty()) throw std::runtime_error(fmt::format("{} has no reference at {}", name, end));
  if (std::holds_alternative<Mechanical>(problem.equations)) set_mechanical_ranges(problem);
  return problem;
}

BenchProblem from_generator(const std::string& name, const std::string& title, driftless::Equations equations,
                            driftless::Vector start, double end) {
  BenchProblem problem{
      .name = name, .title = title, .equations = std::move(equations), .end = end, .start = std::move(start)};
  set_mechanical_ranges(problem);
  return problem;
}

// By hand, from runs with several: what the code chooses by itself is too small for the GGL form, where it drowns the
// second multiplier in rounding errors.
void set_first_steps(BenchProblem& problem, double step) {
  problem.radau_first_step = problem.multistep_first_step = step;
  problem.ggl_first_step = 10.0 * step;
}

std::unique_ptr<Mechanism> generic(const BenchProblem& problem) {
  return generic_mechanism(std::get<Mechanical>(problem.equations), problem.begin, problem.start);
}

// A mechanism written by hand, after a check that it is the same.
void use(BenchProblem& problem, std::unique_ptr<Mechanism> by_hand) {
  require_same(*generic(problem), *by_hand, problem.begin, problem.start);
  problem.mechanism = std::move(by_hand);
}

// Written by `driftless_bench --reference`: a comment, the end time, the state.
void read_reference(BenchProblem& problem) {
  const std::string path = fmt::format("{}/{}.txt", DRIFTLESS_BENCH_REFERENCES, problem.name);
  std::ifstream file(path);
  std::string comment;
  double end = 0.0, value = 0.0;
  if (!std::getline(file, comment) || !(file >> end)) return;
  if (end != problem.end) throw std::runtime_error(fmt::format("{} is for t = {}", path, end));
  while (file >> value) problem.reference.push_back(value);
  if (problem.reference.size() != problem.start.size())
    throw std::runtime_error(fmt::format("{} has the wrong number of values", path));
  problem.reference_source = comment.substr(comment.find_first_not_of("# "));
}

BenchProblem pendulum() {
  BenchProblem problem = from_test_set("pendulum_schropp", 20.0);
  use(problem, pendulum_mechanism());
  set_first_steps(problem, 1e-3);
  problem.baumgarte = {1.0, 10.0};
  return problem;
}

BenchProblem andrews() {
  BenchProblem problem = from_test_set("andrews_squeezer", 0.03);
  use(problem, andrews_mechanism());
  set_first_steps(problem, 1e-6);
  problem.baumgarte = {100.0, 1000.0};
  return problem;
}

BenchProblem car_axis() {
  BenchProblem problem = from_test_set("car_axis", 3.0);
  use(problem, car_axis_mechanism(generic(problem)));
  set_first_steps(problem, 1e-5);
  problem.baumgarte = {10.0, 100.0};
  return problem;
}

BenchProblem slider_crank() {
  BenchProblem problem = from_test_set("slider_crank_flexible_c", 0.1);
  use(problem, slider_crank_mechanism(generic(problem)));
  set_first_steps(problem, 1e-7);
  problem.baumgarte = {100.0, 1000.0};
  return problem;
}

BenchProblem fekete() {
  BenchProblem problem = from_test_set("fekete20", 1000.0);
  use(problem, fekete_mechanism());
  set_first_steps(problem, 1e-4);
  problem.baumgarte = {1.0, 10.0};
  return problem;
}

ChainShape open_shape(std::size_t n) { return {n, false, 1.0 / static_cast<double>(n)}; }

void set_chain_steps(BenchProblem& problem) {
  set_first_steps(problem, 1e-5);
  problem.baumgarte = {10.0, 100.0};
}

BenchProblem chain_10() {
  BenchProblem problem = from_test_set("chain_pendulum_10", 1.0);
  use(problem, chain_mechanism(open_shape(10)));
  set_chain_steps(problem);
  return problem;
}

BenchProblem closed_loop_6() {
  BenchProblem problem = from_test_set("closed_loop_chain_6", 1.0);
  use(problem, chain_mechanism({6, true, std::sin(std::numbers::pi / 6.0)}));
  set_chain_steps(problem);
  return problem;
}

template <std::size_t n>
BenchProblem suspended() {
  BenchProblem problem =
      from_generator(fmt::format("suspended_chain_{}", n), fmt::format("{}-link pendulum, both ends fixed", n),
                     testset::suspended_chain(n), testset::suspended_chain_start(n), n < 50 ? 2.0 : 1.0);
  use(problem, chain_mechanism({n, true, 1.0 / static_cast<double>(n), testset::suspended_chain_span}));
  set_chain_steps(problem);
  read_reference(problem);
  return problem;
}

BenchProblem mms_index3() {
  BenchProblem problem = from_test_set("mms_index3_nonautonomous", 3.0);
  use(problem, mms_index3_mechanism(generic(problem)));
  set_first_steps(problem, 1e-4);
  problem.baumgarte = {10.0};
  return problem;
}

BenchProblem stiff_double_pendulum() {
  BenchProblem problem =
      from_generator("stiff_double_pendulum", "Double pendulum with a stiff damped spring",
                     testset::stiff_double_pendulum(1e6, 1e3), testset::stiff_double_pendulum_start(), 10.0);
  use(problem, stiff_double_pendulum_mechanism(1e6, 1e3, generic(problem)));
  set_first_steps(problem, 1e-4);
  problem.baumgarte = {1.0, 10.0};
  read_reference(problem);
  return problem;
}

BenchProblem stiff_spring(const char* name, double epsilon) {
  BenchProblem problem = from_test_set(name, 10.0);
  problem.system = stiff_spring_system(epsilon, false);
  problem.hinted = stiff_spring_system(epsilon, true);
  problem.q = {0, 2};
  problem.v = {2, 2};
  problem.lambda = {4, 1};
  set_first_steps(problem, 1e-4);
  return problem;
}

BenchProblem transistor() {
  BenchProblem problem = from_test_set("transistor_amplifier", 0.2);
  problem.system = transistor_system();
  problem.q = {0, 8};
  problem.radau_first_step = 1e-6;
  return problem;
}

BenchProblem hlr_index2() {
  BenchProblem problem = from_test_set("hlr_index2", 1.0);
  problem.system = hlr_index2_system();
  problem.q = {0, 2};
  problem.lambda = {2, 1};
  set_first_steps(problem, 1e-3);
  return problem;
}

constexpr Known known[] = {
    {"pendulum", "pendulum_schropp", pendulum},
    {"andrews", "andrews_squeezer", andrews},
    {"car_axis", "car_axis", car_axis},
    {"slider_crank", "slider_crank_flexible_c", slider_crank},
    {"fekete", "fekete20", fekete},
    {"chain_10", "chain_pendulum_10", chain_10},
    {"closed_loop_6", "closed_loop_chain_6", closed_loop_6},
    {"suspended_chain_5", "n_link_5", suspended<5>},
    {"suspended_chain_10", "n_link_10", suspended<10>},
    {"suspended_chain_20", "n_link_20", suspended<20>},
    {"suspended_chain_50", "n_link_50", suspended<50>},
    {"mms_index3", "mms_index3_nonautonomous", mms_index3},
    {"stiff_double_pendulum", "stiff_mechanism", stiff_double_pendulum},
    {"stiff_spring_1e-2", "stiff_spring_pendulum_eps1e-2",
     [] { return stiff_spring("stiff_spring_pendulum_eps1e-2", 1e-2); }},
    {"stiff_spring_1e-3", "stiff_spring_pendulum_eps1e-3",
     [] { return stiff_spring("stiff_spring_pendulum_eps1e-3", 1e-3); }},
    {"transistor", "transistor_amplifier", transistor},
    {"hlr_index2", "hlr_index2", hlr_index2},
};

}  // namespace

const std::vector<std::string>& problem_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Known& one : known) all.emplace_back(one.name);
    return all;
  }();
  return names;
}

BenchProblem make_problem(const std::string& name) {
  for (const Known& one : known) {
    if (name != one.name && name != one.alias) continue;
    BenchProblem problem = one.make();
    problem.name = one.name;
    return problem;
  }
  throw std::runtime_error(
      fmt::format("no problem is called '{}'; there are {}", name, fmt::join(problem_names(), ", ")));
}

BenchProblem open_chain_problem(std::size_t links, double end) {
  BenchProblem problem = from_generator(fmt::format("chain_{}", links), fmt::format("Chain of {} links", links),
                                        testset::chain_pendulum(links), testset::chain_pendulum_start(links), end);
  problem.mechanism = chain_mechanism(open_shape(links));
  set_chain_steps(problem);
  return problem;
}

}  // namespace bench
