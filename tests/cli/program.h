// The program `driftless`, run as a user runs it: in a folder of the test's own.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_program.h"

namespace driftless::cli_test {

using Json = nlohmann::ordered_json;

// An empty folder, the working directory while the test runs.
class InFolder : public testing::Test {
 protected:
  InFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "_" + test->name();
    std::replace(name.begin(), name.end(), '/', '_');
    folder_ = std::filesystem::path(testing::TempDir()) / ("driftless_" + name + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  ~InFolder() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  static std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(".")) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path folder_, before_;
};

// Results are put back into the equations of the model at every row: a run that breaks one of them fails.
inline Outcome driftless(const std::string& arguments) {
  setenv("DRIFTLESS_VERIFY", "1", 1);
  return run_program(DRIFTLESS_PROGRAM, arguments);
}

inline std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

// A small Python program, by Debian's interpreter, which has h5py and pandas.
inline Outcome python(const std::string& text) {
  std::ofstream("script.py") << text;
  return run_program("/usr/bin/python3", "script.py");
}

}  // namespace driftless::cli_test
