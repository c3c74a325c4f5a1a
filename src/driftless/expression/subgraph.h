// The part of a graph that some expressions reach, as a list: children before parents.
#pragma once

#include <span>
#include <unordered_set>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

class Subgraph {
 public:
  struct Entry {
    Expr node;
    int children;            // 0 for a leaf
    std::uint32_t child[3];  // positions in the list
  };

  // Work proportional to what is reached: the marks are kept per thread and told apart by a counter. `leaves` are not
  // looked into, unless they are roots.
  Subgraph(const Graph& graph, std::span<const Expr> roots, const std::unordered_set<std::uint32_t>& leaves = {});

  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::size_t position) const { return entries_[position]; }
  std::uint32_t root(std::size_t k) const { return roots_[k]; }
  std::span<const std::uint32_t> roots() const { return roots_; }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> roots_;
};

}  // namespace driftless
