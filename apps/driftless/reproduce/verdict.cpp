#include "apps/driftless/reproduce/verdict.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"
#include "apps/driftless/report/page.h"
#include "driftless/core/phase.h"
#include "driftless/core/stop.h"

namespace reproduce {

using driftless::cli::Json;
using driftless::cli::TextTable;

namespace {

std::string number(double x) {
  if (std::isfinite(x) && x == std::floor(x) && std::abs(x) < 1e7) return fmt::format("{:.0f}", x);
  return fmt::format("{:.4g}", x);
}
// A band too narrow for its digits has a middle.
std::string band(const Line& line) {
  const std::string low = number(line.low), high = number(line.high);
  if (low != high || line.low == line.high) return fmt::format("{} to {}", low, high);
  return fmt::format("{} +- {:.2g}", number(0.5 * (line.low + line.high)), 0.5 * (line.high - line.low));
}
std::size_t count(const Measurement& measurement, Finding finding) {
  std::size_t found = 0;
  for (const Line& line : measurement.lines) found += line.finding() == finding;
  return found;
}
const char* word(Finding finding) { return finding == Finding::off ? "OFF" : name_of(finding).data(); }

std::string state_of(const Verdict& verdict) {
  const Measurement& found = verdict.measurement;
  const std::size_t lines = found.lines.size();
  if (!verdict.failure.empty()) return "FAILED: " + verdict.failure;
  if (lines == 0) return "OFF: nothing was measured";
  if (const std::size_t off = count(found, Finding::off)) return fmt::format("OFF, {} of {}", off, lines);
  if (!verdict.ok())
    return fmt::format("OFF: {}, expected {}", name_of(found.finding()), name_of(verdict.item->expected));
  if (found.finding() == Finding::refuted)
    return fmt::format("refuted, by {} of {}", count(found, Finding::refuted), lines);
  return fmt::format("reproduced, {} of {}", lines, lines);
}

}  // namespace

Verdict judge(const Item& item) {
  const auto begin = std::chrono::steady_clock::now();
  Verdict verdict{.item = &item, .measurement = {}};
  const driftless::Phase phase(item.name.data());
  try {
    verdict.measurement = item.measure();
  } catch (const driftless::Stopped&) {
    throw;
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

std::string summary(const std::vector<Verdict>& verdicts) {
  std::size_t reproduced = 0, refuted = 0, off = 0;
  for (const Verdict& verdict : verdicts) {
    off += !verdict.ok();
    reproduced += verdict.ok() && verdict.finding() == Finding::reproduced;
    refuted += verdict.ok() && verdict.finding() == Finding::refuted;
  }
  std::string text = fmt::format("{} of {} items reproduced", reproduced, verdicts.size());
  if (refuted > 0) text += fmt::format(", {} refuted", refuted);
  if (off > 0) text += fmt::format(", {} off", off);
  return text;
}

std::string verdict_line(const Verdict& verdict) {
  return fmt::format("{:12} {:64} {} ({:.1f} s)\n", verdict.item->name, verdict.item->title, state_of(verdict),
                     verdict.seconds);
}

std::string verdict_text(const Verdict& verdict) {
  std::string text = fmt::format("{}: {}\n{}\n\n", verdict.item->name, verdict.item->title, verdict.item->source);
  if (!verdict.failure.empty() || verdict.measurement.lines.empty()) return text + state_of(verdict) + "\n";
  TextTable table({{""}, {"measured", TextTable::Align::right}, {"expected"}, {"the paper"}, {"verdict"}});
  for (const Line& line : verdict.measurement.lines)
    table.add({line.what, number(line.measured), band(line), line.paper, word(line.finding())});
  text += table.text() + "\n" + state_of(verdict) + "\n";
  if (!verdict.measurement.details.empty()) text += "\n" + verdict.measurement.details;
  if (verdict.item->text) text += "\n" + verdict.item->text();
  return text;
}

Json verdict_json(const Verdict& verdict) {
  Json lines = Json::array();
  for (const Line& line : verdict.measurement.lines) {
    lines.push_back({{"id", line.id},
                     {"what", line.what},
                     {"paper", line.paper},
                     {"measured", line.measured},
                     {"expected", {line.low, line.high}}});
    if (line.claim) lines.back()["claimed"] = {line.claim->low, line.claim->high};
    lines.back()["verdict"] = name_of(line.finding());
    lines.back()["ok"] = line.ok();
  }
  Json object = {{"item", verdict.item->name},
                 {"title", verdict.item->title},
                 {"source", verdict.item->source},
                 {"verdict", name_of(verdict.finding())},
                 {"expected", name_of(verdict.item->expected)},
                 {"ok", verdict.ok()},
                 {"seconds", verdict.seconds},
                 {"lines", std::move(lines)}};
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
  return driftless::cli::page_with("Reproduced - driftless", {{"kind", "reproduce"},
                                                              {"version", DRIFTLESS_VERSION},
                                                              {"summary", summary(verdicts)},
                                                              {"items", std::move(all)}});
}

}  // namespace reproduce
