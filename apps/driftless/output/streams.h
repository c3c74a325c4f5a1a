// Standard output and standard error as what they are: files that may be closed, full, or read by nobody any more.
#pragma once

#include <cstdio>
#include <string_view>

namespace driftless::cli {

// Closed ones are opened such that writing to them fails: no result file may get their numbers, and what is printed.
void hold_standard_streams();

// Writes as it is. Never throws: what went wrong with standard output is asked for at the end.
void put(std::FILE* stream, std::string_view bytes);

// Flushes standard output; errno of the first write to it that failed, or 0.
int output_error();

}  // namespace driftless::cli
