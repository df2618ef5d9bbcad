#include "pecann/optim/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/input_error.h"

namespace pecann::optim {
namespace {

TEST(ScheduleTest, ConstantStays) {
  const auto schedule = make_schedule({}, 0.25);
  EXPECT_EQ(schedule->rate(), 0.25);
  EXPECT_EQ(schedule->advance(1), 0.25);
}

TEST(ScheduleTest, PlateauCutsAfterPatiencePlusOneBadEpochs) {
  const auto schedule = make_schedule({.name = "plateau", .options = {{"factor", 0.5}, {"patience", 3}}}, 1);
  EXPECT_EQ(schedule->advance(8), 1) << "the first loss is the best so far";
  for (int bad = 1; bad <= 3; ++bad) EXPECT_EQ(schedule->advance(8), 1) << bad;
  EXPECT_EQ(schedule->advance(8), 0.5) << "the fourth bad epoch cuts";
  for (int bad = 1; bad <= 3; ++bad) EXPECT_EQ(schedule->advance(9), 0.5) << bad;
  EXPECT_EQ(schedule->advance(7), 0.5) << "a better loss starts the count anew";
  for (int bad = 1; bad <= 3; ++bad) EXPECT_EQ(schedule->advance(7), 0.5) << bad;
  EXPECT_EQ(schedule->advance(7), 0.25);
}

TEST(ScheduleTest, PlateauWantsOnePartInTenThousand) {
  const auto schedule = make_schedule({.name = "plateau", .options = {{"factor", 0.5}, {"patience", 0}}}, 1);
  EXPECT_EQ(schedule->advance(1), 1);
  EXPECT_EQ(schedule->advance(1 - 0.5e-4), 0.5) << "not better by enough";
  EXPECT_EQ(schedule->advance(1 - 2e-4), 0.5) << "better";
  EXPECT_EQ(schedule->advance(1 - 2.5e-4), 0.25);
  EXPECT_EQ(schedule->advance(std::nan("")), 0.125) << "a loss that is no number is a bad epoch";
}

TEST(ScheduleTest, PlateauStopsFallingWhenTheCutIsBelowItsLeast) {
  const auto schedule = make_schedule({.name = "plateau", .options = {{"factor", 0.5}, {"patience", 0}}}, 1);
  schedule->advance(1);
  double rate = 1;
  for (int k = 0; k < 60; ++k) {
    const double expected = rate - rate * 0.5 > 1e-8 ? rate * 0.5 : rate;
    rate = schedule->advance(1);
    ASSERT_EQ(rate, expected);
  }
  EXPECT_LE(rate - rate * 0.5, 1e-8);
  EXPECT_GT(2 * rate - rate, 1e-8) << "the last cut was allowed";
}

TEST(ScheduleTest, PaperPlateauEndsAtFiveTenMillionths) {
  const auto schedule = make_schedule({.name = "plateau", .options = {{"factor", 0.98}, {"patience", 100}}}, 1e-3);
  schedule->advance(1);
  for (int k = 0; k < 100; ++k) ASSERT_EQ(schedule->advance(1), 1e-3);
  ASSERT_EQ(schedule->advance(1), 1e-3 * 0.98) << "the 101st bad epoch";
  for (int k = 0; k < 101 * 1000; ++k) schedule->advance(1);
  EXPECT_GT(schedule->rate(), 4.9e-7);
  EXPECT_LE(schedule->rate(), 5e-7);
}

TEST(ScheduleTest, StepFallsEveryFewEpochs) {
  const auto schedule = make_schedule({.name = "step", .options = {{"factor", 0.5}, {"every", 3}}}, 8);
  EXPECT_EQ(schedule->rate(), 8);
  for (const double expected : {8.0, 8.0, 4.0, 4.0, 4.0, 2.0}) EXPECT_EQ(schedule->advance(1), expected);
}

TEST(ScheduleTest, CosineFallsToItsFloor) {
  const auto schedule = make_schedule({.name = "cosine", .options = {{"floor", 1}}, .epochs = 4}, 5);
  EXPECT_EQ(schedule->rate(), 5);
  EXPECT_NEAR(schedule->advance(1), 1 + 2 * (1 + std::sqrt(0.5)), 1e-15);
  EXPECT_NEAR(schedule->advance(1), 3, 1e-15);
  EXPECT_NEAR(schedule->advance(1), 1 + 2 * (1 - std::sqrt(0.5)), 1e-15);
  EXPECT_EQ(schedule->advance(1), 1);
  EXPECT_EQ(schedule->advance(1), 1) << "past its end too";
}

TEST(ScheduleTest, EveryScheduleResumesBitForBit) {
  for (const ScheduleRow& row : schedule_table()) {
    ScheduleOptions options{.name = row.name, .options = {}, .epochs = 80};
    for (const auto& [name, value] : {std::pair{"factor", 0.9}, std::pair{"patience", 2.0}, std::pair{"every", 7.0}})
      if (find_option(row.options, name) != nullptr) options.options[name] = value;
    const auto whole = make_schedule(options, 0.01), first = make_schedule(options, 0.01),
               second = make_schedule(options, 0.01);
    const auto loss = [](int k) { return 1 + 0.5 * std::sin(0.3 * k) - 0.005 * k; };
    for (int k = 0; k < 30; ++k) {
      whole->advance(loss(k));
      first->advance(loss(k));
    }
    StateWriter writer;
    first->save(writer);
    second->load(StateReader(writer.bytes()));
    EXPECT_EQ(second->rate(), whole->rate()) << row.name;
    for (int k = 30; k < 90; ++k) ASSERT_EQ(second->advance(loss(k)), whole->advance(loss(k))) << row.name << k;
    if (options.name != "constant") {
      EXPECT_LT(whole->rate(), 0.01) << row.name;
    }
  }
}

TEST(ScheduleTest, WrongInputIsNamed) {
  const auto refused = [](const ScheduleOptions& options, double rate) {
    try {
      make_schedule(options, rate);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refused({.name = "platau"}, 1), ::testing::HasSubstr("'plateau'"));
  EXPECT_THAT(refused({.name = "plateau", .options = {{"factor", 1.0}}}, 1), ::testing::HasSubstr("schedule.factor"));
  EXPECT_THAT(refused({.name = "step", .options = {{"every", 0}}}, 1), ::testing::HasSubstr("schedule.every"));
  EXPECT_THAT(refused({.name = "cosine", .options = {{"floor", 2}}}, 1), ::testing::HasSubstr("schedule.floor"));
  EXPECT_THAT(refused({.name = "cosine", .options = {{"flor", 0}}}, 1), ::testing::HasSubstr("'floor'"));
  EXPECT_THAT(refused({}, -1), ::testing::HasSubstr("learning_rate"));
}

}  // namespace
}  // namespace pecann::optim
