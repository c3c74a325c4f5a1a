// Tableaux by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "driftless/core/failure.h"
#include "driftless/tableau/families.h"

namespace driftless {
namespace {

struct Family {
  const char* prefix;
  int fewest;
  Tableau (*make)(int);
};

struct Single {
  const char* name;
  Tableau (*make)();
};

constexpr Family families[] = {
    {"gauss-", 1, gauss}, {"radau-ia-", 1, radau_ia}, {"radau-iia-", 1, radau_iia}, {"lobatto-iiic-", 2, lobatto_iiic}};

constexpr Single singles[] = {{"implicit-euler", implicit_euler},
                              {"collocation-2", collocation2},
                              {"sdirk-2", sdirk2},
                              {"sdirk-2-half", sdirk2_half},
                              {"sdirk-3-crouzeix", sdirk3_crouzeix},
                              {"sdirk-3", sdirk3},
                              {"sdirk-4", sdirk4},
                              {"hem3", hem3},
                              {"hem4", hem4},
                              {"hem5", hem5},
                              {"dopri5", dopri5},
                              {"dop853", dop853}};

std::string canonical(std::string_view name) {
  std::string result;
  for (const char letter : name) {
    const bool separator = letter == '_' || letter == ' ';
    result += separator ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return result;
}

// Levenshtein's distance: how many letters to insert, delete or change.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t change = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string known_names() {
  std::vector<std::string> known;
  for (const Family& family : families)
    known.push_back(fmt::format("{0}{1} ... {0}{2}", family.prefix, family.fewest, most_stages));
  for (const Single& single : singles) known.emplace_back(single.name);
  return fmt::format("{}", fmt::join(known, ", "));
}

std::string closest_name(const std::string& wanted) {
  const std::vector<std::string> names = tableau_names();
  return *std::min_element(names.begin(), names.end(), [&](const std::string& left, const std::string& right) {
    return edit_distance(wanted, left) < edit_distance(wanted, right);
  });
}

}  // namespace

std::vector<std::string> tableau_names() {
  std::vector<std::string> names;
  for (const Family& family : families)
    for (int stages = family.fewest; stages <= most_stages; ++stages)
      names.push_back(family.prefix + std::to_string(stages));
  for (const Single& single : singles) names.emplace_back(single.name);
  return names;
}

Tableau tableau_by_name(std::string_view name) {
  const std::string wanted = canonical(name);
  for (const Single& single : singles)
    if (wanted == single.name) return single.make();
  for (const Family& family : families)
    for (int stages = family.fewest; stages <= most_stages; ++stages)
      if (wanted == family.prefix + std::to_string(stages)) return family.make(stages);
  throw Misuse(fmt::format("no tableau is called '{}'; did you mean '{}'? Known: {}", name, closest_name(wanted),
                           known_names()));
}

}  // namespace driftless
