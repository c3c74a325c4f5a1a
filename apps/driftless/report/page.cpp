#include "apps/driftless/report/page.h"

#include <fmt/format.h>

#include "apps/driftless/report/base64.h"
#include "apps/driftless/report/thin_rows.h"

namespace driftless::cli {

namespace {

// Numbers in one page, for all of its runs together; eleven bytes each.
constexpr std::size_t series_budget = 500'000, steps_budget = 300'000, rejections_budget = 60'000,
                      frames_budget = 400'000;

Json as_json(const Table& table, std::size_t budget) {
  const Table kept = table.selected(rows_that_show(table, budget));
  Json columns = Json::array();
  for (const Vector& column : kept.columns) columns.push_back(base64(column));
  return {{"names", kept.names}, {"total", table.rows()}, {"rows", kept.rows()}, {"columns", std::move(columns)}};
}

// A frame is drawn as it is: fewer of them where there are too many, not other ones.
Json frames_as_json(const Table& frames, std::size_t budget) {
  const std::size_t width = std::max<std::size_t>(1, frames.columns.size());
  const Table kept = frames.selected(rows_evenly(frames.rows(), std::max<std::size_t>(2, budget / width)));
  return as_json(kept, kept.rows() * width);
}

// The text stands inside <script>, where only "</" and "<!" could end it early.
std::string inside_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

}  // namespace

std::string page_with(const std::string& title, const Json& data) {
  const std::string json = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"driftless {}\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n"
      "<body>\n<noscript>This report draws its pictures with JavaScript, which is switched off here.</noscript>\n"
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      DRIFTLESS_VERSION, escaped(title), page_style, inside_script(json), page_script);
}

std::string report_page(const std::vector<ReportRun>& runs) {
  Json all = Json::array();
  const std::size_t share = std::max<std::size_t>(1, runs.size());
  for (const ReportRun& run : runs) {
    Json one = run.about;
    one["series"] = as_json(run.series, series_budget / share);
    one["steps"] = as_json(run.steps, steps_budget / share);
    one["rejections"] = as_json(run.rejections, rejections_budget / share);
    if (run.frames.rows() > 0) one["frames"] = frames_as_json(run.frames, frames_budget / share);
    all.push_back(std::move(one));
  }
  const std::string title = runs.size() == 1 ? runs[0].about.value("model", "driftless") : "Comparison";
  return page_with(title + " - driftless", {{"kind", "solve"}, {"runs", std::move(all)}});
}

}  // namespace driftless::cli
