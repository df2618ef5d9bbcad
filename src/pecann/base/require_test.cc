#include "pecann/base/require.h"

#include <gtest/gtest.h>

namespace pecann {
namespace {

TEST(Require, PassesSilently) { require(true, "never shown"); }

TEST(RequireDeathTest, SaysWhatAndWhereAndStops) {
  EXPECT_DEATH(require(false, "sizes agree"), "internal error: sizes agree\n.*require_test.cc:[0-9]+ in ");
}

}  // namespace
}  // namespace pecann
