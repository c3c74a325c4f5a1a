// docs/tutorial.md, followed to the letter: its files are written, its commands are run in their order, and what it
// shows must be what they print.
#include "tests/cli/program.h"

namespace driftless::cli_test::tutorial_test {
namespace {

struct Block {
  std::string heading;  // what follows the three backquotes: "sh exit=4"
  std::string text;
};

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> blocks;
  bool inside = false;
  for (const std::string& line : lines(page)) {
    if (line.rfind("```", 0) == 0) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), ""});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

std::string value_in(const std::string& heading, const std::string& key) {
  const std::size_t at = heading.find(key + "=");
  return at == std::string::npos ? "" : heading.substr(at + key.size() + 1);
}

class Tutorial : public InFolder {};

TEST_F(Tutorial, DoesWhatItSays) {
  const std::string folder = std::filesystem::path(DRIFTLESS_PROGRAM).parent_path();
  std::string printed;
  int commands = 0, compared = 0;
  for (const Block& block : blocks_of(file_text(DRIFTLESS_SOURCE_DIR "/docs/tutorial.md"))) {
    if (const std::string file = value_in(block.heading, "file"); !file.empty()) {
      std::ofstream(file) << block.text;
    } else if (block.heading.rfind("sh", 0) == 0) {
      std::ofstream("commands.sh") << "PATH='" << folder << "':$PATH\nset -e\n" << block.text;
      const Outcome outcome = run_program("/bin/sh", "commands.sh");
      const std::string expected = value_in(block.heading, "exit");
      EXPECT_EQ(outcome.exit_code, expected.empty() ? 0 : std::stoi(expected)) << block.text << outcome.err;
      printed = outcome.out + outcome.err;
      ++commands;
    } else if (block.heading == "text") {
      EXPECT_TRUE(contains(printed, block.text)) << "the tutorial shows:\n" << block.text << "but it is:\n" << printed;
      ++compared;
    } else if (block.heading == "python") {  // without a window
      const Outcome outcome =
          python("import pandas\npandas.DataFrame.plot = lambda table, x, y: table[[x] + y]\n" + block.text);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    }
  }
  EXPECT_GE(commands, 8);
  EXPECT_GE(compared, 5);
  EXPECT_EQ(lines(file_text("swing.csv")).size(), 502u);
  const std::vector<std::string> keys = {"status",     "index",       "method", "t",       "final",
                                         "statistics", "constraints", "start",  "warnings"};
  std::vector<std::string> found;
  const Json result = Json::parse(file_text("result.json"));
  for (const auto& [key, value] : result.items()) found.push_back(key);
  EXPECT_EQ(found, keys);
  // Every time of a blow is there twice, with the velocity turned.
  const Outcome blows = python(
      "import pandas\nt = pandas.read_csv('wall.csv')\npair = t[t.time.duplicated(keep=False)]\n"
      "print(len(pair), (pair.vx.values[1::2] / pair.vx.values[::2]).round(9).tolist())");
  EXPECT_EQ(blows.out, "4 [-0.8, -0.8]\n") << blows.err;
}

}  // namespace
}  // namespace driftless::cli_test::tutorial_test
