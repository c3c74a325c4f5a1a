#include "reader.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "checkpoints.h"

namespace driftless::fuzz_results {

namespace {

using Words = std::vector<std::string>;

// Pictures cost a process more, and are asked for now and then.
Words command_for(const Sample& sample, const std::string& file, std::mt19937_64& random) {
  const std::size_t choice = random() % 16;
  if (sample.kind == "hdf5" && choice == 0) return {"report", file, "--plot", "a.svg"};
  if (sample.kind == "hdf5" && choice == 1) return {"report", file, "--plot", "a.svg", "--view", "motion"};
  if (sample.kind == "hdf5" && choice == 2) return {"report", file, file, "-o", "a.html"};
  if (sample.kind == "hdf5" || sample.kind == "bench") return {"report", file, "-o", "a.html"};
  if (sample.kind == "method" && choice % 2 == 0) return {"methods", file};
  if (sample.kind == "method") return {"solve", "problem:pendulum_schropp", "--method", file, "--steps", "5"};
  if (choice % 2 == 0) return {"analyse", "pencil", file, file};
  return {"analyse", "pencil", "identity.csv", file};
}

struct Ending {
  int status = 0;
  double computing = 0.0;  // seconds, with those of its children
  std::string err;

  bool hung() const { return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM; }
};

// Computing is what counts: on a machine that others use, too, the clock tells little. It ends what only waits.
constexpr unsigned patience = 5;

Ending run(const std::string& program, const Words& words, unsigned seconds) {
  std::fflush(nullptr);  // or the child writes it again
  const pid_t pid = fork();
  if (pid == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    alarm(patience * seconds);
    if (!freopen("/dev/null", "w", stdout) || !freopen("err", "w", stderr)) _exit(127);
    std::vector<char*> all{const_cast<char*>(program.c_str())};
    for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
    all.push_back(nullptr);
    execv(program.c_str(), all.data());
    _exit(127);
  }
  Ending ending;
  rusage used{};
  wait4(pid, &ending.status, 0, &used);
  for (const timeval& part : {used.ru_utime, used.ru_stime})
    ending.computing += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  ending.err = read_bytes("err");
  return ending;
}

// The sanitizer's allocator may lock itself up in a child (fork beside another thread): what hangs once hangs again.
Ending run_patiently(const std::string& program, const Words& words, unsigned seconds) {
  const Ending ending = run(program, words, seconds);
  return ending.hung() ? run(program, words, seconds) : ending;
}

std::string complaint_about(const Ending& ending, unsigned seconds) {
  if (ending.err.find("Sanitizer") != std::string::npos || ending.err.find("runtime error:") != std::string::npos)
    return "a sanitizer speaks: " + ending.err.substr(0, 2000);
  if (ending.hung()) return fmt::format("it takes more than {} s by the clock", patience * seconds);
  if (ending.computing > seconds) return fmt::format("it takes more than {} s of computing", seconds);
  if (WIFSIGNALED(ending.status)) return fmt::format("it dies of {}", strsignal(WTERMSIG(ending.status)));
  const int code = WEXITSTATUS(ending.status);
  if (code == 0) return {};
  if (code == 1 || code > 22) return fmt::format("it ends with {}: {}", code, ending.err.substr(0, 300));
  return ending.err.find("driftless:") == std::string::npos ? fmt::format("it ends with {} and no sentence", code) : "";
}

}  // namespace

Reading read(const Sample& sample, const std::string& bytes, const std::string& program, unsigned seconds,
             std::mt19937_64& random) {
  if (sample.kind == "checkpoint") {
    const Resumed resumed = resume(bytes);
    return {resumed.accepted, resumed.complaint};
  }
  const std::string file = "spoilt" + sample.ending;
  write_bytes(file, bytes);
  write_bytes("identity.csv", "1,0\n0,1\n");
  const Ending ending = run_patiently(program, command_for(sample, file, random), seconds);
  return {WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 0, complaint_about(ending, seconds)};
}

}  // namespace driftless::fuzz_results
