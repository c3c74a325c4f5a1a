#include "driftless/expression/x86/executable.h"

#include <asmjit/core.h>

#include <cstring>
#include <utility>

namespace driftless::x86 {

Executable::Executable(std::span<const std::uint8_t> bytes) {
  using namespace asmjit;
  const std::size_t page = VirtMem::info().pageSize;
  size_ = (bytes.size() + page - 1) / page * page;
  if (VirtMem::alloc(&memory_, size_, VirtMem::MemoryFlags::kAccessRW | VirtMem::MemoryFlags::kMMapMaxAccessRWX) !=
      kErrorOk) {
    memory_ = nullptr;
    return;
  }
  std::memcpy(memory_, bytes.data(), bytes.size());
  if (VirtMem::protect(memory_, size_, VirtMem::MemoryFlags::kAccessRX) == kErrorOk) return;
  VirtMem::release(memory_, size_);
  memory_ = nullptr;
}

Executable::Executable(Executable&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), size_(other.size_) {}

Executable::~Executable() {
  if (memory_ != nullptr) asmjit::VirtMem::release(memory_, size_);
}

}  // namespace driftless::x86
