#include "driftless/core/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace driftless::result_test {
namespace {

Failure example() {
  return {.kind = FailureKind::projection_failed,
          .time = 1.25,
          .what_happened = "the step left the manifold",
          .what_to_try = "smaller steps",
          .where = "rod"};
}

TEST(ResultTest, HoldsAValue) {
  Result<std::string> result(std::string("yes"));
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), "yes");
  EXPECT_EQ(result->size(), 3u);
  *result += "!";
  EXPECT_EQ(*result, "yes!");
}

TEST(ResultTest, HoldsAFailureAndThrowsItOnlyWhenTheValueIsAskedFor) {
  const Result<int> result(example());
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.failure().where, "rod");
  try {
    static_cast<void>(result.value());
    FAIL() << "value() of a failure must throw";
  } catch (const FailedRun& error) {
    EXPECT_EQ(error.failure().kind, FailureKind::projection_failed);
    EXPECT_EQ(std::string(error.what()), example().message());
  }
}

TEST(ResultTest, GivesAwayAValueThatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(ResultTest, TheFailureOfAValueIsMisuse) {
  const Result<int> result = 7;
  EXPECT_THROW((void)result.failure(), Misuse);
  EXPECT_EQ(Result<int>(example()).failure().where, "rod");
}

TEST(FailureTest, MessageHasEveryPartOnce) {
  EXPECT_EQ(example().message(),
            "projection failed at t = 1.25: the step left the manifold\n  where: rod\n  try:   smaller steps");
}

TEST(FailureTest, MessageLeavesOutWhatIsNotKnown) {
  const Failure failure{
      .kind = FailureKind::not_finite, .time = 0.0, .what_happened = "bad", .what_to_try = "", .where = ""};
  EXPECT_EQ(failure.message(), "not finite at t = 0: bad");
}

TEST(FailureTest, EveryKindHasANameOfItsOwn) {
  const FailureKind kinds[] = {FailureKind::not_finite,         FailureKind::newton_did_not_converge,
                               FailureKind::singular_matrix,    FailureKind::rank_deficient,
                               FailureKind::inconsistent_start, FailureKind::projection_failed};
  for (FailureKind a : kinds) {
    EXPECT_STRNE(name_of(a), "unknown failure");
    for (FailureKind b : kinds)
      if (a != b) {
        EXPECT_STRNE(name_of(a), name_of(b));
      }
  }
}

}  // namespace
}  // namespace driftless::result_test
