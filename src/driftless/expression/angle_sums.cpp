#include "driftless/expression/angle_sums.h"

#include <unordered_map>

#include "driftless/expression/subgraph.h"

namespace driftless {

namespace {

bool is_trigonometric(Op op) { return op == Op::sin || op == Op::cos; }
bool is_sum(Op op) { return op == Op::add || op == Op::subtract; }

class Expansion {
 public:
  Expansion(Graph& graph, std::span<const Expr> several)
      : graph_(graph), part_(graph, several), has_call_(part_.size(), false), stays_(part_.size(), false) {}

  // Whether there is anything to expand.
  bool look() {
    if (!find_calls()) return false;
    for (const std::uint32_t root : part_.roots())
      if (!is_trigonometric(op(root))) stays_[root] = true;
    bool any = false;
    for (std::size_t position = part_.size(); position-- > 0;) any = look_at(position) || any;
    return any;
  }

  std::vector<Expr> rewrite() {
    made_.reserve(part_.size());
    for (std::size_t position = 0; position < part_.size(); ++position) {
      made_.push_back(rewritten(position));
      if (is_expanded(position)) expand(position);
    }
    std::vector<Expr> result;
    for (const std::uint32_t root : part_.roots()) result.push_back(made_[root]);
    return result;
  }

 private:
  Op op(std::size_t position) const { return graph_.op(part_[position].node); }
  std::uint32_t child(std::size_t position, int k) const { return part_[position].child[k]; }
  bool is_free(std::uint32_t position) const { return has_call_[position] || op(position) == Op::constant; }
  bool is_expanded(std::size_t position) const { return has_call_[position] && !stays_[position]; }

  bool find_calls();
  bool look_at(std::size_t position);
  Expr rewritten(std::size_t position);
  void expand(std::size_t sum);
  struct Angle {
    Expr sine, cosine;
  };
  Angle angle(std::uint32_t position);

  Graph& graph_;
  Subgraph part_;
  std::vector<bool> has_call_;                     // by position: as the argument of a sine or cosine
  std::vector<bool> stays_;                        // arguments that must be known, and functions that must be called
  std::vector<Expr> made_;                         // by position
  std::unordered_map<std::size_t, Angle> angles_;  // of the expanded sums, by position
};

bool Expansion::find_calls() {
  bool of_sums = false;
  for (std::size_t position = 0; position < part_.size(); ++position) {
    if (!is_trigonometric(op(position))) continue;
    has_call_[child(position, 0)] = true;
    of_sums = of_sums || is_sum(op(child(position, 0)));
  }
  return of_sums;
}

// Parents come first, so that all uses are known here. Whether the argument is expanded is told by both functions of
// it.
bool Expansion::look_at(std::size_t position) {
  const Op operation = op(position);
  if (has_call_[position] && !(is_sum(operation) && is_free(child(position, 0)) && is_free(child(position, 1))))
    stays_[position] = true;
  if (is_trigonometric(operation)) {
    if (stays_[position]) stays_[child(position, 0)] = true;
    return false;
  }
  if (is_expanded(position)) return true;
  for (int k = 0; k < part_[position].children; ++k) {
    const bool harmless = operation == Op::negate || is_sum(operation) || operation == Op::multiply ||
                          (operation == Op::divide && k == 0);
    if (!harmless || !is_trigonometric(op(child(position, k)))) stays_[child(position, k)] = true;
  }
  return false;
}

Expansion::Angle Expansion::angle(std::uint32_t position) {
  if (const auto found = angles_.find(position); found != angles_.end()) return found->second;
  return {graph_.apply(Op::sin, made_[position]), graph_.apply(Op::cos, made_[position])};
}

// What nobody reads of it is left out of programs.
void Expansion::expand(std::size_t sum) {
  const Angle a = angle(child(sum, 0)), b = angle(child(sum, 1));
  const Op plus = op(sum), minus = plus == Op::add ? Op::subtract : Op::add;
  angles_[sum] = {graph_.apply(plus, graph_.multiply(a.sine, b.cosine), graph_.multiply(a.cosine, b.sine)),
                  graph_.apply(minus, graph_.multiply(a.cosine, b.cosine), graph_.multiply(a.sine, b.sine))};
}

Expr Expansion::rewritten(std::size_t position) {
  const auto& entry = part_[position];
  const Op operation = op(position);
  if (is_expanded(position)) return entry.node;  // nobody asks for it any more
  if (is_trigonometric(operation) && is_expanded(entry.child[0])) {
    const Angle& of_sum = angles_.at(entry.child[0]);
    return operation == Op::sin ? of_sum.sine : of_sum.cosine;
  }
  bool same = true;
  for (int k = 0; k < entry.children; ++k) same = same && made_[entry.child[k]] == graph_.child(entry.node, k);
  if (same) return entry.node;
  const auto made = [&](int k) { return made_[entry.child[k]]; };
  if (entry.children == 1) return graph_.apply(operation, made(0));
  if (entry.children == 2) return graph_.apply(operation, made(0), made(1));
  return graph_.select(made(0), made(1), made(2));
}

}  // namespace

std::vector<Expr> expand_angle_sums(Graph& graph, std::span<const Expr> several) {
  Expansion expansion(graph, several);
  if (!expansion.look()) return {several.begin(), several.end()};
  return expansion.rewrite();
}

}  // namespace driftless
