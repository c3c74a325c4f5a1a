#include "bench/measure.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <new>
#include <thread>

namespace {

std::atomic<std::ptrdiff_t> held{0}, most{0};
std::atomic<bool> counting{false};

void* counted(void* memory) {
  if (!memory) throw std::bad_alloc();
  if (counting.load(std::memory_order_relaxed)) {
    const auto now = held += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
    if (now > most) most = now;
  }
  return memory;
}

void release(void* memory) noexcept {
  if (counting.load(std::memory_order_relaxed)) held -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace bench {

std::vector<Times> measure(const std::vector<std::function<void()>>& runs, int rounds) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> seconds(runs.size());
  for (const auto& run : runs) run();
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto begin = Clock::now();
      runs[i]();
      seconds[i].push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
  std::vector<Times> times;
  for (auto& all : seconds) {
    std::sort(all.begin(), all.end());
    times.push_back({all.front(), all[all.size() / 2]});
  }
  return times;
}

std::size_t peak_bytes(const std::function<void()>& run) {
  run();  // what is made once per process does not belong to a run
  std::thread([&] {
    held = most = 0;
    counting = true;
    run();
    counting = false;
  }).join();
  return static_cast<std::size_t>(most.load());
}

std::optional<double> time_at_error(const std::vector<Point>& points, double error) {
  if (points.empty() || points.back().error > error) return std::nullopt;
  std::size_t k = points.size() - 1;
  while (k > 0 && points[k - 1].error <= error) --k;
  if (k == 0) return points[0].time;
  const Point &above = points[k - 1], &below = points[k];
  const double share = std::log(above.error / error) / std::log(above.error / below.error);
  return std::exp((1.0 - share) * std::log(above.time) + share * std::log(below.time));
}

}  // namespace bench
