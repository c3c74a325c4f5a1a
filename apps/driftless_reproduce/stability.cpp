#include "apps/driftless_reproduce/stability.h"

#include <algorithm>

#include "apps/driftless_reproduce/stability_items.h"

namespace reproduce {

const std::vector<StabilityItem>& stability_items() {
  static const std::vector<StabilityItem> items = {
      {"constants", "logarithmic Lipschitz constants, enclosed, beside their closed forms", constants_text,
       constants_csv},
      {"deviations", "deviations of perturbed solutions against their bounds", deviations_text, deviations_csv},
      {"errors", "global errors of implicit Euler and Radau IIA against their bounds", errors_text, errors_csv},
      {"runs", "errors of runs that carry their bound", runs_text, runs_csv},
      {"index-loss", "problems that lose index 1 on the way", index_loss_text, index_loss_csv},
      {"contraction", "heat conduction from two initial temperatures", contraction_text, contraction_csv}};
  return items;
}

const StabilityItem* stability_item(std::string_view name) {
  const auto& items = stability_items();
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace reproduce
