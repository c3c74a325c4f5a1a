#pragma once

#include <cstddef>

namespace bench {

// The chains of testset/chain.cpp: node 0 at the origin, the last one at (span, 0) or free.
struct ChainShape {
  std::size_t links;
  bool both_ends;
  double link_length;
  double span = 0.0;
};

}  // namespace bench
