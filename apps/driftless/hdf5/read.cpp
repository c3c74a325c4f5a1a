// A run back from the file that `solve --output FILE.h5` wrote.
#include <fmt/format.h>

#include "apps/driftless/hdf5/handle.h"
#include "apps/driftless/report/read_run.h"

namespace driftless::cli {

namespace {

std::vector<std::string> read_texts(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  std::vector<char*> texts(count, nullptr);
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

Vector read_column(hid_t group, const std::string& name) {
  const Handle data(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle space(H5Dget_space(data), H5Sclose);
  Vector values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (!values.empty()) check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  return values;
}

Table read_table(hid_t group) {
  Table table;
  for (const std::string& name : read_texts(group, "columns")) table.add(name, read_column(group, name));
  return table;
}

Table read_table(hid_t parent, const char* name) {
  return read_table(Handle(H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose));
}

ReportRun read_all(hid_t file) {
  const Handle group(H5Gopen2(file, report_group, H5P_DEFAULT), H5Gclose);
  ReportRun run;
  run.about = Json::parse(read_texts(group, "about").at(0));
  run.series = read_table(file);
  for (std::size_t k = 0; k < run.series.names.size(); ++k)  // '/' is '|' in the names of data sets
    run.series.names[k] = run.about.at("columns").at(k).at("name");
  put_in_order(run.series);
  run.steps = read_table(group, "steps");
  run.rejections = read_table(group, "rejections");
  if (run.about.contains("drawing")) run.frames = read_table(group, "frames");
  return run;
}

}  // namespace

ReportRun read_run(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to print
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) throw Stop(ExitCode::file, fmt::format("cannot read '{}': there is no such HDF5 file", path));
  const Handle open(file, H5Fclose);
  const char* const what = "cannot read '{}': it is not complete, or not written by `driftless solve --output FILE.h5`";
  try {
    ReportRun run = read_all(open);
    run.about["file"] = path;
    return run;
  } catch (const Stop&) {
    throw Stop(ExitCode::file, fmt::format(fmt::runtime(what), path));
  } catch (const Json::exception&) {
    throw Stop(ExitCode::file, fmt::format(fmt::runtime(what), path));
  }
}

}  // namespace driftless::cli
