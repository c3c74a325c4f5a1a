// What the program knows by heart: problems, methods, exit codes; check and init; completion.
#include <cmath>
#include <set>

#include "driftless/core/failure.h"
#include "tests/cli/program.h"
#include "testset/problem.h"

namespace driftless::cli_test::catalogue_test {
namespace {

TEST(Problems, AreAllListed) {
  const std::string list = driftless("problems").out;
  for (const std::string& name : testset::problem_names()) EXPECT_TRUE(contains(list, "\n" + name + " ")) << name;
  const Json all = Json::parse(driftless("problems --json").out);
  ASSERT_EQ(all.size(), testset::problem_names().size());
  EXPECT_EQ(all[0]["name"], "andrews_squeezer");
  EXPECT_EQ(all[0]["index"], 3);
}

TEST(Problems, OneInDetail) {
  const Outcome outcome = driftless("problems car_axis");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(lines(outcome.out)[0], "car_axis: Car axis");
  EXPECT_TRUE(contains(outcome.out, "\n  compared at t = 3, trusted to 24 digits\n")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n  xl'                -0.5\n")) << outcome.out;
  EXPECT_EQ(driftless("problems problem:car_axis").out, outcome.out);
}

TEST(MethodTable, HasEveryMethodWithComputedProperties) {
  const std::string table = driftless("methods").out;
  for (const char* line :
       {"\nradau           projected Radau IIA, orders 5, 9 and 13\n",
        "\nradau-iia-3            3      5            3            0  yes               yes          1, 2, 3\n",
        "\ngauss-2                2      4            2            1  no                yes          1\n",
        "\nhem5                   8      5            1            -  no                no           2, 3 "
        "(half-explicit)\n"})
    EXPECT_TRUE(contains(table, line)) << line << table;
}

TEST(MethodTable, OneInDetail) {
  const std::string text = driftless("methods radau-iia-3").out;
  for (const char* part : {"radau-iia-3: Radau IIA (3 stages)\n", "\n  order, stage order    5, 3\n",
                           "\nIndex 3, projected: the conditions hold\n  (B1) yes   ",
                           "\nOrders for index 2, projected: 5 for u, 5 if lambda enters linearly"})
    EXPECT_TRUE(contains(text, part)) << part << text;
  const std::string gauss = driftless("methods gauss-2").out;
  EXPECT_TRUE(contains(gauss, "\nIndex 3, projected: excluded\n")) << gauss;
  EXPECT_TRUE(contains(gauss, "  (B2) no    ")) << gauss;
  const Json object = Json::parse(driftless("methods radau-iia-2 --coefficients --json").out);
  EXPECT_EQ(object["order"], 3);
  EXPECT_EQ(object["c"][1], 1.0);
  EXPECT_EQ(object["a"][0].size(), 2u);
  EXPECT_EQ(object["index3"]["b3"], true);
}

// The list that docs/command_line.md shows.
TEST(Explain, ListsEveryExitCodeOnce) {
  const Json all = Json::parse(driftless("explain --json").out);
  std::set<int> codes;
  for (const Json& one : all) {
    EXPECT_TRUE(codes.insert(one["code"].get<int>()).second);
    EXPECT_FALSE(one["meaning"].get<std::string>().empty());
    if (one["name"] == "ok") continue;
    EXPECT_FALSE(one["causes"].empty()) << one["name"];
    EXPECT_FALSE(one["remedies"].empty()) << one["name"];
  }
  EXPECT_EQ(codes, (std::set<int>{0,  1,  2,  3,  4,  5,  6,  10, 11, 12,  13,  14,
                                  15, 16, 17, 18, 19, 20, 21, 22, 23, 129, 130, 143}));
  const std::string documented = file_text(DRIFTLESS_SOURCE_DIR "/docs/command_line.md");
  for (const Json& one : all)
    EXPECT_TRUE(contains(documented, "| " + one["code"].dump() + " | `" + one["name"].get<std::string>() + "` |"))
        << one["name"];
}

TEST(Explain, ByCodeByNameAndByWhatMessagesSay) {
  const std::string text = driftless("explain 16").out;
  EXPECT_TRUE(contains(text, "step-size-too-small (exit code 16)\n\nHowever small the step,")) << text;
  EXPECT_TRUE(contains(text, "\nUsual causes\n  - ")) << text;
  EXPECT_TRUE(contains(text, "\nWhat to try\n  - ")) << text;
  EXPECT_EQ(driftless("explain step-size-too-small").out, text);
  EXPECT_EQ(driftless("explain 'Step size too small'").out, text);
  // Every kind of failure of the library, as its messages have it.
  for (const FailureKind kind :
       {FailureKind::not_finite, FailureKind::newton_did_not_converge, FailureKind::singular_matrix,
        FailureKind::rank_deficient, FailureKind::inconsistent_start, FailureKind::projection_failed,
        FailureKind::step_size_too_small, FailureKind::too_many_steps, FailureKind::stopped, FailureKind::index_lost})
    EXPECT_EQ(driftless("explain '" + std::string(name_of(kind)) + "'").exit_code, 0) << name_of(kind);
}

TEST(Check, FindsIndexRankAndConsistency) {
  const Outcome outcome = driftless("check problem:redundant_parallelogram");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.out, "\n  index       (A3): G M^-1 G^T has rank 2 of 3: redundant here: middle crank\n"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n  start       consistent as given")) << outcome.out;
  const Json object = Json::parse(driftless("check problem:pendulum_schropp --set u1=0.6 --set u2=-0.9 --json").out);
  EXPECT_EQ(object["status"], "ok");
  EXPECT_EQ(object["index"], 3);
  EXPECT_EQ(object["rank"], 1);
  EXPECT_EQ(object["unknowns"]["q"], (std::vector<std::string>{"u1", "u2"}));
  EXPECT_EQ(object["constraints"], std::vector<std::string>{"length"});
  EXPECT_NEAR(object["start"]["residuals"][0], 0.17, 1e-12);
  EXPECT_NEAR(object["start"]["moves"]["u1"]["to"], 0.6 / std::sqrt(1.17), 1e-12);
  const Outcome impossible = driftless("check problem:pendulum_schropp --set u1=0");
  EXPECT_EQ(impossible.exit_code, 14) << impossible.err;
}

TEST(Init, PrintsConsistentValuesWithMultipliers) {
  const Json object = Json::parse(driftless("init problem:pendulum_schropp --set u1=0.6 --set u2=-0.8 --json").out);
  EXPECT_EQ(object["status"], "ok");
  EXPECT_EQ(object["t"], 0.0);
  EXPECT_NEAR(object["start"]["lambda"], 0.4, 1e-14);  // -u2 / 2 at rest
  EXPECT_EQ(object["moves"], Json::object());
  const Outcome moved = driftless("init problem:pendulum_schropp --set u1=2");
  EXPECT_TRUE(contains(moved.out, "\n  1 value changed\n")) << moved.out;
  EXPECT_EQ(driftless("init problem:pendulum_schropp --set u1=0").exit_code, 14);
}

struct Typed {
  const char* line;
  const char* offered;
  friend std::ostream& operator<<(std::ostream& out, const Typed& row) { return out << row.line; }
};

class Completion : public testing::TestWithParam<Typed> {};

// By bash itself, with the words as bash splits them.
TEST_P(Completion, OffersWhatFits) {
  const std::string script =
      "-c 'source \"" DRIFTLESS_SOURCE_DIR "/completions/driftless.bash\"; PATH=$(dirname \"" DRIFTLESS_PROGRAM
      "\"):$PATH; COMP_LINE=$0; COMP_POINT=${#0}; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _driftless; "
      "IFS=\" \"; echo \"${COMPREPLY[*]}\"' ";
  std::string words, line = GetParam().line, word;
  for (const char letter : line + " ") {  // blanks end a word, : and = are words of their own
    if (letter == ' ' || letter == ':' || letter == '=') {
      if (!word.empty() || letter == ' ') words += " '" + word + "'";
      word.clear();
      if (letter != ' ') words += std::string(" '") + letter + "'";
    } else {
      word += letter;
    }
  }
  if (words.size() > 3 && (line.back() == ':' || line.back() == '=')) words.resize(words.size() - 3);  // no empty word
  const Outcome outcome = run_program("/bin/bash", script + "'" + line + "'" + words);
  EXPECT_EQ(outcome.out, std::string(GetParam().offered) + "\n") << words << outcome.err;
}

const Typed typed[] = {
    {"driftless so", "solve"},
    {"driftless ",
     "solve sweep merge linearise check init report reproduce new problems methods analyse explain --help "
     "--version --color --progress "
     "--max-memory --max-work --time-limit"},
    {"driftless solve problem:car", "car_axis"},
    {"driftless solve x --meth", "--method"},
    {"driftless solve x --progress ", "auto always never"},
    {"driftless solve x --progress=a", "auto always"},
    {"driftless solve x --method hem", "hem3 hem4 hem5"},
    {"driftless explain step", "step-size-too-small"},
    {"driftless nonsense ", ""}};

INSTANTIATE_TEST_SUITE_P(Shell, Completion, testing::ValuesIn(typed));

class Files : public InFolder {};

TEST_F(Files, CompletionOffersModelsAndFolders) {
  std::ofstream("swing.mo"), std::ofstream("notes.txt");
  std::filesystem::create_directory("more");
  std::ofstream("more/chain.mo");
  EXPECT_EQ(driftless("complete -- solve s").out, "swing.mo\n");
  EXPECT_EQ(driftless("complete -- check mo").out, "more/\n");
  EXPECT_EQ(driftless("complete -- init more/").out, "more/chain.mo\n");
}

TEST_F(Files, NewWritesAModelOnce) {
  const Outcome outcome = driftless("new swing");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(lines(outcome.out)[0], "swing.mo: a commented mechanism to start from. Next:");
  const std::string text = file_text("swing.mo");
  EXPECT_TRUE(contains(text, "\nmodel swing \"a pendulum\"\n")) << text;
  EXPECT_TRUE(contains(text, "\nend swing;\n")) << text;
  EXPECT_FALSE(contains(text, "NAME")) << text;
  const Outcome again = driftless("new swing.mo");
  EXPECT_EQ(again.exit_code, 3);
  EXPECT_EQ(again.err, "driftless: 'swing.mo' is there already; --force replaces it\n");
  EXPECT_EQ(driftless("new swing --kind circuit --force").exit_code, 0);
  EXPECT_TRUE(contains(file_text("swing.mo"), "half-wave rectifier"));
  EXPECT_EQ(files(), std::vector<std::string>{"swing.mo"});
}

}  // namespace
}  // namespace driftless::cli_test::catalogue_test
