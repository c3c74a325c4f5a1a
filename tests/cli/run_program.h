// Runs a program as a user would: exit code, standard output and standard error.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

struct Outcome {
  int exit_code;
  std::string out, err;
};

inline std::string read_and_remove(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

// Tests of several checkouts may run at once: the process makes the files its own.
inline Outcome run_program(const std::string& program, const std::string& arguments) {
  const std::string base = testing::TempDir() + "driftless_cli_" + std::to_string(getpid());
  const std::string command = "'" + program + "' " + arguments + " >'" + base + ".out' 2>'" + base + ".err'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_and_remove(base + ".out"), read_and_remove(base + ".err")};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
