#include "driftless/modelfile/text/diagnostic.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tuple>

#include "driftless/modelfile/text/suggest.h"

namespace driftless::diagnostic_test {
namespace {

TEST(Source, PlacesCountLinesAndCharacters) {
  const Source source("m.mo", "ab\r\n\xC3\xA4\xC3\xB6 x\rlast\n");
  const auto place = [&](std::uint32_t begin, std::uint32_t end) { return source.place({begin, end}); };
  EXPECT_EQ(place(1, 2).line, 1u);
  EXPECT_EQ(place(1, 2).column, 2u);
  EXPECT_EQ(place(4, 8).line, 2u);
  EXPECT_EQ(place(4, 8).length, 2u);
  EXPECT_EQ(place(9, 10).column, 4u);
  EXPECT_EQ(place(11, 12).line, 3u);
  EXPECT_EQ(place(0, 12).length, 2u);  // to the end of its line
  EXPECT_EQ(place(99, 99).line, 4u);   // behind the end
  EXPECT_EQ(place(99, 99).length, 1u);
  EXPECT_EQ(source.line(2), "\xC3\xA4\xC3\xB6 x");
  EXPECT_EQ(source.line(3), "last");
  EXPECT_EQ(source.line(0), "");
  EXPECT_EQ(source.line(9), "");
}

// Characters are counted by blocks of bytes, some of which begin inside one.
TEST(Source, PlacesInALongLineCountEveryCharacter) {
  std::string line;
  for (int k = 0; k < 1000; ++k) line += k % 3 == 0 ? "\xE2\x82\xAC" : "x";
  const Source source("m.mo", "first\n" + line + "\nlast");
  std::uint32_t begin = 6, column = 1;
  for (int k = 0; k < 1000; ++k, ++column) {
    const std::uint32_t end = begin + (k % 3 == 0 ? 3 : 1);
    const SourcePlace place = source.place({begin, end});
    ASSERT_EQ(std::tuple(place.line, place.column, place.length), std::tuple(2u, column, 1u)) << k;
    begin = end;
  }
  EXPECT_EQ(source.place({6, begin}).length, 1000u);
}

TEST(Source, CollapsesBlanksAndComments) {
  EXPECT_EQ(collapsed("a  =\n  b // why\n + \"x  y\" /* c */ * 'a  b'", 99), "a = b + \"x  y\" * 'a  b'");
  EXPECT_EQ(collapsed("abcdefgh", 4), "abcd ...");
  EXPECT_EQ(collapsed("ab\xC3\xA4x", 3), "ab ...");  // characters are not cut in two
}

TEST(Diagnostic, ShowsPlaceLineCaretAndSuggestion) {
  const std::string text = "model A\n\tReal x;\nequation\n\tx = yy;\nend A;\n";
  const Diagnostic diagnostic = diagnostic_at(Severity::error, "a.mo", text, {4, 6, 2}, "no 'yy'", "did you mean 'y'?");
  EXPECT_EQ(render(diagnostic),
            "a.mo:4:6: error: no 'yy'\n"
            "   4 | \tx = yy;\n"
            "     | \t    ^^\n"
            "     = did you mean 'y'?\n");
  const Diagnostic whole = diagnostic_at(Severity::warning, "a.mo", text, {}, "odd");
  EXPECT_EQ(render(whole), "a.mo: warning: odd\n");
}

// Of a model without its text there is a place, and no line to show.
TEST(Diagnostic, ShowsNoLineThatNobodyHas) {
  EXPECT_EQ(render(diagnostic_at(Severity::error, "a.mo", "", {4, 6, 2}, "no 'yy'", "did you mean 'y'?")),
            "a.mo:4:6: error: no 'yy'\n     = did you mean 'y'?\n");
}

TEST(Diagnostic, IsHarmlessForTerminalsAndForLongLines) {
  Diagnostic diagnostic = diagnostic_at(Severity::error, "a.mo", "a \x1B[31m\x01", {1, 1, 1}, "bad \x1B name\n");
  EXPECT_EQ(render(diagnostic), "a.mo:1:1: error: bad ? name?\n   1 | a ?[31m?\n     | ^\n");
  const std::string line = fmt::format("{:x<500}y{:z<500}", "", "");
  diagnostic = diagnostic_at(Severity::error, "a.mo", line, {1, 501, 1}, "y");
  EXPECT_EQ(render(diagnostic), fmt::format("a.mo:1:501: error: y\n"
                                            "   1 | ...{:x<70}y{:z<69}...\n"
                                            "     |    {:70}^\n",
                                            "", "", ""));
}

TEST(Diagnostics, StopsAfterManyErrors) {
  std::deque<Source> sources;
  sources.emplace_back("a.mo", "x");
  Diagnostics diagnostics(sources);
  for (int i = 0; i < 1000; ++i) diagnostics.error({0, 1}, fmt::format("e{}", i));
  EXPECT_TRUE(diagnostics.full());
  EXPECT_EQ(diagnostics.take().size(), Diagnostics::most_errors);
}

TEST(Diagnostics, AreSortedAndSaidOnce) {
  std::deque<Source> sources;
  sources.emplace_back("a.mo", "x\ny\n");
  Diagnostics diagnostics(sources);
  diagnostics.error({2, 3}, "second");
  diagnostics.warning({0, 1}, "first");
  diagnostics.error({2, 3}, "second");
  EXPECT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(render(diagnostics.take()),
            "a.mo:1:1: warning: first\n   1 | x\n     | ^\n"
            "a.mo:2:1: error: second\n   2 | y\n     | ^\n");
}

TEST(Suggest, MeasuresSlipsOfThePen) {
  EXPECT_EQ(edit_distance("omega", "omega", 9), 0.0);
  EXPECT_EQ(edit_distance("omgea", "omega", 9), 1.0);   // swapped
  EXPECT_EQ(edit_distance("omega", "omegas", 9), 1.0);  // inserted
  EXPECT_EQ(edit_distance("omega", "Omega", 9), 0.25);  // case
  EXPECT_EQ(edit_distance("kitten", "sitting", 9), 3.0);
}

TEST(Suggest, FindsTheNearestNameIfItIsNear) {
  const std::vector<std::string_view> names{"omega", "theta", "x", "'body.r'"};
  EXPECT_EQ(nearest_name("omgea", names), "omega");
  EXPECT_EQ(nearest_name("Theta", names), "theta");
  EXPECT_EQ(nearest_name("body.r", names), "'body.r'");
  EXPECT_EQ(nearest_name("'omega'", names), "omega");
  EXPECT_EQ(nearest_name("y", names), std::nullopt);
  EXPECT_EQ(nearest_name("X", names), "x");
  EXPECT_EQ(nearest_name("velocity", names), std::nullopt);
  EXPECT_EQ(did_you_mean("omgea", names), "did you mean 'omega'?");
  EXPECT_EQ(did_you_mean("body.r", names), "did you mean 'body.r'?");
  EXPECT_EQ(did_you_mean("velocity", names), "");
}

}  // namespace
}  // namespace driftless::diagnostic_test
