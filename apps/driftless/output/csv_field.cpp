#include "apps/driftless/output/csv_field.h"

#include <fmt/format.h>

namespace driftless::cli {

std::string in_model_quotes(const std::string& name) {
  const bool is_formula = name.find_first_of("=+-@\t") == 0;
  return is_formula ? fmt::format("'{}'", name) : name;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",;\"\t\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char letter : text) result += letter == '"' ? "\"\"" : std::string(1, letter);
  return result + '"';
}

}  // namespace driftless::cli
