#include "apps/driftless/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "apps/driftless/exit_codes.h"

namespace driftless::cli {

namespace {

[[noreturn]] void refuse(const std::string& path, const char* verb) {
  throw Stop(ExitCode::file, fmt::format("cannot {} '{}': {}", verb, path, std::strerror(errno)));
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

PendingFile::PendingFile(std::string path) : path_(std::move(path)) {
  if (std::filesystem::is_directory(path_)) {
    errno = EISDIR;
    refuse(path_, "write");
  }
  temporary_ = fmt::format("{}.{}.partial", path_, getpid());
  if (Descriptor(temporary_, O_WRONLY | O_CREAT | O_TRUNC).get() < 0) refuse(path_, "write");
}

PendingFile::~PendingFile() {
  if (!done_) unlink(temporary_.c_str());
}

void PendingFile::write(const std::string& bytes) {
  const Descriptor file(temporary_, O_WRONLY | O_CREAT | O_TRUNC);
  if (file.get() < 0) refuse(path_, "write");
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR) refuse(path_, "write");
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

void PendingFile::commit() {
  if (const Descriptor file(temporary_, O_RDONLY); file.get() < 0 || (fsync(file.get()) != 0 && errno != EINVAL))
    refuse(path_, "write");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) refuse(path_, "write");
  done_ = true;
}

std::unique_ptr<OutputFile> open_output(const std::string& path, bool with_metadata) {
  if (path == "-") return csv_to_standard_output();
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".csv") return open_csv(path, with_metadata);
  if (ending == ".h5" || ending == ".hdf5") return open_hdf5(path);
  throw Stop(ExitCode::usage,
             fmt::format("--output {}: the ending decides what is written; known are .csv, .h5 and .hdf5", path));
}

}  // namespace driftless::cli
