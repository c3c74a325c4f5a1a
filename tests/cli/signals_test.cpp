// Signals: what was computed is written, and a second one leaves nothing half done.
#include "tests/cli/shell.h"

namespace driftless::cli_test::signals_test {
namespace {

using Strings = std::vector<std::string>;

struct Signal {
  const char* name;
  int code;
  const char* status;
};
class Signals : public InFolder, public testing::WithParamInterface<Signal> {};

const std::string solve = "\"$DRIFTLESS\" solve problem:pendulum_schropp ";
// Its table waits for somebody to read it, when the run is over and b.csv is not written yet.
const std::string waits = solve + "--grid 20000 -o - -o b.csv > pipe & ";

TEST_P(Signals, InARunWritesWhatThereIsToAllFiles) {
  const auto [name, code, status] = GetParam();
  const Outcome outcome =
      shell(solve + "--t-end 1e9 --every-step -o a.csv -o a.h5 --report a.html --quiet & sleep 0.7; kill -" + name +
            " $!; wait $!");
  EXPECT_EQ(outcome.exit_code, code) << outcome.err;
  EXPECT_GT(lines(file_text("a.csv")).size(), 100u);
  EXPECT_EQ(Json::parse(file_text("a.csv-metadata.json"))["status"], status);
  EXPECT_EQ(files(), (Strings{"a.csv", "a.csv-metadata.json", "a.h5", "a.html"}));
  EXPECT_TRUE(contains(outcome.err, std::string("more:  driftless explain ") + status)) << outcome.err;
}

TEST_P(Signals, WhileFilesAreWrittenLosesNone) {
  const auto [name, code, status] = GetParam();
  const Outcome outcome = shell("mkfifo pipe; " + waits + "exec 5<pipe; sleep 1; kill -" + name +
                                " $!; sleep 0.2; cat <&5 >got & wait $(jobs -p)");
  EXPECT_EQ(lines(file_text("got")).size(), 20002u);
  EXPECT_EQ(lines(file_text("b.csv")).size(), 20002u);  // complete: the run had reached its end
  EXPECT_EQ(Json::parse(file_text("b.csv-metadata.json"))["status"], "ok");
}

TEST_P(Signals, TheSecondOneEndsAtOnceAndLeavesWhatWasThere) {
  const auto [name, code, status] = GetParam();
  write_file("b.csv", "old");
  const Outcome outcome = shell("mkfifo pipe; " + waits + "exec 5<pipe; sleep 1; kill -" + name +
                                " $!; sleep 0.2; kill -" + name + " $!; wait $!");
  EXPECT_EQ(outcome.exit_code, code);
  EXPECT_TRUE(contains(outcome.err, "driftless: stopped at once by ")) << outcome.err;
  EXPECT_EQ(file_text("b.csv"), "old");
  EXPECT_EQ(files(), (Strings{"b.csv", "pipe"}));
}

TEST_P(Signals, StopAnAnalysisWithTheSameCode) {
  const auto [name, code, status] = GetParam();
  const Outcome outcome = shell(
      "\"$DRIFTLESS\" analyse attractor problem:lorenz_lifted --transient 1e8 --report a.html --json "
      "& sleep 1; kill -" +
      std::string(name) + " $!; wait $!");
  EXPECT_EQ(outcome.exit_code, code) << outcome.err;
  EXPECT_EQ(files(), Strings{});
  ASSERT_TRUE(Json::accept(outcome.out)) << outcome.out;
  EXPECT_EQ(Json::parse(outcome.out)["status"], status);
}

// Where nothing can be saved, as anywhere.
TEST_P(Signals, AreToldInJson) {
  const auto [name, code, status] = GetParam();
  const Outcome outcome =
      shell("\"$DRIFTLESS\" reproduce --json --report a.html & sleep 0.5; kill -" + std::string(name) + " $!; wait $!");
  EXPECT_EQ(outcome.exit_code, code) << outcome.err;
  ASSERT_TRUE(Json::accept(outcome.out)) << outcome.out;
  EXPECT_EQ(Json::parse(outcome.out)["status"], status);
  EXPECT_EQ(files(), Strings{});
}

INSTANTIATE_TEST_SUITE_P(All, Signals,
                         testing::Values(Signal{"INT", 130, "interrupted"}, Signal{"TERM", 143, "terminated"},
                                         Signal{"HUP", 129, "hung-up"}),
                         [](const auto& one) { return std::string(one.param.name); });

class Hangup : public InFolder {};

TEST_F(Hangup, IsIgnoredIfTheParentSaysSo) {
  const Outcome outcome = shell("trap '' HUP; " + solve +
                                "--t-end 1e9 --quiet -o a.csv & sleep 0.5; kill -HUP $!; sleep 0.3; "
                                "kill -TERM $!; wait $!");
  EXPECT_EQ(outcome.exit_code, 143) << outcome.err;
}

TEST_F(Hangup, IsExplained) {
  EXPECT_EQ(driftless("explain 129").exit_code, 0);
  EXPECT_TRUE(contains(driftless("explain hung-up").out, "hung-up (exit code 129)"));
}

}  // namespace
}  // namespace driftless::cli_test::signals_test
