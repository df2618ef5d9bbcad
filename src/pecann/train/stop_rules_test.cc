#include "pecann/train/stop_rules.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using testing::heat;

EpochRecord after(long epoch, double loss) {
  EpochRecord record;
  record.epoch = epoch;
  record.loss = loss;
  record.seconds = 0.5 * static_cast<double>(epoch);
  record.constraints = {{.value = 0.04}, {.value = 0.01}};
  return record;
}

TEST(StopRules, AViolationIsTheRootOfAMeanSquareAndTheMeanOfAbsoluteDistances) {
  EXPECT_FALSE(target_reached(heat({"stop.violation=0.19"}), after(1, 1)));
  ASSERT_TRUE(target_reached(heat({"stop.violation=0.21"}), after(1, 1)));
  EXPECT_EQ(target_reached(heat({"stop.violation=0.21"}), after(1, 1))->cause.kind, Cause::Kind::StopViolation);
  EXPECT_TRUE(target_reached(heat({"stop.violation=0.11", "term.sides.distance=absolute"}), after(1, 1)));
}

TEST(StopRules, TheFirstTargetThatIsReachedIsNamed) {
  const auto outcome = target_reached(heat({"stop.loss=1", "stop.violation=1"}), after(1, 1));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->termination, Termination::TargetReached);
  EXPECT_EQ(outcome->cause.kind, Cause::Kind::StopLoss);
  EXPECT_FALSE(target_reached(heat({"stop.error=1"}), after(1, 1))) << "no error was measured";
}

TEST(StopRules, TheLossOfAnEasierProblemReachesNoTarget) {
  problem::Problem problem = heat({"stop.loss=1", "stop.violation=1", "stop.error=0.2"});
  problem.phases.front().constants = {{"nu", 3}};
  EXPECT_FALSE(has_own_constants(problem, after(1, 1)));
  EXPECT_FALSE(target_reached(problem, after(1, 1)));
  EpochRecord record = after(1, 1);
  record.errors = {{"u", 0.1, 0, 0, 0}};
  EXPECT_TRUE(target_reached(problem, record)) << "errors are those of the problem itself";
  problem.phases.front().constants.clear();
  EXPECT_TRUE(target_reached(problem, after(1, 1)));
}

TEST(StopRules, WhatIsNoNumberReachesNoTarget) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double broken : {nan, -nan, infinity}) {
    EXPECT_FALSE(target_reached(heat({"stop.loss=1e300"}), after(1, broken)));
    for (const bool first : {true, false}) {
      EpochRecord record = after(1, 1);
      record.errors = {{"u", first ? broken : 0.1}, {"v", first ? 0.1 : broken}};
      EXPECT_FALSE(target_reached(heat({"stop.error=1e300"}), record)) << broken << first;
      record.constraints[first ? 0 : 1].value = broken;
      EXPECT_FALSE(target_reached(heat({"stop.violation=1e300"}), record)) << broken << first;
    }
  }
  EpochRecord record = after(1, 1);
  record.errors = {{"u", 0.1}, {"v", 0.2}};
  EXPECT_TRUE(target_reached(heat({"stop.error=0.2"}), record));
  EXPECT_FALSE(target_reached(heat({"stop.error=0.15"}), record)) << "the largest counts";
}

TEST(StopRules, ConstraintsThatWereNotComputedAreNotMet) {
  EpochRecord record = after(1, 1);
  record.constraints.pop_back();
  EXPECT_FALSE(target_reached(heat({"stop.violation=1e300"}), record));
  record.constraints.clear();
  EXPECT_FALSE(target_reached(heat({"stop.violation=1e300"}), record));
}

TEST(StopRules, ALossThatIsNoNumberIsNotTheLowest) {
  LowestLoss lowest;
  lowest.see(after(1, std::nan("")));
  EXPECT_EQ(lowest.epoch, 0);
  lowest.see(after(2, 3.0));
  lowest.see(after(3, std::nan("")));
  EXPECT_EQ(lowest.epoch, 2);
}

TEST(StopRules, AStallCountsFromTheLowestLoss) {
  const problem::StopSpec stop{.stall = 3};
  LowestLoss lowest;
  lowest.see(after(4, 2.0));
  lowest.see(after(5, 2.0));
  EXPECT_EQ(lowest.epoch, 4) << "not lower";
  EXPECT_FALSE(limit_reached(stop, after(6, 2), lowest, 0));
  ASSERT_TRUE(limit_reached(stop, after(7, 2), lowest, 0));
  EXPECT_EQ(limit_reached(stop, after(7, 2), lowest, 0)->cause.kind, Cause::Kind::StopStall);
}

TEST(StopRules, EpochsAreThoseOfTheTryAndSecondsThoseOfTheTrial) {
  EXPECT_FALSE(limit_reached({.epochs = 5}, after(12, 1), {}, 8));
  ASSERT_TRUE(limit_reached({.epochs = 5}, after(13, 1), {}, 8));
  EXPECT_TRUE(ends_part_only(*limit_reached({.epochs = 5}, after(13, 1), {}, 8)));
  ASSERT_TRUE(limit_reached({.seconds = 6}, after(12, 1), {}, 8));
  EXPECT_FALSE(ends_part_only(*limit_reached({.seconds = 6}, after(12, 1), {}, 8)));
}

TEST(TruthFindings, F10_ATrialWhoseTimeWasUpHasAsMuchAgain) {
  const problem::StopSpec stop{.seconds = 6};  // a record has half a second an epoch
  EXPECT_EQ(spent_seconds(stop, after(11, 1)), 0) << "stopped before its time: the rest is left";
  const double spent = spent_seconds(stop, after(12, 1));
  EXPECT_EQ(spent, 6);
  EXPECT_FALSE(limit_reached(stop, after(13, 1), {}, 0, spent));
  EXPECT_TRUE(limit_reached(stop, after(24, 1), {}, 0, spent));
  EXPECT_EQ(spent_seconds({.seconds = 60}, after(12, 1)), 0) << "a larger allowance counts from the start";
  EXPECT_EQ(spent_seconds({}, after(12, 1)), 0);
}

TEST(TruthFindings, F6_AnErrorThatIsNoNumberReachesNothing) {
  problem::Problem problem;
  problem.stop.error = 0.1;
  EpochRecord record = after(1, 1);
  record.errors = {{"u", std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_FALSE(target_reached(problem, record));
  record.errors = {{"u", 0.05}, {"v", std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_FALSE(target_reached(problem, record)) << "nor one of two";
  record.errors[1].relative_l2 = 0.01;
  EXPECT_TRUE(target_reached(problem, record));
}

TEST(StopRules, EveryCauseHasANameThatComesBack) {
  for (int kind = 0; kind <= static_cast<int>(Cause::Kind::TooLarge); ++kind)
    EXPECT_EQ(static_cast<int>(cause_kind(name_of(static_cast<Cause::Kind>(kind)))), kind);
  EXPECT_EQ(cause_kind("of a later version"), Cause::Kind::Unknown);
}

}  // namespace
}  // namespace pecann::train
