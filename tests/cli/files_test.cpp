// What happens to files: what was there stays until the new one is complete, wherever writing fails.
#include "tests/cli/shell.h"

namespace driftless::cli_test::files_test {
namespace {

using Strings = std::vector<std::string>;

class ResultFiles : public InFolder {};

const std::string solve = "\"$DRIFTLESS\" solve problem:pendulum_schropp ";

struct Kind {
  const char* file;
  std::string option;
};
class FullDisk : public InFolder, public testing::WithParamInterface<Kind> {};

TEST_P(FullDisk, LeavesWhatWasThereAndSaysSo) {
  const auto [file, option] = GetParam();
  write_file(file, "old");
  const Outcome outcome = shell(full_disk(2) + solve + "--t-end 30 --quiet " + option + file);
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_EQ(outcome.err, std::string("driftless: cannot write '") + file + "': File too large\n");
  EXPECT_EQ(file_text(file), "old");
  EXPECT_EQ(files(), Strings{file});
  EXPECT_EQ(shell(solve + "--t-end 30 --quiet " + option + file).exit_code, 0);
  EXPECT_GT(std::filesystem::file_size(file), 2048u);
}

INSTANTIATE_TEST_SUITE_P(Files, FullDisk,
                         testing::Values(Kind{"a.csv", "--no-metadata -o "}, Kind{"a.h5", "-o "},
                                         Kind{"a.html", "--report "}, Kind{"a.svg", "--plot "},
                                         Kind{"a.png", "--plot "}, Kind{"a.gif", "--plot "}),
                         [](const auto& one) { return std::string(one.param.file + 2); });

TEST_F(ResultFiles, OneFileThatFailsDoesNotTakeTheOthersWithIt) {
  const Outcome outcome = shell(full_disk(2) + solve + "--grid 3 --quiet -o a.h5 -o b.csv --report c.html");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(lines(outcome.err).size(), 2u) << outcome.err;
  EXPECT_EQ(files(), (Strings{"b.csv", "b.csv-metadata.json"}));
  EXPECT_EQ(lines(file_text("b.csv")).size(), 5u);
}

TEST_F(ResultFiles, MetadataThatDoNotFitAreTold) {
  write_file("a.csv-metadata.json", "old");
  const Outcome outcome = shell(full_disk(1) + "\"$DRIFTLESS\" solve problem:car_axis --grid 2 --quiet -o a.csv");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "driftless: cannot write 'a.csv-metadata.json': File too large\n");
  EXPECT_EQ(files(), Strings{"a.csv-metadata.json"});
  EXPECT_EQ(file_text("a.csv-metadata.json"), "old");
}

TEST_F(ResultFiles, AnalysesKeepWhatWasThere) {
  for (const std::string option : {"--csv a.csv", "--report a.csv"}) {
    write_file("a.csv", "old");
    const Outcome outcome =
        shell(full_disk(1) + "\"$DRIFTLESS\" analyse stability problem:lognorm_nonlinear --along --t-end 3 " + option);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_EQ(file_text("a.csv"), "old") << option;
    EXPECT_EQ(files(), Strings{"a.csv"});
  }
}

// Each call that brings a file to the disk and to its name fails once.
TEST_F(ResultFiles, WhatDoesNotReachTheDiskReplacesNothing) {
  std::vector<std::string> failed;
  for (int number = 1; number < 20; ++number) {
    write_file("a.h5", "old");
    const Outcome outcome = shell("export LD_PRELOAD='" FAILING_CALLS "' DRIFTLESS_FAIL_AT=" + std::to_string(number) +
                                  "; exec " + solve + "--quiet -o a.h5");
    failed.push_back(outcome.err.substr(0, outcome.err.find('\n')).substr(14));
    if (failed.back() == "none") break;
    const bool harmless = failed.back() == "fsync of a folder";
    EXPECT_EQ(outcome.exit_code, harmless ? 0 : 3) << failed.back();
    EXPECT_EQ(file_text("a.h5") == "old", !harmless) << failed.back();
    EXPECT_EQ(files(), Strings{"a.h5"}) << failed.back();
  }
  EXPECT_EQ(failed,
            (Strings{"open", "ftruncate", "write", "fchmod", "fsync", "close", "rename", "fsync of a folder", "none"}));
}

TEST_F(ResultFiles, TheModeOfAFileIsKept) {
  for (const std::string file : {"a.csv", "a.h5", "a.html", "a.svg"}) write_file(file, "old");
  const auto all = "-o a.csv -o a.h5 --report a.html --plot a.svg --quiet";
  ASSERT_EQ(shell("chmod 600 a.*; umask 022; " + solve + all).exit_code, 0);
  for (const std::string file : {"a.csv", "a.h5", "a.html", "a.svg"}) EXPECT_EQ(mode_of(file), 0600) << file;
  EXPECT_EQ(mode_of("a.csv-metadata.json"), 0644);  // new, as the umask has it
  ASSERT_EQ(shell("chmod 664 a.*; umask 077; " + solve + all).exit_code, 0);
  for (const std::string file : {"a.csv", "a.h5", "a.html", "a.svg"}) EXPECT_EQ(mode_of(file), 0664) << file;
}

TEST_F(ResultFiles, LinksAreFollowedAndStay) {
  std::filesystem::create_directory("far");
  write_file("far/there.csv", "old");
  std::filesystem::create_symlink("there.csv", "far/a.csv");
  std::filesystem::create_symlink("far/a.csv", "a.csv");  // a link to a link
  std::filesystem::create_symlink("far/new.h5", "a.h5");  // to nothing yet
  std::filesystem::create_symlink("round.csv", "round.csv");
  ASSERT_EQ(shell(solve + "--quiet --no-metadata -o a.csv -o a.h5").exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink("a.csv") && std::filesystem::is_symlink("far/a.csv"));
  EXPECT_EQ(lines(file_text("far/there.csv")).size(), 502u);
  EXPECT_TRUE(std::filesystem::is_symlink("a.h5"));
  EXPECT_FALSE(std::filesystem::is_symlink("far/new.h5"));
  EXPECT_GT(std::filesystem::file_size("far/new.h5"), 1000u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator("far"), {}), 3);
  EXPECT_EQ(shell(solve + "--quiet -o round.csv").exit_code, 3);
}

TEST_F(ResultFiles, PipesAndDevicesAreWrittenTo) {
  const Outcome outcome = shell("mkfifo a.csv; cat a.csv >got & " + solve +
                                "--quiet --no-metadata -o a.csv; code=$?; "
                                "wait; test -p a.csv && exit $code");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(lines(file_text("got")).size(), 502u);
  for (const std::string option :
       {"-o full.csv --no-metadata", "-o full.h5", "--report full.html", "--plot full.svg"}) {
    const std::string file = option.substr(option.find("full"), option.find(' ', 4) - option.find("full"));
    std::filesystem::create_symlink("/dev/full", file);
    const Outcome full = shell(solve + "--quiet " + option);
    EXPECT_EQ(full.exit_code, 3) << option;
    EXPECT_EQ(full.err, "driftless: cannot write '" + file + "': No space left on device\n");
    EXPECT_TRUE(std::filesystem::is_symlink(file));
  }
}

TEST_F(ResultFiles, APipeThatNobodyReadsDoesNotHoldASignal) {
  const Outcome outcome = shell("mkfifo a.csv; " + solve +
                                "--quiet --no-metadata -o a.csv -o b.csv & sleep 1; "
                                "kill -TERM $!; wait $!");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "cannot write 'a.csv': nobody reads from this pipe")) << outcome.err;
  EXPECT_EQ(lines(file_text("b.csv")).size(), 502u);
}

// Root may write everything: somebody else has to try.
TEST_F(ResultFiles, WriteProtectedFilesAreRefused) {
  write_file("a.csv", "old");
  const std::string somebody = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups " : "";
  const Outcome outcome = shell("chmod 777 .; chmod 444 a.csv; " + somebody + solve + "--quiet --no-metadata -o a.csv");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "driftless: cannot write 'a.csv': Permission denied\n");
  EXPECT_EQ(file_text("a.csv"), "old");
}

// The number of a process can be guessed: this shell becomes the program, and has planted links with its own.
TEST_F(ResultFiles, LinksThatWerePlantedAreNotFollowed) {
  write_file("victim", "precious");
  const Outcome outcome = shell("for f in a.csv a.h5 a.svg a.html; do ln -s victim $f.$$.partial; done; exec " + solve +
                                "--quiet -o a.csv -o a.h5 --plot a.svg --report a.html");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(file_text("victim"), "precious");
  for (const std::string file : {"a.csv", "a.h5", "a.svg", "a.html"}) {
    EXPECT_FALSE(std::filesystem::is_symlink(file));
    EXPECT_GT(std::filesystem::file_size(file), 1000u);
  }
}

// Whoever guesses the name of a partial file, or sees it in time, gains nothing.
TEST_F(ResultFiles, LinksUnderAGuessedNameAreNotFollowed) {
  write_file("victim", "precious");
  for (const std::string option : {"-o a.csv --no-metadata", "-o a.h5", "--plot a.svg", "--report a.html"}) {
    const Outcome outcome =
        shell("export LD_PRELOAD='" FAILING_CALLS "' DRIFTLESS_PLANT=victim; exec " + solve + "--quiet " + option);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(file_text("victim"), "precious") << option;
    const auto links = shell("find . -type l -name 'a.*.partial' -delete -print").out;
    EXPECT_EQ(lines(links).size(), 1u) << option;  // it was there, and was left alone
  }
  EXPECT_EQ(files(), (Strings{"a.csv", "a.h5", "a.html", "a.svg", "victim"}));
}

TEST_F(ResultFiles, PartialFilesHaveNamesThatCannotBeGuessed) {
  const Outcome outcome =
      shell(solve + "--t-end 1e9 --quiet -o a.csv --no-metadata & sleep 0.5; ls; kill -TERM $!; wait $!");
  ASSERT_EQ(lines(outcome.out).size(), 1u) << outcome.out;
  const std::string name = lines(outcome.out)[0];
  EXPECT_EQ(name.size(), std::string("a.csv.0123456789ab.partial").size());
  EXPECT_EQ(name.substr(6).find_first_not_of("0123456789abcdef"), 12u) << name;
}

TEST_F(ResultFiles, LeftoversOfAKilledProcessGoAndThoseOfALivingOneStay) {
  const Outcome outcome = shell(solve +
                                "--t-end 1e9 --quiet -o a.csv -o a.h5 & dead=$!; sleep 0.5; kill -KILL $dead; wait "
                                "$dead; ls *.partial | wc -l; " +
                                solve + "--t-end 1e9 --quiet -o a.csv --no-metadata & alive=$!; sleep 0.5; " + solve +
                                "--quiet -o a.csv; "
                                "ls *.partial; kill -TERM $alive; wait $alive; ls");
  const auto said = lines(outcome.out);
  ASSERT_EQ(said.size(), 6u) << outcome.out;
  EXPECT_EQ(said[0], "3");
  EXPECT_EQ(said[1].substr(0, 6), "a.csv.");  // of the living one
  EXPECT_EQ(said[2].substr(0, 5), "a.h5.");   // nobody has written a.h5 again yet
  EXPECT_EQ((Strings{said.begin() + 3, said.begin() + 5}), (Strings{"a.csv", "a.csv-metadata.json"}));
  ASSERT_EQ(shell(solve + "--quiet -o a.h5").exit_code, 0);
  EXPECT_EQ(files(), (Strings{"a.csv", "a.csv-metadata.json", "a.h5"}));
}

TEST_F(ResultFiles, OthersThatLookAlikeStay) {
  const Strings alike = {"a.csv.0123456789a.partial", "a.csv.0123456789ag.partial", "a.csv.partial",
                         "b.csv.0123456789ab.partial"};
  for (const std::string& file : alike) write_file(file, "mine");
  std::filesystem::create_symlink("a.csv.partial", "a.csv.0123456789ab.partial");
  ASSERT_EQ(shell(solve + "--quiet --no-metadata -o a.csv").exit_code, 0);
  for (const std::string& file : alike) EXPECT_EQ(file_text(file), "mine") << file;
  EXPECT_TRUE(std::filesystem::is_symlink("a.csv.0123456789ab.partial"));
}

TEST_F(ResultFiles, NamesAsLongAsTheyMayBe) {
  const std::string file = std::string(251, 'n') + ".csv";
  ASSERT_EQ(shell(solve + "--quiet --no-metadata -o " + file).exit_code, 0);
  EXPECT_EQ(files(), Strings{file});
}

}  // namespace
}  // namespace driftless::cli_test::files_test
