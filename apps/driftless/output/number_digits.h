// Numbers as text, many of them: the shortest digits that read back to the same bits.
#pragma once

namespace driftless::cli {

inline constexpr int longest_number = 32;  // characters that a number may take

// What fmt makes of "{}", in half the time; the end of what was written.
char* put_number(char* out, double x);

}  // namespace driftless::cli
