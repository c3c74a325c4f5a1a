// Memory with code in it: written first, then executable and no longer writable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace driftless::x86 {

class Executable {
 public:
  explicit Executable(std::span<const std::uint8_t> bytes);  // false afterwards if the system refuses
  Executable(Executable&& other) noexcept;
  Executable& operator=(Executable&& other) = delete;
  ~Executable();

  explicit operator bool() const { return memory_ != nullptr; }
  void* address() const { return memory_; }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace driftless::x86
