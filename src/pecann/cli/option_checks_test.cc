#include "pecann/cli/option_checks.h"

#include <gmock/gmock.h>

namespace pecann::cli {
namespace {

std::string refused(const CLI::Validator& check, std::string text) { return check(text); }

TEST(OptionChecksTest, WhatFitsPasses) {
  EXPECT_EQ(refused(positive_number(), "1e-9"), "");
  EXPECT_EQ(refused(not_negative_number(), "0"), "");
  EXPECT_EQ(refused(count_up_to(1024), "1024"), "");
  EXPECT_EQ(refused(seed_number(), "0"), "");
  EXPECT_EQ(refused(seed_number(), "9007199254740992"), "");
}

TEST(OptionChecksTest, WhatDoesNotIsRefusedInWords) {
  for (const char* text : {"nan", "inf", "-1", "0", "1e400", "", "two", "3 "})
    EXPECT_THAT(refused(positive_number(), text), testing::EndsWith("must be a finite number above 0")) << text;
  EXPECT_NE(refused(not_negative_number(), "nan"), "");
  for (const char* text : {"0", "1025", "1.5", "9223372036854775807", "nan"})
    EXPECT_THAT(refused(count_up_to(1024), text), testing::EndsWith("must be a whole number from 1 to 1024")) << text;
  for (const char* text : {"-1", "18446744073709551615", "9007199254740994", "1.5", "nan", "", "1x"})
    EXPECT_THAT(refused(seed_number(), text),
                testing::AllOf(testing::StartsWith(text), testing::EndsWith("from 0 to 9007199254740992")));
  EXPECT_EQ(refused(positive_number(), "\x1b[31m" + std::string(100, 'x')).find('\x1b'), std::string::npos);
}

TEST(OptionChecksTest, EmptyValuesAreRefusedAndNotTakenForMissingOnes) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--out", ""}, {"--out="}, {"", "--out", "a"}, {"problem", "--many", ""}}) {
    CLI::App app;
    std::string out, problem;
    std::vector<std::string> many;
    bool flag = false;
    app.add_option("--out", out);
    app.add_option("--many", many);
    app.add_option("problem", problem);
    app.add_flag("--flag", flag);
    refuse_empty_values(app);
    EXPECT_NO_THROW(app.parse("problem --flag --out a"));
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    EXPECT_THROW(app.parse(reversed), CLI::ParseError) << testing::PrintToString(words);
  }
}

}  // namespace
}  // namespace pecann::cli
