// A file of HDF5 in memory, as it is when it has been closed.
#pragma once

#include <hdf5.h>

#include <string>

namespace driftless::cli {

struct FileImage {
  std::string bytes;          // of a closed file; none if that was not possible
  std::size_t allocated = 0;  // while it is open
};

// The file that is created with this access, by the driver `core`, is put into `image` when it is closed.
// (H5Fget_file_image wants an open file, and what it returns has a wrong checksum.)
void keep_image(hid_t access, FileImage& image);

}  // namespace driftless::cli
