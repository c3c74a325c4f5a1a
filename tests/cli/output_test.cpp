// Files of results: what is in them, that others read them, and that they are never half written.
#include <csignal>
#include <thread>

#include "tests/cli/program.h"

namespace driftless::cli_test::output_test {
namespace {

class Output : public InFolder {};

using Strings = std::vector<std::string>;

TEST_F(Output, CsvIsALineOfNamesAndNumbersThatReadBackToTheSameBits) {
  const Outcome outcome = driftless("solve problem:limit_cycle_sphere --t-end 0.5 --grid 5 -o a.csv --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(files(), (Strings{"a.csv", "a.csv-metadata.json"}));
  const auto text = lines(file_text("a.csv"));
  ASSERT_EQ(text.size(), 7u);
  EXPECT_EQ(text[0], "time,x,y,z,lambda");
  EXPECT_EQ(text[1].substr(0, 2), "0,");
  EXPECT_EQ(text[2].substr(0, 4), "0.1,");
  const Json final_state = Json::parse(outcome.out)["final"];
  EXPECT_NEAR(std::stod(text[6].substr(text[6].rfind(',') + 1)), final_state["lambda"].get<double>(), 1e-14);
}

TEST_F(Output, MetadataTellWhereAFileIsFrom) {
  driftless("solve problem:limit_cycle_sphere --grid 5 -o a.csv --rtol 1e-7 --set z=0.5");
  const Json about = Json::parse(file_text("a.csv-metadata.json"));
  EXPECT_EQ(about["url"], "a.csv");
  EXPECT_EQ(about["version"], "0.1.0");
  EXPECT_EQ(about["source"], "problem:limit_cycle_sphere");
  EXPECT_EQ(about["status"], "ok");
  EXPECT_EQ(about["options"]["rtol"], 1e-7);
  EXPECT_EQ(about["options"]["rows"], "5 intervals");
  EXPECT_EQ(about["options"]["set"], (Strings{"z=0.5"}));
  ASSERT_EQ(about["tableSchema"]["columns"].size(), 5u);
  EXPECT_EQ(about["tableSchema"]["columns"][0]["unit"], "s");
  driftless("solve problem:limit_cycle_sphere --grid 5 -o b.csv --no-metadata");
  EXPECT_EQ(files(), (Strings{"a.csv", "a.csv-metadata.json", "b.csv"}));
}

TEST_F(Output, PandasAndH5pyReadItWithoutCeremony) {
  const Outcome run = driftless("solve problem:pendulum_schropp --t-end 2 --interval 0.5 -o a.csv -o a.h5");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Outcome outcome = python(R"(
import h5py, pandas
table = pandas.read_csv("a.csv")
assert list(table.columns) == ["time", "u1", "u2", "v1", "v2", "lambda"], table.columns
assert list(table.time) == [0, 0.5, 1, 1.5, 2], table.time
assert (table.u1**2 + table.u2**2 - 1).abs().max() < 1e-14
with h5py.File("a.h5") as file:
    assert sorted(file) == sorted(list(table.columns) + ["driftless:report"]), list(file)
    assert list(file.attrs["columns"]) == list(table.columns)
    other = pandas.DataFrame({name: file[name] for name in file.attrs["columns"]})
    assert (other - table).abs().max().max() < 1e-15
    assert file["time"].attrs["unit"] == "s"
    assert file["u1"].attrs["unit"] == ""
    assert file.attrs["version"] == "0.1.0" and file.attrs["index"] == 3, dict(file.attrs)
    import json
    assert json.loads(file.attrs["options"])["rows"] == "every 0.5"
)");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(Output, RowsAsAskedFor) {
  const auto rows = [](const std::string& options) {
    const Outcome outcome = driftless("solve problem:pendulum_schropp --output - " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return lines(outcome.out).size() - 1;
  };
  EXPECT_EQ(rows(""), 501u);
  EXPECT_EQ(rows("--grid 7"), 8u);
  EXPECT_EQ(rows("--interval 0.3"), 5u);  // 0, 0.3, 0.6, 0.9, 1
  EXPECT_EQ(rows("--interval 0.25"), 5u);
  EXPECT_EQ(rows("--steps 12"), 13u);
  EXPECT_EQ(rows("--steps 12 --grid 4"), 5u);
  EXPECT_EQ(rows("--step-size 0.1 --every-step"), 11u);
  const std::size_t adaptive = rows("--every-step");
  EXPECT_GT(adaptive, 4u);
  EXPECT_LT(adaptive, 40u);
}

TEST_F(Output, StandardOutputIsTheTableAlone) {
  const Outcome outcome = driftless("solve problem:limit_cycle_sphere --grid 2 -o -");
  EXPECT_EQ(lines(outcome.out).size(), 4u);
  EXPECT_EQ(lines(outcome.out)[0], "time,x,y,z,lambda");
  EXPECT_EQ(files(), Strings{});
  EXPECT_EQ(driftless("solve problem:limit_cycle_sphere -o - --json").exit_code, 2);
}

TEST_F(Output, WhatCannotBeWrittenIsRefusedBeforeTheRun) {
  const Outcome outcome = driftless("solve problem:pendulum_schropp --t-end 1e9 -o nowhere/a.csv");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "driftless: cannot write 'nowhere/a.csv': No such file or directory\n");
  std::filesystem::create_directory("folder.h5");
  EXPECT_EQ(driftless("solve problem:pendulum_schropp --t-end 1e9 -o folder.h5").exit_code, 3);
  EXPECT_EQ(files(), Strings{"folder.h5"});
}

TEST_F(Output, AFullDiskIsNoticed) {
  const Outcome outcome = run_program("/bin/sh", "-c '\"" DRIFTLESS_PROGRAM "\" problems >/dev/full'");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "driftless: standard output could not be written: No space left on device\n");
}

TEST_F(Output, AFailedRunWritesEverythingUntilThen) {
  // Two loops lose ranks when the cranks are horizontal, and this limit ends the run long before.
  const Outcome outcome =
      driftless("solve problem:pendulum_schropp --t-end 1000 --step-limit 50 --interval 1 -o a.csv -o a.h5 --json");
  EXPECT_EQ(outcome.exit_code, 17) << outcome.err;
  const Json object = Json::parse(outcome.out);
  EXPECT_EQ(object["status"], "too-many-steps");
  const auto text = lines(file_text("a.csv"));
  ASSERT_GT(text.size(), 5u);
  // The last row is the last accepted step, whatever the interval.
  EXPECT_EQ(text.back().substr(0, text.back().find(',')), object["t"].dump());
  EXPECT_EQ(Json::parse(file_text("a.csv-metadata.json"))["status"], "too-many-steps");
  EXPECT_EQ(files(), (Strings{"a.csv", "a.csv-metadata.json", "a.h5"}));
}

// A signal in the middle of a run that would take for ever.
Outcome interrupted(const std::string& signal) {
  return run_program("/bin/sh", "-c '\"" DRIFTLESS_PROGRAM
                                "\" solve problem:pendulum_schropp --t-end 1e9 --every-step -o a.csv --quiet & "
                                "sleep 0.7; kill -" +
                                    signal + " $!; wait $!'");
}

TEST_F(Output, CtrlCWritesWhatThereIs) {
  // A shell without job control makes its children ignore SIGINT; the program still has to take it.
  const Outcome outcome = interrupted("INT");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "driftless: stopped at t = ")) << outcome.err;
  EXPECT_GT(lines(file_text("a.csv")).size(), 100u);
  EXPECT_EQ(Json::parse(file_text("a.csv-metadata.json"))["status"], "interrupted");
  EXPECT_EQ(files(), (Strings{"a.csv", "a.csv-metadata.json"}));
}

TEST_F(Output, SoDoesSigterm) {
  const Outcome outcome = interrupted("TERM");
  EXPECT_EQ(outcome.exit_code, 143) << outcome.err;
  EXPECT_GT(lines(file_text("a.csv")).size(), 100u);
  EXPECT_EQ(Json::parse(file_text("a.csv-metadata.json"))["status"], "terminated");
}

TEST_F(Output, ProgressIsShownIfAskedForAndCleared) {
  const Outcome outcome = driftless("solve problem:pendulum_schropp --t-end 200 --progress always --quiet");
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, " %  t = ")) << outcome.err;
  EXPECT_EQ(outcome.err.substr(outcome.err.size() - 4), "\r\033[K");
  EXPECT_EQ(driftless("solve problem:pendulum_schropp --quiet").err, "");
}

}  // namespace
}  // namespace driftless::cli_test::output_test
