// JSON whose objects keep the order in which they are written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace driftless::cli {

using Json = nlohmann::ordered_json;

// The text of an object, whatever its strings hold: bytes that are not UTF-8 are replaced, and what a terminal would
// obey is written as \u009b. In lines with this indent, or in one line.
std::string json_text(const Json& object, int indent = -1);

}  // namespace driftless::cli
