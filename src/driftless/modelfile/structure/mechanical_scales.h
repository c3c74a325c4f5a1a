// Constants d_i and k_j that make the rows of M v' + B lambda = F and the constraints g fit together: d M is symmetric
// and positive definite, and d B = G^T k. Decided by numbers at several points.
#pragma once

#include "driftless/modelfile/structure/form_plan.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

struct MechanicalScales {
  std::vector<std::uint32_t> constraint_of;  // of each multiplier
  Numbers row, constraint;                   // d by row, k by multiplier
};

// G has one row per constraint, B one per coordinate. Nothing if there are no such constants.
std::optional<MechanicalScales> find_scales(const Graph& graph, const SamplePoints& points, std::size_t coordinates,
                                            std::size_t multipliers, const SparseExpressions& mass,
                                            const SparseExpressions& reaction, const SparseExpressions& gradient);

}  // namespace driftless
