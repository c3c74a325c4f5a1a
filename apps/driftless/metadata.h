// Where a file of results comes from: program, version, model, options, how the run ended.
#pragma once

#include <string>

#include "apps/driftless/json.h"
#include "apps/driftless/run.h"

namespace driftless::cli {

using Metadata = Json;  // an object

Metadata metadata_of(const Model& model, const Plan& plan, const Run& run);

}  // namespace driftless::cli
