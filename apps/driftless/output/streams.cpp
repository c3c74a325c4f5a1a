#include "apps/driftless/output/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace driftless::cli {

namespace {

std::atomic<int> first_error = 0;  // progress of several threads is said, too

void remember(std::FILE* stream, bool failed) {
  int none = 0;
  if (failed && stream == stdout) first_error.compare_exchange_strong(none, errno != 0 ? errno : EIO);
}

}  // namespace

void hold_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const bool closed = fcntl(number, F_GETFD) < 0 && errno == EBADF;
    if (closed) open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // gets the lowest free number: this
  }
}

void put(std::FILE* stream, std::string_view bytes) {
  errno = 0;
  remember(stream, std::fwrite(bytes.data(), 1, bytes.size(), stream) != bytes.size());
}

int output_error() {
  errno = 0;
  remember(stdout, std::fflush(stdout) != 0);
  return first_error;
}

}  // namespace driftless::cli
