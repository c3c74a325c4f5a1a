// The one way to write a file of results: beside its name, checked and on the disk, then renamed. A reader never sees
// half of one, and what was there stays until the new one is complete.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "apps/driftless/output/partial_file.h"

namespace driftless::cli {

// A file that takes its name only with commit(); without it nothing is left behind. The constructor creates it, so that
// a wrong folder is found before a long run. Stop with ExitCode::file for everything that fails.
// Links are followed, the mode of an existing file is kept; pipes and devices are written to as they are.
class PendingFile {
 public:
  explicit PendingFile(std::string path);

  const std::string& path() const { return path_; }
  // All of its content: part after part, until one is empty.
  using Parts = std::function<std::string_view()>;
  void write(const Parts& next);
  void write(std::string_view bytes);
  void commit();  // to the disk, then under its name

 private:
  std::string path_, target_;             // as given; where its links lead
  std::unique_ptr<PartialFile> partial_;  // none for a pipe or a device
};

}  // namespace driftless::cli
