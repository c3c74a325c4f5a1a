#include "driftless/integrate/order_choice.h"

#include <gtest/gtest.h>

namespace driftless::order_choice_test {
namespace {

constexpr double fast = 1e-4, medium = 0.1, slow = 0.9;

TEST(OrderChoice, BeginsWithMoreStagesAtTighterTolerances) {
  const OrderChoice any({}), few({.most_stages = 5}), many({.least_stages = 5});
  const Calibration& c = calibrated::on_acceleration_level;
  EXPECT_EQ(any.first(1e-4, c), 3);
  EXPECT_EQ(any.first(1e-6, c), 5);
  EXPECT_EQ(any.first(1e-10, c), 7);
  EXPECT_EQ(few.first(1e-10, c), 5);
  EXPECT_EQ(many.first(1e-4, c), 5);
}

TEST(OrderChoice, RisesAfterTenFastAndSteadySteps) {
  OrderChoice order({});
  for (int step = 1; step < 10; ++step) EXPECT_EQ(order.accepted(3, fast, 1.0, false), 3) << step;
  EXPECT_EQ(order.accepted(3, fast, 1.0, false), 5);
  EXPECT_EQ(order.raised(), 1u);
  EXPECT_EQ(order.accepted(5, fast, 1.0, false), 5);  // and counts again
}

TEST(OrderChoice, DoesNotRiseWithoutAReason) {
  OrderChoice order({}), highest({.most_stages = 3});
  for (int step = 0; step < 20; ++step) {
    EXPECT_EQ(order.accepted(3, fast, 1.5, false), 3);   // the step size is not steady
    EXPECT_EQ(order.accepted(3, fast, 1.0, true), 3);    // Newton is the limit
    EXPECT_EQ(order.accepted(3, 0.003, 1.0, false), 3);  // not fast enough
    EXPECT_EQ(highest.accepted(3, fast, 1.0, false), 3);
  }
}

TEST(OrderChoice, FallsWhenNewtonIsSlow) {
  OrderChoice order({}), lowest({.least_stages = 5});
  EXPECT_EQ(order.accepted(7, medium, 1.0, false), 7);
  EXPECT_EQ(order.accepted(7, slow, 1.0, false), 5);
  EXPECT_EQ(lowest.accepted(5, slow, 1.0, false), 5);
  EXPECT_EQ(order.lowered(), 1u);
}

TEST(OrderChoice, FallsAfterThreeFailuresOfNewton) {
  OrderChoice order({});
  EXPECT_EQ(order.newton_failed(7), 7);
  EXPECT_EQ(order.newton_failed(7), 7);
  order.forget_failures();  // a step was accepted
  EXPECT_EQ(order.newton_failed(7), 7);
  EXPECT_EQ(order.newton_failed(7), 7);
  EXPECT_EQ(order.newton_failed(7), 5);
  EXPECT_EQ(order.newton_failed(5), 5);  // counts from the beginning
  EXPECT_EQ(order.newton_failed(3), 3);
  EXPECT_EQ(order.newton_failed(3), 3);  // no fewer than three
}

}  // namespace
}  // namespace driftless::order_choice_test
