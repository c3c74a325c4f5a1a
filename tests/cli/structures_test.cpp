// What is found out about the shipped models, without a word from their authors about it.
#include "tests/cli/program.h"

namespace driftless::cli_test::structures_test {
namespace {

struct Shipped {
  const char* file;
  const char* settings;
  int index;
  std::size_t positions, velocities, multipliers;
  friend std::ostream& operator<<(std::ostream& out, const Shipped& one) { return out << one.file << one.settings; }
};

class Structures : public testing::TestWithParam<Shipped> {};

Json checked(const Shipped& shipped) {
  const Outcome outcome = driftless("check '" DRIFTLESS_SOURCE_DIR "/examples/models/" + std::string(shipped.file) +
                                    "' --json" + shipped.settings);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return Json::parse(outcome.out);
}

std::size_t count(const Json& report, const std::string& role) {
  const auto has = [&](const Json& variable) { return variable["role"] == role; };
  return static_cast<std::size_t>(std::count_if(report["variables"].begin(), report["variables"].end(), has));
}

TEST_P(Structures, AreFound) {
  const Json report = checked(GetParam());
  EXPECT_EQ(report["index"], GetParam().index);
  EXPECT_EQ(count(report, "position"), GetParam().positions);
  EXPECT_EQ(count(report, "velocity"), GetParam().velocities);
  EXPECT_EQ(count(report, "multiplier"), GetParam().multipliers);
  EXPECT_TRUE(report["start"]["moves"].empty()) << report["start"];
}

const Shipped shipped[] = {{"pendulum_schropp.mo", "", 3, 2, 2, 1},
                           {"pendulum_disguised.mo", "", 3, 2, 2, 1},
                           {"pendulum_velocity_level.mo", "", 2, 2, 2, 1},
                           {"pendulum_wall.mo", "", 3, 2, 2, 1},
                           {"transistor_amplifier.mo", "", 1, 0, 0, 0},
                           {"nand_gate.mo", "", 0, 0, 0, 0},
                           {"andrews_squeezer.mo", "", 3, 7, 7, 6},
                           {"chain_pendulum.mo", "", 3, 10, 10, 5},
                           {"chain_pendulum.mo", " --set n=1", 3, 2, 2, 1},
                           {"chain_pendulum.mo", " --set n=37", 3, 74, 74, 37},
                           {"closed_loop_chain.mo", "", 3, 10, 10, 6},
                           {"slider_crank_flexible_b.mo", "", 2, 7, 6, 2},
                           {"kane_pendulum.mo", "", 3, 2, 2, 1},
                           {"knife_edge.mo", "", 2, 3, 3, 1},
                           {"bennett_linkage.mo", "", 3, 10, 10, 10},
                           {"fekete20_ggl.mo", "", 2, 0, 0, 40}};

// A velocity that is the derivative of a coordinate says of which.
TEST(Structures, NameVelocitiesAndWhatTheyMove) {
  const auto roles = [](const char* file) {
    std::map<std::string, std::string> found;
    const Json report = checked({file, "", 0, 0, 0, 0});
    for (const Json& variable : report["variables"])
      found[variable["name"]] = variable["role"].get<std::string>() + " " + variable.value("of", "");
    return found;
  };
  auto edge = roles("knife_edge.mo"), kane = roles("kane_pendulum.mo");
  EXPECT_EQ(edge["vx"], "velocity x");
  EXPECT_EQ(edge["w"], "velocity phi");
  EXPECT_EQ(edge["phi"], "position ");
  EXPECT_EQ(edge["force"], "multiplier ");
  EXPECT_EQ(edge["y"], "position ");
  EXPECT_EQ(kane["along"], "velocity ");
  EXPECT_EQ(kane["across"], "velocity ");
  EXPECT_EQ(kane["x"], "position ");
  auto disc = roles("rolling_disc.mo");
  for (const char* position : {"x", "y", "z", "phi", "psi", "theta"}) EXPECT_EQ(disc[position], "position ");
  EXPECT_EQ(disc["lean"], "velocity theta");
  for (const char* velocity : {"yaw", "spin"}) EXPECT_EQ(disc[velocity], "velocity ");
}

INSTANTIATE_TEST_SUITE_P(Shipped, Structures, testing::ValuesIn(shipped));

// The mechanism of index 3 in other words, and its velocity level, move in the same way.
TEST(Structures, OfOneMechanismLeadToOneSolution) {
  const auto solved = [](const std::string& file, const std::string& settings) {
    const Outcome outcome = driftless("solve '" DRIFTLESS_SOURCE_DIR "/examples/models/" + file +
                                      "' --json --rtol 1e-10 --t-end 2 " + settings);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json plain = solved("pendulum_schropp.mo", "--set g=9.81 --set u1=0.8 --set u2=-0.6");
  const Json disguised = solved("pendulum_disguised.mo", "");
  EXPECT_NEAR(disguised["final"]["aside"], plain["final"]["u1"], 1e-8);
  EXPECT_NEAR(disguised["final"]["x"], -plain["final"]["u1"].get<double>(), 1e-8);
  EXPECT_NEAR(disguised["final"]["up"], plain["final"]["v2"], 1e-7);
  const Json position = solved("pendulum_schropp.mo", "--set g=9.81 --set u1=0.6 --set u2=-0.8");
  const Json velocity = solved("pendulum_velocity_level.mo", "");
  EXPECT_EQ(velocity["index"], 2);
  EXPECT_NEAR(velocity["final"]["x"], position["final"]["u1"], 1e-8);
  EXPECT_NEAR(velocity["final"]["vy"], position["final"]["v2"], 1e-7);
  EXPECT_NEAR(velocity["final"]["lambda"], 2.0 * position["final"]["lambda"].get<double>(), 1e-6);
}

}  // namespace
}  // namespace driftless::cli_test::structures_test
