// Coarser and coarser meshes for the multilevel solution of heat conduction: cells are joined in pairs along their
// strongest coupling, twice per level, so that each cell of a level is made of up to four of the finer one.
#pragma once

#include <cstdint>
#include <vector>

#include "testset/heat/heat_mesh.h"

namespace driftless::testset {

// Entries are the neighbours of all cells, one cell after the other.
struct HeatLevel {
  static constexpr std::uint32_t inside = 0xffffffff;

  Vector capacity;
  std::vector<std::uint32_t> begin, neighbour;  // by cell and one more; by entry, ascending for each cell
  std::vector<std::uint32_t> after;             // by cell: the first entry with a greater cell

  // To the next coarser level; empty at the last one.
  std::vector<std::uint32_t> parent;  // by cell
  std::vector<std::uint32_t> target;  // by entry: the entry that it becomes part of, or `inside` one cell
  std::vector<float> share;           // by entry: distance of the cells / distance of their parents

  std::size_t cells() const { return capacity.size(); }
  std::size_t bytes() const;
};

struct HeatHierarchy {
  // As many levels as `coarsest` cells or `most` coarsenings allow.
  HeatHierarchy(const HeatMesh& mesh, const Vector& capacity, std::size_t coarsest, std::size_t most);

  std::vector<HeatLevel> levels;  // the mesh itself first
  // Where a face of the mesh is in its level: the entries of its left and of its right cell; `inside` for a wall.
  std::vector<std::uint32_t> left_entry, right_entry;
  std::size_t bytes() const;
};

}  // namespace driftless::testset
