// Standard output and standard error that are full, closed, or that nobody reads any more.
#include "tests/cli/shell.h"

namespace driftless::cli_test::streams_test {
namespace {

using Strings = std::vector<std::string>;

class Streams : public InFolder {};

TEST_F(Streams, AFullStandardOutputIsAnErrorOfFiles) {
  for (const std::string command : {"solve problem:pendulum_schropp", "solve problem:pendulum_schropp -o -",
                                    "solve problem:pendulum_schropp --json", "check problem:pendulum_schropp --json",
                                    "problems", "problems --json", "methods", "--help", "explain"}) {
    const Outcome outcome = shell("\"$DRIFTLESS\" " + command + " >/dev/full");
    EXPECT_EQ(outcome.exit_code, 3) << command;
    EXPECT_EQ(outcome.err, "driftless: standard output could not be written: No space left on device\n") << command;
  }
}

TEST_F(Streams, AFullStandardErrorChangesNothing) {
  write_file("w.mo",
             "model w\n  Real x(start = 1, fixed = true);\n  Real y;\nequation\n  der(x) = -x;\n"
             "  if x > 2 then y = x; else y = 2*x; end if;\nend w;\n");
  for (const std::string command :
       {"check w.mo", "check nowhere.mo", "check nowhere.mo --json", "solve", "explain nothing",
        "solve problem:pendulum_schropp --t-end 100 --step-limit 5 --quiet"}) {
    const Outcome quiet = shell("\"$DRIFTLESS\" " + command + " 2>/dev/full"),
                  loud = shell("\"$DRIFTLESS\" " + command);
    EXPECT_EQ(quiet.exit_code, loud.exit_code) << command;
    EXPECT_EQ(quiet.out, loud.out) << command;
    EXPECT_EQ(quiet.err, "");
  }
}

TEST_F(Streams, ClosedOnesDoNotGetIntoFiles) {
  for (const std::string closed : {"<&- >&- 2>&-", ">&- 2>&-", "2>&-", ">&-", "<&-"}) {
    const Outcome outcome =
        shell("\"$DRIFTLESS\" solve problem:pendulum_schropp -o a.csv --progress always --grid 10 " + closed);
    EXPECT_EQ(outcome.exit_code, contains(closed, ">&- ") || closed == ">&-" ? 3 : 0) << closed;
    const auto table = lines(file_text("a.csv"));
    ASSERT_EQ(table.size(), 12u) << closed;
    EXPECT_EQ(table[0], "time,u1,u2,v1,v2,lambda");
    EXPECT_TRUE(Json::accept(file_text("a.csv-metadata.json"))) << closed;
  }
  const Outcome told = shell("\"$DRIFTLESS\" problems >&-");
  EXPECT_EQ(told.err, "driftless: standard output could not be written: Bad file descriptor\n");
}

TEST_F(Streams, AReaderThatGoesAwayDoesNotTakeTheFilesWithIt) {
  const Outcome outcome = shell(
      "\"$DRIFTLESS\" solve problem:pendulum_schropp --grid 20000 -o - -o b.csv -o b.h5 | head -1; "
      "exit ${PIPESTATUS[0]}");
  EXPECT_EQ(outcome.exit_code, 141);  // 128 + SIGPIPE
  EXPECT_EQ(outcome.out, "time,u1,u2,v1,v2,lambda\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(lines(file_text("b.csv")).size(), 20002u);
  EXPECT_EQ(files(), (Strings{"b.csv", "b.csv-metadata.json", "b.h5"}));
}

TEST_F(Streams, WhereSigpipeIsIgnoredItIsAnErrorOfFiles) {
  const Outcome outcome = shell(
      "trap '' PIPE; \"$DRIFTLESS\" solve problem:pendulum_schropp --grid 20000 -o - | head -1; "
      "exit ${PIPESTATUS[0]}");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "driftless: standard output could not be written: Broken pipe\n");
}

// Whatever happens: standard output is one JSON object.
TEST_F(Streams, JsonIsOneObjectOnEveryPath) {
  write_file("bad.mo", "model bad\n  Real x \"caf\xe9\";\nequation\n  der(x) = y;\nend bad;\n");
  write_file("\xe9.mo",
             "model m \"caf\xe9 \x9b\"\n  Real x(start = 1) \"\xff\xfe\";\nequation\n  der(x) = -x;\nend m;\n");
  const std::string odd = "\xe9.mo", full = "(" + full_disk(1) + "\"$DRIFTLESS\" ";
  for (const std::string& command : Strings{
           "check bad.mo --json", "check '" + odd + "' --json", "init '" + odd + "' --json",
           "solve '" + odd + "' --json", "solve '" + odd + "' --js -o a.csv", "check 'no\xe9.mo' --json",
           "check no.mo --jso", "solve '\xff' --set '\xfe=1' --json",
           "solve problem:pendulum_schropp --json --set 'x\xe9=1'", "explain '\xe9' --json", "methods '\xe9' --json",
           "--help --json", "help --json", "help solve --json", "solve --json --help", "analyse --help --json"}) {
    const Outcome outcome = shell("\"$DRIFTLESS\" " + command);
    EXPECT_TRUE(Json::accept(outcome.out)) << command << "\n" << outcome.out << outcome.err;
  }
  for (const std::string command :
       {"analyse stability problem:lognorm_nonlinear --along --t-end 0.1 --json --report a.html",
        "analyse stability problem:lognorm_nonlinear --along --t-end 3 --json --csv a.csv",
        "analyse embedding problem:limit_cycle_sphere --json --report a.html",
        "analyse minimise " DRIFTLESS_SOURCE_DIR
        "/examples/models/minimise/hanging_chain.mo --objective energy --set n=6 --json --report a.html",
        "solve problem:pendulum_schropp --json -o a.h5"}) {
    const Outcome outcome = shell(full + command + ") | cat; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(outcome.exit_code, 3) << command << outcome.err;
    ASSERT_TRUE(Json::accept(outcome.out)) << command << "\n" << outcome.out;
    EXPECT_EQ(Json::parse(outcome.out)["status"], "file");
  }
}

}  // namespace
}  // namespace driftless::cli_test::streams_test
