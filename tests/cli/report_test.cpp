// Pages and pictures as files; tests/browser opens the pages.
#include "tests/cli/program.h"

namespace driftless::cli_test::report_test {
namespace {

using Strings = std::vector<std::string>;
class Report : public InFolder {};

const std::string models = DRIFTLESS_SOURCE_DIR "/examples/models/";

// The JSON that a page carries.
Json data_of(const std::string& page) {
  const std::string text = file_text(page), begin = "id=\"data\">";
  const std::size_t from = text.find(begin) + begin.size();
  return Json::parse(text.substr(from, text.find("</script>", from) - from));
}

TEST_F(Report, IsOneFileThatNeedsNoOther) {
  const Outcome outcome = driftless("solve " + models + "pendulum_schropp.mo --report page.html");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(files(), Strings{"page.html"});
  EXPECT_TRUE(contains(outcome.out, "page.html: 401 rows, 6 columns")) << outcome.out;
  const std::string page = file_text("page.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  for (const char* what : {"src=", "<link", "@import", "url("}) EXPECT_FALSE(contains(page, what)) << what;
  EXPECT_TRUE(contains(page, "Copyright (c)"));  // of uPlot
  const Json run = data_of("page.html")["runs"][0];
  EXPECT_EQ(run["model"], "pendulum_schropp");
  EXPECT_EQ(run["series"]["rows"], 401);
  EXPECT_EQ(run["steps"]["rows"], run["result"]["statistics"]["steps"]);
  EXPECT_EQ(run["frames"]["names"].size(), 5u);
}

// A model whose text tries to end the script that carries it.
TEST_F(Report, TextOfAModelCannotBreakThePage) {
  std::ofstream("m.mo")
      << "model m \"</script><b>\"\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x; // <!-- \nend m;\n";
  ASSERT_EQ(driftless("solve m.mo --report page.html").exit_code, 0);
  const Json run = data_of("page.html")["runs"][0];
  EXPECT_EQ(run["title"], "</script><b>");
  EXPECT_EQ(run["text"], file_text("m.mo"));
}

TEST_F(Report, ComesFromAFileOfResultsToo) {
  ASSERT_EQ(driftless("solve " + models + "pendulum_wall.mo -o a.h5 --report direct.html").exit_code, 0);
  const Outcome outcome = driftless("report a.h5");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(files(), (Strings{"a.h5", "a.html", "direct.html"}));
  Json direct = data_of("direct.html")["runs"][0], later = data_of("a.html")["runs"][0];
  EXPECT_EQ(later["file"], "a.h5");
  later.erase("file");
  EXPECT_EQ(later, direct);
  EXPECT_GT(direct["events"].size(), 2u);
  ASSERT_EQ(driftless("report a.h5 a.h5 -o two.html").exit_code, 0);
  EXPECT_EQ(data_of("two.html")["runs"].size(), 2u);
}

TEST_F(Report, ARunBackInTimeIsDrawnForwards) {
  ASSERT_EQ(driftless("solve problem:pendulum_schropp --t-begin 1 --t-end 0 -o a.h5 --report direct.html").exit_code,
            0);
  ASSERT_EQ(driftless("report a.h5").exit_code, 0);
  EXPECT_EQ(data_of("direct.html")["runs"][0]["series"], data_of("a.html")["runs"][0]["series"]);
}

TEST_F(Report, WhatIsNoResultIsRefused) {
  std::ofstream("text.h5") << "no HDF5";
  EXPECT_EQ(driftless("report text.h5").err, "driftless: cannot read 'text.h5': there is no such HDF5 file\n");
  EXPECT_EQ(driftless("report nowhere.h5").exit_code, 3);
  const Outcome other = python("import h5py\nh5py.File('other.h5', 'w').close()\n");
  ASSERT_EQ(other.exit_code, 0) << other.err;
  const Outcome outcome = driftless("report other.h5");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err,
            "driftless: cannot read 'other.h5': it is not complete, or not written by `driftless solve --output "
            "FILE.h5`\n");
  EXPECT_EQ(driftless("report").exit_code, 2);
  EXPECT_EQ(driftless("solve problem:pendulum_schropp --report nowhere/page.html").exit_code, 3);
}

TEST_F(Report, PicturesAreOfTheKindTheirNameSays) {
  const std::string solve = "solve " + models + "andrews_squeezer.mo --t-end 0.01 ";
  const std::pair<const char*, std::string> table[] = {{"a.svg", "<?xml"},
                                                       {"a.png", "\x89PNG"},
                                                       {"a.gif", "GIF89a"},
                                                       {"b.svg --view motion", "<?xml"},
                                                       {"c.svg --view constraints", "<?xml"},
                                                       {"d.svg --view steps", "<?xml"},
                                                       {"e.svg --view phase", "<?xml"},
                                                       {"f.svg --view results", "<?xml"}};
  for (const auto& [arguments, begin] : table) {
    const Outcome outcome = driftless(solve + "--plot " + arguments);
    ASSERT_EQ(outcome.exit_code, 0) << arguments << outcome.err;
    const std::string picture = file_text(std::string(arguments).substr(0, 5));
    EXPECT_TRUE(picture.starts_with(begin)) << arguments;
    EXPECT_GT(picture.size(), 3000u) << arguments;
  }
  EXPECT_EQ(files().size(), 8u);
  EXPECT_TRUE(contains(file_text("c.svg"), "the hidden constraint"));
}

TEST_F(Report, PicturesThatCannotBeDrawnAreRefused) {
  EXPECT_EQ(driftless("solve problem:pendulum_schropp --plot a.pdf").err,
            "driftless: --plot a.pdf: the ending decides what is drawn; known are .svg, .png and .gif\n");
  EXPECT_TRUE(contains(driftless("solve problem:hlr_index3 --plot a.gif").err, "the model has no drawing"));
  const Outcome outcome =
      run_program("/usr/bin/env", "PATH=/nowhere '" DRIFTLESS_PROGRAM "' solve problem:pendulum_schropp --plot a.svg");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(contains(outcome.err, "--plot draws with gnuplot, which is not installed")) << outcome.err;
  EXPECT_EQ(files(), Strings{});
}

}  // namespace
}  // namespace driftless::cli_test::report_test
