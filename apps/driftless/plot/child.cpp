#include "apps/driftless/plot/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

extern char** environ;

namespace driftless::cli {

namespace {

// Both ends, closed at the latest here, and never handed on by accident.
struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t which) {
    if (ends[which] >= 0) close(std::exchange(ends[which], -1));
  }
  std::array<int, 2> ends;
};

class SpawnSettings {
 public:
  SpawnSettings(const Pipe& in, const Pipe& out, const Pipe& err) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, in.ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files_, out.ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files_, err.ends[1], STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int number : {SIGPIPE, SIGXFSZ}) sigaddset(&usual, number);
    posix_spawnattr_setsigdefault(&attributes_, &usual);  // if this program is killed, so is the child by SIGPIPE
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  bool spawn(pid_t& child, const std::vector<std::string>& words) const {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // not changed
    arguments.push_back(nullptr);
    return posix_spawnp(&child, arguments[0], &files_, &attributes_, arguments.data(), environ) == 0;
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

// False at the end of what can be read.
bool read_some(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

// False if there is nothing more to write, or nobody who reads it.
bool write_some(int descriptor, std::string_view& rest) {
  const ssize_t count = write(descriptor, rest.data(), rest.size());
  if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  return !rest.empty() && (count > 0 || errno == EINTR || errno == EAGAIN);
}

// All three at once: a program that waits for somebody to read its output does not read its input. False if it hangs.
bool converse(Pipe& in, Pipe& out, Pipe& err, std::string_view input, std::chrono::milliseconds patience,
              ChildResult& result) {
  fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    std::array<pollfd, 3> ready = {pollfd{in.ends[1], POLLOUT, 0}, pollfd{out.ends[0], POLLIN, 0},
                                   pollfd{err.ends[0], POLLIN, 0}};
    const int count = poll(ready.data(), ready.size(), static_cast<int>(patience.count()));
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
    if (count < 0) continue;
    if (ready[0].revents != 0 && !write_some(in.ends[1], input)) in.close_end(1);
    if (ready[1].revents != 0 && !read_some(out.ends[0], result.out)) out.close_end(0);
    if (ready[2].revents != 0 && !read_some(err.ends[0], result.err)) err.close_end(0);
  }
  return true;
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& words, const std::string& input,
                      std::chrono::milliseconds patience) {
  ChildResult result;
  Pipe in, out, err;
  if (in.ends[0] < 0 || out.ends[0] < 0 || err.ends[0] < 0) return result;
  pid_t child = 0;
  if (!SpawnSettings(in, out, err).spawn(child, words)) return result;
  result.started = true;
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  if (!converse(in, out, err, input, patience, result)) {
    kill(child, SIGKILL);
    result.err = "it hangs";
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace driftless::cli
