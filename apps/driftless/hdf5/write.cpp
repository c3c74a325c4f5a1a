// HDF5: one data set per result in the root group, with its unit and description as attributes; everything else as
// attributes of the root, `columns` with the names in their order. What a report shows besides is in a group of its
// own.
#include <fmt/format.h>

#include <algorithm>

#include "apps/driftless/hdf5/handle.h"
#include "apps/driftless/hdf5/image.h"
#include "apps/driftless/output/output_file.h"
#include "apps/driftless/output/utf8.h"
#include "apps/driftless/program/child_process.h"

namespace driftless::cli {

namespace {

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, H5T_VARIABLE));  // Python reads it as str, and bytes otherwise
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void attach(hid_t object, const char* name, hid_t type, hid_t space, const void* value) {
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, type, value));
}

void attach(hid_t object, const std::string& name, const std::string& value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const std::string valid = utf8(value);
  const char* text = valid.c_str();
  attach(object, name.c_str(), text_type(), space, &text);
}

void attach(hid_t object, const std::string& name, const std::vector<std::string>& values) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  std::vector<const char*> texts;
  for (const std::string& value : values) texts.push_back(value.c_str());
  attach(object, name.c_str(), text_type(), space, texts.data());
}

void attach(hid_t object, const std::string& name, const Json& value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  if (value.is_number_integer()) {
    const auto number = value.get<long long>();
    attach(object, name.c_str(), H5T_NATIVE_LLONG, space, &number);
  } else {
    attach(object, name, value.is_string() ? value.get<std::string>() : json_text(value));
  }
}

// '/' separates groups in HDF5; a name that contains it keeps it in the attribute `name`.
std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '|');
  return name;
}

void write_column(hid_t file, hid_t storage, hid_t links, const Recording& recording, std::size_t column) {
  const ResultColumn& quantity = recording.columns[column];
  const hsize_t rows = recording.rows();
  Vector values(rows);
  for (std::size_t row = 0; row < rows; ++row) values[row] = recording.at(row, column);
  const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
  const Handle data(
      H5Dcreate2(file, link_name(quantity.name).c_str(), H5T_IEEE_F64LE, space, links, storage, H5P_DEFAULT), H5Dclose);
  check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  if (link_name(quantity.name) != quantity.name) attach(data, "name", quantity.name);
  attach(data, "unit", quantity.unit);
  attach(data, "description", quantity.description);
}

Handle storage_for(std::size_t rows) {
  Handle storage(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (rows < 1024) return storage;  // compression saves nothing worth its time
  const hsize_t chunk = std::min<hsize_t>(rows, 65536);
  check(H5Pset_chunk(storage, 1, &chunk));
  check(H5Pset_shuffle(storage));
  check(H5Pset_deflate(storage, 4));
  return storage;
}

void write_table(hid_t parent, const char* name, const Table& table) {
  const Handle group(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  attach(group, "columns", table.names);
  const Handle storage = storage_for(table.rows());
  const hsize_t rows = table.rows();
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const Handle data(
        H5Dcreate2(group, table.names[k].c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, storage, H5P_DEFAULT), H5Dclose);
    if (rows > 0) check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.columns[k].data()));
  }
}

// The columns of results are in the file already.
void write_report(hid_t file, const ReportRun& report) {
  const Handle group(H5Gcreate2(file, report_group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  attach(group, "about", json_text(report.about));
  write_table(group, "steps", report.steps);
  write_table(group, "rejections", report.rejections);
  if (report.frames.rows() > 0) write_table(group, "frames", report.frames);
}

void write_all(hid_t access, const Recording& recording, const Metadata& metadata, const ReportRun* report) {
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  check(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  const Handle file(H5Fcreate("/dev/null/memory", H5F_ACC_TRUNC, creation, access), H5Fclose);  // no file has this name
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  check(H5Pset_char_encoding(links, H5T_CSET_UTF8));
  const Handle storage = storage_for(recording.rows());
  for (std::size_t column = 0; column < recording.columns.size(); ++column)
    write_column(file, storage, links, recording, column);
  std::vector<std::string> names;
  for (const ResultColumn& column : recording.columns) names.push_back(link_name(column.name));
  attach(file, "columns", names);
  for (const auto& [name, value] : metadata.items()) attach(file, name, value);
  if (report) write_report(file, *report);
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));  // closing it tells nothing
}

// The whole file, made in memory: HDF5 1.10 crashes when a disk is full, and every file is written in one way.
std::string file_bytes(const Recording& recording, const Metadata& metadata, const ReportRun* report) {
  constexpr std::size_t growth = 1 << 20;
  FileImage image;
  {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST));  // attributes above 64 kB: many columns
    check(H5Pset_fapl_core(access, growth, false));
    keep_image(access, image);
    write_all(access, recording, metadata, report);
  }
  if (image.bytes.empty()) throw Stop(ExitCode::file, "HDF5 could not do what was asked");
  return std::move(image.bytes);
}

class Hdf5File final : public OutputFile {
 public:
  explicit Hdf5File(const std::string& path) : file_(path) {}
  void write(const Recording& recording, const Metadata& metadata, const ReportRun* report) override {
    file_.write(bytes(recording, metadata, report));
    file_.commit();
  }
  std::string description() const override { return file_.path(); }
  bool wants_report() const override { return true; }

 private:
  std::string bytes(const Recording& recording, const Metadata& metadata, const ReportRun* report) const {
    try {  // in a process of its own: the library crashes where there is no memory left, even when it begins
      return in_child({}, [&] {
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to print
        return file_bytes(recording, metadata, report);
      });
    } catch (const Stop& stop) {
      throw Stop(ExitCode::file, fmt::format("cannot write '{}': {}", file_.path(), stop.what()));
    } catch (const ChildLost& lost) {
      throw Stop(ExitCode::file, fmt::format("cannot write '{}': HDF5 failed: {}", file_.path(), lost.what()));
    }
  }

  PendingFile file_;
};

}  // namespace

std::unique_ptr<OutputFile> open_hdf5(const std::string& path) { return std::make_unique<Hdf5File>(path); }

}  // namespace driftless::cli
