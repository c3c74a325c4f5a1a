// Rows M v' + B lambda + f = 0 of mechanics as they come out of a text, in any order and combined with each other, and
// gradients C of constraints: combinations of the rows are looked for with M symmetric and positive definite, and B =
// C^T K with a regular K. Decided by numbers at several points.
#pragma once

#include "driftless/modelfile/structure/form_plan.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

struct DynamicRows {
  SparseExpressions mass, reaction;
  std::vector<Expr> force;  // f
  std::size_t multipliers = 0;
  std::vector<std::string> velocity_names, multiplier_names;  // for messages
};

// The forces of constraint k are C_k times sum_j K_kj lambda_j.
struct MatchedRows {
  SparseExpressions mass;
  std::vector<Expr> force;  // f, by velocity
  std::vector<Expr> mix;    // K, row by row
};

// C has one row per constraint. Nothing if there are no such combinations among those that are tried: `why_not` says
// what is wrong with the rows as they are.
std::optional<MatchedRows> match_rows(Graph& graph, const SamplePoints& points, const DynamicRows& rows,
                                      const SparseExpressions& gradient, std::string& why_not);

}  // namespace driftless
