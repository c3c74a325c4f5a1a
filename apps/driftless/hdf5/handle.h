// What reading and writing HDF5 share.
#pragma once

#include <hdf5.h>

#include <utility>

#include "apps/driftless/program/exit_codes.h"

namespace driftless::cli {

// Steps, rejections and drawing of a run; a name that no variable of a model has.
inline constexpr const char* report_group = "driftless:report";

// An identifier of HDF5 that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id_ < 0) throw Stop(ExitCode::file, "HDF5 could not do what was asked");
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

inline void check(herr_t status) {
  if (status < 0) throw Stop(ExitCode::file, "HDF5 could not do what was asked");
}

}  // namespace driftless::cli
