// Names, units, descriptions, titles and paths may hold anything: no shell, no gnuplot, no page, no terminal and no
// spreadsheet obeys them.
#include <map>
#include <regex>

#include "tests/cli/shell.h"

namespace driftless::cli_test::names_test {
namespace {

using Strings = std::vector<std::string>;

class Names : public InFolder {
 protected:
  // One model with everything that somebody could think of.
  Names() {
    write_file(
        "evil.mo",
        "model evil \"title \x1b[2J\x1b]0;owned\x07 \xc2\x9b"
        "2J </title><script>alert(1)</script>\"\n"
        "  Real x(start = 1, fixed = true, unit = \"m\x1b[31m`touch UNIT`\") \"position \x1b[2J "
        "</script><script>alert(2)\";\n"
        "  Real '`touch NAME`', 'it\\'s', '\"; system(\"touch QUOTE\") #', '</script><script>alert(3)', 'back\\\\', "
        "'a\x1b[2Jb';\n"
        "  Real '=1+cmd()', '+a', '-b', '@c', '$(touch DOLLAR)', '%s%n', '{/:Bold x}', 'c,d;e';\n"
        "equation\n  der(x) = -x;\n  '`touch NAME`' = x;\n  'it\\'s' = x;\n  '\"; system(\"touch QUOTE\") #' = x;\n"
        "  '</script><script>alert(3)' = x;\n  'back\\\\' = x;\n  'a\x1b[2Jb' = x;\n"
        "  '=1+cmd()' = x;\n  '+a' = x;\n  '-b' = x;\n  '@c' = x;\n  '$(touch DOLLAR)' = x;\n  '%s%n' = x;\n"
        "  '{/:Bold x}' = x;\n  'c,d;e' = x;\nend evil;\n");
  }
  // Nothing that a terminal obeys, but for line ends.
  static bool is_harmless(const std::string& text) {
    const bool c1 = text.find("\xc2\x9b") != std::string::npos;
    return !c1 && std::all_of(text.begin(), text.end(), [](char c) {
      return c == '\n' || c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
    });
  }
};

TEST_F(Names, OfAPictureIsNoCommand) {
  for (const std::string name : {"|touch PWNED;.svg", "it's.svg", "`touch A`.svg", "$(touch B).png",
                                 "a\";!touch C;.svg", "new\nline.svg", "back\\.svg", "-.svg"}) {
    setenv("NAME", name.c_str(), 1);
    const Outcome outcome = shell("\"$DRIFTLESS\" solve problem:pendulum_schropp --quiet --plot \"$NAME\"");
    EXPECT_EQ(outcome.exit_code, 0) << name << ": " << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(name)) << name;
    EXPECT_EQ(files().size(), 2u) << name;
    std::filesystem::remove(name);
  }
}

TEST_F(Names, InAPictureAreText) {
  for (const std::string file : {"a.svg", "a.png"}) {
    const Outcome outcome = shell("\"$DRIFTLESS\" solve evil.mo --quiet --plot " + file + " --view results");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  EXPECT_EQ(files(), (Strings{"a.png", "a.svg", "evil.mo"}));  // nothing was touched
  const std::string picture = file_text("a.svg");
  EXPECT_FALSE(contains(picture, "<script"));
  EXPECT_TRUE(contains(picture, "`touch NAME`"));
  EXPECT_TRUE(contains(picture, "'it\\'s'"));
  EXPECT_TRUE(contains(picture, "a\\x1b[2Jb"));
  EXPECT_EQ(picture.find('\x1b'), std::string::npos);
}

TEST_F(Names, ReachNoTerminal) {
  for (const std::string command :
       {"check evil.mo", "init evil.mo", "solve evil.mo", "solve evil.mo --json", "check evil.mo --json",
        "check evil.mo --set 'x\x1b[2J=1'", "check 'no\x1b[2J.mo'", "solve evil.mo -o 'no/\x1b[2J.csv'", "'\x1b[2J'",
        "explain '\x1b]0;x\x07'", "solve evil.mo --'\x1b[2J'", "methods '\x1b[2J'", "report 'no\x1b[2J.h5'"}) {
    const Outcome outcome = shell("\"$DRIFTLESS\" " + command);
    EXPECT_TRUE(is_harmless(outcome.out)) << command << "\n" << outcome.out;
    EXPECT_TRUE(is_harmless(outcome.err)) << command << "\n" << outcome.err;
  }
  EXPECT_TRUE(contains(driftless("solve evil.mo").out, "title \\x1b[2J\\x1b]0;owned\\x07 \\u009b2J"))
      << driftless("solve evil.mo").out;
  EXPECT_TRUE(contains(driftless("check 'no\x1b[2J.mo'").err, "there is no file 'no\\x1b[2J.mo'"));
  // Colours of the program itself stay, those of a name do not come to it.
  const std::string painted = driftless("solve evil.mo --color=always").out;
  EXPECT_EQ(painted.substr(0, 12), "\x1b[1mevil\x1b[0m");
  EXPECT_TRUE(contains(painted, "a\\x1b[2Jb"));
  EXPECT_FALSE(contains(painted, "\x1b[2J"));
}

TEST_F(Names, InProgressAreShown) {
  write_file("m\x1b[2J.json", R"({"A": [["5/12", "-1/12"], ["3/4", "1/4"]], "b": ["3/4", "1/4"]})");
  const Outcome outcome =
      driftless("analyse manifold problem:hlr_index2 --method 'm\x1b[2J.json' --points 1 --progress always");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "m\\x1b[2J.json")) << outcome.err;
  EXPECT_FALSE(contains(outcome.out + outcome.err, "\x1b[2J")) << outcome.err;
}

TEST_F(Names, OnATerminalATableIsShownAndInAFileItIsData) {
  EXPECT_TRUE(contains(driftless("solve evil.mo -o - --grid 1").out, "a\x1b[2Jb"));
  const Outcome outcome = shell("script -qec '\"'\"$DRIFTLESS\"'\" solve evil.mo -o - --grid 1' /dev/null </dev/null");
  EXPECT_TRUE(contains(outcome.out, "a\\x1b[2Jb")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "\x1b[2J"));
}

TEST_F(Names, InAPageAreText) {
  write_file("title.mo",
             "model '</title><script>alert(4)</script>&amp;'\n  Real x(start = 1, fixed = true);\nequation\n"
             "  der(x) = -x;\nend '</title><script>alert(4)</script>&amp;';\n");
  ASSERT_EQ(driftless("solve evil.mo --quiet --report a.html -o a.h5").exit_code, 0);
  ASSERT_EQ(driftless("report a.h5 -o b.html").exit_code, 0);
  ASSERT_EQ(driftless("solve title.mo --quiet --report c.html").exit_code, 0);
  ASSERT_EQ(driftless("analyse stability title.mo --along --report d.html").exit_code, 0);
  for (const std::string file : {"a.html", "b.html", "c.html", "d.html"}) {
    const std::string page = file_text(file);
    EXPECT_FALSE(contains(page, "<script>alert")) << file;
    const std::regex script("<script");
    EXPECT_EQ(std::distance(std::sregex_iterator(page.begin(), page.end(), script), {}), 2)
        << file;  // data and program
  }
  for (const std::string file : {"c.html", "d.html"})
    EXPECT_TRUE(contains(file_text(file), "&lt;/title>&lt;script>alert(4)&lt;/script>&amp;amp;")) << file;
}

TEST_F(Names, AreNoFormulasOfASpreadsheetAndComeBack) {
  ASSERT_EQ(driftless("solve evil.mo --quiet --grid 2 -o a.csv -o a.h5").exit_code, 0);
  const Outcome outcome = python(R"py(
import csv, json, h5py, pandas
with open("a.csv", newline="") as file:
    header = next(csv.reader(file))
assert not any(name[0] in "=+-@\t\r" for name in header), header
def plain(name):
    return name[1:-1] if name[:2] in ("'=", "'+", "'-", "'@") else name
with h5py.File("a.h5") as file:
    about = json.loads(file["driftless:report"].attrs["about"])
names = [column["name"] for column in about["columns"]]
assert [plain(name) for name in header] == names, (header, names)
assert {"=1+cmd()", "+a", "-b", "@c", "c,d;e"
} < set(names), names
assert list(pandas.read_csv("a.csv").rename(columns=plain).columns) == names
titles = [column["titles"] for column in json.load(open("a.csv-metadata.json"))["tableSchema"]["columns"]]
assert titles == header, titles
)py");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

// The header of a table is good for the matrix of a norm, as it is.
TEST_F(Names, OfATableNameTheColumnsOfANorm) {
  write_file("two.mo",
             "model two\n  Real '=a\"b'(start = 1), 'c.d'(start = 1);\nequation\n  der('=a\"b') = -'=a\"b';\n"
             "  der('c.d') = -3*'c.d';\nend two;\n");
  ASSERT_EQ(driftless("solve two.mo --quiet --grid 1 --no-metadata -o a.csv").exit_code, 0);
  std::string header = lines(file_text("a.csv"))[0];
  EXPECT_EQ(header, "time,\"'=a\"\"b'\",c.d");
  write_file("norm.csv", header.substr(5) + "\n4,0\n0,1\n");
  const Outcome outcome = driftless("analyse stability two.mo --along --norm norm.csv --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(Names, ThatNoFileCanHaveAreRefusedWithTheReason) {
  ASSERT_EQ(std::system("ln -s loop loop"), 0);
  const std::string longest(5000, 'a');
  for (const std::string command : {"check NAME", "solve NAME", "methods NAME.json", "analyse pencil NAME NAME",
                                    "report NAME -o a.html", "solve problem:pendulum_schropp -o NAME.csv"}) {
    const auto with = [&](std::string name) {
      std::string words = command;
      for (std::size_t at; (at = words.find("NAME")) != std::string::npos;) words.replace(at, 4, name);
      return words;
    };
    const Outcome is_long = driftless(with(longest)), is_loop = driftless(with("loop/x"));
    EXPECT_EQ(is_long.exit_code, 3) << command << is_long.err;
    EXPECT_EQ(is_loop.exit_code, 3) << command << is_loop.err;
    EXPECT_TRUE(contains(is_long.err, "File name too long")) << command << is_long.err;
    EXPECT_TRUE(contains(is_loop.err, "Too many levels of symbolic links")) << command << is_loop.err;
  }
  EXPECT_EQ(driftless("new " + longest).exit_code, 3);
  EXPECT_EQ(driftless("new loop/x").exit_code, 3);
}

TEST_F(Names, InLatin1AreConverted) {
  write_file("latin.mo",
             "model latin \"Temp\xe9rature\"\n  Real x(start = 1, unit = \"\xb5m\") \"caf\xe9\"; // \xe4\nequation\n"
             "  der(x) = -x;\nend latin;\n");
  const Outcome outcome = driftless("solve latin.mo --grid 2 -o a.csv -o a.h5 --report a.html --plot a.svg --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_TRUE(Json::accept(outcome.out));
  const Json about = Json::parse(file_text("a.csv-metadata.json"));
  EXPECT_EQ(about["title"], "Temp\u00e9rature");
  EXPECT_EQ(about["tableSchema"]["columns"][1]["dc:description"], "caf\u00e9");
  EXPECT_EQ(about["tableSchema"]["columns"][1]["unit"], "\u00b5m");
  EXPECT_EQ(about["model_hash"].get<std::string>().substr(7),
            run_program("/usr/bin/sha256sum", "latin.mo").out.substr(0, 64));  // of the file as it is
  EXPECT_TRUE(contains(file_text("a.html"), "caf\u00e9"));
  EXPECT_EQ(python("import h5py\nassert h5py.File('a.h5')['x'].attrs['description'] == 'caf\\u00e9'\n").exit_code, 0);
  EXPECT_TRUE(contains(driftless("solve latin.mo").out, "latin: Temp\u00e9rature"));
}

// One door for what is printed, one for what is written, and no shell.
TEST_F(Names, NothingIsPrintedOrWrittenBesides) {
  const std::regex besides(
      R"(fmt::print|std::cout|std::cerr|\bprintf|\bfputs|\bputs\(|ofstream|\bfopen|\bpopen|\bsystem\(|\.dump\()");
  const std::map<std::string, std::string> allowed = {{"json.cpp", ".dump("}, {"page.cpp", ".dump("}};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(DRIFTLESS_SOURCE_DIR "/apps/driftless")) {
    if (!entry.is_regular_file()) continue;
    const auto exception = allowed.find(entry.path().filename());
    for (const std::string& line : lines(file_text(entry.path())))
      if (std::smatch found; std::regex_search(line, found, besides)) {
        EXPECT_TRUE(exception != allowed.end() && found.str() == exception->second) << entry.path() << ": " << line;
      }
  }
}

}  // namespace
}  // namespace driftless::cli_test::names_test
