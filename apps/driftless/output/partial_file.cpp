#include "apps/driftless/output/partial_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <utility>

namespace driftless::cli {

namespace {

struct Present {
  std::atomic<const char*> name = nullptr;
  std::atomic<int> descriptor = -1;
};

// Files that are there now. More than these at once are left to the next run.
std::array<Present, 64> present;
static_assert(std::atomic<const char*>::is_always_lock_free);

void note(const char* name, int descriptor) {
  for (auto& slot : present) {
    const char* free = nullptr;
    if (!slot.name.compare_exchange_strong(free, name)) continue;
    slot.descriptor = descriptor;
    return;
  }
}
void forget(const char* name) {
  for (auto& slot : present) {
    const char* same = name;
    if (slot.name == name) slot.descriptor = -1;
    slot.name.compare_exchange_strong(same, nullptr);
  }
}

// While a file is made and noted: a signal in between would end the program with a file that nobody knows. This thread
// gets none, and one that others get waits; once the program ends, no more files are made.
std::atomic<int> making = 0;
std::atomic<bool> ending_now = false;
static_assert(std::atomic<bool>::is_always_lock_free);

class NoEndMeanwhile {
 public:
  NoEndMeanwhile() {
    sigset_t ends;
    sigemptyset(&ends);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, number);
    pthread_sigmask(SIG_BLOCK, &ends, &before_);
    ++making;
    if (!ending_now) return;
    --making;
    while (true) pause();
  }
  ~NoEndMeanwhile() {
    --making;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoEndMeanwhile(const NoEndMeanwhile&) = delete;
  NoEndMeanwhile& operator=(const NoEndMeanwhile&) = delete;

 private:
  sigset_t before_;
};

constexpr std::size_t digits = 12;
constexpr std::string_view ending = ".partial", hexadecimal = "0123456789abcdef";

std::string folder_of(const std::string& target) {
  const std::string folder = std::filesystem::path(target).parent_path();
  return folder.empty() ? "." : folder;
}

// What partial files of a target begin with; a name has at most 255 bytes.
std::string stem_of(const std::string& target) {
  return std::filesystem::path(target).filename().string().substr(0, 200) + '.';
}

std::string random_digits() {
  std::random_device source;
  std::string text;
  while (text.size() < digits) text += hexadecimal[source() % hexadecimal.size()];
  return text;
}

bool is_partial_of(const std::string& name, const std::string& stem) {
  return name.size() == stem.size() + digits + ending.size() && name.starts_with(stem) && name.ends_with(ending) &&
         name.find_first_not_of(hexadecimal, stem.size()) == name.size() - ending.size();
}

// A lock that can be had means that its owner is gone.
void remove_if_left_behind(const std::string& name) {
  const int descriptor = open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  const bool ours = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
  if (ours && flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(name.c_str());
  close(descriptor);
}

// By the calls of C: directory_iterator ends the program where memory ends.
void remove_leftovers(const std::string& target) {
  const std::string folder = folder_of(target), stem = stem_of(target);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
  if (!entries) return;  // creating the file will tell what is wrong with the folder
  while (const dirent* const entry = readdir(entries.get()))
    if (is_partial_of(entry->d_name, stem)) remove_if_left_behind(std::filesystem::path(folder) / entry->d_name);
}

// Locked and still there: another process may have taken it for a leftover before it had its lock.
bool is_safe(int descriptor) {
  struct stat status {};
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  return fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

bool synced(int descriptor) {
  return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;  // some have nothing to sync
}

}  // namespace

PartialFile::PartialFile(const std::string& target, mode_t mode) {
  remove_leftovers(target);
  for (int attempt = 0; attempt < 100 && !create(target, mode); ++attempt)
    if (errno != EEXIST) return;
}

// False with EEXIST: another name is worth a try.
bool PartialFile::create(const std::string& target, mode_t mode) {
  name_ = std::filesystem::path(target).parent_path() / (stem_of(target) + random_digits() + std::string(ending));
  {
    const NoEndMeanwhile whole;
    descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor_ < 0) return false;
    note(name_.c_str(), descriptor_);
  }
  if (is_safe(descriptor_)) return true;
  close(std::exchange(descriptor_, -1));
  forget(name_.c_str());
  errno = EEXIST;
  return false;
}

PartialFile::~PartialFile() {
  if (descriptor_ < 0) return;
  if (!name_.empty()) unlink(name_.c_str());
  forget(name_.c_str());
  close(descriptor_);
}

bool write_fully(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool PartialFile::clear() { return lseek(descriptor_, 0, SEEK_SET) == 0 && ftruncate(descriptor_, 0) == 0; }

bool PartialFile::append(std::string_view bytes) { return write_fully(descriptor_, bytes); }

// Mode and owner of what is replaced, then to the disk. Closing may tell of an error, too; the lock is kept by a copy.
bool PartialFile::saved(const std::string& target) {
  struct stat old {};
  if (stat(target.c_str(), &old) == 0) {
    if (fchown(descriptor_, old.st_uid, old.st_gid) != 0 &&
        fchown(descriptor_, static_cast<uid_t>(-1), old.st_gid) != 0)
      errno = 0;  // only root may give files away: it is ours then
    if (fchmod(descriptor_, old.st_mode & 0777) != 0) return false;
  }
  if (!synced(descriptor_)) return false;
  const int copy = fcntl(descriptor_, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return false;
  return close(std::exchange(descriptor_, copy)) == 0;
}

bool PartialFile::rename_to(const std::string& target) {
  if (!saved(target) || std::rename(name_.c_str(), target.c_str()) != 0) return false;
  forget(name_.c_str());
  name_.clear();
  // The folder, so that the new name outlives a loss of power; what was there is not at risk if this fails.
  const int folder = ::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return true;
  fsync(folder);
  close(folder);
  return true;
}

void remove_partial_files() {
  ending_now = true;
  while (making > 0) poll(nullptr, 0, 1);
  for (auto& slot : present)
    if (const char* name = slot.name.exchange(nullptr)) unlink(name);
}

void close_partial_files() {
  for (auto& slot : present)
    if (slot.name != nullptr && slot.descriptor >= 0) close(slot.descriptor);
}

}  // namespace driftless::cli
