// The tables of Schropp 2003 as `driftless reproduce` gives them, against bounds on every count.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_program.h"

namespace {

Outcome run(const std::string& arguments) { return run_program(DRIFTLESS_PROGRAM, "reproduce " + arguments); }

using Json = nlohmann::ordered_json;

// The one item that was asked for.
Json item_of(const std::string& arguments) {
  const Outcome outcome = run(arguments + " --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return Json::parse(outcome.out).at("items").at(0);
}

struct Counts {
  double evaluations, jacobians;
};

struct Row {
  double tol;
  Counts paper_without, paper_with, without, with;
  double error_with;
  Counts standard;
  double error;
};

std::vector<Row> rows_of(const std::string& item) {
  const Json data = item_of(item).at("data");
  EXPECT_EQ(data.at("item"), item);
  const auto counts = [](const Json& pair) { return Counts{pair.at(0), pair.at(1)}; };
  std::vector<Row> rows;
  for (const Json& row : data.at("rows"))
    rows.push_back({row.at("tol"), counts(row["paper"]["without"]), counts(row["paper"]["with"]),
                    counts(row["classic"]["without"]), counts(row["classic"]["with"]), row["classic"]["error_with"],
                    counts(row["radau"]["counts"]), row["radau"]["error"]});
  return rows;
}

// Measured with RADAU5 and a velocity projection after each accepted step, exact (pendulum) resp. approximate Jacobian.
struct Radau5Row {
  double tol;
  Counts without, with;
};

struct Case {
  double allowed;  // relative deviation of a count
  std::array<Radau5Row, 4> radau5;
};

const Case table1 = {0.10,
                     {{{1e-6, {2766, 258}, {2459, 220}},
                       {1e-8, {5447, 533}, {4577, 442}},
                       {1e-10, {10680, 1100}, {9143, 898}},
                       {1e-12, {22652, 2218}, {19072, 1808}}}}};
const Case table2 = {0.15,
                     {{{1e-6, {2161, 142}, {1952, 122}},
                       {1e-8, {3421, 238}, {3144, 221}},
                       {1e-10, {6121, 472}, {5760, 447}},
                       {1e-12, {12031, 981}, {11192, 926}}}}};

class Table : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    rows_ = rows_of(GetParam());
    ASSERT_EQ(rows_.size(), 4u);
  }

  const Case& expected_ = GetParam() == "table1" ? table1 : table2;
  std::vector<Row> rows_;
};

void expect_near(const Counts& counts, const Counts& expected, double allowed, double tol) {
  EXPECT_NEAR(counts.evaluations, expected.evaluations, allowed * expected.evaluations) << tol;
  EXPECT_NEAR(counts.jacobians, expected.jacobians, allowed * expected.jacobians) << tol;
}

TEST_P(Table, ClassicCountsAreThoseOfRadau5) {
  for (std::size_t k = 0; k < 4; ++k) {
    const Radau5Row& expected = expected_.radau5[k];
    EXPECT_EQ(rows_[k].tol, expected.tol);
    expect_near(rows_[k].without, expected.without, expected_.allowed, expected.tol);
    expect_near(rows_[k].with, expected.with, expected_.allowed, expected.tol);
  }
}

TEST_P(Table, ProjectionMakesClassicCheaper) {
  for (const Row& row : rows_) {
    EXPECT_LT(row.with.evaluations, row.without.evaluations) << row.tol;
    EXPECT_LT(row.with.jacobians, row.without.jacobians) << row.tol;
  }
}

TEST_P(Table, DefaultIsNoLessAccurateThanClassic) {
  for (const Row& row : rows_) EXPECT_LE(row.error, row.error_with) << row.tol;
}

TEST_P(Table, DefaultNeedsFewerEvaluationsThanThePaper) {
  const std::array<double, 4> share = {0.75, 0.75, 0.5, 0.4};
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_LE(rows_[k].standard.evaluations, share[k] * rows_[k].paper_with.evaluations) << rows_[k].tol;
}

INSTANTIATE_TEST_SUITE_P(Schropp2003, Table, testing::Values("table1", "table2"));

double largest(const Json& values) {
  double result = 0.0;
  for (const double value : values) result = std::fmax(result, std::abs(value));
  return result;
}

// Columns of figures 1 to 5: the projection of velocities shows in d2.
TEST(Figures, ProjectionRemovesTheVelocityResidual) {
  for (const char* item : {"figure2", "figure5"}) {
    const Json runs = item_of(item).at("data").at("runs");
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0]["projection"], false);
    EXPECT_EQ(runs[1]["projection"], true);
    const Json &before = runs[0]["columns"], &after = runs[1]["columns"];
    EXPECT_EQ(after["t"].size(), after["d2"].size());
    EXPECT_GT(largest(before["d2"]), 1e-6) << item;
    EXPECT_LT(largest(after["d2"]), 1e-13) << item;
    EXPECT_LT(largest(after["d1"]), 1e-8) << item;
  }
}

TEST(Reproduce, PlainTableNamesItsColumns) {
  const Outcome outcome = run("table1");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word : {"paper", "classic", "radau", "20576/1912"}) EXPECT_TRUE(contains(outcome.out, word)) << word;
}

TEST(Reproduce, UnknownItemsGetTheKnownOnes) {
  const Outcome outcome = run("table3");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "there is no item 'table3'")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "table1, table2")) << outcome.err;
}

TEST(Reproduce, ListsItsItems) {
  const Outcome outcome = run("--list");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* item :
       {"table1 ", "table2 ", "figure1 ",   "figure5 ",    "orders ",    "projection ", "hidden ",     "remark ",
        "stages ", "local ",  "manifold ",  "autonomous ", "attractor ", "embedding ",  "norms ",      "inequality ",
        "euler ",  "unique ", "constants ", "deviations ", "errors ",    "runs ",       "index-loss ", "contraction "})
    EXPECT_TRUE(contains(outcome.out, std::string("\n") + item) || outcome.out.starts_with(item)) << item;
}

class EveryItem : public testing::TestWithParam<std::string> {};

TEST_P(EveryItem, IsAsExpected) {
  const Json item = item_of(GetParam());
  EXPECT_EQ(item["ok"], true);
  EXPECT_EQ(item["verdict"], GetParam() == "remark" ? "refuted" : "reproduced");
  EXPECT_EQ(item["expected"], item["verdict"]);
  EXPECT_GT(item["lines"].size(), 1u);
  for (const Json& line : item["lines"]) {
    EXPECT_EQ(line["ok"], true) << line.dump();
    ASSERT_TRUE(line["expected"][0].is_number() && line["expected"][1].is_number()) << line.dump();  // null: infinite
    EXPECT_LT(line["expected"][0].get<double>(), line["expected"][1].get<double>()) << line.dump();
  }
}

INSTANTIATE_TEST_SUITE_P(Reproduce, EveryItem,
                         testing::Values("table1", "table2", "figure1", "figure2", "figure3", "figure4", "figure5",
                                         "orders", "projection", "hidden", "remark", "stages", "local", "manifold",
                                         "autonomous", "attractor", "embedding", "norms", "inequality", "euler",
                                         "unique", "constants", "deviations", "errors", "runs", "index-loss",
                                         "contraction"));

// Radau IA has order q in u, not q + 1: the remark is refuted by it, and by nothing else. That is no failure.
TEST(Reproduce, TheRemarkIsRefuted) {
  const Outcome outcome = run("remark");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "refuted, by 2 of 5")) << outcome.out;
  const Json lines = item_of("remark")["lines"];
  for (const Json& line : lines) {
    const bool radau_ia = line["id"].get<std::string>().starts_with("radau-ia-");
    EXPECT_EQ(line["verdict"], radau_ia ? "refuted" : "reproduced") << line.dump();
    EXPECT_EQ(line.contains("claimed"), radau_ia) << line.dump();
  }
  const Outcome both = run("remark stages");
  EXPECT_TRUE(contains(both.out, "1 of 2 items reproduced, 1 refuted")) << both.out;
}

// Bounds, not only quotients: with bounds that were infinite every one of these would be 0.
TEST(Reproduce, BoundsAreWithinAFactorOfWhatIsMeasured) {
  const std::pair<const char*, std::size_t> items[] = {{"deviations", 318}, {"errors", 192}};
  for (const auto& [name, count] : items) {
    const Json lines = item_of(name)["lines"];
    EXPECT_EQ(lines.size(), count) << name;
    for (const Json& line : lines) {
      EXPECT_GT(line["expected"][0].get<double>(), 1e-5) << line.dump();
      EXPECT_NEAR(line["expected"][1].get<double>(), 1.0, 1e-8) << line.dump();
    }
  }
}

TEST(Reproduce, EnclosuresOfConstantsAreNarrow) {
  int widths = 0;
  const Json lines = item_of("constants")["lines"];
  for (const Json& line : lines) {
    if (!line["id"].get<std::string>().ends_with(" width")) continue;
    EXPECT_LE(line["expected"][1].get<double>(), 0.01) << line.dump();
    ++widths;
  }
  EXPECT_EQ(widths, 16);
}

// A method with 0 < |R(infinity)| < 1 remembers, and forgets at that rate.
TEST(Reproduce, AnErrorOfTheMultiplierIsForgottenStepByStep) {
  int steps = 0;
  const Json lines = item_of("hidden")["lines"];
  for (const Json& line : lines)
    if (line["id"].get<std::string>().starts_with("collocation-2 step")) {
      EXPECT_NEAR(line["measured"].get<double>(), 7.0 / 33.0, 1e-8) << line.dump();
      ++steps;
    }
  EXPECT_EQ(steps, 2);
}

// One expectation changed: a count that is off is told, item, line and exit code.
TEST(Reproduce, ACountThatIsOffIsTold) {
  const std::string path = testing::TempDir() + "driftless_expectations_" + std::to_string(getpid()) + ".json";
  const std::string line = "with evaluations 1e-06";
  std::ofstream(path) << R"({"table1": {")" << line << R"(": [1, 2]}})";
  const Outcome outcome = run("table1 --expect '" + path + "'");
  EXPECT_EQ(outcome.exit_code, 20);
  EXPECT_TRUE(contains(outcome.err, "not as expected: table1")) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "OFF")) << outcome.out;
  const Json item = Json::parse(run("table1 --json --expect '" + path + "'").out).at("items").at(0);
  EXPECT_EQ(item["ok"], false);
  int off = 0;
  for (const Json& one : item["lines"])
    if (one["ok"] == false) {
      EXPECT_EQ(one["id"], line);
      ++off;
    }
  EXPECT_EQ(off, 1);
  std::ofstream(path) << R"({"table1": {"no such line": [1, 2]}})";
  EXPECT_EQ(run("table1 --expect '" + path + "'").exit_code, 2);
  std::filesystem::remove(path);
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) result.push_back(field);
  return result;
}

TEST(Reproduce, ConstantsAreEnclosedMoreTightlyWithMoreBoxes) {
  std::istringstream csv(run("constants --csv").out);
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "problem,norm,constant,exact,boxes,lower,upper,sampled");
  double last_width = 0.0;
  int rows = 0, tight = 0;
  for (; std::getline(csv, line); ++rows) {
    const auto row = fields(line);
    ASSERT_EQ(row.size(), 8u) << line;
    const double exact = std::stod(row[3]), lower = std::stod(row[5]), upper = std::stod(row[6]);
    EXPECT_LE(lower, exact + 1e-14) << line;
    EXPECT_GE(upper, exact - 1e-14) << line;
    if (row[4] != "1") {
      EXPECT_LE(upper - lower, last_width) << line;
    }
    if (row[0] == "lognorm_linear") {
      EXPECT_NEAR(upper, exact, 1e-10) << line;
      EXPECT_NEAR(lower, exact, 1e-10) << line;
    }
    last_width = upper - lower;
    tight += row[4] == "3000" && last_width < 0.01;
  }
  EXPECT_EQ(rows, 128);
  EXPECT_EQ(tight, 16);
}

TEST(Reproduce, IndexLossIsFoundWhereItIs) {
  const Outcome table = run("index-loss");
  EXPECT_TRUE(contains(table.out, "| fading constraint | 1.0000000000 | 1.0000000000 |")) << table.out;
  EXPECT_TRUE(contains(table.out, "| turning constraint | 1.5707963268 | 1.5707963268 |")) << table.out;
  std::istringstream csv(run("index-loss --csv").out);
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "problem,time,m_q,smallest_singular_value,found,exact");
  int rows = 0;
  while (std::getline(csv, line)) {
    const auto row = fields(line);
    ASSERT_EQ(row.size(), 6u) << line;
    EXPECT_NEAR(std::stod(row[4]), std::stod(row[5]), 1e-4) << line;
    if (row[0] == "fold") {
      EXPECT_NEAR(std::stod(row[2]), -std::sqrt(std::max(0.0, 1.0 - std::stod(row[1]))), 1e-4) << line;
    }
    ++rows;
  }
  EXPECT_GT(rows, 50);
}

TEST(Reproduce, HeatContracts) {
  const Outcome outcome = run("contraction --csv");
  std::istringstream csv(outcome.out);
  std::string line, curve;
  std::getline(csv, line);
  EXPECT_EQ(line, "method,mesh,unknowns,time,distance");
  double last = 0.0;
  int rows = 0;
  for (; std::getline(csv, line); ++rows) {
    const std::size_t comma = line.rfind(','), before = line.rfind(',', comma - 1);
    const double distance = std::stod(line.substr(comma + 1));
    if (line.substr(0, before) == curve) {
      EXPECT_LT(distance, last) << line;
    }
    curve = line.substr(0, before);
    last = distance;
  }
  EXPECT_EQ(rows, 6 * 41);
}

TEST(Reproduce, CsvIsForItemsOnStability) {
  const Outcome outcome = run("table1 --csv");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "--csv wants one of constants, deviations")) << outcome.err;
}

}  // namespace
