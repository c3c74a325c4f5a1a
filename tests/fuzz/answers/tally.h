// Counts verdicts, and refusals by what they say.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "judge.h"

namespace driftless::fuzz {

class Tally {
 public:
  void count(std::uint64_t seed, const Verdict& verdict);
  // A table of the refusals with a seed for each, and one line about all.
  void print() const;
  // No wrong answer, and at most so many refusals of a hundred.
  bool passed(double percent_refused) const;

 private:
  struct Refusals {
    std::uint64_t count = 0, first_seed = 0;
  };
  std::map<std::string, Refusals> refusals_;
  std::uint64_t models_ = 0, wrong_ = 0, refused_ = 0;
  std::vector<double> errors_;
};

}  // namespace driftless::fuzz
