// Finite-volume meshes for heat conduction: cells that hold heat, and faces through which it flows between them.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "driftless/core/matrix.h"

namespace driftless::testset {

inline constexpr std::uint32_t no_cell = std::numeric_limits<std::uint32_t>::max();

// Heat flows from `left` to `right` if its flux is positive; `distance` is that of the two centres. A face without a
// cell on its right is a wall of the temperature `outside`.
struct HeatFace {
  std::uint32_t left = 0, right = no_cell;
  double area = 1.0, distance = 1.0;
  double x = 0.0, y = 0.0;  // where it is, for materials that change from place to place
  double outside = 0.0;
};

// Any mesh whose faces are (nearly) orthogonal to the lines between the centres: intervals, rectangles of any spacing,
// Voronoi cells.
struct HeatMesh {
  Vector volume;
  Vector x, y;  // centres
  std::vector<HeatFace> faces;

  std::size_t cells() const { return volume.size(); }
};

// n + 1 edges: equal spacing; or spacings that grow by `ratio` from the first to the last.
Vector uniform_edges(std::size_t n, double begin = 0.0, double end = 1.0);
Vector graded_edges(std::size_t n, double ratio, double begin = 0.0, double end = 1.0);

// Insulated at their boundary.
HeatMesh interval_mesh(const Vector& edges);
HeatMesh rectangle_mesh(const Vector& x_edges, const Vector& y_edges);

// A wall of this temperature at the left end of an interval or rectangle.
void add_left_wall(HeatMesh& mesh, const Vector& x_edges, const Vector& y_edges, double temperature);

// Misuse if sizes, indices or signs cannot be right.
void require_valid(const HeatMesh& mesh);

}  // namespace driftless::testset
