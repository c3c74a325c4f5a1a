// Times of interleaved repetitions, allocated memory, and time at equal error.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace bench {

struct Times {
  double least = 0.0, median = 0.0;  // seconds
};

// Runs all of them in turn, `rounds` times after one warm-up, so that a disturbance meets everybody.
std::vector<Times> measure(const std::vector<std::function<void()>>& runs, int rounds);

// The largest number of bytes that `run` held by operator new at one time, in a thread of its own (so that per-thread
// pools count).
std::size_t peak_bytes(const std::function<void()>& run);

struct Point {
  double error, time;
};

// log time interpolated over log error, points in the order of falling tolerance. If the error does not fall steadily,
// the last crossing counts: from there on it stays below. Unless the first run is already below, in which case its time
// is the answer.
std::optional<double> time_at_error(const std::vector<Point>& points, double error);

}  // namespace bench
