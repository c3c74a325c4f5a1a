// `driftless check` on every shipped model, and on models made of components: accepted, with the index and the number
// of unknowns that are left to the solver.
#include "tests/cli/program.h"

namespace driftless::cli_test::check_examples_test {
namespace {

struct Expected {
  const char* model;
  int index;
  std::size_t unknowns, constraints;
  friend std::ostream& operator<<(std::ostream& out, const Expected& one) { return out << one.model; }
};

const std::string shipped_folder = DRIFTLESS_SOURCE_DIR "/examples/models/";

void expect_structure(const Json& report, const Expected& expected) {
  std::size_t unknowns = 0;
  for (const Json& group : report["unknowns"]) unknowns += group.size();
  EXPECT_EQ(report["index"], expected.index);
  EXPECT_EQ(unknowns, expected.unknowns) << report["unknowns"];
  EXPECT_EQ(report["constraints"].size(), expected.constraints) << report["constraints"];
}

const Expected examples[] = {{"andrews_squeezer", 3, 20, 6},
                             {"ascher_petzold_index2", 2, 3, 1},
                             {"base/bridge_rectifier", 1, 4, 3},
                             {"base/chua", 0, 3, 0},
                             {"base/chua_ring", 0, 30, 0},
                             {"base/opamp_filter", 1, 6, 4},
                             {"bennett_linkage", 3, 30, 10},
                             {"car_axis", 3, 10, 2},
                             {"chain_pendulum", 3, 25, 5},
                             {"charge_pump", 2, 10, 4},
                             {"closed_loop_chain", 3, 26, 6},
                             {"damped_pendulum", 3, 5, 1},
                             {"end_stop", 1, 3, 1},
                             {"fekete20", 3, 140, 20},
                             {"fekete20_ggl", 2, 160, 40},
                             {"gradient_flow_sphere", 2, 6, 1},
                             {"heat_flux_mol", 1, 19, 9},
                             {"hlr_index2", 2, 3, 1},
                             {"hlr_index3", 3, 5, 1},
                             {"kane_pendulum", 3, 5, 1},
                             {"knife_edge", 2, 7, 1},
                             {"large/brusselator", 0, 128, 0},
                             {"large/cmos_chain", 2, 16, 5},
                             {"large/diode_grid", 1, 50, 25},
                             {"large/fisher", 0, 50, 0},
                             {"large/heat_grid", 0, 36, 0},
                             {"large/nonlinear_ladder", 1, 55, 54},
                             {"large/rc_grid", 0, 64, 0},
                             {"large/reaction_diffusion", 1, 100, 50},
                             {"large/rod_chain", 3, 50, 10},
                             {"large/rod_net", 3, 124, 28},
                             {"large/taylor_green", 2, 192, 64},
                             {"limit_cycle_sphere", 2, 4, 1},
                             {"locking_elbow", 1, 5, 1},
                             {"lognorm_linear", 0, 2, 0},
                             {"lognorm_nonlinear", 1, 4, 2},
                             {"lorenz_lifted", 2, 5, 1},
                             {"mms_index2_gamma", 2, 4, 1},
                             {"mms_index3_nonautonomous", 3, 7, 1},
                             {"n_four_bar", 3, 17, 5},
                             {"nand_gate", 0, 14, 0},
                             {"pendulum_disguised", 3, 5, 1},
                             {"pendulum_schropp", 3, 5, 1},
                             {"pendulum_velocity_level", 2, 5, 1},
                             {"pendulum_wall", 3, 5, 1},
                             {"reaction_diffusion", 1, 100, 50},
                             {"rectifier", 1, 3, 1},
                             {"redundant_parallelogram", 3, 9, 3},
                             {"resting_ball", 1, 3, 1},
                             {"rolling_disc", 3, 15, 3},
                             {"slider_crank_flexible", 3, 17, 3},
                             {"slider_crank_flexible_b", 2, 15, 2},
                             {"stick_slip_belt", 2, 3, 1},
                             {"stiff_spring_pendulum", 1, 5, 1},
                             {"suspended_chain", 3, 21, 5},
                             {"transistor_amplifier", 1, 8, 3},
                             {"warped_cycle", 2, 4, 1}};

class CheckedExample : public testing::TestWithParam<Expected> {};

TEST_P(CheckedExample, IsAccepted) {
  const Outcome outcome = driftless("check '" + shipped_folder + GetParam().model + ".mo' --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_structure(Json::parse(outcome.out), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Shipped, CheckedExample, testing::ValuesIn(examples));

TEST(CheckedExamples, AreAllThatAreShipped) {
  for (const char* folder : {"", "base/", "large/"})
    for (const auto& entry : std::filesystem::directory_iterator(shipped_folder + folder)) {
      if (entry.path().extension() != ".mo") continue;
      const std::string name = folder + entry.path().stem().string();
      const auto known = std::find_if(std::begin(examples), std::end(examples),
                                      [&](const Expected& one) { return name == one.model; });
      EXPECT_NE(known, std::end(examples)) << name << " has no line above";
    }
}

// A library of parts in one file, as users write them, and models of these.
const char* const electric = R"(
connector Pin Real v; flow Real i; end Pin;
partial model TwoPin
  Pin p, n; Real v, i;
equation
  v = p.v - n.v; i = p.i; p.i + n.i = 0;
end TwoPin;
model Resistor extends TwoPin; parameter Real R = 1; equation v = R*i; end Resistor;
model Capacitor extends TwoPin(v(start = 0)); parameter Real C = 1; equation C*der(v) = i; end Capacitor;
model Inductor extends TwoPin(i(start = 0)); parameter Real L = 1; equation L*der(i) = v; end Inductor;
model Diode extends TwoPin; equation i = 1e-6*(exp(v/0.05) - 1); end Diode;
model Source extends TwoPin; parameter Real V = 1; equation v = V*sin(time); end Source;
model Ground Pin p; equation p.v = 0; end Ground;
)";
const char* const mechanic = R"(
connector Flange Real x; Real y; flow Real fx; flow Real fy; end Flange;
model Body
  Flange a; parameter Real m = 1; Real x, y, vx, vy;
equation
  a.x = x; a.y = y; der(x) = vx; der(y) = vy; m*der(vx) = a.fx; m*der(vy) = a.fy - 9.81*m;
end Body;
model Rod
  Flange a, b; parameter Real L = 1; Real s;
equation
  (b.x - a.x)^2 + (b.y - a.y)^2 = L^2;
  a.fx = s*(b.x - a.x); a.fy = s*(b.y - a.y); a.fx + b.fx = 0; a.fy + b.fy = 0;
end Rod;
model Wall Flange a; equation a.x = 0; a.y = 0; end Wall;
)";

struct Assembly {
  const char* library;
  const char* text;
  Expected expected;
  friend std::ostream& operator<<(std::ostream& out, const Assembly& one) { return out << one.expected.model; }
};

const Assembly assemblies[] = {
    {electric,
     R"(model ladder
  Source s; Ground g; Resistor r[3]; Capacitor c[3];
equation
  connect(s.n, g.p); connect(s.p, r[1].p);
  for k in 1:2 loop connect(r[k].n, r[k + 1].p); end for;
  for k in 1:3 loop connect(r[k].n, c[k].p); connect(c[k].n, g.p); end for;
end ladder;)",
     {"ladder: a state for each capacitor", 0, 3, 0}},
    {electric,
     R"(model parallel
  Resistor r; Capacitor c, d(C = 2); Ground g;
equation
  connect(r.p, c.p); connect(c.p, d.p); connect(r.n, g.p); connect(c.n, g.p); connect(d.n, g.p);
end parallel;)",
     {"two capacitors in parallel are one state", 0, 1, 0}},
    {electric,
     R"(model driven
  Source s; Capacitor c; Inductor l; Ground g;
equation
  connect(s.p, c.p); connect(s.p, l.p); connect(s.n, g.p); connect(c.n, g.p); connect(l.n, g.p);
end driven;)",
     {"a capacitor at a source has no state of its own", 0, 1, 0}},
    {electric,
     R"(model clipper
  Source s; Resistor r; Diode d; Capacitor c; Ground g;
equation
  connect(s.p, r.p); connect(r.n, d.p); connect(d.n, c.p); connect(s.n, g.p); connect(c.n, g.p);
end clipper;)",
     {"a diode leaves one equation to be solved", 1, 2, 1}},
    {mechanic,
     R"(model pendulum
  Wall w; Rod r; Body b(x(start = 1), y(start = 0));
equation
  connect(w.a, r.a); connect(r.b, b.a);
end pendulum;)",
     {"a pendulum of parts", 3, 5, 1}},
    {mechanic,
     R"(model chain
  Wall w; Rod r[3]; Body b[3](x(start = {1, 2, 3}), each y(start = 0));
equation
  connect(w.a, r[1].a);
  for k in 1:3 loop connect(r[k].b, b[k].a); end for;
  for k in 1:2 loop connect(r[k].b, r[k + 1].a); end for;
end chain;)",
     {"a chain of three", 3, 15, 3}},
};

class CheckedAssembly : public InFolder, public testing::WithParamInterface<Assembly> {};

TEST_P(CheckedAssembly, IsAccepted) {
  std::ofstream("assembly.mo") << GetParam().library << GetParam().text;
  const Outcome outcome = driftless("check assembly.mo --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_structure(Json::parse(outcome.out), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Components, CheckedAssembly, testing::ValuesIn(assemblies));

}  // namespace
}  // namespace driftless::cli_test::check_examples_test
