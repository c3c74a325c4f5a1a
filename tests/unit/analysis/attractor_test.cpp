// Clouds, samples of attracting sets, and their distances over a range of step sizes.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/geometric/attractor_study.h"
#include "driftless/analysis/geometric/orbit_study.h"
#include "driftless/driftless.h"
#include "testset/problem.h"
#include "testset/warped_cycle.h"

namespace driftless::attractor_test {
namespace {

Index2 stated(const char* name) { return index2_of(testset::problem(name).equations); }

const CloudOptions on_the_sphere{.center = {0.9, 0.0, 0.3}, .half_widths = {0.2}, .count = 3};

template <class Call>
std::string misuse(Call&& call) {
  try {
    call();
  } catch (const Misuse& error) {
    return error.what();
  }
  return "";
}

TEST(StartCloud, StartsAreConsistentAndSpread) {
  const Index2 equations = stated("limit_cycle_sphere");
  const auto cloud = make_cloud(equations, {.center = {0.0, 0.0, 1.0}, .half_widths = {0.4, 0.4, 0.0}, .count = 50});
  ASSERT_TRUE(cloud.ok());
  ASSERT_EQ(cloud->size(), 50u);
  double left = 0.0, right = 0.0;
  for (const Vector& state : *cloud) {
    const auto residuals = constraint_residuals(equations, 0.0, state);
    EXPECT_LT(residuals.largest(1), 1e-15);
    EXPECT_LT(residuals.largest(2), 1e-14);
    left = std::min(left, state[0]);
    right = std::max(right, state[0]);
  }
  EXPECT_LT(left, -0.3);
  EXPECT_GT(right, 0.3);
}

TEST(StartCloud, IsTheSameForEveryNumberOfThreads) {
  const Index2 equations = stated("limit_cycle_sphere");
  CloudOptions options = on_the_sphere;
  options.execution.threads = 1;
  const auto one = make_cloud(equations, options).value();
  options.execution.threads = 5;
  EXPECT_EQ(one, make_cloud(equations, options).value());
  options.seed = 2;
  EXPECT_NE(one, make_cloud(equations, options).value());
}

// The constraint is defined for x > 0 only.
struct HalfLine {
  void f(auto u, auto lambda, auto, auto out) const {
    out[0] = -u[0] + lambda[0];
    out[1] = -u[1] - lambda[0];
  }
  void g(auto u, auto, auto out) const {
    using std::log;
    out[0] = log(u[0]) + u[1];
  }
};

TEST(StartCloud, SaysThatItLeavesTheDomainOfTheConstraint) {
  const Index2 equations = index2(HalfLine{}, {.u_names = {"x", "y"}, .constraint_names = {"curve"}});
  const CloudOptions options{.center = {0.5, 0.5}, .half_widths = {1.0}, .count = 40};
  const auto cloud = make_cloud(equations, options);
  ASSERT_FALSE(cloud.ok());
  EXPECT_EQ(cloud.failure().kind, FailureKind::inconsistent_start);
  EXPECT_NE(cloud.failure().what_happened.find(
                " of 40 starts of the cloud cannot be brought onto the constraint; the first: "),
            std::string::npos)
      << cloud.failure().message();
  EXPECT_EQ(cloud.failure().what_to_try,
            "a smaller cloud, or one that is centred further inside the domain of the constraint");
  CloudOptions forgiving = options;
  forgiving.leave_out_inconsistent = true;
  const auto rest = make_cloud(equations, forgiving);
  ASSERT_TRUE(rest.ok());
  EXPECT_LT(rest->size(), 40u);
  EXPECT_GT(rest->size(), 10u);
}

TEST(AttractorSample, ArrivesOnTheLimitCycle) {
  const Index2 equations = stated("limit_cycle_sphere");
  const auto starts = make_cloud(equations, on_the_sphere).value();
  const SamplingOptions options{.transient = 15.0, .samples = 40, .interval = 0.05};
  for (const auto& sample :
       {sample_attractor(equations, starts, options).value(),
        sample_attractor(equations, {.method = {.tableau = hem3()}, .step_size = 0.05}, starts, options).value()}) {
    EXPECT_EQ(sample.points.size(), 120u);
    EXPECT_EQ(sample.starts, 3u);
    EXPECT_GT(sample.steps, 100u);
    for (std::size_t i = 0; i < sample.points.size(); ++i) {
      const ConstSpan u = sample.points.point(i);
      EXPECT_NEAR(u[2], 0.0, 1e-6);
      EXPECT_NEAR(u[0] * u[0] + u[1] * u[1], 1.0, 1e-12);
    }
  }
}

TEST(AttractorSample, PointsOnASectionLieOnIt) {
  const Index2 equations = warped_cycle();
  const auto starts = make_cloud(equations, on_the_sphere).value();
  const SamplingOptions options{.transient = 20.0,
                                .samples = 5,
                                .section = section_at(equations, "y", 0.1, Direction::rising),
                                .multipliers = true};
  const auto exact = sample_attractor(equations, starts, options).value();
  const auto discrete =
      sample_attractor(equations, {.method = {.tableau = hem5()}, .step_size = 0.05}, starts, options).value();
  ASSERT_EQ(exact.points.dimension, 4u);
  for (std::size_t i = 0; i < exact.points.size(); ++i) {
    EXPECT_NEAR(exact.points.point(i)[1], 0.1, 1e-9);
    EXPECT_NEAR(discrete.points.point(i)[1], 0.1, 1e-13);
    EXPECT_GT(exact.points.point(i)[0], 0.0);  // rising: on this side of the sphere
    EXPECT_NEAR(exact.points.point(i)[2], exact.points.point(0)[2], 1e-7);
  }
}

TEST(AttractorSample, IsTheSameForEveryNumberOfThreads) {
  const Index2 equations = stated("lorenz_lifted");
  const auto starts =
      make_cloud(equations, {.center = {5.0, 5.0, 20.0, 4.5}, .half_widths = {2.0}, .count = 5}).value();
  SamplingOptions options{.transient = 2.0, .samples = 20, .interval = 0.1, .execution = {.threads = 1}};
  const auto exact = sample_attractor(equations, starts, options).value();
  const auto discrete = sample_attractor(equations, {{.tableau = hem3()}, 0.02}, starts, options).value();
  options.execution.threads = 4;
  EXPECT_EQ(sample_attractor(equations, starts, options)->points.coordinates, exact.points.coordinates);
  EXPECT_EQ(sample_attractor(equations, {{.tableau = hem3()}, 0.02}, starts, options)->points.coordinates,
            discrete.points.coordinates);
}

// u2 grows like exp(t) on the cylinder.
struct RunsAway {
  void f(auto u, auto lambda, auto, auto out) const {
    out[0] = -u[1] - lambda[0] * u[0];
    out[1] = u[0] - lambda[0] * u[1];
    out[2] = u[2];
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] * u[0] + u[1] * u[1] - 1.0; }
};

TEST(AttractorSample, NoticesRunsThatRunAway) {
  const Index2 equations = index2(RunsAway{}, {.lambda = 1, .u_names = {"x", "y", "height"}});
  const auto starts = make_cloud(equations, {.center = {1.0, 0.0, 0.2}, .half_widths = {0.1}, .count = 4}).value();
  const SamplingOptions options{.transient = 1e5, .samples = 10, .bound = 1e4};
  for (const auto& sample : {sample_attractor(equations, starts, options),
                             sample_attractor(equations, {{.tableau = radau_iia(2)}, 0.1}, starts, options)}) {
    ASSERT_FALSE(sample.ok());
    EXPECT_EQ(sample.failure().kind, FailureKind::diverged);
    EXPECT_EQ(sample.failure().where, "height");
    EXPECT_EQ(sample.failure().what_happened.substr(0, 62),
              "4 of 4 runs did not stay; the first, from start 0: height = 1.");
    EXPECT_NE(sample.failure().what_happened.find("is beyond the bound of 1e+04"), std::string::npos);
    EXPECT_LT(sample.failure().time, 20.0);
  }
}

TEST(AttractorSample, GivesUpOnASectionThatIsNotCrossed) {
  const Index2 equations = stated("limit_cycle_sphere");
  const auto starts = make_cloud(equations, on_the_sphere).value();
  const SamplingOptions options{
      .transient = 5.0, .samples = 3, .section = section_at(equations, "z", 0.95), .longest_time = 20.0};
  const auto sample = sample_attractor(equations, starts, options);
  ASSERT_FALSE(sample.ok());
  EXPECT_EQ(sample.failure().kind, FailureKind::too_many_steps);
  EXPECT_NE(sample.failure().what_happened.find("only 0 of 3 samples in a time of 20"), std::string::npos);
  EXPECT_EQ(sample.failure().what_to_try, "a section that runs cross more often, or a larger longest_time");
}

TEST(AttractorSample, RefusesEquationsThatDependOnTime) {
  const auto problem = testset::problem("mms_index2_gamma");
  const auto sample = sample_attractor(index2_of(problem.equations), {problem.start}, SamplingOptions{});
  ASSERT_FALSE(sample.ok());
  EXPECT_EQ(sample.failure().kind, FailureKind::assumption_violated);
  EXPECT_EQ(sample.failure().what_happened,
            "the equations depend on time explicitly, first seen in u1': they have no attracting set in the sense of "
            "the theory");
}

TEST(AttractorSample, CanBeStopped) {
  const Index2 equations = stated("limit_cycle_sphere");
  const auto starts = make_cloud(equations, on_the_sphere).value();
  std::stop_source stop;
  SamplingOptions options{.transient = 1e9, .samples = 1, .execution = {.stop = stop.get_token()}};
  options.execution.stop = stop.get_token();
  stop.request_stop();
  const auto sample = sample_attractor(equations, {{}, 0.1}, starts, options);
  ASSERT_FALSE(sample.ok());
  EXPECT_EQ(sample.failure().kind, FailureKind::stopped);
}

TEST(AttractorSample, NonsenseIsMisuse) {
  const Index2 equations = stated("limit_cycle_sphere");
  EXPECT_EQ(misuse([&] { (void)make_cloud(equations, {.center = {1.0}, .half_widths = {1.0}}); }),
            "the centre of a cloud has 1 values, but u has 3");
  EXPECT_EQ(misuse([&] { (void)sample_attractor(equations, {}, SamplingOptions{}); }),
            "an attracting set cannot be sampled without starts");
  EXPECT_EQ(misuse([&] { (void)section_at(equations, "lambda", 0.0); }),
            "a section is stated in u, and lambda is a multiplier");
  EXPECT_EQ(misuse([&] { (void)study_attractor(equations, {.step_sizes = {}}); }),
            "a study of an attracting set needs step sizes");
}

struct Rate {
  const char* tableau;
  double recorded;
};

// On a section the limit cycle is one point, which shows the distance down to rounding: it falls with the order of u.
TEST(AttractorStudy, LimitCycleOnASectionConvergesWithTheOrderOfTheMethod) {
  const Index2 equations = warped_cycle();
  for (const Rate& row : {Rate{"radau-iia-2", 3.0}, Rate{"sdirk-2-half", 2.0}, Rate{"hem3", 3.0}}) {
    SCOPED_TRACE(row.tableau);
    const auto study = study_attractor(
        equations,
        {.method = {.tableau = tableau_by_name(row.tableau)},
         .step_sizes = {0.02, 0.01, 0.005},
         .cloud = {.center = {0.9, 0.0, 0.3}, .half_widths = {0.1}, .count = 2},
         .sampling = {.transient = 25.0, .samples = 4, .section = section_at(equations, "y", 0.0, Direction::rising)}});
    ASSERT_TRUE(study.ok()) << study.failure().message();
    EXPECT_EQ(study->rate.used, 3u);
    EXPECT_NEAR(study->rate.order, row.recorded, 0.15);
    for (const auto& at_h : study->rows) {
      EXPECT_TRUE(at_h.settled()) << at_h.drift << " " << at_h.gap;
      EXPECT_LT(at_h.residual, 1e-14);
    }
  }
}

// A sample of the multiplier as well: (Gamma_h, psi_{0,h}(Gamma_h)) of Theorem 2.2. The reference is exact here.
TEST(AttractorStudy, MultipliersConvergeWithTheSet) {
  const Index2 equations = stated("limit_cycle_sphere");
  PointCloud equator{.dimension = 4};
  for (int i = 0; i < 400; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 400.0;
    equator.append(Vector{std::cos(angle), std::sin(angle), 0.0, 0.0});
  }
  const auto study = study_attractor(equations, {.method = {.tableau = sdirk2_half()},
                                                 .step_sizes = {0.08, 0.04, 0.02},
                                                 .cloud = on_the_sphere,
                                                 .sampling = {.transient = 12.0, .samples = 60, .multipliers = true},
                                                 .reference = equator});
  ASSERT_TRUE(study.ok());
  EXPECT_EQ(study->rate.used, 3u);
  EXPECT_NEAR(study->rate.order, 1.0, 0.05);  // q = 1: the set in u is the equator for every h
}

// What motivates all of this: the same tableau on the underlying ODE spirals into the centre of the sphere.
TEST(AttractorStudy, WithoutTheConstraintThereIsNoSuchSet) {
  const Index2 equations = warped_cycle();
  const auto study =
      study_attractor(equations, {.method = {.tableau = hem3(), .multiplier = MultiplierRule::hidden_constraint},
                                  .step_sizes = {0.1, 0.07},
                                  .cloud = {.center = {0.9, 0.0, 0.3}, .half_widths = {0.1}, .count = 1},
                                  .sampling = {.transient = 150.0, .samples = 60},
                                  .discretised = underlying_ode(equations)});
  ASSERT_TRUE(study.ok());
  for (const auto& row : study->rows) {
    EXPECT_GT(row.distance, 0.5) << row.step_size;
    EXPECT_LT(row.distance, 1.0 + 1e-6) << row.step_size;
    EXPECT_GT(row.residual, 0.5) << row.step_size;  // |u|^2 - 1
  }
}

// A cap of the sphere, z >= 1/2, attracts; inside, points turn about the axis for ever, each at its height.
struct Cap {
  void f(auto u, auto lambda, auto, auto out) const {
    const auto below = 0.5 - u[2];
    using std::sqrt;
    const auto push = 0.5 * (below + sqrt(below * below + 1e-12));  // max(0, below), smoothly
    out[0] = -u[1] - 2.0 * lambda[0] * u[0];
    out[1] = u[0] - 2.0 * lambda[0] * u[1];
    out[2] = push * push - 2.0 * lambda[0] * u[2];
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1.0; }
};

// Implicit Euler spirals to the pole, whatever the step: its limit sets are less than the cap. The discrete set of the
// theorem contains the cap, and nothing of the method's is outside.
TEST(AttractorStudy, NeutralMotionInsideLeavesTheLimitSetsOfAMethodSmaller) {
  const Index2 equations = index2(Cap{}, {.lambda = 1, .u_names = {"x", "y", "z"}});
  const auto study =
      study_attractor(equations, {.method = {.tableau = implicit_euler()},
                                  .step_sizes = {0.2, 0.1, 0.05},
                                  .cloud = {.center = {0.0, 0.0, 1.0}, .half_widths = {0.9, 0.9, 0.1}, .count = 120},
                                  .sampling = {.transient = 200.0, .samples = 40, .interval = 0.3},
                                  .keep_points = true});
  ASSERT_TRUE(study.ok()) << study.failure().message();
  EXPECT_TRUE(study->leaves_out_inside());
  for (const auto& row : study->rows) {
    EXPECT_GT(row.inward, 0.7) << row.step_size;  // from the rim of the cap to the pole
    EXPECT_LT(row.outward, 0.3 * row.inward) << row.step_size;
    for (std::size_t i = 0; i < row.points.size(); ++i) ASSERT_GT(row.points.point(i)[2], 0.5);  // inside the cap
  }
}

// One plane may be where the leading error vanishes; over four of them the order of the method shows.
TEST(AttractorStudy, PlanesAcrossAnOrbitShowTheOrderOfTheMethod) {
  const Index2 equations = warped_cycle();
  Vector state{0.9, 0.0, std::sqrt(0.19), 0.0};
  ASSERT_FALSE(make_flow(equations, {})->advance(0.0, state, 25.0));
  const auto orbit = find_periodic_orbit(equations, state, 1.006).value();
  ASSERT_TRUE(orbit.stable());
  const auto section = section_across(equations, orbit.state);
  ASSERT_TRUE(section);
  EXPECT_NEAR(section->value(orbit.state), 0.0, 1e-15);
  for (const Rate& row : {Rate{"radau-iia-2", 3.0}, Rate{"sdirk-2-half", 2.0}}) {
    const auto study = study_across_orbit(equations, orbit,
                                          {.method = {.tableau = tableau_by_name(row.tableau)},
                                           .step_sizes = {0.02, 0.01, 0.005},
                                           .cloud = {.center = {0.9, 0.0, 0.3}, .half_widths = {0.1}, .count = 3},
                                           .sampling = {.transient = 25.0}});
    ASSERT_TRUE(study.ok()) << study.failure().message();
    EXPECT_EQ(study->rate.used, 3u);
    EXPECT_NEAR(study->rate.order, row.recorded, 0.2) << row.tableau;
    EXPECT_FALSE(study->leaves_out_inside());
  }
}

}  // namespace
}  // namespace driftless::attractor_test
