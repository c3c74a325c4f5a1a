// Values from outside that cannot be right, and models that would exhaust the machine.
#include "compare_models.h"

namespace driftless::faulty_override_test {
namespace {

constexpr std::string_view swing = R"(model Swing
  parameter Real length = 1;
  parameter Real masses[2] = {1, 2};
  parameter Integer n = 3;
  final parameter Real half = length / 2;
  constant Real g = 9.81;
  Real x = half;
end Swing;
)";

TEST(FaultyOverride, SaysWhatAndWhere) {
  struct Row {
    std::vector<std::pair<std::string, std::string>> set;
    std::string messages;
  };
  const std::vector<Row> table{
      {{{"lenght", "2"}},
       "lenght = 2:1:1: error: the model has no parameter 'lenght'\n"
       "   1 | lenght\n"
       "     | ^^^^^^\n"
       "     = did you mean 'length'?\n"},
      {{{"g", "1"}},
       "g = 1:1:1: error: 'g' is a constant and cannot be set\n"
       "   1 | g\n"
       "     | ^\n"},
      {{{"half", "1"}},
       "half = 1:1:1: error: 'half' is final and cannot be set\n"
       "   1 | half\n"
       "     | ^^^^\n"},
      {{{"x", "1"}},
       "x = 1:1:1: error: 'x' is a variable, and no parameter\n"
       "   1 | x\n"
       "     | ^\n"
       "     = only parameters can be set\n"},
      {{{"n", "2.5"}},
       "n = 2.5:1:1: error: 'n' must be Integer, but this is Real\n"
       "   1 | 2.5\n"
       "     | ^^^\n"
       "     = round it: integer(x) is the largest Integer that is not above x\n"},
      {{{"masses", "{1, 2, 3}"}},
       "m.mo:3:18: error: 'masses' has size [2], but its value has size [3]\n"
       "   3 |   parameter Real masses[2] = {1, 2};\n"
       "     |                  ^^^^^^^^^^^^^^^^^^\n"},
      {{{"masses[3]", "1"}},
       "masses[3] = 1:1:8: error: the subscript 3 is out of range: 1 to 2\n"
       "   1 | masses[3]\n"
       "     |        ^\n"},
      {{{"length", "2 *"}},
       "length = 2 *:1:4: error: expected an expression, found the end of the file\n"
       "   1 | 2 *\n"
       "     |    ^\n"},
      {{{"length", "half"}},
       "m.mo:5:31: error: 'length' depends on itself: 'length' needs 'half' needs 'length'\n"
       "   5 |   final parameter Real half = length / 2;\n"
       "     |                               ^^^^^^\n"},
      {{{"", "1"}}, " = 1:1:1: error: expected an expression, found the end of the file\n"},
  };
  for (const Row& row : table) EXPECT_EQ(messages(swing, {.parameters = row.set}), row.messages) << row.set[0].first;
}

TEST(FaultyOverride, UnknownModelsAreNamed) {
  EXPECT_EQ(messages(swing, {.model = "Swng"}),
            "m.mo: error: there is no model 'Swng' in this file\n     = did you mean 'Swing'?\n");
}

// With small limits, so that the tests are quick; the real ones only differ in number.
TEST(FaultyLimits, LargeModelsAreRefused) {
  const ReadLimits limits{.elements = 1000, .work = 100'000, .calls = 20};
  const std::vector<std::pair<std::string, std::string>> table{
      {"model M Real x[2000]; end M;", "an array of size [2000] is too large: more than 1000 numbers"},
      {"model M Real x[900], y[900]; end M;", "the model becomes too large: more than 1000 numbers"},
      {"model M Real x[600]; equation der(x) = -x; end M;", "the model becomes too large: more than 1000 numbers"},
      {"model M parameter Real s = sum(1:2000); end M;", "this range is too long: more than 1000 numbers"},
      {"model M parameter Real s = sum(i + j + k for i in 1:100, j in 1:100, k in 1:100); end M;",
       "this model takes more than 1"},
      {"model M parameter Real s = sum(zeros(4000000000, 4000000000, 4)); end M;",
       "an array of size [4000000000, 4000000000, 4] is too large: more than 1000 numbers"},
      {"model M function f output Real y; algorithm y := 0; while true loop y := y + 1; end while; end f; parameter "
       "Real p = f(); "
       "end M;",
       "this model takes more than 1"},
      {"model M function f input Integer n; output Real y; algorithm y := f(n + 1); end f; parameter Real p = f(1); "
       "end M;",
       "functions call each other more than 20 levels deep"},
      {"model M function f input Integer n; output Real y; algorithm y := if n < 2 then 1 else f(n - 1) + f(n - 2); "
       "end f; parameter "
       "Real p = f(20); end M;",
       "this model takes more than 1"},
      {"model M record R Real x[900]; Real y[900]; end R; R r; end M;", "this record becomes too large"},
      {"model M Real x; equation for i in 1:100, j in 1:100, k in 1:100 loop assert(true, \"\"); end for; end M;",
       "this model takes more than 1"},
      {"model M parameter String s = f(); function f output String t; algorithm t := \"x\"; for i in 1:60 loop t := t "
       "+ t; end for; end "
       "f; end M;",
       "the model becomes too large: more than 1000 numbers"},
  };
  for (const auto& [text, message] : table) {
    const ModelReading reading = read_model(text, "m.mo", {.limits = limits});
    ASSERT_FALSE(reading.ok()) << text;
    EXPECT_EQ(reading.diagnostics[0].message.substr(0, message.size()), message) << text;
  }
}

TEST(FaultyLimits, DeepModelsAreRefused) {
  std::string chain = "model M parameter Real p0 = 1;";
  for (int i = 1; i < 3000; ++i) chain += fmt::format(" parameter Real p{} = p{};", i, i - 1);
  EXPECT_TRUE(read_model(chain + " end M;", "m.mo").ok());
  chain = "model M parameter Real p3000 = 1;";
  for (int i = 0; i < 3000; ++i) chain += fmt::format(" parameter Real p{} = p{};", i, i + 1);
  const ModelReading reading = read_model(chain + " end M;", "m.mo");
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.diagnostics[0].message, "the evaluation is nested more than 1000 levels deep");
  std::string types = "model M type T0 = Real;";
  for (int i = 1; i < 3000; ++i) types += fmt::format(" type T{} = T{};", i, i - 1);
  EXPECT_FALSE(read_model(types + " T2999 x; end M;", "m.mo").ok());
}

}  // namespace
}  // namespace driftless::faulty_override_test
