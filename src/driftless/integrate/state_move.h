// A component of a state whose value had to be changed so that the constraints hold.
#pragma once

#include <string>

namespace driftless {

struct StateMove {
  std::string name;
  double from, to;
};

}  // namespace driftless
