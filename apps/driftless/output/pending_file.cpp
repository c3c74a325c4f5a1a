#include "apps/driftless/output/pending_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/program/interrupt.h"

namespace driftless::cli {

namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw Stop(ExitCode::file, fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

// Where a chain of links ends, whether something is there or not.
std::string without_links(const std::string& path) {
  std::filesystem::path target = path;
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(target, error); ++links) {
    if (links == 40) refuse(path, ELOOP);
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) refuse(path, error.value());
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

// A pipe has no writer before somebody reads it; while nobody does, a signal must still be seen.
int open_directly(const std::string& path) {
  while (true) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0) {
      fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
      return descriptor;
    }
    struct stat status {};
    const bool no_reader = errno == ENXIO && stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
    if (!no_reader) refuse(path, errno != 0 ? errno : ENXIO);
    if (Interrupt::signal() != 0)
      throw Stop(ExitCode::file, fmt::format("cannot write '{}': nobody reads from this pipe", path));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

void write_directly(const std::string& path, const PendingFile::Parts& next) {
  Descriptor file(open_directly(path));
  for (std::string_view part = next(); !part.empty(); part = next())
    if (!write_fully(file.number(), part)) refuse(path, errno);
  if (!file.close()) refuse(path, errno);
}

}  // namespace

PendingFile::PendingFile(std::string path) : path_(std::move(path)), target_(path_) {
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) refuse(path_, EISDIR);
  if (exists && faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0) refuse(path_, errno);
  if (exists && !S_ISREG(status.st_mode)) return;
  target_ = without_links(path_);
  partial_ = std::make_unique<PartialFile>(target_, exists ? 0600 : 0666);
  if (!partial_->open()) refuse(path_, errno);
}

void PendingFile::write(const Parts& next) {
  if (!partial_) return write_directly(path_, next);
  if (!partial_->clear()) refuse(path_, errno);
  for (std::string_view part = next(); !part.empty(); part = next())
    if (!partial_->append(part)) refuse(path_, errno);
}

void PendingFile::write(std::string_view bytes) {
  write([&] { return std::exchange(bytes, {}); });
}

void PendingFile::commit() {
  if (partial_ && !partial_->rename_to(target_)) refuse(path_, errno);
}

}  // namespace driftless::cli
