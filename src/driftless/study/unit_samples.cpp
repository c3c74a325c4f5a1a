#include "driftless/study/unit_samples.h"

#include <algorithm>
#include <array>
#include <bit>

#include "driftless/core/failure.h"

namespace driftless {

namespace {

// The finaliser of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014): a bijection that mixes all bits.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

std::uint64_t key_of(std::uint64_t seed, std::uint64_t dimension, std::uint64_t purpose) {
  return mixed(mixed(mixed(seed) ^ dimension) ^ purpose);
}

// In the middle of one of 2^52 equal parts, so that neither 0 nor 1 is met.
double between_zero_and_one(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

// S. Joe, F. Y. Kuo, SIAM J. Sci. Comput. 30 (2008): degree and coefficients of the primitive polynomial, first
// numbers.
struct Direction {
  unsigned degree, coefficients;
  std::array<std::uint32_t, 7> first;
};
constexpr std::array<Direction, most_sobol_dimensions - 1> directions{{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
}};

using Column = std::array<std::uint32_t, 32>;

// v_k = 2^(32-k) m_k with m_k = 2 a_1 m_{k-1} ^ 4 a_2 m_{k-2} ^ ... ^ 2^s m_{k-s} ^ m_{k-s}.
constexpr Column direction_numbers(std::size_t dimension) {
  Column v{};
  if (dimension == 0) {
    for (unsigned k = 0; k < 32; ++k) v[k] = 1U << (31 - k);
    return v;
  }
  const Direction& given = directions[dimension - 1];
  const unsigned s = given.degree;
  for (unsigned k = 0; k < s; ++k) v[k] = given.first[k] << (31 - k);
  for (unsigned k = s; k < 32; ++k) {
    v[k] = v[k - s] ^ (v[k - s] >> s);
    for (unsigned j = 1; j < s; ++j)
      if (((given.coefficients >> (s - 1 - j)) & 1U) != 0U) v[k] ^= v[k - j];
  }
  return v;
}

constexpr std::array<Column, most_sobol_dimensions> all_direction_numbers() {
  std::array<Column, most_sobol_dimensions> all{};
  for (std::size_t dimension = 0; dimension < all.size(); ++dimension) all[dimension] = direction_numbers(dimension);
  return all;
}
constexpr auto sobol_columns = all_direction_numbers();

}  // namespace

std::uint32_t sobol_digits(std::size_t dimension, std::uint32_t i) {
  std::uint32_t digits = 0;
  for (unsigned k = 0; i >> k != 0U && k < 32; ++k)
    if (((i >> k) & 1U) != 0U) digits ^= sobol_columns[dimension][k];
  return digits;
}

// Feistel's network on the next even number of bits, walked until it is inside: each pass is a bijection, so is this.
std::uint64_t permuted(std::uint64_t key, std::uint64_t i, std::uint64_t count) {
  const unsigned half = (static_cast<unsigned>(std::bit_width(count > 1 ? count - 1 : 1)) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = i >> half, right = i & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t before = right;
      right = left ^ (mixed(key ^ mixed(right + (round << 56))) & mask);
      left = before;
    }
    i = (left << half) | right;
  } while (i >= count);
  return i;
}

double unit_sample(SampleRule sampling, std::uint64_t seed, std::size_t dimension, std::size_t i, std::size_t count) {
  if (sampling == SampleRule::random) return between_zero_and_one(mixed(key_of(seed, dimension, 1) + i));
  if (sampling == SampleRule::latin) {
    const double inside = between_zero_and_one(mixed(key_of(seed, dimension, 2) + i));
    const double stratum = static_cast<double>(permuted(key_of(seed, dimension, 3), i, count));
    return std::min((stratum + inside) / static_cast<double>(count), 1.0 - 0x1p-53);
  }
  if (i > UINT32_MAX) throw Misuse("Sobol's sequence has 2^32 points here");
  const auto shift = static_cast<std::uint32_t>(key_of(seed, dimension, 4));
  return (static_cast<double>(sobol_digits(dimension, static_cast<std::uint32_t>(i)) ^ shift) + 0.5) * 0x1p-32;
}

}  // namespace driftless
