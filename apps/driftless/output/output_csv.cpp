// CSV: a line of names, then numbers that read back to the same bits. Units and metadata are in a second file, named as
// "Metadata for Tabular Data on the Web" has it, so that the first one needs no explaining to any reader.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "apps/driftless/output/output_file.h"
#include "apps/driftless/output/streams.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/utf8.h"

namespace driftless::cli {

namespace {

// Spreadsheets compute what begins with one of these. Such a name has quotes in its model, and gets them back.
std::string in_model_quotes(const std::string& name) {
  const bool is_formula = name.find_first_of("=+-@\t") == 0;
  return is_formula ? fmt::format("'{}'", name) : name;
}

std::string field(const std::string& name) {
  if (name.find_first_of(",;\"\t\n\r") == std::string::npos) return name;
  std::string result = "\"";
  for (const char letter : name) result += letter == '"' ? "\"\"" : std::string(1, letter);
  return result + '"';
}

// Room is made once, by the length of the rows so far: the text of a large model is as large as all else together.
std::string csv_text(const Recording& recording) {
  std::string text;
  const std::size_t rows = recording.rows(), columns = recording.columns.size();
  for (std::size_t i = 0; i < columns; ++i)
    text += (i > 0 ? "," : "") + field(in_model_quotes(recording.columns[i].name));
  text += '\n';
  const std::size_t names = text.size();
  for (std::size_t row = 0; row < rows; ++row) {
    if (row == 2) text.reserve(names + (text.size() - names) / 2 * rows);
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) text.push_back(',');
      const double x = recording.at(row, column);
      if (std::isnan(x)) continue;  // nothing: not a number
      std::array<char, 32> digits;
      const char* const end = fmt::format_to(digits.data(), FMT_COMPILE("{}"), x);
      text.append(static_cast<const char*>(digits.data()), end);
    }
    text.push_back('\n');
  }
  return text;
}

std::string metadata_text(const std::string& csv, const Recording& recording, const Metadata& metadata) {
  Json columns = Json::array();
  for (const ResultColumn& column : recording.columns) {
    Json one = {{"titles", in_model_quotes(column.name)}, {"datatype", "double"}};
    if (!column.unit.empty()) one["unit"] = column.unit;
    if (!column.description.empty()) one["dc:description"] = column.description;
    columns.push_back(std::move(one));
  }
  Json object = {{"@context", "http://www.w3.org/ns/csvw"}, {"url", std::filesystem::path(csv).filename().string()}};
  object.update(metadata);
  object["tableSchema"] = {{"columns", std::move(columns)}};
  return json_text(object, 2) + '\n';
}

class CsvFile final : public OutputFile {
 public:
  CsvFile(const std::string& path, bool with_metadata) : table_(path) {
    if (with_metadata) about_.emplace(path + "-metadata.json");
  }
  void write(const Recording& recording, const Metadata& metadata, const ReportRun*) override {
    table_.write(csv_text(recording));
    if (about_) about_->write(metadata_text(table_.path(), recording, metadata));
    table_.commit();
    if (about_) about_->commit();
  }
  std::string description() const override {
    return about_ ? fmt::format("{} and {}", table_.path(), about_->path()) : table_.path();
  }

 private:
  PendingFile table_;
  std::optional<PendingFile> about_;
};

class CsvToStandardOutput final : public OutputFile {
 public:
  void write(const Recording& recording, const Metadata&, const ReportRun*) override {
    const std::string text = csv_text(recording);
    put(stdout, is_terminal(stdout) ? shown(text) : text);
  }
  std::string description() const override { return {}; }
};

}  // namespace

std::unique_ptr<OutputFile> open_csv(const std::string& path, bool with_metadata) {
  return std::make_unique<CsvFile>(path, with_metadata);
}

std::unique_ptr<OutputFile> csv_to_standard_output() { return std::make_unique<CsvToStandardOutput>(); }

}  // namespace driftless::cli
