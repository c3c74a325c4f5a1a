#include "apps/driftless/output/output_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "apps/driftless/program/exit_codes.h"

namespace driftless::cli {

std::unique_ptr<OutputFile> open_output(const std::string& path, bool with_metadata) {
  if (path == "-") return csv_to_standard_output();
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".csv") return open_csv(path, with_metadata);
  if (ending == ".h5" || ending == ".hdf5") return open_hdf5(path);
  throw Stop(ExitCode::usage,
             fmt::format("--output {}: the ending decides what is written; known are .csv, .h5 and .hdf5", path));
}

}  // namespace driftless::cli
