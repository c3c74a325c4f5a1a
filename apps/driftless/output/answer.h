// The one JSON object of --json. It is printed when the program ends, so that an error on the way takes its place.
#pragma once

#include <string>

#include "apps/driftless/output/json.h"

namespace driftless::cli {

void answer(const Json& object);
std::string take_answer();  // its text with a line end, or nothing

}  // namespace driftless::cli
