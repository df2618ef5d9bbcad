#include "pecann/penalty/monotone.h"

#include <gtest/gtest.h>

namespace pecann::penalty {
namespace {

const std::vector<double> kNoEta = {1, 1};

TEST(MonotonicUpdateTest, RaisesMultipliersWithTheOldPenaltyThenGrows) {
  MonotonicUpdate strategy({.beta = 2, .penalty_max = 8});
  DualState duals = strategy.start(2);
  EXPECT_TRUE(strategy.update(std::vector<double>{0.5, 0.25}, 1, kNoEta, duals));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{1.5, 1.25}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{2, 2}));
  EXPECT_TRUE(strategy.update(std::vector<double>{0.5, 0.25}, 9, kNoEta, duals));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{2.5, 1.75}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{4, 4}));
}

TEST(MonotonicUpdateTest, PenaltyStopsAtItsMaximum) {
  MonotonicUpdate strategy({.beta = 2, .penalty_max = 10});
  DualState duals = strategy.start(1);
  const std::vector<double> satisfied = {0};
  for (const double expected : {2.0, 4.0, 8.0, 10.0}) {
    EXPECT_TRUE(strategy.update(satisfied, 1, kNoEta, duals));
    EXPECT_EQ(duals.penalty[0], expected);
  }
  EXPECT_FALSE(strategy.update(satisfied, 1, kNoEta, duals)) << "nothing is left to change";
  EXPECT_EQ(duals.penalty[0], 10);
}

TEST(MonotonicUpdateTest, StartValuesAreOptions) {
  const DualState duals = MonotonicUpdate({.multiplier = 3, .penalty = 0.5}).start(2);
  EXPECT_EQ(duals.multiplier, (std::vector<double>{3, 3}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{0.5, 0.5}));
}

TEST(ConditionalUpdateTest, FallingNormRaisesMultipliersElsePenaltiesGrow) {
  ConditionalUpdate strategy({.beta = 2, .penalty_max = 3});
  DualState duals = strategy.start(2);
  // ‖C‖ = 5 < ∞: multipliers only
  EXPECT_TRUE(strategy.update(std::vector<double>{3, 4}, 1, kNoEta, duals));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{4, 5}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{1, 1}));
  EXPECT_EQ(duals.previous_norm, 5);
  // the same norm is not a fall: penalties only
  EXPECT_TRUE(strategy.update(std::vector<double>{4, 3}, 1, kNoEta, duals));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{4, 5}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{2, 2}));
  // a rise: penalties up to the maximum, and the risen norm is the next one to beat
  EXPECT_TRUE(strategy.update(std::vector<double>{6, 8}, 1, kNoEta, duals));
  EXPECT_EQ(duals.penalty, (std::vector<double>{3, 3}));
  EXPECT_EQ(duals.previous_norm, 10);
  EXPECT_FALSE(strategy.update(std::vector<double>{6, 8}, 1, kNoEta, duals));
  // 5 < 10: multipliers, with the grown penalty
  EXPECT_TRUE(strategy.update(std::vector<double>{3, 4}, 1, kNoEta, duals));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{13, 17}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{3, 3}));
}

}  // namespace
}  // namespace pecann::penalty
