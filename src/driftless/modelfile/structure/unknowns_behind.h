// How many unknowns of the solver stand behind one that is computed from others: exactly while they are few, as in a
// long chain x[i+1] = 4 x[i] - x[i-1], where all follow from two; from above, counted again for each way, where they
// are many.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "driftless/modelfile/structure/reduction_state.h"

namespace driftless {

class UnknownsBehind {
 public:
  explicit UnknownsBehind(std::size_t unknowns) : names_(unknowns), count_(unknowns, 1.0) {}

  double count(std::uint32_t unknown) const { return count_[unknown]; }

  // `own` is computed from the other unknowns of a row.
  void define(std::uint32_t own, const std::vector<Occurrence>& row) {
    std::vector<std::uint32_t> all;
    double sum = 0.0;
    bool few = true;
    for (const Occurrence& o : row) {
      if (o.unknown == own || count_[o.unknown] == 0.0) continue;
      sum += count_[o.unknown];
      if (names_[o.unknown].empty()) {
        few &= count_[o.unknown] == 1.0;
        all.push_back(o.unknown);
      } else {
        all.insert(all.end(), names_[o.unknown].begin(), names_[o.unknown].end());
      }
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    few &= all.size() <= most_names;
    count_[own] = few ? static_cast<double>(all.size()) : sum;
    names_[own] = few ? std::move(all) : std::vector<std::uint32_t>();
  }

  // `own` is left to the solver.
  void keep(std::uint32_t own) {
    count_[own] = 1.0;
    names_[own].clear();
  }

 private:
  static constexpr std::size_t most_names = 16;
  std::vector<std::vector<std::uint32_t>> names_;  // empty: not computed, or computed from more
  std::vector<double> count_;
};

}  // namespace driftless
