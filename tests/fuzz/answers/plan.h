// Which pieces a model is made of: what a seed stands for, and what is made smaller when a model fails.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model.h"

namespace driftless::fuzz {

struct Piece {
  std::size_t kind;  // of the table of pieces
  std::uint64_t seed;
  int size;
};

struct Plan {
  std::uint64_t seed = 0;
  std::vector<Piece> pieces = {};
  double end = 1.0;
  bool all_fixed = true, clocks = false, aliases = false, couplings = false, units = false, varied = true;
};

struct Made {
  Model model;
  std::string text;
};

// With pieces of one kind alone, if it is named.
Plan plan_for(std::uint64_t seed, const std::string& kind = {});
bool is_kind(const std::string& name);
Made make(const Plan& plan);
std::string describe(const Plan& plan);
// Plans with less in them, those that leave out most first.
std::vector<Plan> smaller(const Plan& plan);

}  // namespace driftless::fuzz
