#include "apps/driftless/hdf5/image.h"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>

#include "apps/driftless/hdf5/handle.h"

namespace driftless::cli {

namespace {

using Operation = H5FD_file_image_op_t;

// The superblock, versions 2 and 3, has the size of the file in its bytes 28 to 35, the lowest first.
std::size_t size_of_file(const unsigned char* memory, std::size_t allocated) {
  if (allocated < 36) return 0;
  std::uint64_t size = 0;
  for (std::size_t i = 8; i-- > 0;) size = size << 8 | memory[28 + i];
  return size <= allocated ? size : 0;
}

void* reallocate(void* memory, std::size_t size, Operation, void* image) {
  void* moved = std::realloc(memory, size);
  if (moved != nullptr) static_cast<FileImage*>(image)->allocated = size;
  return moved;
}
void* allocate(std::size_t size, Operation operation, void* image) {
  return reallocate(nullptr, size, operation, image);
}
void* same(void* image) { return image; }
herr_t keep(void*) { return 0; }

herr_t release(void* memory, Operation operation, void* image) {
  if (operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE) try {
      auto& [bytes, allocated] = *static_cast<FileImage*>(image);
      bytes.assign(static_cast<const char*>(memory),
                   size_of_file(static_cast<const unsigned char*>(memory), allocated));
    } catch (const std::bad_alloc&) {  // not through a library in C: there are no bytes then
    }
  std::free(memory);
  return 0;
}

}  // namespace

void keep_image(hid_t access, FileImage& image) {
  H5FD_file_image_callbacks_t callbacks{.image_malloc = allocate,
                                        .image_memcpy = nullptr,
                                        .image_realloc = reallocate,
                                        .image_free = release,
                                        .udata_copy = same,
                                        .udata_free = keep,
                                        .udata = &image};
  check(H5Pset_file_image_callbacks(access, &callbacks));
}

}  // namespace driftless::cli
