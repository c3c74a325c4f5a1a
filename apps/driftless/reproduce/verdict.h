// Items measured and judged: as text, as JSON, as a page.
#pragma once

#include "apps/driftless/reproduce/item.h"

namespace reproduce {

struct Verdict {
  const Item* item;
  Measurement measurement;
  double seconds = 0.0;
  std::string failure = {};  // why there is no measurement
  Finding finding() const { return failure.empty() ? measurement.finding() : Finding::off; }
  bool ok() const { return finding() == item->expected; }
};

Verdict judge(const Item& item);

// Other bands for some of the lines: {"ITEM": {"LINE": [low, high]}}. Returns what it names and nobody measured. Throws
// Json::exception if it is not of this kind.
std::vector<std::string> expect(const driftless::cli::Json& bands, std::vector<Verdict>& verdicts);

std::string summary(const std::vector<Verdict>& verdicts);  // how many are what
std::string verdict_line(const Verdict& verdict);           // one line
std::string verdict_text(const Verdict& verdict);           // every line, and the details
driftless::cli::Json verdict_json(const Verdict& verdict);
std::string verdict_page(const std::vector<Verdict>& verdicts);

}  // namespace reproduce
