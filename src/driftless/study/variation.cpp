#include "driftless/study/variation.h"

#include <fmt/format.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "driftless/core/failure.h"
#include "driftless/core/number_text.h"

namespace driftless {

namespace {

constexpr double most_values = 1e7;

std::string trimmed(std::string text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char letter : text)
    if (letter == separator)
      parts.emplace_back();
    else
      parts.back() += letter;
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Misuse(fmt::format("{}: {}", text, why));
}

double number_in(const std::string& word, const std::string& text) {
  const auto value = finite_number_in(word);
  if (!value) refuse(text, fmt::format("'{}' is not a number", word));
  return *value;
}

// f(1, 2) as its name and its numbers; none for everything else.
struct Call {
  std::string name;
  std::vector<std::string> arguments;
};
std::optional<Call> call_in(const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')') return std::nullopt;
  return Call{trimmed(text.substr(0, open)), split(text.substr(open + 1, text.size() - open - 2), ',')};
}

std::size_t count_in(const std::string& word, const std::string& text) {
  const double count = number_in(word, text);
  if (!(count >= 1.0 && count <= most_values) || count != std::floor(count))
    refuse(text, fmt::format("'{}' is not a number of values from 1 to {:g}", word, most_values));
  return static_cast<std::size_t>(count);
}

// Each value is computed from the ends, so that errors do not add up, and both ends are met exactly.
template <class Between>
Vector spaced(double first, double last, std::size_t count, const Between& between) {
  Vector values(count, first);
  for (std::size_t i = 1; i + 1 < count; ++i)
    values[i] = between(static_cast<double>(i) / static_cast<double>(count - 1));
  if (count > 1) values.back() = last;
  return values;
}

Vector linear(double first, double last, std::size_t count) {
  return spaced(first, last, count, [&](double share) { return first + share * (last - first); });
}

Vector geometric(double first, double last, std::size_t count, const std::string& text) {
  if (!(first * last > 0.0)) refuse(text, "both ends must have the same sign, and none may be zero");
  return spaced(first, last, count, [&](double share) { return first * std::pow(last / first, share); });
}

// first : step : last. A step that misses the end by rounding alone meets it.
Vector range(const std::vector<std::string>& parts, const std::string& text) {
  const double first = number_in(parts.front(), text), last = number_in(parts.back(), text);
  const double step = parts.size() == 3 ? number_in(parts[1], text) : 1.0;
  const double steps = (last - first) / step;
  if (!(steps >= 0.0) || !std::isfinite(steps))
    refuse(text, "the steps do not lead from the first value to the last one: write first:step:last");
  if (steps > most_values) refuse(text, fmt::format("these are {:.3g} values", steps));
  const double whole = std::floor(steps + 1e-9 * std::max(1.0, steps));
  Vector values;
  for (double i = 0.0; i <= whole; i += 1.0) values.push_back(first + i * step);
  if (std::abs(whole - steps) <= 1e-9 * std::max(1.0, steps)) values.back() = last;
  return values;
}

Vector values_in(const std::string& right, const std::string& text) {
  if (const auto call = call_in(right)) {
    const bool is_linear = call->name == "linspace";
    if (!is_linear && call->name != "logspace") return {};
    if (call->arguments.size() != 3) refuse(text, fmt::format("write {}(first, last, count)", call->name));
    const double first = number_in(call->arguments[0], text), last = number_in(call->arguments[1], text);
    const std::size_t count = count_in(call->arguments[2], text);
    return is_linear ? linear(first, last, count) : geometric(first, last, count, text);
  }
  if (const auto parts = split(right, ':'); parts.size() > 1) {
    if (parts.size() > 3) refuse(text, "write first:last or first:step:last");
    return range(parts, text);
  }
  const auto words = split(right, ',');
  if (words.size() < 2 || right.find_first_of("{[(") != std::string::npos) return {};
  Vector values;
  for (const std::string& word : words) values.push_back(number_in(word, text));
  return values;
}

Distribution distribution_in(const std::string& right, const std::string& text) {
  using enum Distribution::Kind;
  const auto call = call_in(right);
  const std::string known =
      "write uniform(a, b), normal(mean, deviation), or lognormal(mean, deviation) of the "
      "logarithm";
  if (!call || call->arguments.size() != 2) refuse(text, known);
  Distribution found;
  if (call->name == "uniform")
    found.kind = uniform;
  else if (call->name == "normal")
    found.kind = normal;
  else if (call->name == "lognormal")
    found.kind = lognormal;
  else
    refuse(text, fmt::format("'{}' is no distribution that is known here; {}", call->name, known));
  found.a = number_in(call->arguments[0], text);
  found.b = number_in(call->arguments[1], text);
  if (found.kind == uniform ? !(found.a < found.b) : !(found.b > 0.0))
    refuse(text,
           found.kind == uniform ? "the first end must be below the second one" : "the deviation must be positive");
  return found;
}

}  // namespace

// The normal quantile by the inverse of erfc, which keeps its digits in the tails.
double quantile(const Distribution& distribution, double share) {
  using enum Distribution::Kind;
  if (distribution.kind == uniform) return distribution.a + share * (distribution.b - distribution.a);
  const double normal_share = -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * share);
  const double x = distribution.a + distribution.b * normal_share;
  return distribution.kind == normal ? x : std::exp(x);
}

std::optional<Variation> variation_from(const std::string& text) {
  const std::size_t sign = text.find_first_of("=~");
  if (sign == std::string::npos || sign == 0) return std::nullopt;
  Variation found{trimmed(text.substr(0, sign)), {}};
  const std::string right = trimmed(text.substr(sign + 1));
  if (found.name.empty() || right.empty()) return std::nullopt;
  if (text[sign] == '~') {
    found.values = distribution_in(right, text);
    return found;
  }
  Vector values = values_in(right, text);
  if (values.empty()) return std::nullopt;
  found.values = std::move(values);
  return found;
}

}  // namespace driftless
