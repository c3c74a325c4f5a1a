#include "apps/driftless/reproduce/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace reproduce {

std::string_view name_of(Finding finding) {
  switch (finding) {
    case Finding::reproduced: return "reproduced";
    case Finding::refuted: return "refuted";
    case Finding::off: break;
  }
  return "off";
}

bool Band::is_finite() const { return std::isfinite(low) && std::isfinite(high); }

Finding Line::finding() const {
  if (!band().is_finite() || !band().contains(measured)) return Finding::off;
  if (!claim) return Finding::reproduced;
  return claim->contains(measured) ? Finding::off : Finding::refuted;
}

Finding Measurement::finding() const {
  const auto any = [this](Finding finding) {
    return std::any_of(lines.begin(), lines.end(), [&](const Line& line) { return line.finding() == finding; });
  };
  if (lines.empty() || any(Finding::off)) return Finding::off;
  return any(Finding::refuted) ? Finding::refuted : Finding::reproduced;
}

Line below_bound(std::string id, std::string what, double quotient, double factor, std::string paper) {
  return {.id = std::move(id),
          .what = std::move(what),
          .paper = std::move(paper),
          .measured = quotient,
          .low = 1.0 / factor,
          .high = 1.0 + 1e-9};
}

Line order_line(std::string id, std::string what, int promised, double recorded, double measured) {
  if (recorded < promised) throw std::logic_error(id + ": the order on record is less than promised");
  return {.id = std::move(id),
          .what = std::move(what),
          .paper = fmt::format("at least {}", promised),
          .measured = measured,
          .low = recorded - order_slack,
          .high = recorded + order_slack};
}

}  // namespace reproduce
