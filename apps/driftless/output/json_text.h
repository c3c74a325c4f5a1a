// JSON that somebody else wrote.
#pragma once

#include <string>

#include "apps/driftless/output/json.h"

namespace driftless::cli {

// Throws Json::exception if the text is not JSON, or is nested deeper than anything that is meant.
Json json_from(const std::string& text);

}  // namespace driftless::cli
