// Which values each run of a study gets. Those of run i follow from the design and i alone, whoever computes them, in
// whatever order, on however many machines.
#pragma once

#include <cstdint>

#include "driftless/study/variation.h"

namespace driftless {

enum class SampleRule { latin, sobol, random };
enum class Combination { grid, in_step };

struct DesignOptions {
  std::vector<Variation> variations = {};
  Combination combination = Combination::grid;  // of the lists: all with all, or the first with the first, ...
  std::size_t samples = 0;                      // of what is drawn, at each point of the lists
  SampleRule sampling = SampleRule::latin;
  std::uint64_t seed = 0;
  // Rows of values that belong together, as one more list.
  std::vector<std::string> table_names = {};
  std::vector<Vector> table = {};
};

class StudyDesign {
 public:
  explicit StudyDesign(DesignOptions options);  // Misuse for what does not fit together

  std::size_t size() const { return size_; }
  const std::vector<std::string>& names() const { return names_; }
  // In the order of the names. The last list varies fastest, and samples faster still.
  Vector values(std::size_t run) const;

 private:
  std::size_t points_of(const Variation& variation) const;

  DesignOptions options_;
  std::vector<std::string> names_;
  std::size_t size_ = 1, samples_ = 1;
};

}  // namespace driftless
