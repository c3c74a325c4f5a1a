#include "testset/heat/heat_hierarchy.h"

#include <algorithm>
#include <cmath>

namespace driftless::testset {

namespace {

constexpr std::uint32_t nobody = 0xffffffff;
constexpr double least_share = 0.05;  // where centres nearly coincide

// A level while the next one is made.
struct Graph {
  Vector x, y, volume, capacity;  // centres; empty if the mesh does not tell them
  std::vector<std::uint32_t> begin, neighbour;
  Vector conductance, distance, normal_x, normal_y;  // by entry: the normal of the faces between the cells

  std::size_t cells() const { return volume.size(); }
};

struct Half {  // one side of a face
  std::uint32_t neighbour;
  double conductance, distance, normal_x, normal_y;
};

// Several faces between two cells become one, at their mean distance.
void add(std::vector<Half>& halves, const Half& one) {
  const auto found = std::ranges::find(halves, one.neighbour, &Half::neighbour);
  if (found == halves.end()) {
    halves.push_back(one);
    return;
  }
  const double sum = found->conductance + one.conductance;
  const auto mean = [&](double& of, double with) {
    if (sum > 0.0) of = (found->conductance * of + one.conductance * with) / sum;
  };
  mean(found->distance, one.distance);
  mean(found->normal_x, one.normal_x);
  mean(found->normal_y, one.normal_y);
  found->conductance = sum;
}

struct Parents {
  std::vector<std::uint32_t> of;
  std::size_t count = 0;
};

// Each cell with the free neighbour to which it is coupled most; one without a free neighbour stays alone.
Parents pairs_in(const Graph& graph) {
  Parents parents{.of = std::vector<std::uint32_t>(graph.cells(), nobody)};
  for (std::uint32_t i = 0; i < graph.cells(); ++i) {
    if (parents.of[i] != nobody) continue;
    std::uint32_t best = nobody;
    double strongest = 0.0;
    for (std::uint32_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      if (parents.of[graph.neighbour[e]] != nobody || graph.conductance[e] <= strongest * (1.0 + 1e-9)) continue;
      strongest = graph.conductance[e];
      best = graph.neighbour[e];
    }
    parents.of[i] = static_cast<std::uint32_t>(parents.count);
    if (best != nobody) parents.of[best] = parents.of[i];
    ++parents.count;
  }
  return parents;
}

// Cells of the finer graph, sorted by their parents.
struct Children {
  std::vector<std::uint32_t> begin, cell;
};
Children children_of(const Parents& parents) {
  Children result{.begin = std::vector<std::uint32_t>(parents.count + 1, 0),
                  .cell = std::vector<std::uint32_t>(parents.of.size())};
  for (const std::uint32_t p : parents.of) ++result.begin[p + 1];
  for (std::size_t k = 0; k < parents.count; ++k) result.begin[k + 1] += result.begin[k];
  std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::uint32_t i = 0; i < parents.of.size(); ++i) result.cell[next[parents.of[i]]++] = i;
  return result;
}

void join_cells(const Graph& fine, const Parents& parents, Graph& coarse) {
  coarse.volume.assign(parents.count, 0.0);
  coarse.capacity.assign(parents.count, 0.0);
  const bool centres = !fine.x.empty();
  if (centres) coarse.x.assign(parents.count, 0.0), coarse.y.assign(parents.count, 0.0);
  for (std::size_t i = 0; i < fine.cells(); ++i) {
    const std::uint32_t p = parents.of[i];
    coarse.volume[p] += fine.volume[i];
    coarse.capacity[p] += fine.capacity[i];
    if (centres) coarse.x[p] += fine.volume[i] * fine.x[i], coarse.y[p] += fine.volume[i] * fine.y[i];
  }
  for (std::size_t p = 0; centres && p < parents.count; ++p)
    coarse.x[p] /= coarse.volume[p], coarse.y[p] /= coarse.volume[p];
}

// Centres of long cells may be far apart along their faces, too; only what lies across counts.
void set_apart(const Graph& graph, std::uint32_t cell, Half& half) {
  const double length = std::hypot(half.normal_x, half.normal_y);
  if (!(length > 0.0)) return;
  half.normal_x /= length;
  half.normal_y /= length;
  const double across = (graph.x[half.neighbour] - graph.x[cell]) * half.normal_x +
                        (graph.y[half.neighbour] - graph.y[cell]) * half.normal_y;
  half.distance = std::clamp(across, half.distance, half.distance / least_share);
}

Graph coarsened(const Graph& fine, const Parents& parents) {
  Graph coarse;
  join_cells(fine, parents, coarse);
  const Children children = children_of(parents);
  coarse.begin = {0};
  std::vector<Half> halves;
  for (std::uint32_t p = 0; p < parents.count; ++p) {
    halves.clear();
    for (std::uint32_t c = children.begin[p]; c < children.begin[p + 1]; ++c) {
      const std::uint32_t i = children.cell[c];
      for (std::uint32_t e = fine.begin[i]; e < fine.begin[i + 1]; ++e)
        if (const std::uint32_t other = parents.of[fine.neighbour[e]]; other != p)
          add(halves, {other, fine.conductance[e], fine.distance[e], fine.normal_x[e], fine.normal_y[e]});
    }
    std::ranges::sort(halves, {}, &Half::neighbour);
    for (Half& half : halves) {
      const double before = half.distance;
      if (!coarse.x.empty()) set_apart(coarse, p, half);
      coarse.neighbour.push_back(half.neighbour);
      coarse.distance.push_back(half.distance);
      coarse.conductance.push_back(half.conductance * before / half.distance);
      coarse.normal_x.push_back(half.normal_x);
      coarse.normal_y.push_back(half.normal_y);
    }
    coarse.begin.push_back(static_cast<std::uint32_t>(coarse.neighbour.size()));
  }
  return coarse;
}

void find_after(HeatLevel& level) {
  level.after.clear();
  for (std::uint32_t i = 0; i < level.cells(); ++i) {
    std::uint32_t e = level.begin[i];
    while (e < level.begin[i + 1] && level.neighbour[e] < i) ++e;
    level.after.push_back(e);
  }
}

HeatLevel level_of(const Graph& graph) {
  HeatLevel level;
  level.capacity = graph.capacity;
  level.begin = graph.begin;
  level.neighbour = graph.neighbour;
  find_after(level);
  return level;
}

template <class Adjacency>
std::uint32_t entry_of(const Adjacency& graph, std::uint32_t cell, std::uint32_t neighbour) {
  const auto begin = graph.neighbour.begin() + graph.begin[cell], end = graph.neighbour.begin() + graph.begin[cell + 1];
  return static_cast<std::uint32_t>(std::lower_bound(begin, end, neighbour) - graph.neighbour.begin());
}

HeatLevel level_of(const HeatMesh& mesh, const Vector& capacity) {
  std::vector<std::uint32_t> first(mesh.cells() + 1, 0);
  for (const HeatFace& face : mesh.faces)
    if (face.right != no_cell) ++first[face.left + 1], ++first[face.right + 1];
  for (std::size_t i = 0; i < mesh.cells(); ++i) first[i + 1] += first[i];
  std::vector<std::uint32_t> all(first.back()), next(first.begin(), first.end() - 1);
  for (const HeatFace& face : mesh.faces) {
    if (face.right == no_cell) continue;
    all[next[face.left]++] = face.right;
    all[next[face.right]++] = face.left;
  }
  HeatLevel level;
  level.capacity = capacity;
  level.begin = {0};
  for (std::size_t i = 0; i < mesh.cells(); ++i) {
    const auto begin = all.begin() + first[i], end = all.begin() + first[i + 1];
    std::sort(begin, end);
    level.neighbour.insert(level.neighbour.end(), begin, std::unique(begin, end));
    level.begin.push_back(static_cast<std::uint32_t>(level.neighbour.size()));
  }
  find_after(level);
  return level;
}

// All conductivities are 1: cells are joined by their shape alone.
Graph graph_of(const HeatMesh& mesh, const HeatHierarchy& hierarchy) {
  const HeatLevel& level = hierarchy.levels.front();
  Graph graph;
  if (mesh.x.size() == mesh.cells() && mesh.y.size() == mesh.cells()) {
    graph.x = mesh.x;
    graph.y = mesh.y;
  }
  graph.volume = mesh.volume;
  graph.capacity = level.capacity;
  graph.begin = level.begin;
  graph.neighbour = level.neighbour;
  graph.conductance.assign(level.neighbour.size(), 0.0);
  graph.distance.assign(level.neighbour.size(), 0.0);
  graph.normal_x.assign(level.neighbour.size(), 0.0);
  graph.normal_y.assign(level.neighbour.size(), 0.0);
  for (std::size_t k = 0; k < mesh.faces.size(); ++k) {
    if (mesh.faces[k].right == no_cell) continue;
    for (const std::uint32_t e : {hierarchy.left_entry[k], hierarchy.right_entry[k]}) {
      graph.conductance[e] += mesh.faces[k].area / mesh.faces[k].distance;
      graph.distance[e] = mesh.faces[k].distance;
    }
  }
  for (std::uint32_t i = 0; i < level.cells() && !graph.x.empty(); ++i)
    for (std::uint32_t e = level.begin[i]; e < level.begin[i + 1]; ++e) {
      const double x = mesh.x[level.neighbour[e]] - mesh.x[i], y = mesh.y[level.neighbour[e]] - mesh.y[i];
      const double length = std::hypot(x, y);
      graph.normal_x[e] = length > 0.0 ? x / length : 0.0;
      graph.normal_y[e] = length > 0.0 ? y / length : 0.0;
    }
  return graph;
}

void link(HeatLevel& level, const Graph& fine, const Parents& parents, const Graph& coarse) {
  level.parent = parents.of;
  level.target.assign(fine.neighbour.size(), HeatLevel::inside);
  level.share.assign(fine.neighbour.size(), 0.0f);
  for (std::uint32_t i = 0; i < fine.cells(); ++i)
    for (std::uint32_t e = fine.begin[i]; e < fine.begin[i + 1]; ++e) {
      const std::uint32_t p = parents.of[i], other = parents.of[fine.neighbour[e]];
      if (p == other) continue;
      level.target[e] = entry_of(coarse, p, other);
      level.share[e] = static_cast<float>(fine.distance[e] / coarse.distance[level.target[e]]);
    }
}

}  // namespace

std::size_t HeatLevel::bytes() const {
  return capacity.size() * sizeof(double) + share.size() * sizeof(float) +
         (begin.size() + neighbour.size() + after.size() + parent.size() + target.size()) * sizeof(std::uint32_t);
}

std::size_t HeatHierarchy::bytes() const {
  std::size_t sum = (left_entry.size() + right_entry.size()) * sizeof(std::uint32_t);
  for (const HeatLevel& level : levels) sum += level.bytes();
  return sum;
}

HeatHierarchy::HeatHierarchy(const HeatMesh& mesh, const Vector& capacity, std::size_t coarsest, std::size_t most) {
  levels.push_back(level_of(mesh, capacity));
  for (const HeatFace& face : mesh.faces) {
    const bool wall = face.right == no_cell;
    left_entry.push_back(wall ? HeatLevel::inside : entry_of(levels[0], face.left, face.right));
    right_entry.push_back(wall ? HeatLevel::inside : entry_of(levels[0], face.right, face.left));
  }
  Graph graph = graph_of(mesh, *this);
  while (levels.size() <= most && graph.cells() > coarsest) {
    Parents parents = pairs_in(graph);
    const Parents again = pairs_in(coarsened(graph, parents));
    if (2 * again.count > graph.cells()) break;  // hardly coupled: nothing is gained
    for (std::uint32_t& p : parents.of) p = again.of[p];
    parents.count = again.count;
    Graph coarse = coarsened(graph, parents);
    link(levels.back(), graph, parents, coarse);
    levels.push_back(level_of(coarse));
    graph = std::move(coarse);
  }
}

}  // namespace driftless::testset
