// Lets the program, or the library, read a file, and judges how that ends.
#pragma once

#include <random>

#include "corpus.h"

namespace driftless::fuzz_results {

struct Reading {
  bool accepted = false;  // as if nothing were wrong with it
  std::string complaint;  // about the program
};

Reading read(const Sample& sample, const std::string& bytes, const std::string& program, unsigned seconds,
             std::mt19937_64& random);

}  // namespace driftless::fuzz_results
