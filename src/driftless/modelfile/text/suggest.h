// The name that was probably meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace driftless {

// Insertions, deletions, replacements and swaps of neighbours; upper and lower case differ by a quarter. Stops counting
// above `most`.
double edit_distance(std::string_view a, std::string_view b, double most);

// The nearest of the candidates, if it is near enough to be a slip of the pen. Quotes around names do not count.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string_view> candidates);

// "did you mean 'omega'?" or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

// 'name' in quotes, unless it has its own.
std::string quoted(std::string_view name);

}  // namespace driftless
