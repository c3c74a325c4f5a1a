#include "driftless/modelfile/text/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

namespace driftless {

namespace {

double replacement(char a, char b) {
  if (a == b) return 0.0;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b) ? 0.25 : 1.0;
}

}  // namespace

// Damerau-Levenshtein distance of the restricted kind, by rows.
double edit_distance(std::string_view a, std::string_view b, double most) {
  const double difference = std::abs(static_cast<double>(a.size()) - static_cast<double>(b.size()));
  if (difference > most) return difference;
  std::vector<double> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<double>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<double>(i);
    double best = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1.0, row[j - 1] + 1.0, last[j - 1] + replacement(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1.0);
      best = std::min(best, row[j]);
    }
    if (best > most) return best;
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

namespace {

std::string_view without_quotes(std::string_view name) {
  const bool has_them = name.size() > 2 && name.front() == '\'' && name.back() == '\'';
  return has_them ? name.substr(1, name.size() - 2) : name;
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view full_name, std::span<const std::string_view> candidates) {
  const std::string_view name = without_quotes(full_name);
  if (name.empty() || name.size() > 200) return std::nullopt;
  double best = name.size() <= 2 ? 0.5 : std::min(3.0, 0.4 * static_cast<double>(name.size()));
  std::optional<std::string> nearest;
  for (const std::string_view candidate : candidates) {
    if (candidate == full_name) continue;
    const double distance = edit_distance(name, without_quotes(candidate), best);
    if (distance < best || (distance == best && !nearest)) {
      best = distance;
      nearest = std::string(candidate);
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  const std::optional<std::string> nearest = nearest_name(name, candidates);
  return nearest ? fmt::format("did you mean {}?", quoted(*nearest)) : std::string{};
}

std::string quoted(std::string_view name) {
  if (!name.empty() && name.front() == '\'') return std::string(name);
  return fmt::format("'{}'", name);
}

}  // namespace driftless
