// Work that a damaged file can crash, or keep busy for ever, in a process of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

namespace driftless::cli {

struct ChildLimits {
  unsigned seconds = 0;    // of computing; 0: no limit
  std::size_t memory = 0;  // in bytes, beyond what this process has; 0: no limit
};

// The child died: by a signal, or because a limit was reached.
class ChildLost : public std::runtime_error {
 public:
  ChildLost(const std::string& why, bool out_of_time) : std::runtime_error(why), out_of_time_(out_of_time) {}
  bool out_of_time() const { return out_of_time_; }

 private:
  bool out_of_time_;
};

// What `work` returns in a copy of this process. A Stop or bad_alloc in it is thrown here again; ChildLost if it has no
// end of its own, Stopped if this process is asked to stop. Where no process can be started, the work is done here.
std::string in_child(const ChildLimits& limits, const std::function<std::string()>& work);

}  // namespace driftless::cli
