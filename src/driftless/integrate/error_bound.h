// A bound of the error that a run of index 1 carries beside its solution. How it is found is not the integrator's
// business: a rule is handed in (logarithmic_norm_bound in analysis/stability/run_bound.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace driftless {

class Solution;

struct ErrorBound {
  struct At {
    double time = 0.0;
    double differential = 0.0, algebraic = 0.0;  // of |P e| and |Q e|
    double total() const { return differential + algebraic; }
  };
  enum class Residual { differential, constraint };

  std::string norm;
  std::vector<At> at;        // one for each state of the solution
  double valid_until = 0.0;  // bounds hold up to this time
  bool valid = false;        // to the end
  bool certain = false;      // what it rests on is proved; else sampled
  Residual dominant = Residual::differential;
  double constraint_share = 0.0;  // of the bound at the last valid time, from 0 to 1
  std::string verdict;            // in words
};
const char* name_of(ErrorBound::Residual residual);

using ErrorBoundRule = std::function<ErrorBound(const Solution&)>;

}  // namespace driftless
