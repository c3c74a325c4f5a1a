// A run as it comes out of a file, before anybody has looked whether it fits together; and as bytes, for a pipe.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "apps/driftless/report/table.h"

namespace driftless::cli {

struct StoredRun {
  std::string about;  // JSON
  Table series, steps, rejections;
  std::optional<Table> frames = {};
};

std::string to_bytes(const StoredRun& run);
// std::out_of_range if the bytes end too early: who wrote them may have read a damaged file.
StoredRun run_from_bytes(const std::string& bytes);

}  // namespace driftless::cli
