#include "driftless/modelfile/structure/tearing.h"

#include <queue>

#include "driftless/core/stop.h"

namespace driftless {

namespace {

class Tearing {
 public:
  explicit Tearing(const std::vector<std::vector<std::uint32_t>>& successors)
      : successors_(successors),
        predecessors_(successors.size()),
        in_(successors.size(), 0),
        out_(successors.size(), 0),
        gone_(successors.size(), 0) {
    for (std::uint32_t from = 0; from < successors.size(); ++from)
      for (const std::uint32_t to : successors[from]) {
        predecessors_[to].push_back(from);
        ++out_[from];
        ++in_[to];
      }
    for (std::uint32_t vertex = 0; vertex < successors.size(); ++vertex) put(vertex);
  }

  std::vector<std::uint32_t> run(std::size_t most) {
    std::vector<std::uint32_t> torn;
    while (torn.size() < most && !candidates_.empty()) {
      check_stop();
      const auto [score, after, vertex] = candidates_.top();
      candidates_.pop();
      if (gone_[vertex] || score != in_[vertex] * out_[vertex]) continue;
      torn.push_back(vertex);
      remove(vertex);
    }
    return torn;
  }

 private:
  struct Candidate {
    std::size_t score;
    std::size_t after;  // the first one of equal scores comes first
    std::uint32_t vertex;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.score != b.score ? a.score < b.score : a.after > b.after;
    }
  };

  void put(std::uint32_t vertex) { candidates_.push({in_[vertex] * out_[vertex], vertex, vertex}); }

  // And what is on no loop without it.
  void remove(std::uint32_t first) {
    std::vector<std::uint32_t> open{first};
    gone_[first] = 1;
    const auto lose = [&](std::uint32_t vertex, std::vector<std::size_t>& edges) {
      if (gone_[vertex]) return;
      --edges[vertex];
      if (edges[vertex] == 0) {
        gone_[vertex] = 1;
        open.push_back(vertex);
      } else {
        put(vertex);
      }
    };
    while (!open.empty()) {
      const std::uint32_t vertex = open.back();
      open.pop_back();
      for (const std::uint32_t to : successors_[vertex]) lose(to, in_);
      for (const std::uint32_t from : predecessors_[vertex]) lose(from, out_);
    }
  }

  const std::vector<std::vector<std::uint32_t>>& successors_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::vector<std::size_t> in_, out_;
  std::vector<char> gone_;
  std::priority_queue<Candidate> candidates_;
};

}  // namespace

std::vector<std::uint32_t> torn_vertices(const std::vector<std::vector<std::uint32_t>>& successors, std::size_t most) {
  return Tearing(successors).run(most);
}

}  // namespace driftless
