// Circuits in Base Modelica, as front ends flatten them: read as they are, reduced to a few unknowns, and the same
// solution as that of the equations that a person would write down.
#include <fmt/format.h>

#include <cmath>

#include "tests/cli/program.h"

namespace driftless::cli_test::circuits_test {
namespace {

const std::string folder = DRIFTLESS_SOURCE_DIR "/examples/models/base/";

struct Circuit {
  const char* file;
  int index;
  std::size_t variables, eliminated;
  std::vector<std::string> states;
  const char* ground_current;  // of a closed circuit: none
  double t_end;
  const char* by_hand;                                     // the same as text
  std::vector<std::pair<std::string, std::string>> equal;  // names in the circuit and by hand

  friend std::ostream& operator<<(std::ostream& out, const Circuit& one) { return out << one.file; }
};

const Circuit circuits[] = {
    {"bridge_rectifier.mo",
     1,
     65,
     61,
     {"C.v"},
     "ground.p.i",
     0.03,
     R"(
model M
  Real v(start = 0, fixed = true), a, b, i, i1, i2, i3, i4;
  function diode
    input Real v;
    output Real i;
  algorithm
    i := noEvent(if v / 0.04 > 15 then 1e-6 * (exp(15) * (1 + v / 0.04 - 15) - 1) else 1e-6 * (exp(v / 0.04) - 1)) + v / 1e8;
  end diode;
equation
  b = a + i - 12 * sin(100 * 3.141592653589793 * time);
  i1 = diode(a - v);
  i2 = diode(b - v);
  i3 = diode(-a);
  i4 = diode(-b);
  i = i1 - i3;
  -i = i2 - i4;
  1e-3 * der(v) = i1 + i2 - v / 100;
end M;)",
     {{"C.v", "v"}, {"D1.i", "i1"}, {"Ri.i", "i"}}},
    {"opamp_filter.mo",
     1,
     84,
     78,
     {"C1.v", "C2.v"},
     "",
     0.007,
     R"(
model M
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), a, o1, d, o2;
equation
  v1 = a - o1;
  2.2e-8 * der(v1) = (sin(400 * 3.141592653589793 * time) - a) / 1e4 - (a - v2) / 1e4;
  1e-8 * der(v2) = (a - v2) / 1e4;
  o1 = 15000 * (v2 - o1);
  (o1 - d) / 1000 = (d - o2) / 22000;
  o2 = if -15000 * d > 15 then 15 elseif -15000 * d < -15 then -15 else -15000 * d;
end M;)",
     {{"C1.v", "v1"}, {"C2.v", "v2"}, {"second.v_out", "o2"}, {"R4.n.v", "o2"}}},
    {"chua.mo",
     0,
     43,
     40,
     {"L.i", "C1.v", "C2.v"},
     "Gnd.p.i",
     500.0,
     R"(
model M
  Real i(start = 0, fixed = true), v1(start = 4, fixed = true), v2(start = 0, fixed = true);
equation
  18 * der(i) = v2 - 0.0125 * i;
  100 * der(v2) = 0.565 * (v1 - v2) - i;
  10 * der(v1) = 0.565 * (v2 - v1)
    - (if v1 < -1 then -0.409091 * (v1 + 1) + 0.757576 elseif v1 > 1 then -0.409091 * (v1 - 1) - 0.757576 else -0.757576 * v1);
end M;)",
     {{"L.i", "i"}, {"C1.v", "v1"}, {"C2.p.v", "v2"}}},
    {"chua_ring.mo",
     0,
     502,
     472,
     {"cell1.C1.v", "cell10.L.i"},
     "Gnd.p.i",
     100.0,
     R"(
model M
  parameter Integer n = 10;
  Real i[n](each start = 0, each fixed = true), v1[n](start = {4 - 0.1 * k for k in 1:n}, each fixed = true);
  Real v2[n](start = {0.05 * k for k in 1:n}, each fixed = true);
equation
  for k in 1:n loop
    18 * der(i[k]) = v2[k] - 0.0125 * i[k];
    100 * der(v2[k]) = 0.565 * (v1[k] - v2[k]) - i[k];
    10 * der(v1[k]) = 0.565 * (v2[k] - v1[k])
      - (if v1[k] < -1 then -0.409091 * (v1[k] + 1) + 0.757576
         elseif v1[k] > 1 then -0.409091 * (v1[k] - 1) - 0.757576 else -0.757576 * v1[k])
      + (v1[if k < n then k + 1 else 1] + v1[if k > 1 then k - 1 else n] - 2 * v1[k]) / 20;
  end for;
end M;)",
     {{"cell1.C1.v", "v1[1]"}, {"cell7.L.i", "i[7]"}, {"cell10.C2.v", "v2[10]"}}},
};

class BaseModelica : public InFolder, public testing::WithParamInterface<Circuit> {};

TEST_P(BaseModelica, IsReducedToAFewUnknowns) {
  const Circuit& circuit = GetParam();
  const Outcome outcome = driftless("check '" + folder + circuit.file + "' --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report["index"], circuit.index);
  EXPECT_EQ(report["variables"].size(), circuit.variables);
  EXPECT_EQ(report["eliminated"], circuit.eliminated);
  for (const std::string& name : circuit.states) {
    const auto of_this_name = [&](const Json& variable) { return variable["name"] == name; };
    const auto found = std::find_if(report["variables"].begin(), report["variables"].end(), of_this_name);
    ASSERT_NE(found, report["variables"].end()) << name;
    EXPECT_EQ((*found)["role"], "state") << name;
  }
}

TEST_P(BaseModelica, MovesAsTheEquationsWrittenByHand) {
  const Circuit& circuit = GetParam();
  const std::string options = " --json --rtol 1e-9 --atol 1e-11 --t-end " + std::to_string(circuit.t_end);
  std::ofstream("by_hand.mo") << circuit.by_hand;
  const Outcome found = driftless("solve '" + folder + circuit.file + "'" + options);
  const Outcome expected = driftless("solve by_hand.mo" + options);
  ASSERT_EQ(found.exit_code, 0) << found.err;
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  const Json values = Json::parse(found.out)["final"], by_hand = Json::parse(expected.out)["final"];
  for (const auto& [name, other] : circuit.equal) {
    const double x = by_hand[other];
    EXPECT_NEAR(values[name].get<double>(), x, 2e-6 * std::max(1.0, std::abs(x))) << name;
  }
  const std::string ground = circuit.ground_current;
  EXPECT_NEAR(ground.empty() ? 0.0 : values[ground].get<double>(), 0.0, 1e-12);
}

// The whole run that the file asks for.
TEST_P(BaseModelica, RunsToItsEnd) {
  const Outcome outcome = driftless("solve '" + folder + GetParam().file + "' --output result.csv");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GE(lines(file_text("result.csv")).size(), 500u);
}

// The limit of its second amplifier is a kink, and no event (`smooth`): steps meet it in another place at each
// tolerance.
TEST_F(InFolder, LimitedAmplifierIsSolvedAtEveryTolerance) {
  const auto output = [](double tolerance) {
    const Outcome outcome =
        driftless(fmt::format("solve '{}opamp_filter.mo' --json --rtol {} --t-end 0.0075", folder, tolerance));
    EXPECT_EQ(outcome.exit_code, 0) << tolerance << '\n' << outcome.err;
    return Json::parse(outcome.out)["final"]["C2.v"].get<double>();
  };
  const double expected = output(1e-12);
  for (int k = 0; k < 40; ++k) {
    const double tolerance = 3e-10 * std::pow(10.0, k / 40.0);
    EXPECT_NEAR(output(tolerance), expected, 100.0 * tolerance) << tolerance;
  }
}

INSTANTIATE_TEST_SUITE_P(Circuits, BaseModelica, testing::ValuesIn(circuits), [](const auto& one) {
  const std::string name = one.param.file;
  return name.substr(0, name.find('.'));
});

}  // namespace
}  // namespace driftless::cli_test::circuits_test
