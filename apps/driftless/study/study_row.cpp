#include "apps/driftless/study/study_row.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "apps/driftless/output/csv_field.h"
#include "apps/driftless/output/number_digits.h"
#include "driftless/core/number_text.h"

namespace driftless::cli {

namespace {

std::string one_line(const std::string& text) {
  std::string line;
  for (const char letter : text) {
    const bool blank = letter == '\n' || letter == '\r' || letter == '\t' || letter == ' ';
    if (!blank)
      line += letter;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

// The next field, without its quotes; the rest of the line stays behind.
std::optional<std::string> next_field(std::string_view& rest) {
  std::string field;
  if (rest.empty() || rest.front() != '"') {
    const std::size_t end = std::min(rest.find(','), rest.size());
    field = rest.substr(0, end);
    rest.remove_prefix(end);
  } else {
    std::size_t i = 1;
    while (i < rest.size() && !(rest[i] == '"' && (i + 1 == rest.size() || rest[i + 1] != '"')))
      field += rest[rest[i] == '"' ? ++i : i], ++i;
    if (i >= rest.size()) return std::nullopt;
    rest.remove_prefix(i + 1);
  }
  if (!rest.empty() && rest.front() != ',') return std::nullopt;
  return field;
}

bool skip_comma(std::string_view& rest) {
  if (rest.empty() || rest.front() != ',') return false;
  rest.remove_prefix(1);
  return true;
}

}  // namespace

TableRow table_row(const StudyRow& row) {
  TableRow text{.run = row.run, .values = row.values};
  text.values.insert(text.values.end(), row.measures.begin(), row.measures.end());
  const ExitCode code = row.refused   ? exit_code_of(*row.refused)
                        : row.failure ? exit_code_of(row.failure->kind)
                                      : ExitCode::ok;
  text.status = explanation_of(code).name;
  if (row.failure) text.reason = one_line(row.refused ? row.failure->what_happened : row.failure->message());
  return text;
}

std::string title_line(const std::vector<std::string>& varied, const std::vector<std::string>& shown) {
  std::string line = "run";
  for (const auto* names : {&varied, &shown})
    for (const std::string& name : *names) line += ',' + csv_field(in_model_quotes(name));
  return line + ",status,reason\n";
}

std::string text_of(const TableRow& row) {
  std::string line = fmt::format("{}", row.run);
  for (const double x : row.values) {
    char digits[longest_number];
    line += ',';
    if (!std::isnan(x)) line.append(digits, put_number(digits, x));
  }
  return line + ',' + row.status + ',' + csv_field(row.reason) + '\n';
}

std::optional<TableRow> row_in(std::string_view line, std::size_t numbers) {
  TableRow row;
  const auto run = next_field(line);
  const auto number = run ? number_in<std::size_t>(*run) : std::nullopt;
  if (!number) return std::nullopt;
  row.run = *number;
  for (std::size_t k = 0; k < numbers; ++k) {
    if (!skip_comma(line)) return std::nullopt;
    const auto field = next_field(line);
    if (!field) return std::nullopt;
    const auto value = field->empty() ? std::numeric_limits<double>::quiet_NaN() : number_in(*field);
    if (!value) return std::nullopt;
    row.values.push_back(*value);
  }
  for (std::string* text : {&row.status, &row.reason}) {
    if (!skip_comma(line)) return std::nullopt;
    const auto field = next_field(line);
    if (!field) return std::nullopt;
    *text = *field;
  }
  return line.empty() && !row.status.empty() ? std::optional(row) : std::nullopt;
}

}  // namespace driftless::cli
