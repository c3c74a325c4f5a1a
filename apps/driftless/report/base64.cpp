#include "apps/driftless/report/base64.h"

#include <bit>
#include <cstdint>

namespace driftless::cli {

namespace {

constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Byte k of all numbers, one after the other.
std::uint32_t byte_at(ConstSpan numbers, std::size_t k) {
  const auto bits = std::bit_cast<std::uint64_t>(numbers[k / 8]);
  return static_cast<std::uint32_t>(bits >> (8 * (k % 8))) & 0xffu;
}

}  // namespace

std::string base64(ConstSpan numbers) {
  const std::size_t bytes = 8 * numbers.size();
  std::string text;
  text.reserve((bytes + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes; k += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes - k);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < there ? byte_at(numbers, k + i) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text += i <= there ? digits[group >> (18 - 6 * i) & 63u] : '=';
  }
  return text;
}

}  // namespace driftless::cli
