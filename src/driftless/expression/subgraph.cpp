#include "driftless/expression/subgraph.h"

#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/per_thread.h"
#include "driftless/core/stop.h"

namespace driftless {

namespace {

struct Mark {
  std::uint32_t epoch = 0;
  std::uint32_t position = 0;
};

// Marks of all nodes of the largest graph seen by this thread; those of an older epoch do not count.
class Marks {
 public:
  void start(std::size_t nodes) {
    if (marks_.size() < nodes) marks_.resize(nodes);
    if (epoch_ == std::numeric_limits<std::uint32_t>::max()) {
      marks_.assign(marks_.size(), {});
      epoch_ = 0;
    }
    ++epoch_;
  }
  bool has(std::uint32_t id) const { return marks_[id].epoch == epoch_; }
  std::uint32_t position(std::uint32_t id) const { return marks_[id].position; }
  void set(std::uint32_t id, std::uint32_t position) { marks_[id] = {epoch_, position}; }

 private:
  std::vector<Mark> marks_;
  std::uint32_t epoch_ = 0;
};

struct Visit {
  std::uint32_t id;
  std::int32_t arity, next_child;
};

// What each walk begins with; its memory stays for the next one.
struct Walk {
  Marks marks;
  std::vector<Visit> path;
};

}  // namespace

// Depth first without recursion, as formulas may be as deep as they are long.
Subgraph::Subgraph(const Graph& graph, std::span<const Expr> roots, const std::unordered_set<std::uint32_t>& leaves) {
  auto& [marks, path] = per_thread<Walk>();
  marks.start(graph.size());
  path.clear();
  roots_.reserve(roots.size());
  thread_local SparseCheck<4096> check;  // over all of them: many are small
  for (const Expr root : roots) {
    if (root.id >= graph.size()) throw Misuse("an expression that is not of this graph");
    if (!marks.has(root.id)) path.push_back({root.id, arity(graph.op(root)), 0});
    check();
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.next_child < visit.arity) {
        const Expr child = graph.child({visit.id}, visit.next_child++);
        const bool is_leaf = !leaves.empty() && leaves.contains(child.id);
        if (!marks.has(child.id)) path.push_back({child.id, is_leaf ? 0 : arity(graph.op(child)), 0});
        continue;
      }
      Entry entry{{visit.id}, visit.arity, {0, 0, 0}};
      for (int k = 0; k < visit.arity; ++k) entry.child[k] = marks.position(graph.child(entry.node, k).id);
      marks.set(visit.id, static_cast<std::uint32_t>(entries_.size()));
      entries_.push_back(entry);
      check();
      path.pop_back();
    }
    roots_.push_back(marks.position(root.id));
  }
}

}  // namespace driftless
