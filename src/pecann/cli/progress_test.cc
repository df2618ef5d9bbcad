#include "pecann/cli/progress.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/train/test_support.h"

namespace pecann::cli {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

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

std::string line_of(const problem::Problem& problem, const train::EpochRecord& record, const std::string& label = "") {
  ::testing::internal::CaptureStderr();
  Progress(problem, label, ProgressStyle::Log).on_epoch(record);
  return ::testing::internal::GetCapturedStderr();
}

TEST(ProgressLine, CountsTheEpochsThatTheWindowHas) {
  const problem::Problem problem =
      train::testing::heat({"windows.count=2", "windows.first={epochs=2}", "phase.1.epochs=5"});
  train::EpochRecord record;
  record.constraints.resize(2);
  record.phase_ends = true;
  record.epoch = 3;
  record.window_epochs = 10;
  EXPECT_THAT(line_of(problem, record), StartsWith("window 1/2  3/10  L "));
  record.window = 1;
  record.epoch = 12;
  record.window_epochs = 15;
  EXPECT_THAT(line_of(problem, record), StartsWith("window 2/2  12/15  L ")) << "a second try counts on";
}

TEST(ProgressLine, WhatIsNoNumberIsShownAsSuch) {
  const problem::Problem problem = train::testing::heat();
  train::EpochRecord record;
  record.phase_ends = true;
  record.constraints = {{.value = std::nan("")}, {.value = 1}};
  record.errors = {{"u", 0.5}, {"v", std::nan("")}, {"w", 0.25}};
  EXPECT_THAT(line_of(problem, record), ::testing::ContainsRegex("viol nan +err nan"));
}

TEST(ProgressLine, ALabelCannotCommandTheTerminal) {
  const problem::Problem problem = train::testing::heat({"phase.1.epochs=5"});
  train::EpochRecord record;
  record.constraints.resize(2);
  record.phase_ends = true;
  record.epoch = record.window_epochs = 5;
  EXPECT_THAT(line_of(problem, record, "a\x1b[2J\rb"), StartsWith("a [2J b  5/5  L "));
}

TEST(ProgressLine, NothingIsLeftAtTheLastEpoch) {
  const problem::Problem problem = train::testing::heat({"phase.1.epochs=5"});
  train::EpochRecord record;
  record.constraints.resize(2);
  record.phase_ends = true;
  record.epoch = record.window_epochs = 5;
  EXPECT_THAT(line_of(problem, record), EndsWith("ETA 0s\n"));
}

}  // namespace
}  // namespace pecann::cli
