#include "testset/stability/index_loss_models.h"
#include "testset/stability/study.h"

namespace driftless::stability {

std::vector<IndexLossStudy> study_index_loss() {
  const Solution fold = solve(enclosed_partitioned(Fold{}, {.y = 1, .z = 1}), {1.0, 1.0}, {.span = {0.0, 2.0}});
  const Solution fading = solve(enclosed_partitioned(Fading{}, {.y = 1, .z = 1}), {0.5, std::sin(0.5)},
                                {.span = {0.0, 1.7}, .adaptive = AdaptiveMethod::radau});
  const Solution turning = solve(enclosed_partitioned(TurningConstraint{}, {.y = 2, .z = 2}), {1.0, 0.5, 1.0, 0.5},
                                 {.span = {0.0, 3.0}, .tolerance = {1e-8, 1e-10}});
  return {{"fold", 1.0, find_index_loss(fold)},
          {"fading constraint", 1.0, find_index_loss(fading)},
          {"turning constraint", 0.5 * M_PI, find_index_loss(turning)}};
}

}  // namespace driftless::stability
