// Per-thread scratch memory for temporaries inside evaluations: after the first call nothing is allocated any more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace driftless {

// A stack of chunks. A Scratch marks the top on construction and returns everything taken since on destruction.
class Scratch {
 public:
  Scratch() : pool_(pool()), chunk_(pool_.chunk), used_(pool_.used) {}
  ~Scratch() {
    pool_.chunk = chunk_;
    pool_.used = used_;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // n value-initialised objects of a trivially destructible type.
  template <class T>
  std::span<T> take(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignment);
    T* first = static_cast<T*>(bytes(n * sizeof(T)));
    std::uninitialized_value_construct_n(first, n);
    return {first, n};
  }

 private:
  static constexpr std::size_t alignment = 64;
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::byte* begin;
    std::size_t size;
  };
  struct Pool {
    std::vector<Chunk> chunks;
    std::size_t chunk = 0;
    std::size_t used = 0;
  };
  static Pool& pool() {
    thread_local Pool instance;
    return instance;
  }

  void* bytes(std::size_t count) {
    count = (count + alignment - 1) / alignment * alignment;
    while (pool_.chunk < pool_.chunks.size() && pool_.used + count > pool_.chunks[pool_.chunk].size) {
      ++pool_.chunk;
      pool_.used = 0;
    }
    if (pool_.chunk == pool_.chunks.size()) grow(count);
    void* result = pool_.chunks[pool_.chunk].begin + pool_.used;
    pool_.used += count;
    return result;
  }
  void grow(std::size_t count) {
    const std::size_t size = std::max<std::size_t>(count, std::size_t{1} << 16);
    auto memory = std::make_unique<std::byte[]>(size + alignment);
    void* begin = memory.get();
    std::size_t space = size + alignment;
    std::align(alignment, size, begin, space);
    pool_.chunks.push_back({std::move(memory), static_cast<std::byte*>(begin), size});
    pool_.used = 0;
  }

  Pool& pool_;
  std::size_t chunk_;
  std::size_t used_;
};

}  // namespace driftless
