// driftless sweep and merge, as a user meets them.
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "tests/cli/program.h"

namespace driftless::cli_test::sweep_test {
namespace {

constexpr const char* model =
    "model M\n  parameter Real k(unit = \"N/m\") = 1, c = 0;\n  Real x(start = 1, fixed = true, unit = \"m\");\n"
    "  Real v(start = 0, fixed = true);\nequation\n  der(x) = v;\n  der(v) = -k*x - c*v;\n"
    "  assert(k < 50 or time < 1, \"too stiff, \\\"really\\\"\");\nannotation(experiment(StopTime = 5));\nend M;\n";

class Sweep : public InFolder {
 protected:
  Sweep() { write_file("m.mo", model); }
  static void write_file(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  static std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> all(1);
    for (const char letter : line) letter == ',' ? (void)all.emplace_back() : (void)(all.back() += letter);
    return all;
  }
};

TEST_F(Sweep, ARowForEachRunInTheirOrder) {
  const Outcome done = driftless("sweep m.mo --set k=1,4,9 --set c=0:0.5:1 --show 'x,max(v)' -o s.csv");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(contains(done.out, "9 of 9 runs, all well")) << done.out;
  const auto rows = lines(file_text("s.csv"));
  ASSERT_EQ(rows.size(), 10U);
  EXPECT_EQ(rows[0], "run,k,c,x,max(v),status,reason");
  for (std::size_t run = 0; run < 9; ++run) EXPECT_EQ(fields(rows[run + 1])[0], std::to_string(run));
  const auto last = fields(rows[7]);  // run 6: k = 9, c = 0
  EXPECT_EQ(last[1], "9");
  EXPECT_NEAR(std::stod(last[3]), std::cos(15.0), 1e-4);
  EXPECT_NEAR(std::stod(last[4]), 3.0, 1e-4);
  const Json about = Json::parse(file_text("s.csv-metadata.json"));
  EXPECT_EQ(about["total"], 9);
  EXPECT_EQ(about["tableSchema"]["columns"][1]["unit"], "N/m");
  EXPECT_EQ(files(), (std::vector<std::string>{"m.mo", "s.csv", "s.csv-metadata.json"}));  // no journal is left
}

TEST_F(Sweep, AFailedRunIsARowAndTheExitCodeTells) {
  const Outcome done = driftless("sweep m.mo --set k=1,60,2 --show x -o s.csv --json");
  EXPECT_EQ(done.exit_code, 23) << done.err;
  const auto rows = lines(file_text("s.csv"));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_TRUE(rows[1].ends_with(",ok,"));
  EXPECT_TRUE(contains(rows[2], "1,60,,assertion-failed,")) << rows[2];
  EXPECT_TRUE(contains(rows[2], "too stiff, \"\"really\"\"")) << rows[2];
  EXPECT_TRUE(rows[3].ends_with(",ok,"));
  const Json result = Json::parse(done.out);
  EXPECT_EQ(result["status"], "runs-failed");
  EXPECT_EQ(result["failed"], 1);
  EXPECT_EQ(result["failures"][0]["first"], 1);
  EXPECT_EQ(result["shown"]["x"]["runs"], 2);
}

TEST_F(Sweep, PartsMergeToTheSameBytes) {
  const std::string study = "sweep m.mo --set 'k~normal(10,2)' --set x=1,2 --samples 12 --seed 3 --show 'x,mean(v)' ";
  ASSERT_EQ(driftless(study + "-o all.csv --threads 1").exit_code, 0);
  ASSERT_EQ(driftless(study + "-o two.csv --threads 2").exit_code, 0);
  EXPECT_EQ(file_text("all.csv"), file_text("two.csv"));
  for (const int of : {3, 8}) {
    std::string parts;
    for (int k = 1; k <= of; ++k) {
      ASSERT_EQ(driftless(study + "-o p.csv --shard " + std::to_string(k) + "/" + std::to_string(of)).exit_code, 0);
      parts += " p." + std::to_string(k) + "-of-" + std::to_string(of) + ".csv";
    }
    const Outcome merged = driftless("merge" + parts + " -o merged.csv");
    ASSERT_EQ(merged.exit_code, 0) << merged.err;
    EXPECT_EQ(file_text("merged.csv"), file_text("all.csv")) << of;
  }
}

TEST_F(Sweep, MergeRefusesWhatDoesNotBelongTogether) {
  for (const char* k : {"1", "2"})
    ASSERT_EQ(driftless(std::string("sweep m.mo --set k=1,2,3,4 --show x -o a.csv --shard ") + k + "/2").exit_code, 0);
  ASSERT_EQ(driftless("sweep m.mo --set k=1,2,3,5 --show x -o b.csv --shard 2/2").exit_code, 0);
  const auto refused = [](const std::string& parts, const std::string& why) {
    const Outcome done = driftless("merge " + parts + " -o all.csv");
    EXPECT_EQ(done.exit_code, 3);
    EXPECT_TRUE(contains(done.err, why)) << done.err;
  };
  refused("a.1-of-2.csv", "2 of 4 runs are missing, the first is run 1");
  refused("a.1-of-2.csv b.2-of-2.csv", "not parts of one study");
  refused("a.1-of-2.csv a.1-of-2.csv", "run 0 is in another file as well");
  // As many times at which extremes are looked for, but others: 0, 0.3, ..., 1 and 0, 0.25, ..., 1.
  const std::string other = "sweep m.mo --t-end 1 --set k=1,2,3,4 --show 'max(v)' ";
  ASSERT_EQ(driftless(other + "--interval 0.3 -o c.csv --shard 1/2").exit_code, 0);
  ASSERT_EQ(driftless(other + "--grid 4 -o c.csv --shard 2/2").exit_code, 0);
  refused("c.1-of-2.csv c.2-of-2.csv", "not parts of one study");
  refused("m.mo", "m.mo-metadata.json");
  std::string spoilt = file_text("a.1-of-2.csv");
  write_file("a.1-of-2.csv", spoilt.substr(0, spoilt.size() - 4));
  refused("a.1-of-2.csv a.2-of-2.csv", "line 3 is not a whole row of a study");
  EXPECT_FALSE(std::filesystem::exists("all.csv"));
}

TEST_F(Sweep, LaunchersSayWhichPartItIs) {
  const auto shard_with = [](const std::string& environment) {
    const Outcome done = run_program(
        "/usr/bin/env", environment + " '" DRIFTLESS_PROGRAM "' sweep m.mo --set k=1,2,3,4,5,6 --show x -o e.csv");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    std::string found;
    for (const std::string& name : files())
      if (name.starts_with("e.") && name.ends_with(".csv")) {
        found += name;
        std::filesystem::remove(name);
      }
    return found;
  };
  EXPECT_EQ(shard_with("SLURM_ARRAY_TASK_ID=11 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=10"), "e.2-of-3.csv");
  EXPECT_EQ(
      shard_with("SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=2"),
      "e.3-of-3.csv");
  EXPECT_EQ(shard_with("OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2"), "e.1-of-2.csv");
  EXPECT_EQ(shard_with("PMI_RANK=1 PMI_SIZE=2"), "e.2-of-2.csv");
  EXPECT_EQ(shard_with("SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=4"), "e.3-of-4.csv");
  EXPECT_EQ(shard_with("SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2"),
            "e.4-of-4.csv");
  // The batch script itself has a rank of 0 and a number of tasks, and runs alone.
  EXPECT_EQ(shard_with("SLURM_PROCID=0 SLURM_NTASKS=8"), "e.csv");
}

TEST_F(Sweep, AJournalOfAnotherStudyIsNotTouched) {
  const std::string other = "driftless study journal 1, something else\n00000000 0,1,2,ok,\n";
  for (const std::string& journal : {other, std::string("not ours\n")}) {
    write_file("s.csv.journal", journal);
    const Outcome done = driftless("sweep m.mo --set k=1,2 --show x -o s.csv");
    EXPECT_EQ(done.exit_code, 3);
    EXPECT_TRUE(contains(done.err, "is from another study")) << done.err;
    EXPECT_EQ(file_text("s.csv.journal"), journal);
  }
  write_file("s.csv.journal", "driftless study journal 1, nothing was finished\n");
  EXPECT_EQ(driftless("sweep m.mo --set k=1,2 --show x -o s.csv").exit_code, 0);
}

// Starts a study in a process of its own and kills it once so many bytes stand in its journal.
void kill_when_journal_has(std::size_t bytes, const std::string& study) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", ("exec '" DRIFTLESS_PROGRAM "' " + study + " -q").c_str(), nullptr);
    _exit(127);
  }
  for (int k = 0; k < 4000 && file_text("s.csv.journal").size() < bytes; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

// A line that a crash of the machine spoilt is computed again, and so is what follows it.
TEST_F(Sweep, SpoiltLinesOfTheJournalAreComputedAgain) {
  const std::string study = "sweep m.mo --set 'k=linspace(1,40,2000)' --rtol 1e-10 --show x --threads 1 ";
  ASSERT_EQ(driftless(study + "-o once.csv").exit_code, 0);
  kill_when_journal_has(2000, study + "-o s.csv");
  std::string journal = file_text("s.csv.journal");
  ASSERT_GE(journal.size(), 2000U);
  const std::size_t digit = journal.find_first_of("123456789", journal.find(",0.", 1000) + 3);
  ASSERT_NE(digit, std::string::npos);
  journal[digit] = journal[digit] == '9' ? '1' : static_cast<char>(journal[digit] + 1);
  write_file("s.csv.journal", journal + std::string(100, '\0'));
  ASSERT_EQ(driftless(study + "-o s.csv").exit_code, 0);
  EXPECT_EQ(file_text("s.csv"), file_text("once.csv"));
}

// Killed at ten moments, and started again each time: what comes out is what comes out at once.
TEST_F(Sweep, GoesOnAfterKillsToTheSameBytes) {
  const std::string study = "sweep m.mo --set 'k=linspace(1,40,3000)' --rtol 1e-10 --show 'x,max(v)' --threads 1 ";
  ASSERT_EQ(driftless(study + "-o once.csv").exit_code, 0);
  std::mt19937 random(1);
  std::size_t before = 0, grew = 0;
  for (int k = 0; k < 10 && !std::filesystem::exists("s.csv"); ++k) {
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", ("exec '" DRIFTLESS_PROGRAM "' " + study + "-o s.csv -q").c_str(), nullptr);
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 60));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (std::filesystem::exists("s.csv")) break;
    const std::size_t rows = lines(file_text("s.csv.journal")).size();
    grew += rows > before ? 1 : 0;
    EXPECT_GE(rows + 1, before);  // at most the line that it was at is lost
    before = rows;
  }
  EXPECT_GE(grew, 2U);
  const Outcome done = driftless(study + "-o s.csv");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(file_text("s.csv"), file_text("once.csv"));
  EXPECT_FALSE(std::filesystem::exists("s.csv.journal"));
}

TEST_F(Sweep, ASecondProcessIsToldToWait) {
  const std::string study = "sweep m.mo --set 'k=linspace(1,40,100000)' --rtol 1e-10 --show x -o s.csv -q";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", ("exec '" DRIFTLESS_PROGRAM "' " + study).c_str(), nullptr);
    _exit(127);
  }
  for (int k = 0; k < 2000 && file_text("s.csv.journal").size() < 200; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const Outcome second = driftless(study);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_TRUE(contains(second.err, "another process works on this study")) << second.err;
}

TEST_F(Sweep, ValuesFromAFile) {
  write_file("v.csv", "k,x\n1,2\n4,-1\n");
  const Outcome done = driftless("sweep m.mo --set-file v.csv --show x --t-end 1 -o -");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto rows = lines(done.out);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NEAR(std::stod(fields(rows[1])[3]), 2.0 * std::cos(1.0), 1e-4);
  EXPECT_NEAR(std::stod(fields(rows[2])[3]), -std::cos(2.0), 1e-4);
}

TEST_F(Sweep, Hdf5AndAPage) {
  const Outcome done = driftless("sweep m.mo --set k=1,60,2 --show x -o s.h5 --report s.html");
  EXPECT_EQ(done.exit_code, 23);
  EXPECT_GT(std::filesystem::file_size("s.h5"), 1000U);
  const std::string page = file_text("s.html");
  EXPECT_TRUE(contains(page, "x over k"));
  EXPECT_TRUE(contains(page, "assertion-failed"));
}

TEST_F(Sweep, WhatIsWrongIsSaidBeforeAnyRun) {
  const auto refused = [](const std::string& options, int code, const std::string& why) {
    const Outcome done = driftless("sweep m.mo " + options);
    EXPECT_EQ(done.exit_code, code) << options;
    EXPECT_TRUE(contains(done.err, why)) << options << '\n' << done.err;
  };
  refused("", 2, "something to vary");
  refused("--set k=3", 2, "something to vary");
  refused("--set k=1:0:2", 2, "k=1:0:2");
  refused("--set z=1,2", 4, "'z'");
  refused("--set k=1,2 --show y", 2, "there is no result 'y'");
  refused("--set k=1,2 --show 'time(x < 0)'", 2, "no such relation");
  refused("--set k=1,2 --show 'median(x)'", 2, "max(x)");
  refused("--set 'k~normal(1,1)'", 2, "how many samples");
  refused("--set k=1,2 --samples 3", 2, "nothing is drawn");
  refused("--set k=1,2 --shard 3/2", 2, "--shard");
  refused("--set k=1,2 -o s.txt", 2, "s.txt");
  refused("--set k=1,2 --verify", 2, "--verify");
  EXPECT_EQ(files(), std::vector<std::string>{"m.mo"});
}

}  // namespace
}  // namespace driftless::cli_test::sweep_test
