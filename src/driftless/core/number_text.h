// A number that somebody wrote: the whole text, or none.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace driftless {

// "2.5", "+3", "1e-6", "nan". None for "", "2x" and what does not fit.
template <class Number = double>
std::optional<Number> number_in(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number value{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

// None for "nan" and "inf" as well.
template <class Number = double>
std::optional<Number> finite_number_in(std::string_view text) {
  const auto value = number_in<Number>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace driftless
