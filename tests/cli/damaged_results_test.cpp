// Files of results that are damaged, or whose parts do not fit together: a sentence each, and exit code 3.
#include "tests/cli/program.h"

namespace driftless::cli_test::damaged_results_test {
namespace {

const std::string models = DRIFTLESS_SOURCE_DIR "/examples/models/";

class Damaged : public InFolder {
 protected:
  void SetUp() override { ASSERT_EQ(driftless("solve " + models + "pendulum_schropp.mo -o good.h5 -q").exit_code, 0); }
  // good.h5 with some lines of Python applied: f is the file, r the group of the report, `about` its JSON.
  static void spoil(const std::string& lines) {
    const Outcome outcome = python(
        "import h5py, json, numpy, shutil\nshutil.copy('good.h5', 'bad.h5')\nf = h5py.File('bad.h5', 'a')\n"
        "r = f['driftless:report']\nabout = json.loads(r.attrs['about'])\nrows = len(f['time'])\n"
        "def replace(group, name, values):\n  del group[name]\n  group[name] = numpy.asarray(values, dtype=float)\n" +
        lines + "\nr.attrs['about'] = json.dumps(about)\nf.close()\n");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  static void expect_refused(const std::string& word) {
    for (const char* command : {"report bad.h5 -o page.html", "report bad.h5 --plot a.svg --view motion",
                                "report bad.h5 good.h5 -o page.html"}) {
      const Outcome outcome = driftless(command);
      EXPECT_EQ(outcome.exit_code, 3) << command << ": " << outcome.err;
      EXPECT_TRUE(contains(outcome.err, "driftless: cannot read 'bad.h5': ")) << outcome.err;
      EXPECT_TRUE(contains(outcome.err, word)) << outcome.err;
    }
    EXPECT_EQ(std::filesystem::exists("page.html"), false);
  }
};

struct Spoilt {
  const char *name, *lines, *word;
};
class Misfit : public Damaged, public testing::WithParamInterface<Spoilt> {};

TEST_P(Misfit, IsASentence) {
  spoil(GetParam().lines);
  expect_refused(GetParam().word);
}

INSTANTIATE_TEST_SUITE_P(
    Results, Misfit,
    testing::Values(
        Spoilt{"LongTime", "replace(f, 'time', numpy.arange(1e6))",
               "'u1' of the results has 401 rows, and 'time' has 1000000"},
        Spoilt{"ShortColumn", "replace(f, 'u1', range(5))", "'u1' of the results has 5 rows"},
        Spoilt{"MatrixAsColumn", "replace(f, 'u1', numpy.zeros((rows, 3)))", "'u1' of the results has 1203 rows"},
        Spoilt{"NoRows", "for n in f.attrs['columns']: replace(f, n, [])", "no row"},
        Spoilt{"TimeIsNaN", "f['time'][3] = numpy.nan", "a time of the results is nan"},
        Spoilt{"Steps", "replace(r['steps'], 'h', range(7))", "'h' of the steps has 7 rows"},
        Spoilt{"StepNames", "r['steps'].attrs['columns'] = ['time', 'h']", "the steps has 2 columns"},
        Spoilt{"Rejections", "replace(r['rejections'], 'cause', range(7))", "rejected steps"},
        Spoilt{"DimensionZero", "about['drawing']['dimension'] = 0", "the dimension 0"},
        Spoilt{"DimensionThree", "about['drawing']['dimension'] = 3", "4 coordinates are not those of points with 3"},
        Spoilt{"DimensionHalf", "about['drawing']['dimension'] = 2.5", "the dimension 2.5"},
        Spoilt{"DimensionText", "about['drawing']['dimension'] = 'flat'", "not a number"},
        Spoilt{"FarLink", "about['drawing']['links'] = [[0, 10**15]]", "names a point that is not there"},
        Spoilt{"NegativeLink", "about['drawing']['links'] = [[0, -1]]", "names a point that is not there"},
        Spoilt{"LinkOfOne", "about['drawing']['links'] = [[0]]", "has no 2 points"},
        Spoilt{"LinkOfNone", "about['drawing']['springs'] = [7]", "has no 2 points"},
        Spoilt{"BodyOfTwo", "about['drawing']['bodies'] = [[0, 1]]", "has no 3 points"},
        Spoilt{"FarTrace", "about['drawing']['traces'] = [99]", "names a point that is not there"},
        Spoilt{"FarGround", "about['drawing']['ground'] = [2**63]", "names a point that is not there"},
        Spoilt{"NoFrames", "del r['frames']", "without its points"},
        Spoilt{"Frames", "replace(r['frames'], '2', range(3))", "'2' of the drawing has 3 rows"},
        Spoilt{"FewColumns", "about['columns'] = about['columns'][:2]", "2 results are described"},
        Spoilt{"NamelessColumn", "del about['columns'][1]['name']", "lacks 'name'"},
        Spoilt{"NumberAsName", "about['columns'][1]['name'] = 5", "not a text"},
        Spoilt{"NoOptions", "del about['options']", "lacks 'options'"},
        Spoilt{"ModelIsAList", "about['model'] = []", "'model'"},
        Spoilt{"SummaryIsAText", "about['summary'] = ['good']", "'summary'"},
        Spoilt{"NotAnObject", "about = [1, 2]", "no object"},
        Spoilt{"NotJson", "r.attrs['about'] = '{'\nf.close()\nimport sys\nsys.exit(0)", "no JSON"},
        Spoilt{"DeepJson", "r.attrs['about'] = '[' * 20000 + ']' * 20000\nf.close()\nimport sys\nsys.exit(0)",
               "no JSON"},
        Spoilt{"NoSteps", "del r['steps']", "it is not complete"}),
    [](const auto& one) { return std::string(one.param.name); });

// Bits of the first kilobytes, where the structure is: some files are refused, some are read, none crashes the program.
TEST_F(Damaged, BitsThatFlipped) {
  const std::string good = file_text("good.h5");
  int refused = 0;
  for (std::size_t k = 0; k < 60; ++k) {
    std::string bytes = good;
    const std::size_t place = (k * 2654435761u) % std::min<std::size_t>(good.size(), 8192);
    bytes[place] = static_cast<char>(bytes[place] ^ (1 << (k % 8)));
    std::ofstream("bad.h5") << bytes;
    const Outcome outcome = driftless("report bad.h5 -o page.html");
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 3) << place << ": " << outcome.exit_code << outcome.err;
    refused += outcome.exit_code == 3;
  }
  EXPECT_GT(refused, 5);
  for (const std::size_t size : {0u, 1u, 100u, 2000u}) {
    std::ofstream("bad.h5") << good.substr(0, size);
    EXPECT_EQ(driftless("report bad.h5 -o page.html").exit_code, 3) << size;
  }
}

// The name of a column, of which one bit of the length is wrong: the HDF5 library itself crashes at that.
TEST_F(Damaged, ATextLongerThanAllMemory) {
  std::string bytes = file_text("good.h5");
  const std::size_t place = bytes.rfind(std::string("\4\0\0\0\0\0\0\0time", 12));
  ASSERT_NE(place, std::string::npos);
  bytes[place + 6] = 2;
  std::ofstream("bad.h5") << bytes;
  expect_refused("the file is damaged");
}

// An extent of 10^15 numbers, none of which is stored.
TEST_F(Damaged, MoreThanMemoryHolds) {
  spoil("del f['u1']\nf.create_dataset('u1', shape=(10**15,), maxshape=(None,), chunks=(1024,), dtype='f8')");
  expect_refused("GB of memory would be needed");
}

TEST_F(Damaged, WhatIsNoFile) {
  std::filesystem::create_directory("folder.h5");
  EXPECT_EQ(driftless("report folder.h5").exit_code, 3);
  EXPECT_EQ(driftless("report /dev/null -o page.html").exit_code, 3);
  ASSERT_EQ(std::system("mkfifo pipe.h5"), 0);  // nobody ever writes to it
  const Outcome pipe = run_program("/usr/bin/timeout", "20 " DRIFTLESS_PROGRAM " report pipe.h5");
  EXPECT_EQ(pipe.exit_code, 3);
  EXPECT_TRUE(contains(pipe.err, "cannot read 'pipe.h5': it is no file, but a folder, a pipe or a device")) << pipe.err;
}

// HDF5 can be told to take numbers from any file that the reader may read: none of them comes into a page.
class Elsewhere : public Damaged, public testing::WithParamInterface<Spoilt> {};

TEST_P(Elsewhere, IsNotFollowed) {
  std::ofstream("secret", std::ios::binary) << std::string(401 * sizeof(double), 'S');
  ASSERT_EQ(std::system("mkfifo pipe"), 0);
  spoil(GetParam().lines);
  const Outcome outcome = run_program("/usr/bin/timeout", "20 " DRIFTLESS_PROGRAM " report bad.h5 -o page.html");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, std::string("driftless: cannot read 'bad.h5': '") + GetParam().word +
                             "' of it lies in another place, which is not followed\n");
  EXPECT_FALSE(std::filesystem::exists("page.html"));
}

INSTANTIATE_TEST_SUITE_P(
    Results, Elsewhere,
    testing::Values(
        Spoilt{"LinkToAFile", "del f['u1']\nf['u1'] = h5py.ExternalLink('good.h5', '/u1')", "u1"},
        Spoilt{
            "LinkOnTheWay",
            "f['away'] = h5py.ExternalLink('good.h5', '/')\nf.attrs['columns'] = ['time', 'away/u1', 'u2', 'v1', 'v2', "
            "'lambda']",
            "away/u1"},
        Spoilt{"LinkToALink",
               "del f['u1']\nf['far'] = h5py.ExternalLink('good.h5', '/u1')\nf['u1'] = h5py.SoftLink('/far')", "u1"},
        Spoilt{"GroupInAFile", "del r['steps']\nr['steps'] = h5py.ExternalLink('good.h5', '/driftless:report/steps')",
               "steps"},
        Spoilt{"NumbersOfAFile",
               "del f['u1']\nf.create_dataset('u1', shape=(rows,), dtype='f8', external=[('secret', 0, 8 * rows)])",
               "u1"},
        Spoilt{"NumbersOfAPipe",
               "del f['u1']\nf.create_dataset('u1', shape=(rows,), dtype='f8', external=[('pipe', 0, 8 * rows)])",
               "u1"},
        Spoilt{"Virtual",
               "del f['u1']\nlayout = h5py.VirtualLayout((rows,), 'f8')\n"
               "layout[:] = h5py.VirtualSource('good.h5', 'u1', (rows,))\nf.create_virtual_dataset('u1', layout)",
               "u1"}),
    [](const auto& one) { return std::string(one.param.name); });

// A free list that bites its own tail: the HDF5 library walks along it as long as there is memory.
TEST_F(Damaged, AListWithoutEnd) {
  const Outcome made = python(R"py(
import h5py, struct
with h5py.File("bad.h5", "w") as file:
    file.create_group("driftless:report")
bytes = bytearray(open("bad.h5", "rb").read())
heap = bytes.find(b"HEAP")
size, head, data = struct.unpack("<QQQ", bytes[heap + 8:heap + 32])
bytes[data + head:data + head + 8] = struct.pack("<Q", head)
open("bad.h5", "wb").write(bytes)
)py");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Outcome outcome =
      run_program("/usr/bin/timeout", "60 " DRIFTLESS_PROGRAM " report bad.h5 -o page.html --max-memory 400M");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(contains(outcome.err, "driftless: cannot read 'bad.h5'")) << outcome.err;
}

// Few bytes, and hours of reading: a column in pieces of one number, none of which is stored, as each of many columns.
class Slow : public Damaged {
 protected:
  void SetUp() override {
    Damaged::SetUp();
    spoil(
        "f.create_dataset('slow', shape=(10**5,), chunks=(1,), maxshape=(None,), dtype='f8')\nf['slow'][0] = 1.0\n"
        "f.attrs['columns'] = ['slow'] * 10000");
  }
};

TEST_F(Slow, IsGivenUp) {
  const Outcome outcome = run_program("/usr/bin/timeout", "280 " DRIFTLESS_PROGRAM " report bad.h5 -o page.html");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "driftless: cannot read 'bad.h5': the file is damaged: it took more than 10 s\n");
}

// How many run with this word on their command line, a fifth of a second from now.
int processes_with(const std::string& word) {
  usleep(200'000);
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc"))
    count += contains(file_text(entry.path() / "cmdline"), word);
  return count;
}

// The child that reads must go with its parent, or go on for nobody.
TEST_F(Slow, CanBeStopped) {
  const Outcome limit = driftless("report bad.h5 -o page.html --time-limit 0.5");
  EXPECT_EQ(limit.exit_code, 6) << limit.err;
  const Outcome signal = run_program("/usr/bin/timeout", "--foreground --preserve-status -s TERM 0.5 " DRIFTLESS_PROGRAM
                                                         " report bad.h5 -o page.html");
  EXPECT_EQ(signal.exit_code, 143) << signal.err;
  const std::string page = "left_behind_" + std::to_string(getpid()) + ".html";
  run_program("/usr/bin/timeout", "--foreground -s KILL 0.5 " DRIFTLESS_PROGRAM " report bad.h5 -o " + page);
  EXPECT_EQ(processes_with(page), 0);
}

TEST_F(Damaged, ResultsOfTheBenchmark) {
  for (const char* text :
       {"{\"benchmark\": 1, \"results\": 2}", "{\"benchmark\": {}, \"results\": [{}]}", "[]", "", "{"}) {
    std::ofstream("bench.json") << text;
    const Outcome outcome = driftless("report bench.json -o page.html");
    EXPECT_EQ(outcome.exit_code, 3) << text << outcome.err;
  }
  std::ofstream("bench.json") << "{\"benchmark\": 1, \"results\": " << std::string(100000, '[')
                              << std::string(100000, ']') << "}";
  EXPECT_EQ(driftless("report bench.json -o page.html").exit_code, 3);
  std::ofstream("method.json") << "{\"A\": " << std::string(100000, '[') << std::string(100000, ']') << "}";
  EXPECT_EQ(driftless("methods method.json").exit_code, 3);
}

}  // namespace
}  // namespace driftless::cli_test::damaged_results_test
