// Numbers in text.
#include "driftless/core/number_text.h"

#include <gtest/gtest.h>

namespace driftless::number_text_test {
namespace {

TEST(NumberText, IsTheWholeTextOrNone) {
  EXPECT_EQ(number_in("2.5"), 2.5);
  EXPECT_EQ(number_in("+1e-6"), 1e-6);
  EXPECT_EQ(number_in<std::size_t>("12"), 12U);
  for (const char* bad : {"", "+", "+-1", "2x", " 2", "2 ", "1e999"}) EXPECT_FALSE(number_in(bad)) << bad;
  EXPECT_FALSE(number_in<std::size_t>("-1"));
  EXPECT_TRUE(number_in("nan"));
  EXPECT_FALSE(finite_number_in("nan"));
  EXPECT_FALSE(finite_number_in("inf"));
}

}  // namespace
}  // namespace driftless::number_text_test
