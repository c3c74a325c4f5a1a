#include "apps/driftless/report/article.h"

#include "apps/driftless/report/base64.h"
#include "apps/driftless/report/page.h"

namespace driftless::cli {

namespace {

Json table_json(const ArticleTable& table) {
  Json columns = Json::array();
  for (const TextColumn& column : table.columns)
    columns.push_back({{"title", column.title}, {"number", column.number}});
  return {{"title", table.title}, {"columns", std::move(columns)}, {"rows", table.rows}, {"folded", table.folded}};
}

Json clouds_json(const Clouds& clouds) {
  Json sets = Json::array();
  for (const auto& [label, table] : clouds.sets) {
    Json columns = Json::array();
    for (const Vector& column : table.columns) columns.push_back(base64(column));
    sets.push_back({{"label", label}, {"columns", std::move(columns)}});
  }
  return {{"title", clouds.title},
          {"note", clouds.note},
          {"joined", clouds.joined},
          {"names", clouds.sets.empty() ? std::vector<std::string>{} : clouds.sets[0].second.names},
          {"sets", std::move(sets)}};
}

Json section_json(const Section& section) {
  Json remarks = Json::array(), pictures = Json::array(), tables = Json::array();
  for (const Remark& remark : section.remarks) remarks.push_back({{"kind", remark.kind}, {"text", remark.text}});
  for (const Picture& picture : section.pictures) pictures.push_back(picture_json(picture));
  for (const ArticleTable& table : section.tables) tables.push_back(table_json(table));
  Json object = {{"id", section.id},
                 {"title", section.title},
                 {"what", section.what},
                 {"remarks", std::move(remarks)},
                 {"pictures", std::move(pictures)},
                 {"tables", std::move(tables)},
                 {"text", section.text}};
  if (section.clouds) object["clouds"] = clouds_json(*section.clouds);
  return object;
}

}  // namespace

std::string article_page(const Article& article) {
  Json sections = Json::array();
  for (const Section& section : article.sections) sections.push_back(section_json(section));
  return page_with(article.title + " - driftless", {{"kind", "article"},
                                                    {"version", DRIFTLESS_VERSION},
                                                    {"title", article.title},
                                                    {"subtitle", article.subtitle},
                                                    {"sections", std::move(sections)}});
}

ArticleTable facts(const std::vector<std::pair<std::string, std::string>>& entries) {
  ArticleTable table{.title = "", .columns = {{"", false}, {"", false}}};
  for (const auto& [what, value] : entries)
    if (!value.empty()) table.rows.push_back({what, value});
  return table;
}

}  // namespace driftless::cli
