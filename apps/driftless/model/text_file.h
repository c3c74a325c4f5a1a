// Texts of the user's own: models, matrices, tableaux. Whatever a name stands for - a file, a pipe, a device - reading
// it ends: at its end, at the limit of memory, or when somebody stops it.
#pragma once

#include <filesystem>
#include <string>

namespace driftless::cli {

// What this name stands for, links followed. Stop, with the reason, if nobody can tell: a loop of links, a closed
// folder.
std::filesystem::file_type type_of(const std::string& path);

// Stop if it cannot be read, is no text (a zero byte in it), or is longer than the memory allows.
std::string read_text_file(const std::string& path);

}  // namespace driftless::cli
