// What long searches for changes of relations of time found in one run, so that events do not search the same times
// again as long as nothing changes that the relations read.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "driftless/core/matrix.h"
#include "driftless/expression/parameter_trace.h"

namespace driftless {

class TimeSearches {
 public:
  // Pieces of time that were looked at in all searches.
  std::size_t looks() const { return looks_; }

 private:
  friend class TimeEvents;
  // Between `from` and `to` the first change is at `root`; none: there is no change.
  struct Found {
    Vector read;  // the held values that the relation reads, its own included
    std::shared_ptr<const ParameterValues> parameters;
    double from = 0.0, to = 0.0;
    std::optional<double> root;
  };
  std::map<const void*, Found> found_;  // by relation, the last one of each
  std::size_t looks_ = 0;
};

}  // namespace driftless
