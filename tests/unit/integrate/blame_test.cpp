#include "driftless/integrate/blame.h"

#include <gtest/gtest.h>

#include "driftless/driftless.h"

namespace driftless::blame_test {
namespace {

struct Root {
  void f(auto x, auto, auto out) const {
    using std::sqrt;
    out[0] = sqrt(x[0]);
    out[1] = x[1] * x[1];
  }
};

Failure collapse(const Blame& blame, ConstSpan state, std::size_t worst, const Tolerance& tolerance = {}) {
  Clock clock(1.0, 2.0, {});
  clock.propose(1e-16);
  return blame.explain_collapse(index1(Root{}, {.projector = Matrix::identity(2), .x_names = {"x", "y"}}), tolerance,
                                {}, clock, state, worst);
}

TEST(Blame, APointWithoutAValueIsTheCauseUntilAStepLeavesIt) {
  Blame blame(2);
  EXPECT_EQ(collapse(blame, Vector{1.0, 1.0}, 0).kind, FailureKind::step_size_too_small);
  blame.not_finite(1.5, Vector{-1.0, 1.0});
  blame.accepted(1.0, 1e-12);  // no way out
  const Failure failure = collapse(blame, Vector{1.0, 1.0}, 0);
  EXPECT_EQ(failure.kind, FailureKind::not_finite);
  EXPECT_EQ(failure.time, 1.5);
  blame.accepted(1.0, 0.1);
  EXPECT_EQ(collapse(blame, Vector{1.0, 1.0}, 0).kind, FailureKind::step_size_too_small);
}

TEST(Blame, TakesTheFirstComponentsOfAPoint) {
  Blame blame(2);
  blame.not_finite(1.5, Vector{1.0, 1.0, 99.0});
  EXPECT_EQ(collapse(blame, Vector{1.0, 1.0}, 0).kind, FailureKind::step_size_too_small);  // it is finite there
  blame.not_finite(1.5, Vector{-1.0});
  EXPECT_EQ(collapse(blame, Vector{1.0, 1.0}, 0).kind, FailureKind::not_finite);
}

TEST(Blame, APoleIsToldFromADiscontinuity) {
  const Blame blame(2);
  const std::string pole = collapse(blame, Vector{1.0, 1e14}, 1).what_to_try;
  EXPECT_NE(pole.find("(1) a pole: y grows without bound"), std::string::npos) << pole;
  const std::string jump = collapse(blame, Vector{1.0, 1.0}, 1).what_to_try;
  EXPECT_EQ(jump.find("pole: y"), std::string::npos) << jump;
  EXPECT_NE(jump.find("(1) a discontinuity"), std::string::npos) << jump;
}

TEST(Blame, ATinyComponentBesideLargeOnesMayBeAskedForTooMuch) {
  const Blame blame(2);
  const Tolerance tight{.relative = 1e-12, .absolute = 1e-14};
  const std::string tries = collapse(blame, Vector{6.0, 1e-3}, 1, tight).what_to_try;
  EXPECT_NE(tries.find("(1) a tolerance near rounding: y is asked to 1e-14, beside values of 6; raise atol"),
            std::string::npos)
      << tries;
  EXPECT_EQ(collapse(blame, Vector{6.0, 6.0}, 1, tight).what_to_try.find("near rounding"), std::string::npos);
  EXPECT_EQ(collapse(blame, Vector{6.0, 1e-3}, 1).what_to_try.find("near rounding"), std::string::npos);
}

}  // namespace
}  // namespace driftless::blame_test
