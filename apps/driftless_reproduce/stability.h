// What Higueras and Soderlind 2003 promise beside what is measured, item by item: as a table to read, and as the data
// of a picture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reproduce {

struct StabilityItem {
  std::string_view name, title;
  std::string (*text)();
  std::string (*csv)();
};
const std::vector<StabilityItem>& stability_items();
// Null if there is none of this name.
const StabilityItem* stability_item(std::string_view name);

}  // namespace reproduce
