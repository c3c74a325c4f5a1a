#include "apps/driftless/model/tableau_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "apps/driftless/model/text_file.h"
#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/program/names.h"
#include "driftless/core/number_text.h"

namespace driftless::cli {

namespace {

constexpr double rounding = 1e-13;  // of sums of coefficients that were rounded once, relative to 1
const std::vector<std::string> known_keys = {"A", "b", "c", "title", "source"};

class TableauFile {
 public:
  explicit TableauFile(std::string path) : path_(std::move(path)) {}

  Tableau read() {
    const Json file = parsed();
    if (!file.is_object()) refuse("", "an object is needed: {\"A\": [[...], ...], \"b\": [...]}");
    for (const auto& [key, value] : file.items())
      if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end())
        refuse("",
               fmt::format("there is no key \"{}\"{}; known: A, b, c, title, source", key, perhaps(key, known_keys)));
    const Matrix a = matrix(file);
    const Vector b = vector(file, "b", a.rows());
    Tableau tableau = from_numbers(path_, a, b);
    require_weights(b);
    if (file.contains("c")) tableau.c = checked_nodes(vector(file, "c", a.rows()), tableau.c);
    tableau.title = words(file, "title", std::filesystem::path(path_).stem().string());
    tableau.citation = words(file, "source", path_);
    return tableau;
  }

 private:
  [[noreturn]] void refuse(const std::string& where, const std::string& what) const {
    throw Stop(ExitCode::file, fmt::format("{}: {}{}{}", path_, where, where.empty() ? "" : ": ", what));
  }

  std::string text() const {
    if (type_of(path_) != std::filesystem::file_type::regular)
      throw Stop(ExitCode::file, fmt::format("there is no method file '{}' that can be read\n  try:   driftless "
                                             "methods, for the methods that have names",
                                             path_));
    return read_text_file(path_);
  }

  // A key that comes twice would silently lose its first value.
  Json parsed() const {
    const std::string content = text();
    std::set<std::string> seen;
    std::string twice;
    const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
      if (depth > 8) refuse("", "lists inside lists inside lists: a method has a matrix, and that is all");
      if (event == Json::parse_event_t::key && depth == 1 && !seen.insert(value.get<std::string>()).second)
        twice = value.get<std::string>();
      return true;
    };
    try {
      Json file = Json::parse(content, watch);
      if (!twice.empty()) refuse("", fmt::format("the key \"{}\" comes twice", twice));
      return file;
    } catch (const Json::parse_error& error) {
      throw Stop(ExitCode::file, fmt::format("{}:{}: this is not JSON\n  {}", path_, place(content, error.byte),
                                             shortened(error.what())));
    } catch (const Json::exception& error) {
      refuse("", shortened(error.what()));
    }
  }

  // "line:column" of a byte, counted from 1.
  static std::string place(const std::string& content, std::size_t byte) {
    const std::string before = content.substr(0, byte > 0 ? byte - 1 : 0);
    const auto line = std::count(before.begin(), before.end(), '\n');
    return fmt::format("{}:{}", line + 1, before.size() - (before.rfind('\n') + 1) + 1);
  }

  // Without the library's own number and position.
  static std::string shortened(const std::string& message) {
    const std::size_t column = message.find("column "), colon = message.find(": ", std::min(column, message.size()));
    if (colon != std::string::npos) return message.substr(colon + 2);
    const std::size_t bracket = message.find("] ");
    return bracket == std::string::npos ? message : message.substr(bracket + 2);
  }

  const Json& list(const Json& file, const char* key) const {
    if (!file.contains(key)) refuse("", fmt::format("\"{}\" is missing", key));
    const Json& value = file[key];
    if (!value.is_array() || value.empty()) refuse(fmt::format("\"{}\"", key), "a list of numbers is needed");
    return value;
  }

  Matrix matrix(const Json& file) const {
    const Json& rows = list(file, "A");
    const std::size_t stages = rows.size();
    Matrix a(stages, stages);
    for (std::size_t i = 0; i < stages; ++i) {
      const std::string where = fmt::format("\"A\", row {}", i + 1);
      if (!rows[i].is_array()) refuse(where, "a list of numbers is needed: A is a list of rows");
      if (rows[i].size() != stages)
        refuse(where, fmt::format("it has {} entries, but A has {} rows, and must be square", rows[i].size(), stages));
      for (std::size_t j = 0; j < stages; ++j) a(i, j) = number(rows[i][j], fmt::format("{}, column {}", where, j + 1));
    }
    return a;
  }

  Vector vector(const Json& file, const char* key, std::size_t stages) const {
    const Json& entries = list(file, key);
    if (entries.size() != stages)
      refuse(fmt::format("\"{}\"", key),
             fmt::format("it has {} entries, but A has {} rows: one for each stage", entries.size(), stages));
    Vector values;
    for (std::size_t i = 0; i < stages; ++i)
      values.push_back(number(entries[i], fmt::format("\"{}\", entry {}", key, i + 1)));
    return values;
  }

  // 0.25, or "1/4"; a fraction of whole numbers is rounded once.
  double number(const Json& entry, const std::string& where) const {
    if (entry.is_number()) return entry.get<double>();
    if (entry.is_string()) {
      const std::string text = entry.get<std::string>();
      const std::size_t slash = text.find('/');
      const auto above = parsed_number(text.substr(0, slash));
      const auto below = slash == std::string::npos ? std::optional(1.0) : parsed_number(text.substr(slash + 1));
      if (above && below && *below != 0.0 && std::isfinite(*above / *below)) return *above / *below;
    }
    refuse(where, fmt::format("{} is not a number; write 0.25, or \"1/4\"", json_text(entry)));
  }

  static std::optional<double> parsed_number(std::string text) {
    text.erase(0, text.find_first_not_of(' '));
    text.erase(text.find_last_not_of(' ') + 1);
    return finite_number_in(text);
  }

  // Without this the method does not even integrate x' = 1.
  void require_weights(const Vector& b) const {
    long double sum = 0.0L, size = 1.0L;
    for (const double x : b) {
      sum += x;
      size += std::abs(x);
    }
    if (std::abs(sum - 1.0L) > rounding * size)
      refuse("\"b\"", fmt::format("the weights add up to {}, but must to 1; write fractions as strings, \"1/3\"",
                                  static_cast<double>(sum)));
  }

  // As stated: 1/3 is nearer to what is meant than a sum of rounded numbers.
  Vector checked_nodes(const Vector& stated, const Vector& sums) const {
    for (std::size_t i = 0; i < stated.size(); ++i)
      if (!(std::abs(stated[i] - sums[i]) <= rounding * (1.0 + static_cast<double>(sums.size()))))
        refuse(fmt::format("\"c\", entry {}", i + 1),
               fmt::format("it is {}, but row {} of A adds up to {}; leave \"c\" out, or write fractions as strings, "
                           "\"1/3\"",
                           stated[i], i + 1, sums[i]));
    return stated;
  }

  std::string words(const Json& file, const char* key, const std::string& otherwise) const {
    if (!file.contains(key)) return otherwise;
    if (!file[key].is_string()) refuse(fmt::format("\"{}\"", key), "words in quotes are needed");
    return file[key].get<std::string>();
  }

  std::string path_;
};

}  // namespace

bool names_tableau_file(const std::string& name) { return name.size() > 5 && name.ends_with(".json"); }

Tableau tableau_from_file(const std::string& path) { return TableauFile(path).read(); }

Json coefficients_as_json(const Tableau& tableau) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < tableau.stages(); ++i) {
    rows.push_back(Json::array());
    for (std::size_t j = 0; j < tableau.stages(); ++j) rows.back().push_back(tableau.a(i, j));
  }
  return {{"A", std::move(rows)}, {"b", tableau.b}, {"c", tableau.c}};
}

}  // namespace driftless::cli
