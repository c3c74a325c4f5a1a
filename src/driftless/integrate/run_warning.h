// What a run has to say against itself.
#pragma once

#include <string>

namespace driftless {

// Something that a run which reached its end should say about itself.
struct RunWarning {
  enum class Kind { below_absolute_tolerance } kind = Kind::below_absolute_tolerance;
  std::string text;
};

}  // namespace driftless
