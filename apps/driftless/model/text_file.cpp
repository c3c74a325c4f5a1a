#include "apps/driftless/model/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/program/limits.h"
#include "driftless/core/memory.h"
#include "driftless/core/stop.h"

namespace driftless::cli {

namespace {

// A descriptor that does not wait, so that a pipe nobody writes to can be given up.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : path_(path), number_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    struct stat about {};
    if (number_ < 0) fail(errno);
    if (fstat(number_, &about) == 0 && S_ISDIR(about.st_mode)) fail(EISDIR);
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  // How many bytes there are; 0 at the end.
  std::size_t read(char* to, std::size_t most) {
    while (true) {
      check_stop();
      pollfd wanted{number_, POLLIN, 0};
      if (poll(&wanted, 1, 100) <= 0) continue;
      const ssize_t count = ::read(number_, to, most);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR && errno != EAGAIN) fail(errno);
    }
  }

 private:
  [[noreturn]] void fail(int error) const {
    if (number_ >= 0) close(number_);
    throw Stop(ExitCode::file, fmt::format("cannot read '{}': {}", path_, std::strerror(error)));
  }

  const std::string path_;
  const int number_;
};

}  // namespace

std::filesystem::file_type type_of(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::none)
    throw Stop(ExitCode::file, fmt::format("cannot read '{}': {}", path, std::strerror(error.value())));
  return type;
}

std::string read_text_file(const std::string& path) {
  // What is made of a text takes at least ten times its size.
  const auto longest = std::min<std::size_t>(1'000'000'000, limits().memory / 10);
  Descriptor file(path);
  std::string text;
  std::string block(1 << 16, '\0');
  while (const std::size_t count = file.read(block.data(), block.size())) {
    if (const std::size_t zero = std::string_view(block.data(), count).find('\0'); zero != std::string_view::npos)
      throw Stop(ExitCode::file, fmt::format("'{}' is no text: byte {} is zero", path, text.size() + zero + 1));
    if (text.size() + count > longest)
      throw Stop(ExitCode::limit, fmt::format("'{}' is longer than {}\n  try:   --max-memory SIZE: a tenth of it, at "
                                              "most 1 GB, may be text",
                                              path, bytes_text(static_cast<double>(longest))));
    text.append(block.data(), count);
  }
  return text;
}

}  // namespace driftless::cli
