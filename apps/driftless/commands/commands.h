// The sub-commands. A new one is a file in commands/ that defines `Command NAME_command()`, and one line here. Names of
// two words, `analyse attractor`, make a group.
#pragma once

#include <vector>

#include "apps/driftless/program/command_line.h"

#define DRIFTLESS_COMMANDS(ONE) \
  ONE(solve)                    \
  ONE(sweep)                    \
  ONE(merge)                    \
  ONE(linearise)                \
  ONE(check)                    \
  ONE(init)                     \
  ONE(report)                   \
  ONE(reproduce)                \
  ONE(new)                      \
  ONE(problems)                 \
  ONE(methods)                  \
  ONE(analyse_manifold)         \
  ONE(analyse_embedding)        \
  ONE(analyse_attractor)        \
  ONE(analyse_minimise)         \
  ONE(analyse_stability)        \
  ONE(analyse_errors)           \
  ONE(analyse_pencil)           \
  ONE(explain)                  \
  ONE(complete)

namespace driftless::cli {

#define DRIFTLESS_DECLARE(name) Command name##_command();
DRIFTLESS_COMMANDS(DRIFTLESS_DECLARE)
#undef DRIFTLESS_DECLARE

inline std::vector<Command> all_commands() {
#define DRIFTLESS_MAKE(name) name##_command(),
  return {DRIFTLESS_COMMANDS(DRIFTLESS_MAKE)};
#undef DRIFTLESS_MAKE
}

}  // namespace driftless::cli
