#include "apps/driftless/study/read_study.h"

#include <fmt/format.h>

#include "apps/driftless/model/text_file.h"
#include "apps/driftless/output/json_text.h"

namespace driftless::cli {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Stop(ExitCode::file, fmt::format("{}: {}", path, why));
}

StudyResults described_in(const std::string& path) {
  StudyResults results;
  try {
    Json file = json_from(read_text_file(path));
    const Json columns = file.at("tableSchema").at("columns");
    results.total = file.at("total").get<std::size_t>();
    results.varied = file.at("varied").size();
    (void)file.at("study").get<std::string>();
    for (std::size_t k = 1; k + 2 < columns.size(); ++k)
      results.columns.push_back({columns[k].at("titles").get<std::string>(), columns[k].value("unit", ""),
                                 columns[k].value("dc:description", "")});
    for (const char* key : {"@context", "url", "tableSchema"}) file.erase(key);
    results.about = std::move(file);
  } catch (const Json::exception&) {
    refuse(path, "this is not what `driftless sweep` writes beside its results");
  }
  if (results.varied > results.columns.size()) refuse(path, "it names more varied quantities than columns");
  return results;
}

}  // namespace

StudyResults read_study(const std::string& path) {
  StudyResults results = described_in(path + "-metadata.json");
  const std::string text = read_text_file(path);
  const std::string titles =
      title_line(results.names(0, results.varied), results.names(results.varied, results.columns.size()));
  if (!text.starts_with(titles)) refuse(path, "its first line does not have the names that its metadata have");
  std::string_view rest = std::string_view(text).substr(titles.size());
  for (std::size_t line = 2; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    const auto row = end == std::string_view::npos ? std::nullopt : row_in(rest.substr(0, end), results.columns.size());
    if (!row) refuse(path, fmt::format("line {} is not a whole row of a study", line));
    if (row->run >= results.total) refuse(path, fmt::format("line {}: the study has {} runs", line, results.total));
    if (!results.rows.emplace(row->run, *row).second)
      refuse(path, fmt::format("line {}: run {} is there twice", line, row->run));
    rest.remove_prefix(end + 1);
  }
  return results;
}

}  // namespace driftless::cli
