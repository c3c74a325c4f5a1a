// Mechanisms on which integrators abort or drift, for a long time: the n-link pendulum with both ends fixed, and a
// spatial loop with a redundant constraint.
#include "tests/cli/program.h"

namespace driftless::cli_test::long_run_test {
namespace {

struct LongRun {
  const char* options;
  double energy_change;  // relative, at most; measured: 3.6e-7 and 1.3e-10
};

class SuspendedChain : public testing::TestWithParam<LongRun> {};

TEST_P(SuspendedChain, StaysOnItsConstraintsAndKeepsItsEnergy) {
  const auto energy = [](const std::string& options) {
    const Outcome outcome =
        driftless("solve '" DRIFTLESS_SOURCE_DIR "/examples/models/suspended_chain.mo' --json " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json report = Json::parse(outcome.out);
    EXPECT_LT(report["constraints"]["position"], 1e-14);
    EXPECT_LT(report["constraints"]["velocity"], 1e-14);
    return report["final"]["energy"].get<double>();
  };
  const std::string options = GetParam().options;
  const double at_start = energy(options.substr(0, options.find(" --t-end")) + " --t-end 1e-6"),
               at_end = energy(options);
  EXPECT_LT(std::abs(at_end / at_start - 1.0), GetParam().energy_change);
}

INSTANTIATE_TEST_SUITE_P(LongRuns, SuspendedChain,
                         testing::Values(LongRun{"--set n=5 --t-end 1000", 1e-5},
                                         LongRun{"--set n=20 --t-end 100 --rtol 1e-8", 1e-8}));

struct SpatialLoop {
  const char* options;
  int steps;  // at most; measured: 748, 760, 2543 and 2950, and thousands per second if stages decide on the rank
};

class BennettLinkage : public testing::TestWithParam<SpatialLoop> {};

TEST_P(BennettLinkage, SwingsForAHundredSeconds) {
  const Outcome outcome =
      driftless("solve '" DRIFTLESS_SOURCE_DIR "/examples/models/bennett_linkage.mo' --t-end 100 --json " +
                std::string(GetParam().options));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json report = Json::parse(outcome.out);
  EXPECT_LT(report["constraints"]["position"], 1e-14);
  EXPECT_LT(report["constraints"]["velocity"], 1e-13);
  EXPECT_LT(report["statistics"]["steps"], GetParam().steps);
  EXPECT_NEAR(report["final"]["energy"].get<double>(), -1.9088993, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(LongRuns, BennettLinkage,
                         testing::Values(SpatialLoop{"", 900}, SpatialLoop{"--method radau", 1000},
                                         SpatialLoop{"--method dopri5", 3500}, SpatialLoop{"--method hem5", 4000},
                                         SpatialLoop{"--method radau-iia-3 --steps 8000", 8001}));

}  // namespace
}  // namespace driftless::cli_test::long_run_test
