#include "driftless/modelfile/structure/tearing.h"

#include <gtest/gtest.h>

#include "driftless/modelfile/structure/incidence.h"

namespace driftless::tearing_test {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

// The largest strong component without the torn vertices.
std::size_t largest_left(const Graph& graph, const std::vector<std::uint32_t>& torn) {
  std::vector<char> gone(graph.size(), 0);
  for (const std::uint32_t k : torn) gone[k] = 1;
  Graph left(graph.size());
  for (std::uint32_t k = 0; k < graph.size(); ++k)
    for (const std::uint32_t to : graph[k])
      if (!gone[k] && !gone[to]) left[k].push_back(to);
  std::size_t largest = 0;
  for (const auto& component : strong_components(left)) largest = std::max(largest, component.size());
  return largest;
}

TEST(Tearing, OneVertexOfARing) {
  Graph ring(1000);
  for (std::uint32_t k = 0; k < ring.size(); ++k) ring[k] = {static_cast<std::uint32_t>((k + 1) % ring.size())};
  EXPECT_EQ(torn_vertices(ring, 500), std::vector<std::uint32_t>{0});
}

// Neighbours that need each other: every second one, and nothing less would do.
TEST(Tearing, EverySecondVertexOfAChain) {
  Graph chain(1001);
  for (std::uint32_t k = 0; k + 1 < chain.size(); ++k) {
    chain[k].push_back(k + 1);
    chain[k + 1].push_back(k);
  }
  const std::vector<std::uint32_t> torn = torn_vertices(chain, chain.size());
  EXPECT_EQ(torn.size(), 500u);
  EXPECT_EQ(largest_left(chain, torn), 1u);
  EXPECT_EQ(torn_vertices(chain, 10).size(), 10u);
}

TEST(Tearing, TheBusiestVertexFirst) {
  Graph star(10);  // loops through vertex 4 only
  for (std::uint32_t k = 0; k < star.size(); ++k)
    if (k != 4) {
      star[k].push_back(4);
      star[4].push_back(k);
    }
  EXPECT_EQ(torn_vertices(star, 5), std::vector<std::uint32_t>{4});
}

}  // namespace
}  // namespace driftless::tearing_test
