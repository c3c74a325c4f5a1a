#include "driftless/linalg/fill_order.h"

#include <cholmod.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/core/failure.h"
#include "driftless/core/memory.h"

namespace driftless {

std::vector<std::uint32_t> approximate_minimum_degree_order(const Pattern& pattern) {
  const std::size_t n = pattern.cols;
  std::vector<int> begin = {0}, row, order(n);
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::size_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k)
      if (pattern.row[k] > j) row.push_back(static_cast<int>(pattern.row[k]));
    begin.push_back(static_cast<int>(row.size()));
  }
  cholmod_common common{};
  cholmod_start(&common);
  common.print = 0;
  cholmod_sparse lower{};
  lower.nrow = lower.ncol = n;
  lower.nzmax = row.size();
  lower.p = begin.data();
  lower.i = row.data();
  lower.stype = -1;
  lower.itype = CHOLMOD_INT;
  lower.xtype = CHOLMOD_PATTERN;
  lower.dtype = CHOLMOD_DOUBLE;
  lower.sorted = lower.packed = 1;
  const bool found = cholmod_amd(&lower, nullptr, 0, order.data(), &common);
  const int status = common.status;
  cholmod_finish(&common);
  if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
    refuse_for_memory("an order for the elimination of the unknowns");
  if (!found) throw Misuse("the pattern of a symmetric matrix is not valid");
  return {order.begin(), order.end()};
}

namespace {

constexpr std::uint32_t nobody = UINT32_MAX;

struct Tie {
  double size;
  std::uint32_t unknown;
};

// What ties each multiplier to the unknowns of A: the product of what its constraint sees of an unknown, and of what it
// does to it.
std::vector<std::vector<Tie>> ties(const Pattern& k, std::size_t n, ConstSpan values) {
  std::vector<std::vector<Tie>> of(k.cols - n);
  for (std::uint32_t j = 0, e = 0; j < n; ++j)
    for (; e < k.begin[j + 1]; ++e)
      if (k.row[e] >= n) of[k.row[e] - n].push_back({std::abs(values[e]), j});
  Vector acts(n);
  for (std::size_t i = 0; i < of.size(); ++i) {
    const std::size_t first = k.begin[n + i], last = k.begin[n + i + 1];
    for (std::size_t e = first; e < last; ++e)
      if (k.row[e] < n) acts[k.row[e]] = std::abs(values[e]);
    for (Tie& tie : of[i]) tie.size *= acts[tie.unknown];
    for (std::size_t e = first; e < last; ++e)
      if (k.row[e] < n) acts[k.row[e]] = 0.0;
  }
  return of;
}

// For each multiplier the unknown that it is tied to most among those that no other has taken; if all are taken, or it
// is tied to none, the first one.
std::vector<std::uint32_t> partners(const Pattern& k, std::size_t n, ConstSpan values) {
  std::vector<std::vector<Tie>> of = ties(k, n, values);
  std::vector<std::uint32_t> result(of.size(), nobody);
  std::vector<char> is_taken(n, 0);
  for (std::size_t i = 0; i < of.size(); ++i) {
    std::ranges::stable_sort(of[i], std::ranges::greater{}, &Tie::size);
    const auto free = std::ranges::find_if(of[i], [&](const Tie& t) { return !is_taken[t.unknown] && t.size > 0.0; });
    if (free != of[i].end())
      is_taken[result[i] = free->unknown] = 1;
    else if (!of[i].empty())
      result[i] = of[i].front().unknown;
  }
  return result;
}

}  // namespace

std::vector<std::uint32_t> saddle_order(const Pattern& k, std::size_t n, ConstSpan values) {
  const std::size_t m = k.cols - n;
  const std::vector<std::uint32_t> partner = partners(k, n, values);
  std::vector<std::uint32_t> group(k.cols);
  std::vector<std::vector<std::uint32_t>> members(n);
  for (std::uint32_t j = 0; j < n; ++j) members[group[j] = j].push_back(j);
  for (std::uint32_t i = 0; i < m; ++i) {
    const auto at = static_cast<std::uint32_t>(n + i);
    if (partner[i] == nobody) {
      group[at] = static_cast<std::uint32_t>(members.size());
      members.emplace_back();
    } else {
      group[at] = partner[i];
    }
    members[group[at]].push_back(at);
  }
  std::vector<std::vector<std::uint32_t>> neighbours(members.size());
  for (std::uint32_t j = 0, e = 0; j < k.cols; ++j)
    for (; e < k.begin[j + 1]; ++e) {
      neighbours[group[j]].push_back(group[k.row[e]]);
      neighbours[group[k.row[e]]].push_back(group[j]);
    }
  for (auto& of : neighbours) {
    std::ranges::sort(of);
    of.erase(std::unique(of.begin(), of.end()), of.end());
  }
  std::vector<std::uint32_t> order;
  for (const std::uint32_t g : approximate_minimum_degree_order(pattern_from_columns(members.size(), neighbours)))
    order.insert(order.end(), members[g].begin(), members[g].end());
  return order;
}

namespace {

bool has_diagonal_a(const Pattern& k, std::size_t n) {
  for (std::uint32_t j = 0, e = 0; j < n; ++j) {
    std::size_t inside = 0;
    for (; e < k.begin[j + 1]; ++e)
      if (k.row[e] < n) {
        if (k.row[e] != j) return false;
        ++inside;
      }
    if (inside == 0) return false;
  }
  return true;
}

// The multipliers that act on each unknown of A.
std::vector<std::vector<std::uint32_t>> acting_on(const Pattern& k, std::size_t n) {
  std::vector<std::vector<std::uint32_t>> acting(n);
  for (auto j = static_cast<std::uint32_t>(n); j < k.cols; ++j)
    for (std::size_t e = k.begin[j]; e < k.begin[j + 1]; ++e)
      if (k.row[e] < n) acting[k.row[e]].push_back(static_cast<std::uint32_t>(j - n));
  return acting;
}

// Who meets whom in S, and in the block below A; empty if that is too many.
std::vector<std::vector<std::uint32_t>> meetings_of_multipliers(const Pattern& k, std::size_t n) {
  constexpr std::size_t most = 8;  // for each entry of K
  const std::vector<std::vector<std::uint32_t>> acting = acting_on(k, n);
  std::vector<std::vector<std::uint32_t>> of(k.cols - n);
  std::size_t count = 0;
  const auto meet = [&](std::uint32_t i, std::uint32_t j) {
    of[i].push_back(j);
    of[j].push_back(i);
    return ++count <= most * k.count();
  };
  for (std::uint32_t j = 0, e = 0; j < k.cols; ++j)
    for (; e < k.begin[j + 1]; ++e) {
      if (k.row[e] < n) continue;
      const auto i = static_cast<std::uint32_t>(k.row[e] - n);
      if (j >= n && !meet(i, static_cast<std::uint32_t>(j - n))) return {};
      if (j >= n) continue;
      for (const std::uint32_t other : acting[j])
        if (!meet(i, other)) return {};
    }
  for (auto& one : of) {
    std::ranges::sort(one);
    one.erase(std::unique(one.begin(), one.end()), one.end());
  }
  return of;
}

}  // namespace

std::vector<std::uint32_t> diagonal_saddle_order(const Pattern& k, std::size_t n) {
  if (k.cols == n || !has_diagonal_a(k, n)) return {};
  const auto meetings = meetings_of_multipliers(k, n);
  if (meetings.empty()) return {};
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (const std::uint32_t i : approximate_minimum_degree_order(pattern_from_columns(k.cols - n, meetings)))
    order.push_back(static_cast<std::uint32_t>(n + i));
  return order;
}

}  // namespace driftless
