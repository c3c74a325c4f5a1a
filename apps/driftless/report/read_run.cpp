#include "apps/driftless/report/read_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>

#include "apps/driftless/hdf5/read.h"
#include "apps/driftless/model/text_file.h"
#include "apps/driftless/output/json_text.h"
#include "apps/driftless/program/child_process.h"
#include "apps/driftless/report/fitting_run.h"

namespace driftless::cli {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Stop(ExitCode::file, fmt::format("cannot read '{}': the file is damaged: {}", path, why));
}

// Generous: numbers take a tenth of a second per 10 MB of the file, and are seldom compressed to less than a tenth.
ChildLimits limits_for(std::uintmax_t size) {
  return {.seconds = static_cast<unsigned>(10 + size / 2'000'000), .memory = 2'000'000'000 + 100 * size};
}

StoredRun stored_run(const std::string& path) {
  using Type = std::filesystem::file_type;
  const Type type = type_of(path);
  if (type != Type::not_found && type != Type::regular)
    throw Stop(ExitCode::file, fmt::format("cannot read '{}': it is no file, but a folder, a pipe or a device", path));
  std::error_code error;
  const std::uintmax_t size = type == Type::regular ? std::filesystem::file_size(path, error) : 0;
  const ChildLimits limits = limits_for(error ? 0 : size);
  try {
    return run_from_bytes(in_child(limits, [&] { return to_bytes(read_hdf5(path)); }));
  } catch (const ChildLost& lost) {
    if (lost.out_of_time()) refuse(path, lost.what());
    throw Stop(ExitCode::file,
               fmt::format("cannot read '{}': HDF5 crashed on it ({}); the file is damaged, or there is "
                           "no memory left",
                           path, lost.what()));
  } catch (const std::bad_alloc&) {
    refuse(path, fmt::format("more than {:.3g} GB of memory would be needed for it",
                             static_cast<double>(limits.memory) / 1e9));
  } catch (const std::out_of_range&) {
    refuse(path, "the reader lost its way in it");
  }
}

}  // namespace

std::string not_ours(const std::string& path) {
  return fmt::format("cannot read '{}': it is not complete, or not written by `driftless solve --output FILE.h5`",
                     path);
}

ReportRun read_run(const std::string& path) {
  StoredRun stored = stored_run(path);
  ReportRun run{.about = {},
                .series = std::move(stored.series),
                .steps = std::move(stored.steps),
                .rejections = std::move(stored.rejections),
                .frames = stored.frames ? std::move(*stored.frames) : Table{}};
  try {
    run.about = json_from(stored.about);
  } catch (const Json::exception&) {
    refuse(path, "what is said about the run is no JSON");
  }
  if (const std::string misfit = misfit_of(run); !misfit.empty()) refuse(path, misfit);
  for (std::size_t k = 0; k < run.series.names.size(); ++k)  // '/' is '|' in the names of data sets
    run.series.names[k] = run.about.at("columns").at(k).at("name");
  put_in_order(run.series);
  run.about["file"] = path;
  return run;
}

}  // namespace driftless::cli
