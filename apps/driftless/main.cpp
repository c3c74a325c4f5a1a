// driftless: differential-algebraic equations from the command line.
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <exception>
#include <new>
#include <string_view>

#include "apps/driftless/output/partial_file.h"
#include "apps/driftless/program/program.h"

namespace {

void say(std::string_view text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

// What goes wrong before the program begins, or while it says what went wrong: there may be memory for no more.
int last_words() {
  try {
    if (std::current_exception()) throw;
    say("driftless: it ended without a reason that it knows\n");
  } catch (const std::bad_alloc&) {
    say("driftless: no memory left\n");
  } catch (...) {
    say("driftless: something went wrong for which there is no name\n");
  }
  return static_cast<int>(driftless::cli::ExitCode::internal_error);
}

// Large arrays go back to the system when they are freed. glibc would keep them after some time, for others that do not
// fit between what is left: 40 MB of the 500 that a model of 10^5 equations takes.
void keep_large_arrays_apart() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

struct Prepared {
  Prepared() {
    std::set_terminate([] {  // also for what a destructor throws: those of JSON take memory
      driftless::cli::remove_partial_files();
      _exit(last_words());
    });
  }
};
[[gnu::init_priority(101)]] const Prepared prepared;  // before all other constants, which take memory

}  // namespace

int main(int argc, char** argv) {
  keep_large_arrays_apart();
  try {
    return driftless::cli::run_program({argv + 1, argv + argc});
  } catch (...) {
    return last_words();
  }
}
