#include "driftless/equations/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "driftless/core/failure.h"

namespace driftless {

Names complete_names(std::string_view symbol, std::size_t n, const Names& names) {
  if (names.size() > n)
    throw Misuse(fmt::format("{} names given for {}, which has {} components", names.size(), symbol, n));
  Names result = names;
  for (std::size_t i = result.size(); i < n; ++i) result.push_back(fmt::format("{}[{}]", symbol, i));
  std::vector<std::string_view> sorted(result.begin(), result.end());
  std::sort(sorted.begin(), sorted.end());
  if (auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw Misuse(fmt::format("the name '{}' is used twice in {}", *twice, symbol));
  return result;
}

void Layout::add(std::string symbol, std::size_t size, const Names& names) {
  Names complete = complete_names(symbol, size, names);
  const std::unordered_set<std::string_view> taken(names_->begin(), names_->end());
  for (const auto& name : complete)
    if (taken.contains(name)) throw Misuse(fmt::format("the name '{}' is used for two unknowns", name));
  blocks_.push_back({std::move(symbol), names_->size(), size});
  if (!names_->empty()) complete.insert(complete.begin(), names_->begin(), names_->end());
  names_ = std::make_shared<const Names>(std::move(complete));
}

bool Layout::has(std::string_view symbol) const {
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& b) { return b.symbol == symbol; });
}

const Block& Layout::block(std::string_view symbol) const {
  for (const Block& block : blocks_)
    if (block.symbol == symbol) return block;
  Names known;
  for (const Block& block : blocks_) known.push_back(block.symbol);
  throw Misuse(fmt::format("these equations have no block '{}'; they have {}", symbol, fmt::join(known, ", ")));
}

std::size_t Layout::size_of(std::string_view symbol) const {
  for (const Block& block : blocks_)
    if (block.symbol == symbol) return block.size;
  return 0;
}

std::size_t Layout::find(std::string_view name) const {
  const auto found = std::find(names_->begin(), names_->end(), name);
  if (found == names_->end())
    throw Misuse(fmt::format("no unknown is called '{}'; there are {}", name, fmt::join(*names_, ", ")));
  return static_cast<std::size_t>(found - names_->begin());
}

void Layout::set_sizes(ConstSpan sizes) {
  if (sizes.size() != size()) throw Misuse(fmt::format("{} usual sizes given for {} unknowns", sizes.size(), size()));
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (!(sizes[i] > 0.0) || !std::isfinite(sizes[i]))
      throw Misuse(fmt::format("the usual size of {} is {}, but must be above 0", name(i), sizes[i]));
  sizes_.clear();
  if (std::ranges::any_of(sizes, [](double x) { return x != 1.0; })) sizes_.assign(sizes.begin(), sizes.end());
}

}  // namespace driftless
