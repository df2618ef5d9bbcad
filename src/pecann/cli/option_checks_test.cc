#include "pecann/cli/option_checks.h"

#include <gmock/gmock.h>

namespace pecann::cli {
namespace {

std::string refused(const CLI::Validator& check, std::string text) { return check(text); }

TEST(OptionChecksTest, WhatFitsPasses) {
  EXPECT_EQ(refused(positive_number(), "1e-9"), "");
  EXPECT_EQ(refused(not_negative_number(), "0"), "");
  EXPECT_EQ(refused(count_up_to(1024), "1024"), "");
}

TEST(OptionChecksTest, WhatDoesNotIsRefusedInWords) {
  for (const char* text : {"nan", "inf", "-1", "0", "1e400", "", "two", "3 "})
    EXPECT_THAT(refused(positive_number(), text), testing::EndsWith("must be a finite number above 0")) << text;
  EXPECT_NE(refused(not_negative_number(), "nan"), "");
  for (const char* text : {"0", "1025", "1.5", "9223372036854775807", "nan"})
    EXPECT_THAT(refused(count_up_to(1024), text), testing::EndsWith("must be a whole number from 1 to 1024")) << text;
  EXPECT_EQ(refused(positive_number(), "\x1b[31m" + std::string(100, 'x')).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace pecann::cli
