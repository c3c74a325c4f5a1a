#include "apps/driftless/reproduce/verdict.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "apps/driftless/report/page.h"
#include "apps/driftless/terminal.h"
#include "apps/driftless/text_table.h"

namespace reproduce {

using driftless::cli::Json;
using driftless::cli::TextTable;

namespace {

constexpr double no_limit = 99.0;  // of orders

std::string number(double x) {
  if (std::isfinite(x) && x == std::floor(x) && std::abs(x) < 1e7) return fmt::format("{:.0f}", x);
  return fmt::format("{:.4g}", x);
}
std::string band(const Line& line) {
  if (line.high >= no_limit && line.high == std::floor(line.high) && line.high < 100.0)
    return fmt::format("{} or more", number(line.low));
  return fmt::format("{} to {}", number(line.low), number(line.high));
}
std::size_t missed(const Measurement& measurement) {
  std::size_t count = 0;
  for (const Line& line : measurement.lines) count += !line.ok();
  return count;
}

}  // namespace

Verdict judge(const Item& item) {
  const auto begin = std::chrono::steady_clock::now();
  Verdict verdict{.item = &item, .measurement = {}};
  try {
    verdict.measurement = item.measure();
  } catch (const std::exception& error) {
    verdict.failure = error.what();
  }
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return verdict;
}

std::vector<std::string> expect(const Json& bands, std::vector<Verdict>& verdicts) {
  std::vector<std::string> unknown;
  for (const auto& [item, lines] : bands.items())
    for (const auto& [id, ends] : lines.items()) {
      bool found = false;
      for (Verdict& verdict : verdicts)
        for (Line& line : verdict.measurement.lines) {
          if (verdict.item->name != item || line.id != id) continue;
          line.low = ends.at(0).get<double>();
          line.high = ends.at(1).get<double>();
          found = true;
        }
      if (!found) unknown.push_back(fmt::format("{}: {}", item, id));
    }
  return unknown;
}

std::string verdict_line(const Verdict& verdict) {
  const std::size_t lines = verdict.measurement.lines.size(), bad = missed(verdict.measurement);
  const std::string state = !verdict.failure.empty() ? "FAILED: " + verdict.failure
                            : bad == 0               ? fmt::format("reproduced, {} of {}", lines, lines)
                                                     : fmt::format("OFF, {} of {}", bad, lines);
  return fmt::format("{:12} {:64} {} ({:.1f} s)\n", verdict.item->name, verdict.item->title, state, verdict.seconds);
}

std::string verdict_text(const Verdict& verdict) {
  std::string text = fmt::format("{}: {}\n{}\n\n", verdict.item->name, verdict.item->title, verdict.item->source);
  if (!verdict.failure.empty()) return text + "FAILED: " + verdict.failure + "\n";
  TextTable table({{""}, {"measured", TextTable::Align::right}, {"expected"}, {"the paper"}, {"verdict"}});
  for (const Line& line : verdict.measurement.lines)
    table.add({line.what, number(line.measured), band(line), line.paper, line.ok() ? "reproduced" : "OFF"});
  text += table.text();
  if (!verdict.measurement.details.empty()) text += "\n" + verdict.measurement.details;
  if (verdict.item->text) text += "\n" + verdict.item->text();
  return text;
}

Json verdict_json(const Verdict& verdict) {
  Json lines = Json::array();
  for (const Line& line : verdict.measurement.lines)
    lines.push_back({{"id", line.id},
                     {"what", line.what},
                     {"paper", line.paper},
                     {"measured", line.measured},
                     {"expected", {line.low, line.high}},
                     {"ok", line.ok()}});
  Json object = {{"item", verdict.item->name}, {"title", verdict.item->title}, {"source", verdict.item->source},
                 {"ok", verdict.ok()},         {"seconds", verdict.seconds},   {"lines", std::move(lines)}};
  if (!verdict.failure.empty()) object["failure"] = verdict.failure;
  if (!verdict.measurement.data.is_null()) object["data"] = verdict.measurement.data;
  return object;
}

std::string verdict_page(const std::vector<Verdict>& verdicts) {
  Json all = Json::array();
  for (const Verdict& verdict : verdicts) {
    Json one = verdict_json(verdict);
    one.erase("data");
    for (std::size_t i = 0; i < verdict.measurement.lines.size(); ++i) {
      one["lines"][i]["band"] = band(verdict.measurement.lines[i]);
      one["lines"][i]["shown"] = number(verdict.measurement.lines[i].measured);
    }
    one["pictures"] = Json::array();
    for (const Picture& picture : verdict.measurement.pictures)
      one["pictures"].push_back(driftless::cli::picture_json(picture));
    all.push_back(std::move(one));
  }
  return driftless::cli::page_with("Reproduced - driftless",
                                   {{"kind", "reproduce"}, {"version", DRIFTLESS_VERSION}, {"items", std::move(all)}});
}

}  // namespace reproduce
