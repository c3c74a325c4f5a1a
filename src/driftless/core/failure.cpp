#include "driftless/core/failure.h"

#include <fmt/format.h>

namespace driftless {

const char* name_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::not_finite: return "not finite";
    case FailureKind::newton_did_not_converge: return "Newton iteration did not converge";
    case FailureKind::singular_matrix: return "singular matrix";
    case FailureKind::rank_deficient: return "rank-deficient constraints";
    case FailureKind::inconsistent_start: return "inconsistent start";
    case FailureKind::projection_failed: return "projection failed";
    case FailureKind::step_size_too_small: return "step size too small";
    case FailureKind::too_many_steps: return "too many steps";
    case FailureKind::diverged: return "ran away";
    case FailureKind::assumption_violated: return "an assumption does not hold";
    case FailureKind::stopped: return "stopped";
    case FailureKind::index_lost: return "index lost";
    case FailureKind::assertion_failed: return "assertion failed";
    case FailureKind::equation_violated: return "equation violated";
    case FailureKind::other_structure: return "another structure";
    case FailureKind::limit_reached: return "limit reached";
  }
  return "unknown failure";
}

std::string Failure::message() const {
  const bool quotes_lines = what_happened.find('\n') != std::string::npos;
  std::string text =
      fmt::format("{} at t = {:.9g}{}{}", name_of(kind), time, quotes_lines ? "\n" : ": ", what_happened);
  if (!where.empty()) text += fmt::format("\n  where: {}", where);
  if (!what_to_try.empty()) text += fmt::format("\n  try:   {}", what_to_try);
  return text;
}

}  // namespace driftless
