// A compiled model in which relations slide.
#pragma once

#include "driftless/modelfile/compiled/compiled_model.h"
#include "driftless/modelfile/compiled/sliding_model.h"

namespace driftless {

struct SlidingModes {
  CompiledModel model;
  std::vector<SlidingSurface> surfaces;
};

}  // namespace driftless
