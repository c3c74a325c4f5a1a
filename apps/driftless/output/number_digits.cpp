#include "apps/driftless/output/number_digits.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace driftless::cli {

namespace {

constexpr auto pairs_of_digits = [] {
  std::array<char, 200> all{};
  for (std::size_t k = 0; k < 100; ++k) {
    all[2 * k] = static_cast<char>('0' + k / 10);
    all[2 * k + 1] = static_cast<char>('0' + k % 10);
  }
  return all;
}();

// The digits of a number end before `end`; where they begin.
char* put_digits_before(char* end, std::uint64_t number) {
  while (number >= 100) {
    end -= 2;
    std::memcpy(end, &pairs_of_digits[2 * (number % 100)], 2);
    number /= 100;
  }
  if (number >= 10) {
    end -= 2;
    std::memcpy(end, &pairs_of_digits[2 * number], 2);
  } else {
    *--end = static_cast<char>('0' + number);
  }
  return end;
}

char* put_chars(char* out, const char* begin, int count) {
  std::memcpy(out, begin, static_cast<std::size_t>(count));
  return out + count;
}

char* put_zeros(char* out, int count) {
  std::memset(out, '0', static_cast<std::size_t>(count));
  return out + count;
}

// d.ddde-05
char* put_with_exponent(char* out, const char* digits, int count, int exponent) {
  *out++ = digits[0];
  if (count > 1) {
    *out++ = '.';
    out = put_chars(out, digits + 1, count - 1);
  }
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  const int size = std::abs(exponent);
  if (size >= 100) *out++ = static_cast<char>('0' + size / 100);
  return put_chars(out, &pairs_of_digits[static_cast<std::size_t>(2 * (size % 100))], 2);
}

}  // namespace

// Digits and exponent by Dragonbox, as in fmt; from 1e-4 up to 1e16 without an exponent.
char* put_number(char* out, double x) {
  if (x == 0.0 || !std::isfinite(x)) return fmt::format_to(out, FMT_COMPILE("{}"), x);
  if (x < 0.0) *out++ = '-';
  const auto decimal = fmt::detail::dragonbox::to_decimal(std::abs(x));
  std::array<char, 20> room;
  const char* const end = room.data() + room.size();
  const char* const digits = put_digits_before(room.data() + room.size(), decimal.significand);
  const int count = static_cast<int>(end - digits), exponent = decimal.exponent + count - 1;
  if (exponent < -4 || exponent >= 16) return put_with_exponent(out, digits, count, exponent);
  if (exponent < 0) {
    out = put_zeros(put_chars(out, "0.", 2), -exponent - 1);
    return put_chars(out, digits, count);
  }
  const int whole = exponent + 1;
  if (count <= whole) return put_zeros(put_chars(out, digits, count), whole - count);
  out = put_chars(out, digits, whole);
  *out++ = '.';
  return put_chars(out, digits + whole, count - whole);
}

}  // namespace driftless::cli
