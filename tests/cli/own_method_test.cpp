// Methods from files of the user's own, and what `methods` computes about stability.
#include <cmath>

#include "tests/cli/program.h"

namespace driftless::cli_test::own_method_test {
namespace {

class OwnMethod : public InFolder {
 protected:
  static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
};

const char* const radau = R"({"A": [["5/12", "-1/12"], ["3/4", "1/4"]], "b": ["3/4", "1/4"], "c": ["1/3", 1],
 "title": "Radau by hand", "source": "a book"})";

const char* const decay = R"(model decay
  Real y(start = 1, fixed = true);
equation
  der(y) = -y;
end decay;
)";

Json without_names(Json object) {
  for (const char* key : {"name", "title", "source"}) object.erase(key);
  object["index2"].erase("reason");
  object["index3"].erase("reason");
  object["certificate"].erase("verdict");
  return object;
}

TEST_F(OwnMethod, HasThePropertiesOfTheSameNumbersByName) {
  write("mine.json", radau);
  const Outcome text = driftless("methods mine.json");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  for (const char* part : {"mine.json: Radau by hand\n", "\n  source                a book\n",
                           "\n  order, stage order    3, 2\n", "\n  R(infinity)           0\n",
                           "\nIndex 3, projected: the conditions hold\n", "\nOrders for index 2, projected: 3 for u"})
    EXPECT_TRUE(contains(text.out, part)) << part << text.out;
  const Json mine = Json::parse(driftless("methods mine.json --json --coefficients").out);
  const Json named = Json::parse(driftless("methods radau-iia-2 --json --coefficients").out);
  EXPECT_EQ(mine["title"], "Radau by hand");
  EXPECT_EQ(without_names(mine), without_names(named));
}

TEST_F(OwnMethod, SolvesWithFixedSteps) {
  write("euler.json", R"({"A": [[1]], "b": [1]})");
  write("mine.json", radau);
  write("decay.mo", decay);
  const Json run = Json::parse(driftless("solve decay.mo --method euler.json --steps 20 --json").out);
  EXPECT_EQ(run["method"], "euler.json");
  EXPECT_NEAR(run["final"]["y"], std::pow(1.05, -20), 1e-14);
  for (const char* model : {"decay.mo", "problem:pendulum_schropp"}) {
    const std::string solve = std::string("solve ") + model + " --t-end 1 --steps 50 --json --method ";
    EXPECT_EQ(Json::parse(driftless(solve + "mine.json").out)["final"],
              Json::parse(driftless(solve + "radau-iia-2").out)["final"]);
  }
  EXPECT_EQ(driftless("solve decay.mo --method euler.json --steps 2 -o run.csv").exit_code, 0);
  const Json metadata = Json::parse(file_text("run.csv-metadata.json"));
  EXPECT_TRUE(contains(metadata.dump(), R"("tableau":{"A":[[1.0]],"b":[1.0],"c":[1.0]})")) << metadata.dump();
  const Outcome adaptive = driftless("solve decay.mo --method euler.json");
  EXPECT_EQ(adaptive.exit_code, 2);
  EXPECT_TRUE(contains(adaptive.err, "euler.json takes fixed steps: add --steps N or --step-size H")) << adaptive.err;
}

// Conditions decide as for named ones: Qin and Zhang have |R(infinity)| = 1.
TEST_F(OwnMethod, IsRefusedWhereTheConditionsExcludeIt) {
  write("qz.json", R"({"A": [["1/4", 0], ["1/2", "1/4"]], "b": ["1/2", "1/2"]})");
  const Outcome refused = driftless("solve problem:pendulum_schropp --method qz.json --steps 10");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "refused for index 3: qz: (B2) fails: |R(infinity)| = 1")) << refused.err;
  const Json properties = Json::parse(driftless("methods qz.json --json").out);
  EXPECT_EQ(properties["order"], 2);
  EXPECT_EQ(properties["algebraically_stable"], true);
  EXPECT_NEAR(properties["r_infinity"], 1.0, 1e-14);
  EXPECT_EQ(properties["certificate"]["m"], Json({{0.0, 0.0}, {0.0, 0.0}}));
}

TEST_F(OwnMethod, HasAManifold) {
  write("my method.json", radau);
  const std::string common = "analyse manifold problem:hlr_index2 --points 1 --json --method ";
  const Json mine = Json::parse(driftless(common + "'my method.json, radau-iia-2'").out);
  ASSERT_EQ(mine["methods"].size(), 2u);
  EXPECT_EQ(mine["methods"][0]["method"], "my method.json");
  EXPECT_EQ(mine["methods"][0]["rows"], mine["methods"][1]["rows"]);
  EXPECT_EQ(mine["methods"][0]["promised"]["order"], 2);
}

struct Bad {
  const char* text;
  const char* message;
};

TEST_F(OwnMethod, SaysWhatIsWrongAndWhere) {
  for (const Bad& bad :
       {Bad{"", "bad.json:1:1: this is not JSON"},
        Bad{"{\"A\": [[1]],\n \"b\": [1}", "bad.json:2:9: this is not JSON"},
        Bad{"[1]", "bad.json: an object is needed"},
        Bad{R"({"b": [1]})", "bad.json: \"A\" is missing"},
        Bad{R"({"A": [[1]]})", "bad.json: \"b\" is missing"},
        Bad{R"({"A": 1, "b": [1]})", "bad.json: \"A\": a list of numbers is needed"},
        Bad{R"({"A": [1], "b": [1]})", "bad.json: \"A\", row 1: a list of numbers is needed"},
        Bad{R"({"A": [[1, 0], [1]], "b": [1, 0]})",
            "bad.json: \"A\", row 2: it has 1 entries, but A has 2 rows, and must be square"},
        Bad{R"({"A": [[1]], "b": [0.5, 0.5]})", "bad.json: \"b\": it has 2 entries, but A has 1 rows"},
        Bad{R"({"A": [["x"]], "b": [1]})", "bad.json: \"A\", row 1, column 1: \"x\" is not a number"},
        Bad{R"({"A": [["1/0"]], "b": [1]})", "\"1/0\" is not a number"},
        Bad{R"({"A": [["1/2/3"]], "b": [1]})", "\"1/2/3\" is not a number"},
        Bad{R"({"A": [[null]], "b": [1]})", "column 1: null is not a number"},
        Bad{R"({"A": [["inf"]], "b": [1]})", "\"inf\" is not a number"},
        Bad{R"({"A": [[1e999]], "b": [1]})", "bad.json"},
        Bad{R"({"A": [[1]], "b": [0.9]})", "bad.json: \"b\": the weights add up to 0.9, but must to 1"},
        Bad{R"({"A": [[1]], "b": [1], "c": [0.5]})",
            "bad.json: \"c\", entry 1: it is 0.5, but row 1 of A adds up to 1"},
        Bad{R"({"A": [["1/3"]], "b": [1], "c": [0.333333]})", "write fractions as strings"},
        Bad{R"({"A": [[1]], "b": [1], "d": [1]})", "bad.json: there is no key \"d\""},
        Bad{R"({"A": [[1]], "b": [1], "b": [1]})", "bad.json: the key \"b\" comes twice"},
        Bad{R"({"A": [[1]], "b": [1], "title": 3})", "bad.json: \"title\": words in quotes are needed"}}) {
    write("bad.json", bad.text);
    for (const std::string command : {"methods bad.json", "solve problem:pendulum_schropp --steps 5 --method bad.json",
                                      "analyse manifold problem:hlr_index2 --method bad.json"}) {
      const Outcome outcome = driftless(command);
      EXPECT_EQ(outcome.exit_code, 3) << command << bad.text << outcome.err;
      EXPECT_TRUE(contains(outcome.err, bad.message)) << bad.text << outcome.err;
      EXPECT_EQ(outcome.out, "");
    }
    const Json refusal = Json::parse(driftless("methods bad.json --json").out);
    EXPECT_EQ(refusal["status"], "file");
    EXPECT_TRUE(contains(refusal["message"], bad.message)) << refusal;
  }
  EXPECT_TRUE(contains(driftless("methods none.json").err, "there is no method file 'none.json' that can be read"));
  EXPECT_EQ(driftless("methods none.json").exit_code, 3);
}

TEST_F(OwnMethod, IsOfferedByCompletion) {
  write("mine.json", radau);
  EXPECT_EQ(driftless("complete -- methods mi").out, "mine.json\n");
  EXPECT_EQ(driftless("complete -- solve x.mo --method mi").out, "mine.json\n");
  EXPECT_EQ(driftless("complete -- analyse manifold x.mo --method=mi").out, "--method=mine.json\n");
}

// m_D[A^-1] in closed form, Hairer and Wanner II, IV.14: Gauss 1 / (2 c (1 - c)), Radau IIA 1 / (2 c_{s-1}).
TEST(MethodContraction, HasTheClosedFormsOfTheFamilies) {
  const auto value = [](const char* name) {
    const Json found = Json::parse(driftless(std::string("methods ") + name + " --json").out);
    return (found.is_array() ? found[1] : found)["stage_monotonicity"];
  };
  EXPECT_NEAR(value("gauss-2")["inner_product"]["value"], 3.0, 1e-12);
  EXPECT_NEAR(value("radau-iia-2")["inner_product"]["value"], 1.5, 1e-12);
  EXPECT_NEAR(value("radau-iia-3")["inner_product"]["value"], 5.0 / (4.0 + std::sqrt(6.0)), 1e-12);
  EXPECT_EQ(value("radau-iia-3")["inner_product"]["attained"], true);
  EXPECT_EQ(value("lobatto-iiic-3")["inner_product"]["value"], 0.0);
  EXPECT_NEAR(value("implicit-euler")["any_norm"]["value"], 1.0, 1e-14);
  EXPECT_TRUE(value("dopri5").is_null());
  const std::string text = driftless("methods radau-iia-3").out;
  EXPECT_TRUE(contains(text, "\n  m_D[A^-1]             0.7752551286 for D = diag(")) << text;
  EXPECT_TRUE(contains(driftless("methods dopri5").out, "\n  m_D[A^-1]             none: A is singular\n"));
}

std::vector<double> entries(const Json& list) { return list.get<std::vector<double>>(); }

// The certificate proves what it says: M = F^T F, or y^T M y < 0, with M = B A + A^T B - b b^T from the coefficients.
TEST(MethodContraction, CertificateCanBeChecked) {
  for (const char* name : {"radau-iia-3", "lobatto-iiic-2", "gauss-3", "sdirk-2", "hem3", "dop853"}) {
    SCOPED_TRACE(name);
    Json all = Json::parse(driftless(std::string("methods ") + name + " --coefficients --json").out);
    if (all.is_array()) all = all[1];
    const Json& c = all["certificate"];
    EXPECT_EQ(c["checked"], true);
    const std::size_t s = all["b"].size();
    const auto m = [&](std::size_t i, std::size_t j) {
      const double bi = all["b"][i], bj = all["b"][j], aij = all["a"][i][j], aji = all["a"][j][i];
      return bi * aij + bj * aji - bi * bj;
    };
    double form = 0.0;
    for (std::size_t i = 0; i < s; ++i)
      for (std::size_t j = 0; j < s; ++j) {
        EXPECT_NEAR(c["m"][i][j], m(i, j), 1e-13);
        if (c["algebraically_stable"]) {
          double sum = 0.0;
          for (const Json& row : c["factor"]) sum += row[i].get<double>() * row[j].get<double>();
          EXPECT_NEAR(sum, m(i, j), 1e-13);
        } else if (c.contains("witness")) {
          form += entries(c["witness"])[i] * m(i, j) * entries(c["witness"])[j];
        }
      }
    if (c["algebraically_stable"]) continue;
    if (c.contains("witness")) {
      EXPECT_LT(form, -1e-3);
      EXPECT_NEAR(form, c["witness_value"], 1e-12);
    } else {
      EXPECT_LT(all["b"][c["negative_weight"].get<std::size_t>() - 1], 0.0);
    }
  }
  EXPECT_TRUE(
      contains(driftless("methods dopri5").out, "the\n                        weight b_5 = -0.322376 is negative"));
}

}  // namespace
}  // namespace driftless::cli_test::own_method_test
