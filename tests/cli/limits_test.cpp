// Endless and exploding work: it can be stopped at any time, it has limits, and a message names them.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/cli/program.h"

namespace driftless::cli_test::limits_test {
namespace {

class Limits : public InFolder {
 protected:
  static void write(const std::string& name, const std::string& text) { std::ofstream(name) << text; }
  Limits() {
    write("decay.mo", "model Decay\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend Decay;\n");
    write("tree.mo", R"(model Tree
  function f input Integer n; output Real y; algorithm y := if n < 2 then 1 else f(n - 1) + f(n - 2); end f;
  parameter Real p = f(70);
  Real x(start = 1, fixed = true);
equation
  der(x) = -p * x;
end Tree;
)");
  }
  // A loop of n unknowns, each of which meets all others.
  static void write_loop(int n) {
    write("loop.mo", "model Loop\n  parameter Integer n = " + std::to_string(n) + R"(;
  Real y[n], x(start = 1, fixed = true);
equation
  der(x) = -y[1];
  for i in 1:n loop sum(sin(y[j]) / (1 + abs(i - j)) for j in 1:n) + n * y[i] = x + i * sin(1000 * time); end for;
end Loop;
)");
  }
};

// Ends it by this signal after some seconds; tells how it ended, and how long after the signal. --foreground: else a
// second signal, which ends a program at once, goes to its group.
struct Interrupted {
  Outcome outcome;
  double seconds;
};
Interrupted interrupt(const std::string& signal, double after, const std::string& arguments) {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome =
      run_program("/usr/bin/timeout", "--foreground --preserve-status -s " + signal + " " + std::to_string(after) +
                                          " " + DRIFTLESS_PROGRAM + " " + arguments);
  return {outcome, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() - after};
}

constexpr double soon = 3.0;  // a second, on a machine that has others to serve

TEST_F(Limits, AStopIsSeenWhileAModelIsRead) {
  const auto [outcome, seconds] = interrupt("INT", 0.3, "check tree.mo --max-work 1e15");
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_LT(seconds, soon);
  EXPECT_TRUE(contains(outcome.err, "stopped")) << outcome.err;
  EXPECT_EQ(interrupt("TERM", 0.3, "check tree.mo --max-work 1e15 --json").outcome.exit_code, 143);
}

TEST_F(Limits, AStopIsSeenAnywhereInALargeModel) {
  write_loop(300);
  for (const double after : {0.2, 0.5, 1.0, 2.0, 4.0}) {
    const auto [outcome, seconds] =
        interrupt("INT", after, "solve loop.mo --t-end 1000 --rtol 1e-9 --quiet --output rows.csv");
    EXPECT_EQ(outcome.exit_code, 130) << after << ": " << outcome.err;
    EXPECT_LT(seconds, soon) << after;
    EXPECT_TRUE(contains(outcome.err, "stopped")) << outcome.err;
  }
}

TEST_F(Limits, AStopIsSeenInEveryAnalysisAndInReproduce) {
  for (const std::string command :
       {"analyse manifold problem:mms_index2_gamma --method sdirk-2-half --points 500",
        "analyse attractor problem:limit_cycle_sphere --transient 1e7",
        "analyse stability problem:lognorm_nonlinear --box -2.5:2.5 --boxes 100000000 --accuracy 1e-15",
        "analyse errors problem:lognorm_nonlinear --steps 20000000",
        "analyse embedding problem:limit_cycle_sphere --step-size 2e-6", "reproduce"}) {
    const auto [outcome, seconds] = interrupt("INT", 1.0, command);
    EXPECT_EQ(outcome.exit_code, 130) << command << ": " << outcome.err;
    EXPECT_LT(seconds, soon) << command;
    EXPECT_TRUE(contains(outcome.err, "stop")) << command << outcome.err;
  }
}

TEST_F(Limits, AStopIsSeenWhileNobodyWritesToAPipe) {
  ASSERT_EQ(std::system("mkfifo pipe.mo"), 0);
  const auto [outcome, seconds] = interrupt("INT", 0.3, "check pipe.mo");
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_TRUE(contains(outcome.err, "stopped")) << outcome.err;
  EXPECT_LT(seconds, soon);
}

TEST_F(Limits, WorkOfFunctionsHasALimitThatAnOptionRaises) {
  write("small.mo", R"(model Small
  function f input Integer n; output Real y; algorithm y := 0; for i in 1:n loop y := y + i; end for; end f;
  Real x(start = f(10000), fixed = true);
equation
  der(x) = -x;
end Small;
)");
  const Outcome refused = driftless("check small.mo --max-work 10000");
  EXPECT_EQ(refused.exit_code, 6);
  EXPECT_TRUE(contains(refused.err, "evaluations to read")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "raise the limit: --max-work N")) << refused.err;
  EXPECT_EQ(driftless("check small.mo").exit_code, 0);
  EXPECT_EQ(Json::parse(driftless("check small.mo --max-work 10000 --json").out)["status"], "limit");
  EXPECT_EQ(driftless("check small.mo --max-work 0").exit_code, 2);
}

TEST_F(Limits, TimeHasALimitAndWhatWasComputedIsWritten) {
  EXPECT_EQ(driftless("check tree.mo --max-work 1e15 --time-limit 0.3").exit_code, 6);
  const Outcome run = driftless(
      "solve decay.mo --t-end 1e12 --largest-step 1e-3 --step-limit 1000000000000 --grid 1000000 --time-limit 0.5 "
      "--output rows.csv --json");
  EXPECT_EQ(run.exit_code, 6) << run.err;
  EXPECT_TRUE(contains(run.err, "the time limit of 0.5 s is over (--time-limit)")) << run.err;
  EXPECT_EQ(lines(file_text("rows.csv")).size(), 3u);  // names, start, and where it stopped
  EXPECT_EQ(driftless("check decay.mo --time-limit 0").exit_code, 2);
}

TEST_F(Limits, ASumOfManyStringsIsNoTrouble) {
  std::string sum = "\"a\"";
  for (int k = 0; k < 100'000; ++k) sum += " + String(x)";
  write("strings.mo", "model S\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\n  assert(x > -1, " + sum +
                          ");\nend S;\n");
  const Outcome outcome = driftless("check strings.mo --max-memory 400M");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(Limits, ADenseLoopOfHundredsOfUnknownsStaysInItsMemory) {
  write("dense.mo", R"(model Dense
  parameter Integer n = 400;
  Real y[n], x(start = 1, fixed = true);
equation
  der(x) = -y[1];
  for i in 1:n loop sum(y[j] / (1 + abs(i - j)) for j in 1:n) + n * y[i] = x + i * time; end for;
end Dense;
)");
  const Outcome outcome = driftless("solve dense.mo --max-memory 700M --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(Json::parse(outcome.out)["final"]["y[40]"].get<double>(), 0.0981516787, 1e-8);
}

TEST_F(Limits, WhatDoesNotFitIsSaidBeforeItIsTried) {
  // Four thousand pendulums in a medium that turns their reactions, whose accelerations come out of one linear system:
  // in the general form of index 3, each of them depends on all.
  write("large.mo", R"(model Large
  parameter Integer n = 4000;
  Real x[n](each start = 1, each fixed = true), y[n](each start = 0);
  Real vx[n], vy[n](each start = 0, each fixed = true), T[n];
equation
  for i in 1:n loop
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    der(vx[i]) + 0.1 * x[i] * (der(vx[max(1, i - 1)]) + der(vx[min(n, i + 1)])) = -T[i] * x[i] * (1 + 0.1 * vx[i]^2);
    der(vy[i]) = -T[i] * y[i] - 1;
    x[i]^2 + y[i]^2 = 1;
  end for;
end Large;
)");
  const Outcome outcome = driftless("check large.mo --max-memory 4G");
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_TRUE(contains(outcome.err, "dense matrices) would take 6.4 GB of memory, and the limit is 4 GB"))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "can be an unknown of its own")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "--max-memory SIZE raises the limit")) << outcome.err;
  write("huge.mo", "model Huge\n  Real x[1000000];\nequation\n  x = fill(time, 1000000);\nend Huge;\n");
  const Outcome huge = driftless("check huge.mo --max-memory 500M");
  EXPECT_EQ(huge.exit_code, 6);
  EXPECT_TRUE(contains(huge.err, "raise the limit: --max-memory SIZE")) << huge.err;
}

TEST_F(Limits, MemoryThatEndsOnTheWayNamesThePhase) {
  write("wide.mo",
        "model Wide\n  Real x[40000](each start = 1, each fixed = true);\nequation\n  for i in 1:40000 loop "
        "der(x[i]) = -sin(x[i]) * x[40001 - i]; end for;\nend Wide;\n");
  const Outcome outcome = driftless("solve wide.mo --max-memory 100M --json");
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_TRUE(contains(outcome.err, "the limit is 100 MB")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "  where: ")) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["status"], "limit");
  for (int limit = 60; limit < 160; limit += 10) {  // wherever it is that memory ends
    const Outcome anywhere = driftless("check wide.mo --max-memory " + std::to_string(limit) + "M");
    EXPECT_EQ(contains(anywhere.err, "\n  where: "), anywhere.exit_code == 6) << limit << anywhere.err;
  }
}

// A null that turns into an object or a list when something is put in says that it is one before it has its memory; if
// there is none, its destructor crashes. So what is filled is made as Json::object() or Json::array().
TEST_F(Limits, MemoryThatEndsMeetsNoJsonThatIsNotMadeYet) {
  const std::regex empty(R"(^ +(driftless::cli::)?Json \w+(\{\})?;)");
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(DRIFTLESS_SOURCE_DIR "/apps/driftless")) {
    if (entry.path().extension() != ".cpp") continue;
    ++files;
    for (const std::string& line : lines(file_text(entry.path())))
      EXPECT_FALSE(std::regex_search(line, empty)) << entry.path() << ": " << line;
  }
  EXPECT_GT(files, 50);
}

TEST_F(Limits, RowsThatDoNotFitAreRefusedBeforeTheRun) {
  for (const std::string rows : {"--grid 3000000000", "--grid 200000000 --max-memory 2G", "--interval 1e-10",
                                 "--steps 3000000000 --method radau-iia-2"}) {
    const Outcome outcome = driftless("solve decay.mo --output rows.csv " + rows);
    EXPECT_EQ(outcome.exit_code, 6) << rows << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "rows of 2 columns, about")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "fewer rows, or --max-memory SIZE")) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists("rows.csv"));
  }
}

TEST_F(Limits, RowsOfEveryStepEndTheRunWhenMemoryIsFull) {
  const Outcome outcome =
      driftless("solve decay.mo --t-end 1e9 --largest-step 1e-3 --every-step --max-memory 100M --output rows.csv -q");
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_TRUE(contains(outcome.err, "rows fill the memory that is allowed, 100 MB")) << outcome.err;
  EXPECT_GT(lines(file_text("rows.csv")).size(), 100'000u);
}

TEST_F(Limits, WhatIsNoTextOrNeverEndsIsNoModel) {
  const Outcome zero = driftless("check /dev/zero");
  EXPECT_EQ(zero.exit_code, 3);
  EXPECT_TRUE(contains(zero.err, "'/dev/zero' is no text: byte 1 is zero")) << zero.err;
  const Outcome endless =
      run_program("/bin/sh", "-c 'yes \"// no end\" | " DRIFTLESS_PROGRAM " check /dev/stdin --max-memory 200M'");
  EXPECT_EQ(endless.exit_code, 6);
  EXPECT_TRUE(contains(endless.err, "is longer than 20 MB")) << endless.err;
}

TEST_F(Limits, EveryPhaseShowsItself) {
  const Outcome reading = driftless("check tree.mo --max-work 1e15 --progress always --time-limit 1");
  EXPECT_TRUE(contains(reading.err, "reading  0 s")) << reading.err;
  write_loop(100);
  const Outcome run = driftless("solve loop.mo --t-end 1e6 --rtol 1e-9 --progress always --time-limit 6 --quiet");
  for (const std::string phase : {"structure and formulas", "start", "%"})
    EXPECT_TRUE(contains(run.err, phase)) << phase << run.err;
  EXPECT_TRUE(contains(driftless("reproduce euler --progress always").err, "euler"));
}

TEST_F(Limits, TheStudyOfAManifoldHasALimitOfSteps) {
  const Outcome outcome = driftless("analyse manifold problem:mms_index2_gamma --method sdirk-2-half --step-limit 200");
  EXPECT_EQ(outcome.exit_code, 17);
  EXPECT_TRUE(contains(outcome.err, "more than 200 steps")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "--step-limit")) << outcome.err;
}

}  // namespace
}  // namespace driftless::cli_test::limits_test
