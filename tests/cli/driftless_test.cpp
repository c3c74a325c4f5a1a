// The program as a user meets it: exit code, standard output and standard error.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_program.h"

namespace {

Outcome run(const std::string& arguments) { return run_program(DRIFTLESS_PROGRAM, arguments); }

// The rows of a printed table: every line that consists of numbers only.
std::vector<std::vector<double>> rows_of_numbers(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<double> row;
    std::istringstream words(line);
    for (double x; words >> x;) row.push_back(x);
    if (words.eof() && !row.empty()) rows.push_back(row);
  }
  return rows;
}

TEST(Program, PendulumStaysOnItsConstraints) {
  const Outcome outcome = run("pendulum");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* column : {"u1", "u2", "v1", "v2", "lambda", "d1", "d2", "d3"})
    EXPECT_TRUE(contains(outcome.out, column)) << column;
  const auto rows = rows_of_numbers(outcome.out);
  ASSERT_EQ(rows.size(), 11u) << outcome.out;
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 9u) << outcome.out;
    EXPECT_LT(std::abs(row[6]), 1e-13) << "d1 at t = " << row[0];
    EXPECT_LT(std::abs(row[7]), 1e-13) << "d2 at t = " << row[0];
  }
  // Schropp's pendulum at t = 20, by elliptic functions.
  EXPECT_EQ(rows.back()[0], 20.0);
  EXPECT_NEAR(rows.back()[1], -0.51771970, 2e-8);
  EXPECT_NEAR(rows.back()[2], -0.85555030, 2e-8);
}

TEST(Program, WithoutArgumentsSaysHowToUseIt) {
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "usage: driftless")) << outcome.err;
}

TEST(Program, NamesTheCommandThatItDoesNotKnow) {
  const Outcome outcome = run("pendulim");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "'pendulim'")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "usage: driftless")) << outcome.err;
}

TEST(Program, NamesTheArgumentThatIsTooMuch) {
  const Outcome outcome = run("pendulum --steps");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "'--steps'")) << outcome.err;
}

TEST(Program, HelpIsNoError) {
  for (const char* option : {"--help", "-h", "help"}) {
    const Outcome outcome = run(option);
    EXPECT_EQ(outcome.exit_code, 0) << option;
    EXPECT_EQ(outcome.err, "") << option;
    EXPECT_TRUE(contains(outcome.out, "usage: driftless")) << option;
  }
}

}  // namespace
