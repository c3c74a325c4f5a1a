// The file beside a result that is being written, NAME.0123456789ab.partial. Whoever holds a lock on it is alive: one
// without is left from a process that was killed, and the next one that writes the same name removes it.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace driftless::cli {

class PartialFile {
 public:
  // Of a name that nobody can guess, in the folder of `target`; never one that is there already, nor a link. Leftovers
  // of the same target go first. errno tells why if it is not open() then.
  PartialFile(const std::string& target, mode_t mode);
  ~PartialFile();  // removed, unless it was renamed
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  bool open() const { return descriptor_ >= 0; }
  // These return false and leave errno.
  bool clear();
  bool append(std::string_view bytes);
  bool rename_to(const std::string& target);

 private:
  bool create(const std::string& target, mode_t mode);
  bool saved(const std::string& target);

  std::string name_;
  int descriptor_ = -1;
};

// Writes all, over interruptions; false and errno if that is not possible.
bool write_fully(int descriptor, std::string_view bytes);

// Those of this process, which ends then; may be called by a signal handler.
void remove_partial_files();

// For a child: its copies of their locks would outlive this process if that is killed.
void close_partial_files();

}  // namespace driftless::cli
