// The problems of the benchmark: what is integrated, to when, and what is right there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/linear_system.h"
#include "bench/mechanism.h"
#include "driftless/equations/equations.h"

namespace bench {

// Components that are judged together.
struct Range {
  std::size_t first = 0, count = 0;
};

struct BenchProblem {
  std::string name, title;
  driftless::Equations equations;
  double begin = 0.0, end = 1.0;
  driftless::Vector start = {};
  driftless::Vector reference = {};  // at the end, in layout order
  std::string reference_source = {};
  Range q = {}, v = {}, lambda = {};

  // For the peers. A mechanism or a system.
  std::shared_ptr<Mechanism> mechanism = {};
  std::shared_ptr<LinearSystem> system = {};
  std::shared_ptr<LinearSystem> hinted = {};  // the same with hints on the index for RADAU5, where that may help

  double radau_first_step = 1e-6;      // RADAU5's own default
  double multistep_first_step = 0.0;   // of IDA and DASPK; 0: chosen by them
  double ggl_first_step = 0.0;         // the same for the form of Gear, Gupta and Leimkuhler
  std::vector<double> baumgarte = {};  // rates to try
};

const std::vector<std::string>& problem_names();
// By name, or by the name that the test set has for it. Throws std::runtime_error with the known names if there is
// none.
BenchProblem make_problem(const std::string& name);

// Chains of any length, without a reference.
BenchProblem open_chain_problem(std::size_t links, double end);

}  // namespace bench
