// Counts the calls of operator new in a test program, and their bytes; include it in one file of the program only, as
// it replaces the operator.
#pragma once

#include <cstdlib>
#include <new>

inline std::size_t allocation_count = 0, allocated_bytes = 0;

// Not inlined: the compiler would otherwise take new and free for a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocation_count;
  allocated_bytes += size;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocation_count;
  allocated_bytes += size;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
