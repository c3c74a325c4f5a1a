// Example 4.1 of Higueras and Soderlind 2003 on small meshes: how two temperatures approach each other.
#pragma once

#include <string>
#include <vector>

#include "driftless/analysis/stability/contraction.h"

namespace reproduce {

struct HeatRun {
  std::string method, mesh;
  std::size_t unknowns = 0;
  driftless::Contraction contraction;
};
std::vector<HeatRun> heat_runs();

}  // namespace reproduce
