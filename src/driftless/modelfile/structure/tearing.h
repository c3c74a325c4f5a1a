// Loops of many equations are taken apart by leaving some of their unknowns to the solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace driftless {

// At most `most` vertices of a directed graph, one after the other: the one through which most paths of two edges go
// among those that can still be on a loop, of several the first. Those without a way in or out are on none. The work is
// proportional to the edges, but for a logarithm.
std::vector<std::uint32_t> torn_vertices(const std::vector<std::vector<std::uint32_t>>& successors, std::size_t most);

}  // namespace driftless
