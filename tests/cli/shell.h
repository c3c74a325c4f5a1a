// A few lines of shell around the program, "$DRIFTLESS": for descriptors, limits and signals.
#pragma once

#include <sys/stat.h>

#include "tests/cli/program.h"

namespace driftless::cli_test {

inline Outcome shell(const std::string& script) {
  setenv("DRIFTLESS", DRIFTLESS_PROGRAM, 1);
  const std::string path = testing::TempDir() + "driftless_shell_" + std::to_string(getpid());
  std::ofstream(path) << script << '\n';
  const Outcome outcome = run_program("/usr/bin/timeout", "60 /bin/bash '" + path + "'");
  std::filesystem::remove(path);
  return outcome;
}

// Before a command: files may have so many kilobytes and no more, as on a disk that is full.
inline std::string full_disk(int kilobytes) { return "trap '' XFSZ; ulimit -f " + std::to_string(kilobytes) + "; "; }

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Of the last three digits.
inline int mode_of(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? static_cast<int>(status.st_mode & 0777) : -1;
}

}  // namespace driftless::cli_test
