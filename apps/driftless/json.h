// JSON whose objects keep the order in which they are written.
#pragma once

#include <nlohmann/json.hpp>

namespace driftless::cli {

using Json = nlohmann::ordered_json;

}  // namespace driftless::cli
