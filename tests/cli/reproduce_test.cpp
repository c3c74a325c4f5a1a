// The tables of Schropp 2003 as driftless_reproduce gives them, against bounds on every count.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_program.h"

namespace {

Outcome run(const std::string& arguments) { return run_program(DRIFTLESS_REPRODUCE, arguments); }

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

// Rows of the JSON text; its form is part of what is promised, so nothing else is understood.
std::vector<Row> rows_of(const std::string& item, const std::string& json) {
  const std::string number = R"(([0-9.e+-]+))", pair = R"(\[([0-9]+), ([0-9]+)\])";
  const std::string row = R"(\{"tol": )" + number + R"(, "paper": \{"without": )" + pair + R"(, "with": )" + pair +
                          R"(\}, "classic": \{"without": )" + pair + R"(, "with": )" + pair + R"(, "error_with": )" +
                          number + R"(\}, "default": \{"counts": )" + pair + R"(, "error": )" + number + R"(\}\})";
  const std::regex one(row), all(R"(\{"item": ")" + item + R"(", "rows": \[)" + row + "(, " + row + R"()*\]\}\n)");
  EXPECT_TRUE(std::regex_match(json, all)) << json;
  std::vector<Row> rows;
  for (auto match = std::sregex_iterator(json.begin(), json.end(), one); match != std::sregex_iterator(); ++match) {
    auto x = [&](std::size_t k) { return std::stod((*match)[k].str()); };
    rows.push_back({x(1), {x(2), x(3)}, {x(4), x(5)}, {x(6), x(7)}, {x(8), x(9)}, x(10), {x(11), x(12)}, x(13)});
  }
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
    const Outcome outcome = run(GetParam() + " --json");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    rows_ = rows_of(GetParam(), outcome.out);
    ASSERT_EQ(rows_.size(), 4u) << outcome.out;
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

// Columns of figures 1 to 5: the projection of velocities shows in d2.
std::vector<double> column(const std::string& json, const std::string& name) {
  const std::string key = "\"" + name + "\": [";
  const std::size_t begin = json.find(key) + key.size();
  std::vector<double> values;
  for (const char* at = json.c_str() + begin; *at != ']';) {
    char* end = nullptr;
    values.push_back(std::strtod(at, &end));
    at = end + (*end == ',');
  }
  return values;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (double value : values) result = std::fmax(result, std::abs(value));
  return result;
}

TEST(Figures, ProjectionRemovesTheVelocityResidual) {
  const Outcome outcome = run("figures --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* problem : {"pendulum_schropp", "andrews_squeezer"}) {
    const std::string start = std::string(R"({"problem": ")") + problem + R"(", "tol": 1e-08, "projection": )";
    const std::size_t without = outcome.out.find(start + "false"), with = outcome.out.find(start + "true");
    ASSERT_NE(without, std::string::npos) << problem;
    ASSERT_NE(with, std::string::npos) << problem;
    const std::string before = outcome.out.substr(without), after = outcome.out.substr(with);
    EXPECT_EQ(column(after, "t").size(), column(after, "d2").size());
    EXPECT_GT(largest(column(before, "d2")), 1e-6) << problem;
    EXPECT_LT(largest(column(after, "d2")), 1e-13) << problem;
    EXPECT_LT(largest(column(after, "d1")), 1e-8) << problem;
  }
}

TEST(Figures, PlainTextHasOneBlockPerRun) {
  const Outcome outcome = run("figures");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* title : {"# Pendulum (4.1)", "# Andrews", "with projection", "without projection", "d3", "epsilon"})
    EXPECT_TRUE(contains(outcome.out, title)) << title;
}

TEST(Reproduce, PlainTableNamesItsColumns) {
  const Outcome outcome = run("table1");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word : {"paper", "classic", "default", "20576/1912"})
    EXPECT_TRUE(contains(outcome.out, word)) << word;
}

TEST(Reproduce, UnknownItemsGetTheKnownOnes) {
  for (const char* arguments : {"table3", "table1 table2", ""}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(contains(outcome.err, "table1, table2")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "usage: driftless_reproduce")) << outcome.err;
  }
}

TEST(Reproduce, HelpIsNoError) {
  const Outcome outcome = run("--help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "usage: driftless_reproduce")) << outcome.out;
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

TEST(Reproduce, FormsThatAnItemDoesNotHaveAreRefused) {
  EXPECT_TRUE(contains(run("table1 --csv").err, "table1 is written as --json, not as --csv"));
  EXPECT_TRUE(contains(run("deviations --json").err, "deviations is written as --csv, not as --json"));
}

}  // namespace
