// Reading ends: at limits of work and size that the message names, or when somebody stops it.
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "driftless/core/stop.h"
#include "driftless/modelfile/compiled/compiled_model.h"
#include "driftless/modelfile/flatten/read_model.h"

namespace driftless::limits_test {
namespace {

const std::string endless = R"(model W
  function f input Real x; output Real y; algorithm y := x; while true loop y := y + 1; end while; end f;
  function g input Integer n; output Real y; algorithm y := if n < 2 then 1 else g(n - 1) + g(n - 2); end g;
  parameter Real p = f(1), q = f(2), r = g(70);
  Real x(start = 1);
equation
  der(x) = -p * x;
end W;
)";

ModelReading read(const std::string& text, ReadLimits limits) { return read_model(text, "w.mo", {.limits = limits}); }

TEST(ReadLimits, WorkEndsAtItsLimitOnce) {
  const ModelReading reading = read(endless, {.work = 100'000});
  EXPECT_FALSE(reading.ok());
  EXPECT_TRUE(reading.limit_reached);
  ASSERT_EQ(reading.diagnostics.size(), 1u) << "the next parameter begins no work of its own";
  EXPECT_EQ(reading.diagnostics[0].message, "this model takes more than 1.01e+05 evaluations to read");
  EXPECT_NE(reading.diagnostics[0].suggestion.find("--max-work"), std::string::npos);
}

TEST(ReadLimits, CallsOfFunctionsAreWork) {
  const std::string calls = R"(model M
  function f input Real x; output Real y; algorithm y := x; end f;
  Real x = sum(f(i) for i in 1:1000);
end M;
)";
  EXPECT_TRUE(read(calls, {.work = 40'000}).ok());
  EXPECT_TRUE(read(calls, {.work = 15'000}).limit_reached);
}

TEST(ReadLimits, ALargeModelMayTakeMoreThanASmallOne) {
  const std::string large = R"(model L
  Real x[2000];
equation
  for i in 1:2000 loop x[i] = sum(x[j] for j in max(1, i - 10):i) + i; end for;
end L;
)";
  EXPECT_TRUE(read(large, {.work = 10'000}).ok());
  EXPECT_TRUE(read(large, {.elements = 1000}).limit_reached);
}

// Places are counted in characters from the beginning of a line, and a program may write a model without line ends.
TEST(ReadLimits, ALongLineCostsWhatManyLinesCost) {
  const auto seconds_for = [](const char* end) {
    std::string text = "model B Real x(start = 0); equation der(x) = ";
    for (int k = 0; k < 40'000; ++k) text += std::string("if x > 1 then 2 else") + end;
    const std::clock_t begin = std::clock();
    EXPECT_TRUE(read(text + "1; end B;", {}).ok());
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  EXPECT_LT(seconds_for(" "), 3.0 * seconds_for("\n"));
}

TEST(ReadLimits, ASumOfManyStringsTakesWhatItsLengthIs) {
  std::string sum = "\"a\"", numbers = "String(x)";
  for (int k = 0; k < 20'000; ++k) sum += " + \"b\"", numbers += " + String(x)";
  for (const std::string& text : {sum, numbers}) {
    const ModelReading reading =
        read("model S Real x(start = 1); equation der(x) = -x; assert(x > -1, " + text + "); end S;",
             {.elements = 200'000, .work = 1'000'000});
    ASSERT_TRUE(reading.ok()) << render(reading.diagnostics);
    EXPECT_EQ(reading.model->asserts.size(), 1u);
  }
}

TEST(ReadLimits, TextsThatGrowInALoopAreCounted) {
  const std::string growing = R"(model S
  function f input Integer n; output String s; algorithm s := "a"; for i in 1:n loop s := s + s; end for; end f;
  Real x(start = 1);
equation
  der(x) = -x;
  assert(x > -1, f(60));
end S;
)";
  EXPECT_TRUE(read(growing, {.elements = 100'000}).limit_reached);
}

TEST(ReadLimits, AStopIsSeenWhileAModelIsReadAndCompiled) {
  const std::string model = R"(model L
  Real x[500], y[500];
equation
  for i in 1:500 loop der(x[i]) = -sin(x[i]) * y[max(1, i - 1)]; y[i] = cos(x[i]) + i; end for;
end L;
)";
  ModelReading reading = read(model, {});
  ASSERT_TRUE(reading.ok());
  std::stop_source source;
  const StopScope scope(source.get_token());
  source.request_stop();
  EXPECT_THROW(read(endless, {}), Stopped);
  EXPECT_THROW(compile(*reading.model), Stopped);
}

// Taking a large dense loop apart cost the fourth power of its size, and gigabytes: it is left to the solver.
TEST(ReadLimits, ALargeDenseLoopIsLeftToTheSolver) {
  const auto eliminated = [](int n, const std::string& sum) {
    const ModelReading reading =
        read("model D\n  parameter Integer n = " + std::to_string(n) +
                 ";\n  Real y[n], x(start = 1);\nequation\n  der(x) = -y[1];\n" + "  for i in 1:n loop " + sum +
                 " + n * y[i] = x + i * time; end for;\nend D;\n",
             {});
    return compile(*reading.model).model->eliminated();
  };
  EXPECT_LE(eliminated(100, "sum(y[j] / (1 + abs(i - j)) for j in 1:n)"), 1u);
  EXPECT_EQ(eliminated(40, "sum(y[j] / (1 + abs(i - j)) for j in 1:n)"), 40u);
}

}  // namespace
}  // namespace driftless::limits_test
