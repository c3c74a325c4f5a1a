// Other programs that the program starts: whatever they do, it goes on.
#include "apps/driftless/plot/child.h"

#include <gtest/gtest.h>

namespace driftless::cli::child_test {
namespace {

using namespace std::chrono_literals;

TEST(Child, GetsItsInputAndGivesItsOutput) {
  const std::string text(300'000, 'x');  // more than a pipe holds
  const ChildResult result = run_child({"cat"}, text);
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, text);
}

TEST(Child, ThatHangsIsEnded) {
  const ChildResult result = run_child({"sleep", "200"}, "", 300ms);
  EXPECT_EQ(result.exit_code, 128 + 9);
  EXPECT_EQ(result.err, "it hangs");
}

TEST(Child, ThatReadsNothingAndSaysSomethingIsNoHang) {
  const ChildResult result = run_child({"sh", "-c", "for i in 1 2 3 4; do sleep 0.2; echo $i; done"}, "input", 2s);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "1\n2\n3\n4\n");
}

TEST(Child, ThatIsNotThereWasNotStarted) { EXPECT_FALSE(run_child({"no-such-program-here"}, "").started); }

}  // namespace
}  // namespace driftless::cli::child_test
