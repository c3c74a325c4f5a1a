// A run back from the file that `solve --output FILE.h5` wrote.
#include "apps/driftless/hdf5/read.h"

#include <fmt/format.h>

#include <stdexcept>

#include "apps/driftless/hdf5/handle.h"
#include "apps/driftless/report/read_run.h"

namespace driftless::cli {

namespace {

// Negative if the library fails.
std::size_t count_of(hid_t space) {
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0) throw Stop(ExitCode::file, "HDF5 could not do what was asked");
  return static_cast<std::size_t>(count);
}

std::vector<std::string> read_texts(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  std::vector<char*> texts(count_of(space), nullptr);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, H5T_VARIABLE));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  check(H5Aread(attribute, type, texts.data()));
  std::vector<std::string> result;
  for (char* text : texts) {
    result.emplace_back(text ? text : "");
    H5free_memory(text);
  }
  return result;
}

// HDF5 follows links and storage to any file that the user may read, and into pipes. No file of ours has such.
class Elsewhere : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void require_here(hid_t group, const std::string& name) {
  H5L_info_t link{};
  if (name.find('/') != std::string::npos) throw Elsewhere(name);
  check(H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT));
  if (link.type != H5L_TYPE_HARD) throw Elsewhere(name);
}

void require_stored_here(hid_t data, const std::string& name) {
  const Handle how(H5Dget_create_plist(data), H5Pclose);
  if (H5Pget_external_count(how) != 0 || H5Pget_layout(how) == H5D_VIRTUAL) throw Elsewhere(name);
}

Vector read_column(hid_t group, const std::string& name) {
  require_here(group, name);
  const Handle data(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
  require_stored_here(data, name);
  const Handle space(H5Dget_space(data), H5Sclose);
  Vector values(count_of(space));
  if (!values.empty()) check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  return values;
}

Table read_table(hid_t group) {
  Table table;
  for (const std::string& name : read_texts(group, "columns")) table.add(name, read_column(group, name));
  return table;
}

Table read_table(hid_t parent, const char* name) {
  require_here(parent, name);
  return read_table(Handle(H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose));
}

StoredRun read_all(hid_t file) {
  require_here(file, report_group);
  const Handle group(H5Gopen2(file, report_group, H5P_DEFAULT), H5Gclose);
  const std::vector<std::string> about = read_texts(group, "about");
  if (about.size() != 1) throw Stop(ExitCode::file, "HDF5 could not do what was asked");
  StoredRun run{.about = about[0],
                .series = read_table(file),
                .steps = read_table(group, "steps"),
                .rejections = read_table(group, "rejections")};
  if (H5Lexists(group, "frames", H5P_DEFAULT) > 0) run.frames = read_table(group, "frames");
  return run;
}

}  // namespace

StoredRun read_hdf5(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to print
  H5PLset_loading_state(0);                     // a filter that a file names loads no code
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) throw Stop(ExitCode::file, fmt::format("cannot read '{}': there is no such HDF5 file", path));
  const Handle open(file, H5Fclose);
  try {
    return read_all(open);
  } catch (const Elsewhere& what) {
    throw Stop(ExitCode::file, fmt::format("cannot read '{}': '{}' of it lies in another place, which is not followed",
                                           path, what.what()));
  } catch (const Stop&) {
    throw Stop(ExitCode::file, not_ours(path));
  }
}

}  // namespace driftless::cli
