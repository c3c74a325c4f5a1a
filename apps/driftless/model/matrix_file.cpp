#include "apps/driftless/model/matrix_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sstream>

#include "apps/driftless/model/text_file.h"
#include "apps/driftless/program/exit_codes.h"
#include "driftless/core/number_text.h"

namespace driftless::cli {

namespace {

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(" \t\r"), text.size()));
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

// Fields of a line; what is in quotes is one field, "x[1,2]".
std::vector<std::string> fields_of(const std::string& line) {
  const char separator = line.find(',') != std::string::npos ? ',' : line.find(';') != std::string::npos ? ';' : ' ';
  std::vector<std::string> fields(1);
  bool quoted = false, ended = false;  // inside quotes; just behind them
  for (const char letter : line) {
    if (letter == '"') {
      if (ended) fields.back() += letter;  // two of them are one inside
      quoted = !quoted;
      ended = !quoted;
      continue;
    }
    ended = false;
    if (!quoted && (letter == separator || (separator == ' ' && letter == '\t')))
      fields.emplace_back();
    else
      fields.back() += letter;
  }
  for (std::string& field : fields) field = trimmed(field);
  if (separator == ' ') std::erase(fields, "");
  return fields;
}

bool are_names(const std::vector<std::string>& fields) {
  return std::all_of(fields.begin(), fields.end(), [](const auto& f) { return !f.empty() && !number_in(f); });
}

void append_row(const std::string& place, const std::vector<std::string>& fields, Vector& row_by_row) {
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const auto value = number_in(fields[k]);
    if (!value || !std::isfinite(*value))
      throw Stop(ExitCode::file, fmt::format("{}: field {}, '{}', is not a finite number", place, k + 1, fields[k]));
    row_by_row.push_back(*value);
  }
}

}  // namespace

MatrixFile read_matrix(const std::string& path) {
  if (type_of(path) != std::filesystem::file_type::regular)
    throw Stop(ExitCode::file, fmt::format("there is no file '{}' that can be read", path));
  std::istringstream file(read_text_file(path));
  file.exceptions(std::ios::badbit);  // or memory that ends in a line ends the matrix
  MatrixFile result{.path = path, .values = {}};
  Vector row_by_row;
  std::size_t columns = 0, number = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string place = fmt::format("{}:{}", path, ++number);
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::vector<std::string> fields = fields_of(line);
    if (columns != 0 && fields.size() != columns)
      throw Stop(ExitCode::file,
                 fmt::format("{}: the line has {} fields, but the ones before have {}", place, fields.size(), columns));
    if (columns == 0 && are_names(fields))
      result.names = fields;
    else
      append_row(place, fields, row_by_row);
    columns = fields.size();
  }
  if (row_by_row.empty()) throw Stop(ExitCode::file, fmt::format("{}: there are no numbers in it", path));
  const std::size_t rows = row_by_row.size() / columns;
  result.values = Matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) result.values(i, j) = row_by_row[i * columns + j];
  return result;
}

}  // namespace driftless::cli
