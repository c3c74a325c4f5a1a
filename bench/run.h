// What one run of one code gives, and the limit that keeps it from running for ever.
#pragma once

#include <time.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

struct Outcome {
  std::string failure = {};  // empty: it reached the end
  std::size_t steps = 0, evaluations = 0, jacobians = 0, factorisations = 0;
  std::vector<double> state = {};  // at the end, in the layout of the reference

  bool ok() const { return failure.empty(); }
};

// Processor time of this process in seconds: what others do on the machine hardly touches it.
inline double processor_time() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Looks at the clock now and then; once the time is over it stays over.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : end_(processor_time() + seconds) {}
  // To be called with every evaluation.
  bool over() {
    if (!over_ && ++calls_ % 256 == 0) check();
    return over_;
  }
  // At once.
  bool check() { return over_ = over_ || processor_time() > end_; }

 private:
  double end_;
  unsigned calls_ = 0;
  bool over_ = false;
};

inline const char* const over_time = "over the time limit";

}  // namespace bench
