#include "driftless/core/scratch.h"

#include <algorithm>
#include <vector>

namespace driftless {

struct Scratch::Pool::Chunks {
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::byte* begin;
    std::size_t size;
  };
  std::vector<Chunk> all;

  void add(std::size_t count) {
    const std::size_t size = std::max<std::size_t>(count, std::size_t{1} << 16);
    std::size_t space = size + alignment;
    auto memory = std::make_unique<std::byte[]>(space);
    void* begin = memory.get();
    std::align(alignment, size, begin, space);
    all.push_back({std::move(memory), static_cast<std::byte*>(begin), size});
  }
};

Scratch::Pool::Pool() : chunks_(std::make_unique<Chunks>()) { use_next(alignment); }
Scratch::Pool::~Pool() = default;

void Scratch::Pool::use_next(std::size_t count) {
  auto& chunks = chunks_->all;
  while (begun < chunks.size() && chunks[begun].size < count) ++begun;
  if (begun == chunks.size()) chunks_->add(count);
  const auto& chunk = chunks[begun++];
  top = chunk.begin;
  end = chunk.begin + chunk.size;
}

}  // namespace driftless
