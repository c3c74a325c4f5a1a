// What happened step by step, for those who want to look at it: kept only if SolveOptions::history asks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace driftless {

struct StepRecord {
  double time = 0.0;  // where it ended
  double h = 0.0;
  int order = 0;                               // of the method
  std::size_t newton_iterations = 0;           // those of rejected attempts before it included
  std::array<double, 3> residual = {0, 0, 0};  // of the constraint and of its derivatives, max norm
};

enum class RejectionCause { error, newton, projection };

struct Rejection {
  double time = 0.0;  // where the attempt began
  double h = 0.0;     // how far it went
  RejectionCause cause = RejectionCause::error;
};

struct StepHistory {
  std::vector<StepRecord> steps;
  std::vector<Rejection> rejections;
};

}  // namespace driftless
