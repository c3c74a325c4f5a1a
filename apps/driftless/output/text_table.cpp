#include "apps/driftless/output/text_table.h"

#include <algorithm>

#include "apps/driftless/output/terminal.h"

namespace driftless::cli {

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::size_t> width;
  for (const Column& column : columns_) width.push_back(visible_width(column.title));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], visible_width(row[i]));
  const auto line = [&](auto cell) {
    std::string result(indent, ' ');
    std::size_t pending = 0;  // blanks that are written only if something follows
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string content = cell(i);
      const std::size_t missing = width[i] - visible_width(content);
      const bool right = columns_[i].align == Align::right;
      if (!content.empty()) result += std::string(pending + (right ? missing : 0), ' ') + content;
      pending = content.empty() ? pending + width[i] + 2 : (right ? 2 : missing + 2);
    }
    return result + '\n';
  };
  std::string result = line([&](std::size_t i) { return columns_[i].title.empty() ? "" : bold(columns_[i].title); });
  for (const auto& row : rows_) result += line([&](std::size_t i) { return i < row.size() ? row[i] : std::string(); });
  return result;
}

}  // namespace driftless::cli
