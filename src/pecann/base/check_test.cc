#include "pecann/base/check.h"

#include <gtest/gtest.h>

namespace pecann {
namespace {

TEST(Check, PassesSilently) { check(true, "never shown"); }

TEST(CheckDeathTest, SaysWhatAndWhereAndStops) {
  EXPECT_DEATH(check(false, "sizes agree"), "internal error: sizes agree\n.*check_test.cc:[0-9]+ in ");
}

}  // namespace
}  // namespace pecann
