#include "driftless/modelfile/compiled/drawing.h"

#include "compare_models.h"

namespace driftless::drawing_test {
namespace {

std::string chain(const std::string& annotation) {
  return "model m\n"
         "  parameter Integer n = 3;\n"
         "  parameter Real l = 0.5;\n"
         "  Real x[n](start = {1, 2, 3}, each fixed = true), y[n](each start = 0, each fixed = true), far;\n"
         "equation\n"
         "  der(x) = -y;\n"
         "  der(y) = x;\n"
         "  far = 2 * x[n];\n"
         "  annotation(__driftless(" +
         annotation +
         "));\n"
         "end m;\n";
}

TEST(Drawing, PointsAreExpressionsOfTheLanguage) {
  const FlatModel model = flat(chain(
      "points = [0, 0; x, y; far, l * time], links = {{k, k + 1} for k in 1:n}, springs = [4, 5], bodies = [1, 2, 3], "
      "ground = {1}, traces = {n + 1}"));
  ASSERT_TRUE(model.drawing);
  const FlatDrawing& drawing = *model.drawing;
  EXPECT_EQ(drawing.dimension, 2u);
  EXPECT_EQ(drawing.points.size(), 10u);
  EXPECT_EQ(drawing.links, (std::vector<std::array<std::size_t, 2>>{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(drawing.springs, (std::vector<std::array<std::size_t, 2>>{{3, 4}}));
  EXPECT_EQ(drawing.bodies, (std::vector<std::array<std::size_t, 3>>{{0, 1, 2}}));
  EXPECT_EQ(drawing.ground, std::vector<std::size_t>{0});
  EXPECT_EQ(drawing.traces, std::vector<std::size_t>{3});
}

TEST(Drawing, PointsFollowFromTheResults) {
  const Compilation compilation = compile(flat(chain("points = [0, 0; x, y; far, l * time]")));
  ASSERT_TRUE(compilation.ok());
  DrawnPoints points(*compilation.model);
  ASSERT_EQ(points.count(), 10u);
  const ModelStart start = compilation.model->start(0.0);
  Vector results(compilation.model->variables().size()), out(10);
  compilation.model->results(start.held)(4.0, start.state, results);
  points.at(4.0, results, out);
  EXPECT_EQ(out, (Vector{0, 0, 1, 0, 2, 0, 3, 0, 6, 2}));
}

TEST(Drawing, ADrawingDoesNotChangeTheModel) {
  const FlatModel with = flat(chain("points = [x, y]")), without = flat(chain(""));
  EXPECT_EQ(with.equations.size(), without.equations.size());
  EXPECT_EQ(with.relations.size(), without.relations.size());
  EXPECT_FALSE(without.drawing);
}

TEST(Drawing, WhatIsWrongIsSaid) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"points = [0, 0, 0, 0]", "'points' has the size [1, 4]"},
      {"points = {1, 2}", "'points' has the size [2]"},
      {"points = [x, der(x)]", "'points' may depend on variables, parameters and time, but not on der() or pre()"},
      {"points = [x, z]", "the name 'z' is not known"},
      {"links = [1, 2]", "'links' of a drawing without points"},
      {"points = [x, y], links = [1, 4]", "'links' must be numbers of points, from 1 to 3"},
      {"points = [x, y], links = {1, 2}", "'links' has the size [2]"},
      {"points = [x, y], traces = [1, 2]", "'traces' has the size [1, 2]"},
      {"points(a = 1)", "'points' of a drawing needs a value"}};
  for (const auto& [annotation, message] : table) {
    const std::string text = messages(chain(annotation));
    EXPECT_NE(text.find(message), std::string::npos) << annotation << "\n" << text;
  }
}

}  // namespace
}  // namespace driftless::drawing_test
