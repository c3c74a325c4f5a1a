#include "apps/driftless/report/fitting_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace driftless::cli {

namespace {

struct Misfit {
  std::string text;
};

[[noreturn]] void refuse(const std::string& text) { throw Misfit{text}; }

// Columns of equal length, with these names first.
void require_table(const std::string& what, const Table& table, std::initializer_list<const char*> names) {
  if (table.columns.size() < names.size())
    refuse(fmt::format("{} has {} columns, and needs {}", what, table.columns.size(), names.size()));
  std::size_t k = 0;
  for (const char* name : names)
    if (table.names[k++] != name)
      refuse(fmt::format("column {} of {} is '{}', not '{}'", k, what, table.names[k - 1], name));
  for (k = 0; k < table.columns.size(); ++k)
    if (table.columns[k].size() != table.rows())
      refuse(fmt::format("'{}' of {} has {} rows, and '{}' has {}", table.names[k], what, table.columns[k].size(),
                         table.names[0], table.rows()));
  for (const double t : table.columns[0])
    if (!std::isfinite(t)) refuse(fmt::format("a time of {} is {}", what, t));
}

using JsonKind = Json::value_t;

bool is_a(const Json& value, JsonKind kind) {
  return value.type() == kind || (kind == JsonKind::number_float && value.is_number());
}

const char* name_of(JsonKind kind) {
  switch (kind) {
    case JsonKind::object: return "an object";
    case JsonKind::array: return "a list";
    case JsonKind::string: return "a text";
    default: return "a number";
  }
}

void require_keys(const std::string& what, const Json& object,
                  std::initializer_list<std::pair<const char*, JsonKind>> keys) {
  if (!object.is_object()) refuse(fmt::format("{} is no object", what));
  for (const auto& [key, kind] : keys) {
    if (!object.contains(key)) refuse(fmt::format("{} lacks '{}'", what, key));
    if (!is_a(object.at(key), kind)) refuse(fmt::format("'{}' of {} is not {}", key, what, name_of(kind)));
  }
}

void require_each(const Json& about, const char* list, std::initializer_list<std::pair<const char*, JsonKind>> keys) {
  for (const Json& one : about.at(list)) require_keys(fmt::format("an entry of '{}'", list), one, keys);
}

void require_about(const Json& about, const Table& series) {
  require_keys("what is said about the run", about,
               {{"model", JsonKind::string},
                {"title", JsonKind::string},
                {"options", JsonKind::object},
                {"result", JsonKind::object},
                {"equations", JsonKind::string},
                {"seconds", JsonKind::number_float},
                {"levels", JsonKind::number_float},
                {"text", JsonKind::string},
                {"columns", JsonKind::array},
                {"events", JsonKind::array},
                {"event_count", JsonKind::number_float},
                {"changes", JsonKind::array},
                {"summary", JsonKind::array}});
  require_keys("the result", about.at("result"),
               {{"final", JsonKind::object}, {"statistics", JsonKind::object}, {"constraints", JsonKind::object}});
  require_each(about, "columns",
               {{"name", JsonKind::string},
                {"unit", JsonKind::string},
                {"description", JsonKind::string},
                {"group", JsonKind::string}});
  require_each(about, "events", {{"t", JsonKind::number_float}, {"name", JsonKind::string}});
  require_each(about, "changes", {{"t", JsonKind::number_float}, {"to", JsonKind::string}, {"why", JsonKind::string}});
  require_each(about, "summary", {{"kind", JsonKind::string}, {"text", JsonKind::string}});
  if (about.at("columns").size() != series.columns.size())
    refuse(
        fmt::format("{} results are described, and there are {}", about.at("columns").size(), series.columns.size()));
}

void require_point(const char* list, const Json& point, std::size_t points) {
  if (!point.is_number_unsigned() || point.get<std::size_t>() >= points)
    refuse(fmt::format("'{}' of the drawing names a point that is not there", list));
}

// Lists of points, or of tuples of them.
void require_points(const Json& drawing, const char* list, std::size_t each, std::size_t points) {
  for (const Json& one : drawing.at(list)) {
    if (each == 1) {
      require_point(list, one, points);
      continue;
    }
    if (!one.is_array() || one.size() != each) refuse(fmt::format("'{}' of the drawing has no {} points", list, each));
    for (const Json& point : one) require_point(list, point, points);
  }
}

void require_drawing(const Json& drawing, const Table& frames) {
  require_keys("the drawing", drawing,
               {{"dimension", JsonKind::number_float},
                {"links", JsonKind::array},
                {"springs", JsonKind::array},
                {"bodies", JsonKind::array},
                {"ground", JsonKind::array},
                {"traces", JsonKind::array}});
  const Json& dimension = drawing.at("dimension");
  if (dimension != 2 && dimension != 3) refuse(fmt::format("the drawing has the dimension {}", json_text(dimension)));
  require_table("the drawing", frames, {"time"});
  const std::size_t coordinates = frames.columns.size() - 1, each = dimension.get<std::size_t>();
  if (coordinates == 0 || coordinates % each != 0)
    refuse(fmt::format("{} coordinates are not those of points with {}", coordinates, each));
  for (const auto& [list, size] :
       {std::pair("links", 2u), {"springs", 2u}, {"bodies", 3u}, {"ground", 1u}, {"traces", 1u}})
    require_points(drawing, list, size, coordinates / each);
}

}  // namespace

std::string misfit_of(const ReportRun& run) {
  try {
    require_table("the results", run.series, {"time"});
    if (run.series.rows() == 0) refuse("there is no row of results");
    require_about(run.about, run.series);
    require_table("the steps", run.steps, {"time", "h", "order", "newton"});
    require_table("the rejected steps", run.rejections, {"time", "h", "cause"});
    if (run.about.contains("drawing") != !run.frames.columns.empty())
      refuse("there is a drawing without its points, or the other way round");
    if (run.about.contains("drawing")) require_drawing(run.about.at("drawing"), run.frames);
  } catch (const Misfit& misfit) {
    return misfit.text;
  }
  return {};
}

}  // namespace driftless::cli
