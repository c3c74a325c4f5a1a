#include "driftless/simulate/model.h"

#include <algorithm>
#include <cmath>

namespace driftless {

Start start_of(const ConsistentStart& consistent, Stretch stretch) {
  Start start{.stretch = std::move(stretch), .residuals = consistent.residuals_before};
  for (const StateMove& move : consistent.moves)
    if (std::abs(move.to - move.from) > 1e-12 * std::max(1.0, std::abs(move.from)))
      start.changes.push_back({move.name, move.from, move.to});
  return start;
}

}  // namespace driftless
