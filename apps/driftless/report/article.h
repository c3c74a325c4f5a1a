// A page of words, pictures and tables: what an analysis or a benchmark found.
#pragma once

#include <optional>

#include "apps/driftless/report/picture.h"
#include "apps/driftless/report/remark.h"
#include "apps/driftless/report/table.h"

namespace driftless::cli {

struct TextColumn {
  std::string title;
  bool number = true;  // stands at the right
};

struct ArticleTable {
  std::string title;
  std::vector<TextColumn> columns = {};
  std::vector<std::vector<std::string>> rows = {};
  bool folded = false;  // opened by a click
};

// Sets of points with the same coordinates; the reader chooses which two are shown.
struct Clouds {
  std::string title, note;
  bool joined = false;  // paths, from a circle to a square
  std::vector<std::pair<std::string, Table>> sets = {};
};

struct Section {
  std::string id, title;
  std::string what = {};  // a line below the title
  std::vector<Remark> remarks = {};
  std::vector<Picture> pictures = {};
  std::optional<Clouds> clouds = {};
  std::vector<ArticleTable> tables = {};
  std::string text = {};  // as written, such as a model
};

struct Article {
  std::string title, subtitle;
  std::vector<Section> sections = {};
};

std::string article_page(const Article& article);

// Two columns, what and its value; entries without a value are left out.
ArticleTable facts(const std::vector<std::pair<std::string, std::string>>& entries);

}  // namespace driftless::cli
