// CSV: a line of names, then numbers that read back to the same bits. Units and metadata are in a second file, named as
// "Metadata for Tabular Data on the Web" has it, so that the first one needs no explaining to any reader.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "apps/driftless/output/csv_field.h"
#include "apps/driftless/output/number_digits.h"
#include "apps/driftless/output/output_file.h"
#include "apps/driftless/output/streams.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/utf8.h"

namespace driftless::cli {

namespace {

// The text of a recording, part after part: that of a large model would be as large as all else together. Blocks of
// rows are made by several threads.
class CsvText {
 public:
  explicit CsvText(const Recording& recording)
      : recording_(recording), rows_in_block_(std::max<std::size_t>(1, numbers_in_block / recording.columns.size())) {}

  // Empty: no more. It lasts until the next call.
  std::string_view next() {
    if (!std::exchange(has_names_, true)) return names();
    if (given_ == blocks_.size()) make_blocks();
    return given_ < blocks_.size() ? std::string_view(blocks_[given_++]) : std::string_view{};
  }

 private:
  static constexpr std::size_t numbers_in_block = 100'000, most_threads = 8;

  std::string_view names() {
    std::string& text = blocks_.emplace_back();
    for (std::size_t i = 0; i < recording_.columns.size(); ++i) {
      if (i > 0) text += ',';
      text += csv_field(in_model_quotes(recording_.columns[i].name));
    }
    text += '\n';
    return blocks_[given_++];
  }

  void make_blocks() {
    const std::size_t rows = recording_.rows();
    const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads);
    given_ = 0;
    blocks_.resize(std::min(threads, (rows - row_ + rows_in_block_ - 1) / rows_in_block_));
    std::vector<std::future<void>> others;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      const std::size_t first = row_, last = std::min(rows, first + rows_in_block_);
      row_ = last;
      const auto make = [this, k, first, last] { make_block(blocks_[k], first, last); };
      if (k + 1 < blocks_.size())
        others.push_back(std::async(make));
      else
        make();
    }
    for (std::future<void>& other : others) other.get();
  }

  void make_block(std::string& text, std::size_t first, std::size_t last) const {
    const std::size_t columns = recording_.columns.size();
    text.resize((last - first) * columns * (longest_number + 1));
    char* out = text.data();
    for (std::size_t row = first; row < last; ++row)
      for (std::size_t column = 0; column < columns; ++column) {
        const double x = recording_.at(row, column);
        if (!std::isnan(x)) out = put_number(out, x);  // nothing: not a number
        *out++ = column + 1 < columns ? ',' : '\n';
      }
    text.resize(static_cast<std::size_t>(out - text.data()));
  }

  const Recording& recording_;
  const std::size_t rows_in_block_;
  std::vector<std::string> blocks_;
  std::size_t given_ = 0, row_ = 0;
  bool has_names_ = false;
};

// As json_text has it, of which most names and units need nothing.
std::string quoted(const std::string& text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  return std::ranges::all_of(text, is_plain) ? '"' + text + '"' : json_text(Json(text));
}

// A million columns as values of JSON would be larger than all results.
std::string columns_text(const Recording& recording) {
  std::string text = "[";
  for (const ResultColumn& column : recording.columns) {
    text += &column == recording.columns.data() ? "\n" : ",\n";
    text +=
        "      {\n        \"titles\": " + quoted(in_model_quotes(column.name)) + ",\n        \"datatype\": \"double\"";
    if (!column.unit.empty()) text += ",\n        \"unit\": " + quoted(column.unit);
    if (!column.description.empty()) text += ",\n        \"dc:description\": " + quoted(column.description);
    text += "\n      }";
  }
  return text + "\n    ]";
}

std::string metadata_text(const std::string& csv, const Recording& recording, const Metadata& metadata) {
  Json object = {{"@context", "http://www.w3.org/ns/csvw"}, {"url", std::filesystem::path(csv).filename().string()}};
  object.update(metadata);
  object["tableSchema"] = {{"columns", Json::array()}};
  std::string text = json_text(object, 2);
  const std::size_t place = text.rfind("[]");
  return text.replace(place, 2, columns_text(recording)) + '\n';
}

class CsvFile final : public OutputFile {
 public:
  CsvFile(const std::string& path, bool with_metadata) : table_(path) {
    if (with_metadata) about_.emplace(path + "-metadata.json");
  }
  void write(const Recording& recording, const Metadata& metadata, const ReportRun*) override {
    CsvText text(recording);
    table_.write([&] { return text.next(); });
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
    CsvText text(recording);
    const bool to_people = is_terminal(stdout);
    for (std::string_view part = text.next(); !part.empty(); part = text.next())
      put(stdout, to_people ? shown(part) : part);
  }
  std::string description() const override { return {}; }
};

}  // namespace

std::unique_ptr<OutputFile> open_csv(const std::string& path, bool with_metadata) {
  return std::make_unique<CsvFile>(path, with_metadata);
}

std::unique_ptr<OutputFile> csv_to_standard_output() { return std::make_unique<CsvToStandardOutput>(); }

}  // namespace driftless::cli
