// Files with a few slips in them.
#pragma once

#include <random>

#include "corpus.h"

namespace driftless::fuzz_results {

// Bits flipped, bytes changed, left out, doubled, numbers made huge, the end cut off, parts of another file put in.
std::string spoilt(const Sample& sample, const std::vector<Sample>& corpus, std::mt19937_64& random);

}  // namespace driftless::fuzz_results
