#include "apps/driftless/reproduce/experiment.h"

namespace reproduce {

using driftless::ConstraintLevel;

// First steps are not in the paper; they change the counts by far less than what separates those of the pendulum from
// ours, and from RADAU5's own (docs/measurements.md). 1e-3 and 1e-6 are those of the runs of RADAU5.
std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = {
      {.item = "table1",
       .title = "Pendulum (4.1), t in [0, 20]",
       .problem = "pendulum_schropp",
       .end = 20.0,
       .first_step = 1e-3,
       .level = ConstraintLevel::position,
       .paper = {{1e-6, {2966, 276}, {2580, 238}, {2766, 258}, {2459, 220}},
                 {1e-8, {6217, 570}, {4996, 481}, {5447, 533}, {4577, 442}},
                 {1e-10, {12979, 1124}, {9963, 956}, {10680, 1100}, {9143, 898}},
                 {1e-12, {24531, 2225}, {20576, 1912}, {22652, 2218}, {19072, 1808}}}},
      {.item = "table2",
       .title = "Andrews' squeezing mechanism (4.3), t in [0, 0.05]",
       .problem = "andrews_squeezer",
       .end = 0.05,
       .first_step = 1e-6,
       .level = ConstraintLevel::position_with_accelerations,
       .paper = {{1e-6, {2147, 138}, {2073, 131}, {2161, 142}, {1952, 122}},
                 {1e-8, {3429, 241}, {3251, 227}, {3421, 238}, {3144, 221}},
                 {1e-10, {6098, 472}, {5760, 447}, {6121, 472}, {5760, 447}},
                 {1e-12, {12078, 984}, {11190, 926}, {12031, 981}, {11192, 926}}}},
  };
  return all;
}

const Experiment& pendulum() { return experiments()[0]; }
const Experiment& andrews() { return experiments()[1]; }

driftless::AdaptiveOptions classic_options(const Experiment& experiment, bool projected) {
  driftless::AdaptiveOptions options{.stepping = {.first = experiment.first_step},
                                     .radau = driftless::classic_radau5(projected)};
  options.radau.level = experiment.level;
  return options;
}

}  // namespace reproduce
