// Loaded before a program (LD_PRELOAD), makes one of its calls that write files fail: number DRIFTLESS_FAIL_AT, counted
// from 1, with ENOSPC. Only files that the program creates are meant. Says on standard error which call it was, or that
// there were not so many. With DRIFTLESS_SIGNAL=15 it does not fail, but is followed by that signal at once.
// With DRIFTLESS_PLANT=FILE a link to FILE stands where the program creates its first file, as if somebody had guessed.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace {

std::array<bool, 1024> created = {};
long count = 0;

long wanted() {
  static const long number = [] {
    const char* text = std::getenv("DRIFTLESS_FAIL_AT");
    return text != nullptr ? std::atol(text) : 0;
  }();
  return number;
}

int wanted_signal() {
  static const int number = [] {
    const char* text = std::getenv("DRIFTLESS_SIGNAL");
    return text != nullptr ? std::atoi(text) : 0;
  }();
  return number;
}

bool signal_is_due = false;

// In each call, before anything else: the signal comes when the call is done.
struct SignalAfter {
  ~SignalAfter() {
    if (!std::exchange(signal_is_due, false)) return;
    const int kept = errno;
    raise(wanted_signal());
    errno = kept;
  }
};

void tell(const char* what) {
  char text[100];
  const int size = std::snprintf(text, sizeof text, "failing call: %s\n", what);
  static const auto plain = reinterpret_cast<ssize_t (*)(int, const void*, size_t)>(dlsym(RTLD_NEXT, "write"));
  plain(STDERR_FILENO, text, static_cast<size_t>(size));
}

bool fails(const char* what) {
  if (++count != wanted()) return false;
  tell(what);
  signal_is_due = wanted_signal() != 0;
  errno = ENOSPC;
  return !signal_is_due;
}

void plant_link(const char* path) {
  static bool planted = false;
  const char* target = std::getenv("DRIFTLESS_PLANT");
  if (target != nullptr && !planted) planted = symlink(target, path) == 0;
}

bool is_ours(int descriptor) {
  return descriptor >= 0 && descriptor < 1024 && created[static_cast<size_t>(descriptor)];
}

template <class Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

struct AtEnd {
  ~AtEnd() {
    if (wanted() > count) tell("none");
  }
} at_end;

}  // namespace

#define NEXT(function) next(&::function, #function)

extern "C" {

int open(const char* path, int flags, ...) {
  const SignalAfter after;
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if ((flags & O_CREAT) != 0 && fails("open")) return -1;
  if ((flags & O_CREAT) != 0) plant_link(path);
  static const auto plain = reinterpret_cast<int (*)(const char*, int, mode_t)>(dlsym(RTLD_NEXT, "open"));
  const int descriptor = plain(path, flags, mode);
  if (descriptor >= 0 && descriptor < 1024) created[static_cast<size_t>(descriptor)] = (flags & O_CREAT) != 0;
  return descriptor;
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  const SignalAfter after;
  if (is_ours(descriptor) && fails("write")) return -1;
  static const auto plain = NEXT(write);
  return plain(descriptor, bytes, size);
}

int ftruncate(int descriptor, off_t size) noexcept {
  const SignalAfter after;
  if (is_ours(descriptor) && fails("ftruncate")) return -1;
  static const auto plain = NEXT(ftruncate);
  return plain(descriptor, size);
}

int fchmod(int descriptor, mode_t mode) noexcept {
  const SignalAfter after;
  if (is_ours(descriptor) && fails("fchmod")) return -1;
  static const auto plain = NEXT(fchmod);
  return plain(descriptor, mode);
}

int fsync(int descriptor) {
  const SignalAfter after;
  if (fails(is_ours(descriptor) ? "fsync" : "fsync of a folder")) return -1;
  static const auto plain = NEXT(fsync);
  return plain(descriptor);
}

int close(int descriptor) {
  const SignalAfter after;
  static const auto plain = NEXT(close);
  const bool ours = is_ours(descriptor);
  if (ours) created[static_cast<size_t>(descriptor)] = false;
  const int result = plain(descriptor);
  return ours && fails("close") ? -1 : result;  // it is closed all the same
}

int rename(const char* from, const char* to) noexcept {
  const SignalAfter after;
  if (fails("rename")) return -1;
  static const auto plain = NEXT(rename);
  return plain(from, to);
}

}  // extern "C"
