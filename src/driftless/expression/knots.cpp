#include "driftless/expression/knots.h"

#include <algorithm>
#include <array>

#include "driftless/expression/subgraph.h"

namespace driftless {

namespace {

constexpr std::uint32_t no_row = 0xffffffff, many_rows = 0xfffffffe;
constexpr std::size_t most_inputs = 6;

// The inputs that a subexpression reads, if they are few.
struct Inputs {
  std::uint32_t count = 0;
  std::array<std::uint32_t, most_inputs> at{};  // ascending

  bool too_many() const { return count > most_inputs; }
  void join(const Inputs& other) {
    if (too_many() || other.too_many()) {
      count = most_inputs + 1;
      return;
    }
    std::array<std::uint32_t, 2 * most_inputs> both;
    const auto end =
        std::set_union(at.begin(), at.begin() + count, other.at.begin(), other.at.begin() + other.count, both.begin());
    count = static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(end - both.begin(), most_inputs + 1));
    if (!too_many()) std::copy_n(both.begin(), count, at.begin());
  }
};

class Knots {
 public:
  Knots(const Graph& graph, std::span<const Expr> rows) : graph_(graph), part_(graph, rows) {}

  std::vector<Expr> find() {
    find_rows();
    if (std::find(row_.begin(), row_.end(), many_rows) == row_.end()) return {};
    weigh();
    return choose();
  }

 private:
  int children(std::uint32_t position) const { return arity(graph_.op(part_[position].node)); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(part_.size()); }
  void find_rows();
  void weigh();
  std::vector<Expr> choose() const;

  const Graph& graph_;
  Subgraph part_;
  std::vector<std::uint32_t> row_;  // by position: the only row that needs it, or many
  std::vector<std::uint32_t> uses_;
  std::vector<Inputs> inputs_;
  std::vector<float> weight_;
};

void Knots::find_rows() {
  row_.assign(size(), no_row);
  uses_.assign(size(), 0);
  const auto reach = [this](std::uint32_t position, std::uint32_t row) {
    if (graph_.op(part_[position].node) <= Op::input) return;
    row_[position] = row_[position] == no_row || row_[position] == row ? row : many_rows;
  };
  for (std::uint32_t row = 0; row < part_.roots().size(); ++row) reach(part_.root(row), row);
  for (std::uint32_t position = size(); position-- > 0;)
    for (int k = 0; k < children(position); ++k) {
      reach(part_[position].child[k], row_[position]);
      ++uses_[part_[position].child[k]];
    }
}

// The weight of a subexpression: about as many products as a sweep through it makes. What it shares with others counts
// in part.
void Knots::weigh() {
  inputs_.assign(size(), {});
  weight_.assign(size(), 0.0f);
  for (std::uint32_t position = 0; position < size(); ++position) {
    const Op op = graph_.op(part_[position].node);
    if (op == Op::input) {
      inputs_[position].count = 1;
      inputs_[position].at[0] = graph_.slot(part_[position].node);
    }
    if (arity(op) == 0) continue;
    const bool is_sum = op == Op::add || op == Op::subtract || op == Op::negate;
    weight_[position] = is_sum ? 0.0f : 1.0f;
    for (int k = 0; k < arity(op); ++k) {
      const std::uint32_t child = part_[position].child[k];
      inputs_[position].join(inputs_[child]);
      weight_[position] += weight_[child] / static_cast<float>(uses_[child]);
    }
  }
}

// A knot is where a sweep from a row would first meet such a subexpression; what is below is hidden by it.
std::vector<Expr> Knots::choose() const {
  std::vector<Expr> knots;
  std::vector<bool> met(size(), false);
  for (const std::uint32_t root : part_.roots()) met[root] = true;
  for (std::uint32_t position = size(); position-- > 0;) {
    if (!met[position]) continue;
    const bool few = !inputs_[position].too_many() && weight_[position] > static_cast<float>(inputs_[position].count);
    if (row_[position] == many_rows && few)
      knots.push_back(part_[position].node);
    else
      for (int k = 0; k < children(position); ++k) met[part_[position].child[k]] = true;
  }
  std::reverse(knots.begin(), knots.end());
  return knots;
}

}  // namespace

std::vector<Expr> find_knots(const Graph& graph, std::span<const Expr> rows) { return Knots(graph, rows).find(); }

}  // namespace driftless
