#include "driftless/linalg/frontal_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace driftless {

namespace {

using Numbers = std::vector<std::uint32_t>;
constexpr std::uint32_t no_index = FrontalPlan::none;

// Edges of a graph by their smaller or their larger end, with multiples.
struct Adjacency {
  std::vector<std::size_t> begin;
  Numbers other;
  std::span<const std::uint32_t> of(std::size_t k) const {
    return std::span(other).subspan(begin[k], begin[k + 1] - begin[k]);
  }
};

// Positions of rows and columns in elimination order.
struct Positions {
  Numbers row, column;
};

template <class Ends>
Adjacency neighbours(const Pattern& pattern, const Positions& at, Ends ends) {
  const std::size_t n = pattern.cols;
  Adjacency result{std::vector<std::size_t>(n + 1, 0), {}};
  const auto for_each = [&](auto visit) {
    for (std::size_t j = 0, e = 0; j < n; ++j)
      for (; e < pattern.begin[j + 1]; ++e) {
        const auto [key, other] = ends(std::minmax(at.row[pattern.row[e]], at.column[j]));
        if (key != other) visit(key, other);
      }
  };
  for_each([&](std::uint32_t key, std::uint32_t) { ++result.begin[key + 1]; });
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.other.resize(result.begin.back());
  std::vector<std::size_t> next(result.begin.begin(), result.begin.end() - 1);
  for_each([&](std::uint32_t key, std::uint32_t other) { result.other[next[key]++] = other; });
  return result;
}

Adjacency smaller_neighbours(const Pattern& pattern, const Positions& at) {
  return neighbours(pattern, at, [](auto ends) { return std::pair(ends.second, ends.first); });
}
Adjacency larger_neighbours(const Pattern& pattern, const Positions& at) {
  return neighbours(pattern, at, [](auto ends) { return std::pair(ends.first, ends.second); });
}

// The elimination tree (Liu): parents, or no_index for roots.
Numbers elimination_tree(const Adjacency& smaller, std::size_t n) {
  Numbers parent(n, no_index), ancestor(n, no_index);
  for (std::uint32_t k = 0; k < n; ++k)
    for (std::uint32_t i : smaller.of(k))
      while (i != no_index && i < k) {
        const std::uint32_t next = ancestor[i];
        ancestor[i] = k;
        if (next == no_index) parent[i] = k;
        i = next;
      }
  return parent;
}

// New numbers, children right before their parents.
Numbers postorder(const Numbers& parent) {
  const std::size_t n = parent.size();
  Numbers child(n, no_index), sibling(n, no_index), number(n), path;
  for (std::uint32_t k = static_cast<std::uint32_t>(n); k-- > 0;)
    if (parent[k] != no_index) {
      sibling[k] = child[parent[k]];
      child[parent[k]] = k;
    }
  std::uint32_t next = 0;
  for (std::uint32_t root = 0; root < n; ++root) {
    if (parent[root] != no_index) continue;
    path.push_back(root);
    while (!path.empty()) {
      const std::uint32_t k = path.back();
      if (child[k] != no_index) {
        path.push_back(child[k]);
        child[k] = sibling[path.back()];
      } else {
        number[k] = next++;
        path.pop_back();
      }
    }
  }
  return number;
}

Numbers renumbered(const Numbers& parent, const Numbers& number) {
  Numbers result(parent.size(), no_index);
  for (std::size_t k = 0; k < parent.size(); ++k)
    if (parent[k] != no_index) result[number[k]] = number[parent[k]];
  return result;
}

// How many later unknowns each column of the factors reaches.
Numbers column_counts(const Adjacency& larger, const Numbers& parent) {
  const auto n = static_cast<std::uint32_t>(parent.size());
  Numbers counts(n), mark(n, no_index);
  std::vector<Numbers> reached(n);
  for (std::uint32_t k = 0; k < n; ++k) {
    Numbers& own = reached[k];  // what its children have handed on; with multiples
    mark[k] = k;
    const auto is_new = [&](std::uint32_t i) { return mark[i] == k ? false : (mark[i] = k, true); };
    std::size_t kept = 0;
    for (std::size_t e = 0; e < own.size(); ++e)
      if (is_new(own[e])) own[kept++] = own[e];
    own.resize(kept);
    for (const std::uint32_t i : larger.of(k))
      if (is_new(i)) own.push_back(i);
    counts[k] = static_cast<std::uint32_t>(own.size());
    if (parent[k] == no_index) continue;
    Numbers& above = reached[parent[k]];
    if (above.empty())
      above = std::move(own);
    else
      above.insert(above.end(), own.begin(), own.end());
    own = {};
  }
  return counts;
}

// Columns that are eliminated together: they follow each other by `next` from `head` to `tail`.
struct FrontColumns {
  std::uint32_t head, tail, columns, rest;
  double zeros = 0.0;  // entries of the factors that need not be there
  std::vector<std::uint32_t> children = {};
  double entries() const {
    const double w = columns;
    return w * (w + rest) - 0.5 * w * (w - 1.0);
  }
};

// A few zeros more make blocks larger, and so faster (the idea and the form of the rule are those of CHOLMOD).
bool is_worth(const FrontColumns& merged) {
  const double share = merged.zeros / merged.entries();
  return (merged.columns <= 8 && share < 0.5) || (merged.columns <= 16 && share < 0.4) ||
         (merged.columns <= 48 && share < 0.1) || share < 0.05;
}

// The tree of the fronts: columns of the elimination tree that have the same later rows, and what is worth it.
class FrontTree {
 public:
  FrontTree(const Numbers& counts, const Numbers& parent) : next_(counts.size(), no_index) {
    join_equal_columns(counts, parent);
    for (std::uint32_t s = 0; s < fronts_.size(); ++s) take_children(s);
  }
  // Each front after its children, with the columns of it.
  template <class Visit>
  void visit(Visit visit) const {
    std::vector<std::pair<std::uint32_t, std::size_t>> path;
    for (const std::uint32_t root : roots_) {
      path.emplace_back(root, 0);
      while (!path.empty()) {
        const auto [s, done] = path.back();
        if (done < fronts_[s].children.size()) {
          ++path.back().second;
          path.emplace_back(fronts_[s].children[done], 0);
          continue;
        }
        visit(s, fronts_[s]);
        path.pop_back();
      }
    }
  }
  std::uint32_t next(std::uint32_t column) const { return next_[column]; }
  std::size_t size() const { return fronts_.size(); }

 private:
  void join_equal_columns(const Numbers& counts, const Numbers& parent);
  void take_children(std::uint32_t s);

  std::vector<FrontColumns> fronts_;
  Numbers next_, roots_;
};

void FrontTree::join_equal_columns(const Numbers& counts, const Numbers& parent) {
  Numbers front_of(counts.size());
  for (std::uint32_t k = 0; k < counts.size(); ++k) {
    const bool joins = k > 0 && parent[k - 1] == k && counts[k - 1] == counts[k] + 1;
    if (!joins) {
      fronts_.push_back({k, k, 1, counts[k]});
    } else {
      FrontColumns& front = fronts_.back();
      next_[front.tail] = k;
      front.tail = k;
      ++front.columns;
      front.rest = counts[k];
    }
    front_of[k] = static_cast<std::uint32_t>(fronts_.size() - 1);
  }
  for (std::uint32_t s = 0; s < fronts_.size(); ++s) {
    const std::uint32_t above = parent[fronts_[s].tail];
    (above == no_index ? roots_ : fronts_[front_of[above]].children).push_back(s);
  }
}

// Columns of children come first; what they leave alone are its children then.
void FrontTree::take_children(std::uint32_t s) {
  FrontColumns& front = fronts_[s];
  const Numbers children = std::exchange(front.children, {});
  for (const std::uint32_t c : children) {
    FrontColumns& child = fronts_[c];
    FrontColumns merged{child.head, front.tail, child.columns + front.columns, front.rest};
    merged.zeros = child.zeros + front.zeros + merged.entries() - child.entries() - front.entries();
    if (merged.zeros > 0.0 && !is_worth(merged)) {
      front.children.push_back(c);
      continue;
    }
    next_[child.tail] = front.head;
    front.head = merged.head;
    front.columns = merged.columns;
    front.zeros = merged.zeros;
    front.children.insert(front.children.end(), child.children.begin(), child.children.end());
    child.children = {};
  }
}

class Planner {
 public:
  Planner(const Pattern& pattern, std::span<const int> rows, std::span<const int> columns)
      : pattern_(pattern), n_(static_cast<std::uint32_t>(pattern.cols)), at_{Numbers(n_), Numbers(n_)} {
    for (std::uint32_t k = 0; k < n_; ++k) {
      at_.row[static_cast<std::size_t>(rows[k])] = k;
      at_.column[static_cast<std::size_t>(columns[k])] = k;
    }
  }
  FrontalPlan plan() {
    const Numbers parent = order_by_tree();
    add_fronts(FrontTree(column_counts(larger_neighbours(pattern_, at_), parent), parent));
    larger_ = larger_neighbours(pattern_, at_);
    add_later();
    add_entries();
    size_stacks();
    return std::move(plan_);
  }

 private:
  Numbers order_by_tree();
  void renumber(const Numbers& number);
  void add_fronts(const FrontTree& tree);
  void add_later();
  void add_entries();
  void size_stacks();

  const Pattern& pattern_;
  std::uint32_t n_;
  Positions at_;
  Adjacency larger_;
  Numbers front_of_;
  FrontalPlan plan_;
};

Numbers Planner::order_by_tree() {
  const Numbers parent = elimination_tree(smaller_neighbours(pattern_, at_), n_);
  const Numbers number = postorder(parent);
  renumber(number);
  return renumbered(parent, number);
}

void Planner::renumber(const Numbers& number) {
  for (std::uint32_t& k : at_.row) k = number[k];
  for (std::uint32_t& k : at_.column) k = number[k];
}

void Planner::add_fronts(const FrontTree& tree) {
  front_of_.resize(n_);
  Numbers number(n_), place(tree.size());
  std::uint32_t first = 0;
  std::size_t values = 0, later = 0;
  tree.visit([&](std::uint32_t s, const FrontColumns& front) {
    const auto here = place[s] = static_cast<std::uint32_t>(plan_.fronts.size());
    plan_.fronts.push_back({first, front.columns, front.rest, 0, later, values, 0, no_index, no_index});
    std::fill_n(front_of_.begin() + first, front.columns, here);
    for (std::uint32_t k = front.head, left = front.columns; left-- > 0; k = tree.next(k)) number[k] = first++;
    for (std::size_t c = front.children.size(); c-- > 0;) {
      const std::uint32_t child = place[front.children[c]];
      plan_.fronts[child].sibling = std::exchange(plan_.fronts[here].child, child);
    }
    const double w = front.columns, r = front.rest;
    plan_.work += w * (w * w / 3.0 + w * r + r * r);
    later += front.rest;
    values += front.columns * (plan_.fronts.back().rows() + front.rest);
  });
  plan_.fronts.push_back({n_, 0, 0, 0, later, values, 0, no_index, no_index});
  plan_.later.resize(later);
  plan_.places.resize(later);
  for (std::size_t s = plan_.count(); s-- > 0;)
    for (std::uint32_t c = plan_.fronts[s].child; c != no_index; c = plan_.fronts[c].sibling)
      plan_.fronts[c].depth = plan_.fronts[s].depth + 1;
  renumber(number);
  plan_.rows.resize(n_);
  plan_.columns.resize(n_);
  for (std::uint32_t k = 0; k < n_; ++k) {
    plan_.rows[at_.row[k]] = k;
    plan_.columns[at_.column[k]] = k;
  }
}

// The later unknowns of a front are those of the matrix and of its children; where they are in the parent follows.
void Planner::add_later() {
  Numbers place(n_, no_index);
  for (std::size_t s = 0; s < plan_.count(); ++s) {
    const auto& front = plan_.fronts[s];
    const std::uint32_t end = front.first + front.columns;
    const std::span own = std::span(plan_.later).subspan(front.later, front.rest);
    std::size_t found = 0;
    const auto add = [&](std::uint32_t i) {
      if (i >= end && place[i] == no_index) {
        place[i] = 0;
        own[found++] = i;
      }
    };
    for (std::uint32_t k = front.first; k < end; ++k)
      for (const std::uint32_t i : larger_.of(k)) add(i);
    for (std::uint32_t c = front.child; c != no_index; c = plan_.fronts[c].sibling)
      for (const std::uint32_t i : std::span(plan_.later).subspan(plan_.fronts[c].later, plan_.fronts[c].rest)) add(i);
    std::ranges::sort(own);
    for (std::size_t k = 0; k < found; ++k) place[own[k]] = front.columns + static_cast<std::uint32_t>(k);
    for (std::uint32_t c = front.child; c != no_index; c = plan_.fronts[c].sibling) {
      const auto& child = plan_.fronts[c];
      for (std::size_t k = child.later; k < child.later + child.rest; ++k)
        plan_.places[k] = plan_.later[k] < end ? plan_.later[k] - front.first : place[plan_.later[k]];
    }
    for (const std::uint32_t i : own) place[i] = no_index;
  }
}

// An entry belongs to the front of its earlier end.
void Planner::add_entries() {
  const auto for_each = [&](auto visit) {
    for (std::uint32_t j = 0, e = 0; j < n_; ++j)
      for (; e < pattern_.begin[j + 1]; ++e) {
        const std::uint32_t row = at_.row[pattern_.row[e]], column = at_.column[j];
        visit(e, front_of_[std::min(row, column)], row, column);
      }
  };
  auto& fronts = plan_.fronts;
  for_each([&](std::uint32_t, std::uint32_t s, std::uint32_t, std::uint32_t) { ++fronts[s + 1].entries; });
  for (std::size_t s = 1; s < fronts.size(); ++s) fronts[s].entries += fronts[s - 1].entries;
  std::vector<std::size_t> next(fronts.size());
  for (std::size_t s = 0; s < fronts.size(); ++s) next[s] = fronts[s].entries;
  plan_.from.resize(pattern_.count());
  plan_.to.resize(pattern_.count());
  for_each([&](std::uint32_t e, std::uint32_t s, std::uint32_t row, std::uint32_t column) {
    const auto& front = fronts[s];
    const auto own = std::span(plan_.later).subspan(front.later, front.rest);
    const auto place = [&](std::uint32_t k) -> std::size_t {
      if (k < front.first + front.columns) return k - front.first;
      return front.columns + static_cast<std::size_t>(std::ranges::lower_bound(own, k) - own.begin());
    };
    const std::size_t i = place(row), j = place(column), w = front.columns;
    plan_.from[next[s]] = e;
    plan_.to[next[s]++] = static_cast<std::uint32_t>(j < w ? i + j * front.rows() : w * front.rows() + i + (j - w) * w);
  });
}

// What a front leaves waits on the stack of its depth's parity until its parent takes it: the last in, the first out.
void Planner::size_stacks() {
  std::size_t now[2] = {0, 0};
  for (std::size_t s = 0; s < plan_.count(); ++s) {
    const auto& front = plan_.fronts[s];
    now[front.depth % 2] += front.height() * front.rest;
    plan_.stack[front.depth % 2] = std::max(plan_.stack[front.depth % 2], now[front.depth % 2]);
    for (std::uint32_t c = front.child; c != no_index; c = plan_.fronts[c].sibling)
      now[(front.depth + 1) % 2] -= plan_.fronts[c].height() * plan_.fronts[c].rest;
  }
}

}  // namespace

bool is_nearly_symmetric(const Pattern& pattern, std::span<const int> rows, std::span<const int> columns) {
  constexpr std::size_t one_of = 10;  // may be alone
  const std::size_t n = pattern.cols;
  Numbers position(n), mark(n, no_index);
  for (std::uint32_t k = 0; k < n; ++k) position[static_cast<std::size_t>(rows[k])] = k;
  Pattern turned{n, n, std::vector<std::uint32_t>(n + 1, 0), Numbers(pattern.count())};
  for (const std::uint32_t i : pattern.row) ++turned.begin[position[i] + 1];
  std::partial_sum(turned.begin.begin(), turned.begin.end(), turned.begin.begin());
  Numbers next(turned.begin.begin(), turned.begin.end() - 1);
  const auto column = [&](std::size_t k) {
    const auto j = static_cast<std::size_t>(columns[k]);
    return std::span(pattern.row).subspan(pattern.begin[j], pattern.begin[j + 1] - pattern.begin[j]);
  };
  for (std::uint32_t k = 0; k < n; ++k)
    for (const std::uint32_t i : column(k)) turned.row[next[position[i]]++] = k;
  std::size_t alone = 0;
  for (std::uint32_t k = 0; k < n; ++k) {
    for (std::uint32_t e = turned.begin[k]; e < turned.begin[k + 1]; ++e) mark[turned.row[e]] = k;
    for (const std::uint32_t i : column(k)) alone += mark[position[i]] != k;
  }
  return one_of * alone <= pattern.count();
}

FrontalPlan plan_fronts(const Pattern& pattern, std::span<const int> rows, std::span<const int> columns) {
  return Planner(pattern, rows, columns).plan();
}

}  // namespace driftless
