// Tableaux as data: the user's own numbers, and the catalogue.
#include "driftless/tableau/tableau.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "driftless/core/failure.h"

namespace driftless::tableau_test {
namespace {

std::string complaint_about(Matrix a, Vector b, Vector c = {}) {
  try {
    from_numbers("mine", std::move(a), std::move(b), std::move(c));
  } catch (const Misuse& misuse) {
    return misuse.what();
  }
  return "no complaint";
}

std::string complaint_about_name(std::string_view name) {
  try {
    tableau_by_name(name);
  } catch (const Misuse& misuse) {
    return misuse.what();
  }
  return "no complaint";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(FromNumbers, TakesRowSumsAsNodesUnlessGiven) {
  Matrix a(2, 2);
  a(1, 0) = 0.25;
  a(1, 1) = 0.5;
  EXPECT_EQ(from_numbers("mine", a, {0.5, 0.5}).c, (Vector{0.0, 0.75}));
  EXPECT_EQ(from_numbers("mine", a, {0.5, 0.5}, {0.1, 0.2}).c, (Vector{0.1, 0.2}));
  EXPECT_EQ(from_numbers("mine", a, {0.5, 0.5}).stages(), 2u);
}

TEST(FromNumbers, SaysWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint_about(Matrix(), {}), "tableau 'mine': A is empty; a method needs at least one stage");
  EXPECT_EQ(complaint_about(Matrix(2, 3), {1.0, 1.0}), "tableau 'mine': A is 2 x 3, but it must be square");
  EXPECT_EQ(complaint_about(Matrix(2, 2), {1.0}),
            "tableau 'mine': b has 1 entries, but A is 2 x 2: one entry per stage is needed");
  EXPECT_EQ(complaint_about(Matrix(1, 1), {1.0}, {0.0, 1.0}),
            "tableau 'mine': c has 2 entries, but A is 1 x 1: one entry per stage is needed");
  EXPECT_EQ(complaint_about(Matrix(1, 1, nan), {1.0}), "tableau 'mine': A contains nan");
  EXPECT_EQ(complaint_about(Matrix(1, 1), {INFINITY}), "tableau 'mine': b contains inf");
  EXPECT_EQ(complaint_about(Matrix(1, 1), {1.0}, {nan}), "tableau 'mine': c contains nan");
  EXPECT_EQ(complaint_about(Matrix(1, 1), {1.0}), "no complaint");
}

TEST(FromNumbers, TitleFallsBackToTheName) {
  EXPECT_EQ(title_of(from_numbers("mine", Matrix(1, 1), {1.0})), "mine");
  EXPECT_EQ(title_of(from_numbers("", Matrix(1, 1), {1.0})), "this method");
  EXPECT_EQ(title_of(tableau_by_name("gauss-1")), "Gauss (1 stage)");
}

TEST(Catalogue, EveryNameLeadsToItsTableau) {
  std::set<std::string> seen;
  for (const std::string& name : tableau_names()) {
    SCOPED_TRACE(name);
    const Tableau tableau = tableau_by_name(name);
    EXPECT_EQ(tableau.name, name);
    EXPECT_FALSE(tableau.citation.empty());
    EXPECT_FALSE(tableau.title.empty());
    EXPECT_EQ(tableau.a.rows(), tableau.stages());
    EXPECT_TRUE(seen.insert(name).second) << "listed twice";
  }
  EXPECT_EQ(seen.size(), 51u);
}

TEST(Catalogue, ForgivesSpelling) {
  EXPECT_EQ(tableau_by_name("Radau IIA 3").name, "radau-iia-3");
  EXPECT_EQ(tableau_by_name("LOBATTO_IIIC_4").name, "lobatto-iiic-4");
}

TEST(Catalogue, ProposesTheClosestAndListsTheKnown) {
  const std::string complaint = complaint_about_name("radau-2a-3");
  EXPECT_TRUE(contains(complaint, "no tableau is called 'radau-2a-3'; did you mean 'radau-ia-3'?")) << complaint;
  EXPECT_TRUE(contains(complaint, "radau-iia-1 ... radau-iia-10")) << complaint;
  EXPECT_TRUE(contains(complaint, "hem5")) << complaint;
  EXPECT_TRUE(contains(complaint_about_name("hem6"), "did you mean 'hem"));
  EXPECT_TRUE(contains(complaint_about_name("gauss-11"), "did you mean 'gauss-1"));
  EXPECT_TRUE(contains(complaint_about_name(""), "no tableau is called ''"));
}

}  // namespace
}  // namespace driftless::tableau_test
