#include "testset/heat/heat_mesh.h"

#include <fmt/format.h>

#include <cmath>

#include "driftless/core/failure.h"

namespace driftless::testset {

namespace {

void require_ascending(const Vector& edges) {
  if (edges.size() < 2) throw Misuse("a mesh needs at least one cell, that is two edges");
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (!(edges[i] > edges[i - 1]))
      throw Misuse(fmt::format("the edges of a mesh must ascend, but number {} does not", i));
}

double centre(const Vector& edges, std::size_t i) { return 0.5 * (edges[i] + edges[i + 1]); }
double width(const Vector& edges, std::size_t i) { return edges[i + 1] - edges[i]; }

}  // namespace

Vector uniform_edges(std::size_t n, double begin, double end) {
  Vector edges;
  for (std::size_t i = 0; i <= n; ++i)
    edges.push_back(begin + (end - begin) * static_cast<double>(i) / static_cast<double>(n));
  return edges;
}

Vector graded_edges(std::size_t n, double ratio, double begin, double end) {
  if (!(ratio > 0.0)) throw Misuse("the ratio of the last to the first spacing must be positive");
  const double factor = n > 1 ? std::pow(ratio, 1.0 / static_cast<double>(n - 1)) : 1.0;
  Vector edges = {0.0};
  double spacing = 1.0;
  for (std::size_t i = 0; i < n; ++i, spacing *= factor) edges.push_back(edges.back() + spacing);
  const double length = edges.back();
  for (double& x : edges) x = begin + (end - begin) * x / length;
  return edges;
}

HeatMesh interval_mesh(const Vector& edges) { return rectangle_mesh(edges, {0.0, 1.0}); }

HeatMesh rectangle_mesh(const Vector& x_edges, const Vector& y_edges) {
  require_ascending(x_edges);
  require_ascending(y_edges);
  const std::size_t nx = x_edges.size() - 1, ny = y_edges.size() - 1;
  HeatMesh mesh;
  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t i = 0; i < nx; ++i) {
      mesh.volume.push_back(width(x_edges, i) * width(y_edges, j));
      mesh.x.push_back(centre(x_edges, i));
      mesh.y.push_back(centre(y_edges, j));
    }
  const auto cell = [&](std::size_t i, std::size_t j) { return static_cast<std::uint32_t>(i + nx * j); };
  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t i = 0; i < nx; ++i) {
      if (i + 1 < nx)
        mesh.faces.push_back({.left = cell(i, j),
                              .right = cell(i + 1, j),
                              .area = width(y_edges, j),
                              .distance = centre(x_edges, i + 1) - centre(x_edges, i),
                              .x = x_edges[i + 1],
                              .y = centre(y_edges, j)});
      if (j + 1 < ny)
        mesh.faces.push_back({.left = cell(i, j),
                              .right = cell(i, j + 1),
                              .area = width(x_edges, i),
                              .distance = centre(y_edges, j + 1) - centre(y_edges, j),
                              .x = centre(x_edges, i),
                              .y = y_edges[j + 1]});
    }
  return mesh;
}

void add_left_wall(HeatMesh& mesh, const Vector& x_edges, const Vector& y_edges, double temperature) {
  const std::size_t nx = x_edges.size() - 1, ny = y_edges.size() - 1;
  for (std::size_t j = 0; j < ny; ++j)
    mesh.faces.push_back({.left = static_cast<std::uint32_t>(nx * j),
                          .right = no_cell,
                          .area = width(y_edges, j),
                          .distance = 0.5 * width(x_edges, 0),
                          .x = x_edges[0],
                          .y = centre(y_edges, j),
                          .outside = temperature});
}

void require_valid(const HeatMesh& mesh) {
  const std::size_t n = mesh.cells();
  if (n == 0) throw Misuse("a mesh needs at least one cell");
  for (std::size_t i = 0; i < n; ++i)
    if (!(mesh.volume[i] > 0.0)) throw Misuse(fmt::format("cell {} has the volume {}", i, mesh.volume[i]));
  for (std::size_t k = 0; k < mesh.faces.size(); ++k) {
    const HeatFace& face = mesh.faces[k];
    if (face.left >= n || (face.right != no_cell && face.right >= n) || face.left == face.right)
      throw Misuse(fmt::format("face {} joins cells {} and {} of {}", k, face.left, face.right, n));
    if (!(face.area > 0.0) || !(face.distance > 0.0))
      throw Misuse(fmt::format("face {} has the area {} and the distance {}", k, face.area, face.distance));
  }
}

}  // namespace driftless::testset
