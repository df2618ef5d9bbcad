#include "pecann/cli/progress.h"

#include <gtest/gtest.h>

namespace pecann::cli {
namespace {

const std::vector<Part> kParts = {{"trial 1/5", 0}, {"10/20", 0}, {"J 1", 4}, {"viol 2", 2}, {"9/s", 3}, {"ETA 1s", 1}};

TEST(ProgressLine, KeepsEverythingWhereThereIsRoom) {
  EXPECT_EQ(joined(kParts, 80), "trial 1/5  10/20  J 1  viol 2  9/s  ETA 1s");
  EXPECT_EQ(joined(kParts, 42), joined(kParts, 80)) << "42 columns just fit";
}

TEST(ProgressLine, LeavesOutTheLeastImportantFirst) {
  EXPECT_EQ(joined(kParts, 41), "trial 1/5  10/20  viol 2  9/s  ETA 1s");
  EXPECT_EQ(joined(kParts, 36), "trial 1/5  10/20  viol 2  ETA 1s");
  EXPECT_EQ(joined(kParts, 24), "trial 1/5  10/20  ETA 1s");
  EXPECT_EQ(joined(kParts, 20), "trial 1/5  10/20");
}

TEST(ProgressLine, NeverExceedsTheWidth) {
  for (std::size_t width = 0; width < 60; ++width) EXPECT_LE(joined(kParts, width).size(), width);
  EXPECT_EQ(joined({}, 10), "");
}

}  // namespace
}  // namespace pecann::cli
