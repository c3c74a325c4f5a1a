#include "apps/driftless/program/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>
#include <string_view>

#include "apps/driftless/output/partial_file.h"
#include "apps/driftless/program/exit_codes.h"
#include "driftless/core/stop.h"

namespace driftless::cli {

namespace {

constexpr int milliseconds_between_looks = 50;  // for a stop, while the child works

// The first byte of what the child says; a last one shows that it is complete.
constexpr char value = 'v', stopped = 's', no_memory = 'm', complete = '.';

void send(int pipe, char kind, std::string_view text) {
  for (const std::string_view part : {std::string_view(&kind, 1), text, std::string_view(&complete, 1)})
    if (!write_fully(pipe, part)) _exit(1);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool can_limit_memory = false;  // the sanitizer takes terabytes of addresses
#else
constexpr bool can_limit_memory = true;
#endif

void limit(const ChildLimits& limits) {
  const auto set = [](__rlimit_resource_t what, rlim_t most) {
    const rlimit both{most, most};
    setrlimit(what, &both);
  };
  set(RLIMIT_CORE, 0);
  if (limits.seconds > 0) set(RLIMIT_CPU, limits.seconds);
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  if (limits.memory > 0 && can_limit_memory)
    set(RLIMIT_AS, pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + limits.memory);
}

// Libraries speak of heaps and stacks when they die; what the user needs to know is said by the parent.
void be_silent() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void work_and_exit(int pipe, const ChildLimits& limits, const std::function<std::string()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody wants the answer once the parent is gone
  be_silent();
  close_partial_files();
  std::set_terminate([] { _exit(1); });  // files that the parent is writing are none of the child's business
  try {
    limit(limits);
    send(pipe, value, work());
  } catch (const Stop& stop) {
    send(pipe, stopped, fmt::format("{:3d}{}", static_cast<int>(stop.code()), stop.what()));
  } catch (const std::bad_alloc&) {
    send(pipe, no_memory, "");
  } catch (const std::length_error&) {
    send(pipe, no_memory, "");
  } catch (const std::exception& error) {
    send(pipe, stopped, fmt::format("{:3d}{}", static_cast<int>(ExitCode::internal_error), error.what()));
  }
  _exit(0);
}

// Ends the child and waits for it, also after a stop, or if there is no memory for what comes through the pipe.
class Child {
 public:
  Child(pid_t pid, int pipe) : pid_(pid), pipe_(pipe) {}
  Child(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) kill(pid_, SIGKILL);
    wait();
  }

  std::string read_all() const {
    std::string all;
    char part[1 << 16];
    for (;;) {
      check_stop();
      pollfd waiting{pipe_, POLLIN, 0};
      const int ready = poll(&waiting, 1, milliseconds_between_looks);
      if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
      const ssize_t size = read(pipe_, part, sizeof part);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return all;
      all.append(part, static_cast<std::size_t>(size));
    }
  }

  int wait() {
    if (pipe_ >= 0) close(pipe_);
    pipe_ = -1;
    while (pid_ > 0 && waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status_;
  }

 private:
  pid_t pid_;
  int pipe_, status_ = 0;
};

[[noreturn]] void tell_loss(int status, const ChildLimits& limits) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (limits.seconds > 0 && (signal == SIGXCPU || signal == SIGKILL))
    throw ChildLost(fmt::format("it took more than {} s", limits.seconds), true);
  throw ChildLost(signal > 0 ? strsignal(signal) : "it ended too early", false);
}

}  // namespace

std::string in_child(const ChildLimits& limits, const std::function<std::string()>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return work();
  const pid_t pid = fork();
  if (pid < 0) {
    close(ends[0]);
    close(ends[1]);
    return work();
  }
  if (pid == 0) {
    close(ends[0]);
    work_and_exit(ends[1], limits, work);
  }
  close(ends[1]);
  Child child(pid, ends[0]);
  std::string answer = child.read_all();
  const int status = child.wait();
  if (answer.size() < 2 || answer.back() != complete || !WIFEXITED(status)) tell_loss(status, limits);
  const char kind = answer.front();
  answer.pop_back();
  if (kind == no_memory) throw std::bad_alloc();
  if (kind == stopped) throw Stop(static_cast<ExitCode>(std::stoi(answer.substr(1, 3))), answer.substr(4));
  answer.erase(0, 1);
  return answer;
}

}  // namespace driftless::cli
