// What is in a file of results, as it is. The library may crash on a damaged file, or never come back: see read_run.
#pragma once

#include "apps/driftless/report/run_bytes.h"

namespace driftless::cli {

StoredRun read_hdf5(const std::string& path);  // Stop if it is no HDF5 file, or lacks something

}  // namespace driftless::cli
