// Where a file of results comes from: program, version, model, options, how the run ended.
#pragma once

#include <string>

#include "apps/driftless/model/run.h"
#include "apps/driftless/output/json.h"

namespace driftless::cli {

using Metadata = Json;  // an object

Metadata metadata_of(const Model& model, const Plan& plan, const Run& run);

}  // namespace driftless::cli
