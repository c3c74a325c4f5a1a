#include "apps/driftless/study/study_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/driftless/output/json_text.h"
#include "apps/driftless/output/streams.h"

namespace driftless::cli {

namespace {

std::string title_of(const StudyResults& results) {
  return title_line(results.names(0, results.varied), results.names(results.varied, results.columns.size()));
}

// Part after part, for there may be millions of rows.
class StudyText {
 public:
  explicit StudyText(const StudyResults& results)
      : part_(title_of(results)), row_(results.rows.begin()), end_(results.rows.end()) {}
  std::string_view next() {
    if (!begun_) {
      begun_ = true;
      return part_;
    }
    part_.clear();
    for (; row_ != end_ && part_.size() < 100'000; ++row_) part_ += text_of(row_->second);
    return part_;
  }

 private:
  std::string part_;
  std::map<std::size_t, TableRow>::const_iterator row_, end_;
  bool begun_ = false;
};

Json columns_of(const StudyResults& results) {
  Json columns = Json::array({Json{{"titles", "run"}, {"datatype", "integer"}}});
  for (const ResultColumn& column : results.columns) {
    Json one = {{"titles", column.name}, {"datatype", "double"}};
    if (!column.unit.empty()) one["unit"] = column.unit;
    if (!column.description.empty()) one["dc:description"] = column.description;
    columns.push_back(std::move(one));
  }
  for (const char* title : {"status", "reason"}) columns.push_back({{"titles", title}, {"datatype", "string"}});
  return columns;
}

// The status is the exit code that the run alone would have; reasons are in an attribute.
Recording recording_of(const StudyResults& results, Metadata& metadata) {
  Recording recording(results.columns);
  recording.columns.front() = {"run", "", "number of the run"};
  recording.columns.push_back({"status", "", "exit code of the run"});
  Json failures = Json::array();
  for (const auto& [run, row] : results.rows) {
    recording.values.push_back(static_cast<double>(run));
    recording.values.insert(recording.values.end(), row.values.begin(), row.values.end());
    const auto known =
        std::ranges::find(explanations(), row.status, [](const Explanation& e) { return std::string(e.name); });
    recording.values.push_back(known == explanations().end() ? NAN : static_cast<double>(known->code));
    if (!row.ok()) failures.push_back({{"run", run}, {"status", row.status}, {"reason", row.reason}});
  }
  metadata = results.about;
  metadata["failures"] = std::move(failures);
  return recording;
}

}  // namespace

StudyFiles::StudyFiles(const std::vector<std::string>& paths, bool metadata) {
  for (const std::string& path : paths) {
    if (path == "-")
      on_output_ = true;
    else if (path.ends_with(".csv"))
      tables_.push_back(
          {PendingFile(path), metadata ? std::optional<PendingFile>(path + "-metadata.json") : std::nullopt});
    else if (path.ends_with(".h5") || path.ends_with(".hdf5"))
      others_.emplace_back(path, open_output(path, metadata));
    else
      throw Stop(ExitCode::usage, fmt::format("--output {}: FILE.csv, FILE.h5, or - for CSV", path));
  }
}

void StudyFiles::write(const StudyResults& results, Csv& csv) {
  if (csv.about) {
    const std::string name = std::filesystem::path(csv.table.path()).filename();
    Json object = {{"@context", "http://www.w3.org/ns/csvw"}, {"url", name}};
    object.update(results.about);
    object["tableSchema"] = {{"columns", columns_of(results)}};
    csv.about->write(json_text(object, 2) + '\n');
  }
  StudyText text(results);
  csv.table.write([&] { return text.next(); });
  csv.table.commit();
  if (csv.about) csv.about->commit();
}

std::vector<std::string> StudyFiles::write(const StudyResults& results) {
  std::vector<std::string> written;
  const auto tell = [&](const std::string& name) {
    written.push_back(fmt::format("{}: {} rows, {} columns", name, results.rows.size(), results.columns.size() + 3));
  };
  for (Csv& csv : tables_) {
    write(results, csv);
    tell(csv.about ? fmt::format("{} and {}", csv.table.path(), csv.about->path()) : csv.table.path());
  }
  for (auto& [path, file] : others_) {
    Metadata about;
    const Recording recording = recording_of(results, about);
    file->write(recording, about, nullptr);
    tell(path);
  }
  if (!on_output_) return written;
  StudyText text(results);
  for (std::string_view part = text.next(); !part.empty(); part = text.next()) put(stdout, part);
  return written;
}

}  // namespace driftless::cli
