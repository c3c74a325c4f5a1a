// Files that are right, to be spoilt.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace driftless::fuzz_results {

struct Sample {
  std::string kind;    // hdf5, bench, method, matrix, checkpoint
  std::string ending;  // of the name of such a file
  std::string bytes;
};

// Made by the program itself, in the working directory, or taken from the tree.
std::vector<Sample> make_corpus(const std::string& source_folder, const std::string& program);

std::string read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, const std::string& bytes);

}  // namespace driftless::fuzz_results
