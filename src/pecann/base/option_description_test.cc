#include "pecann/base/option_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/base/name_table.h"

namespace pecann {

enum class Fruit { Apple, Pear };
template <>
struct NameTable<Fruit> {
  static constexpr NamedValue<Fruit> table[] = {{Fruit::Apple, "apple"}, {Fruit::Pear, "pear"}};
};

namespace {

constexpr OptionDescription kOptions[] = {
    {"rate", 0.5, kUnitOpen, "of change"},
    {"count", 3, kCount, "of things"},
    {"rebase", 0, {}, "or not", "", true},
    {"most", std::numeric_limits<double>::quiet_NaN(), kPositive, "at most", "count + 1"},
};

TEST(OptionDescriptionTest, LimitsHoldTheirEnds) {
  EXPECT_TRUE(kBelowOne.contain(0));
  EXPECT_FALSE(kBelowOne.contain(1));
  EXPECT_FALSE(kUnitOpen.contain(0));
  EXPECT_TRUE(kCount.contain(1e9));
  EXPECT_FALSE(kCount.contain(2.5));
  EXPECT_FALSE(kAnyNumber.contain(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(kAnyNumber.contain(std::numeric_limits<double>::quiet_NaN()));
}

TEST(OptionDescriptionTest, SaysWhatIsAllowed) {
  EXPECT_EQ(describe(kUnitOpen), "must be a finite number above 0 and below 1");
  EXPECT_EQ(describe(kCount), "must be a whole number of at least 1 and of at most 1e9");
  EXPECT_EQ(kOptions[0].range_text(), "(0, 1)");
  EXPECT_EQ(kOptions[1].range_text(), "whole, [1, 1e9]");
  EXPECT_EQ(kOptions[2].usual_text(), "false");
  EXPECT_EQ(kOptions[3].usual_text(), "count + 1");
  EXPECT_EQ(kOptions[3].range_text(), "> 0");
}

TEST(OptionDescriptionTest, ChecksNamesAndValues) {
  const auto refusal = [](const std::map<std::string, double>& given) {
    try {
      check_options(kOptions, given, "method.", "method m");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({{"rate", 0.25}, {"count", 1}}), "accepted");
  EXPECT_EQ(refusal({{"rate", 1}}), "method.rate = 1: must be a finite number above 0 and below 1");
  EXPECT_EQ(refusal({{"cout", 1}}), "method.cout = 1: no such option of method m; did you mean 'count'?");
}

TEST(OptionDescriptionTest, ValuesAreTheGivenOnesElseTheDefaults) {
  const std::map<std::string, double> given = {{"count", 7}};
  const OptionValues values(kOptions, given);
  EXPECT_EQ(values.whole("count"), 7);
  EXPECT_EQ(values.number("rate"), 0.5);
  EXPECT_EQ(values.given("rate"), std::nullopt);
}

TEST(OptionDescriptionTest, NumbersAreShort) {
  EXPECT_EQ(short_number_text(1e-8), "1e-8");
  EXPECT_EQ(short_number_text(1e9), "1e9");
  EXPECT_EQ(short_number_text(1e-16), "1e-16");
  EXPECT_EQ(short_number_text(0.98), "0.98");
  EXPECT_EQ(short_number_text(-1e100), "-1e100");
}

TEST(NameTableTest, NamesAndValuesAreInverse) {
  for (const Fruit fruit : {Fruit::Apple, Fruit::Pear}) EXPECT_EQ(find_named<Fruit>(word_of(fruit)), fruit);
  EXPECT_EQ(find_named<Fruit>("plum"), std::nullopt);
  EXPECT_THAT(names_of<Fruit>(), ::testing::ElementsAre("apple", "pear"));
}

TEST(NameTableTest, AnUnknownWordGetsTheNearest) {
  try {
    value_named<Fruit>("basket.fruit", "peer");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "basket.fruit = peer: must be one of \"apple\", \"pear\"; did you mean 'pear'?");
  }
}

}  // namespace
}  // namespace pecann
