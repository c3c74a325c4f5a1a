// Random choices that are the same on every machine: the distributions of the standard library are not.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace driftless::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed * 0x9E3779B97F4A7C15ULL + 0x2545F4914F6CDD1DULL) {}

  std::uint64_t seed() { return engine_(); }
  bool chance(double probability) { return unit() < probability; }
  int integer(int first, int last) {
    return first + static_cast<int>(engine_() % static_cast<std::uint64_t>(last - first + 1));
  }
  // With three digits behind the point, so that models can be read.
  double real(double low, double high) { return std::round((low + (high - low) * unit()) * 1000.0) / 1000.0; }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }

  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[engine_() % choices.size()];
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[engine_() % i]);
  }

 private:
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::mt19937_64 engine_;
};

}  // namespace driftless::fuzz
