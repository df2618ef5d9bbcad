#include "pecann/penalty/capu.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/random_stream.h"

namespace pecann::penalty {
namespace {

// Dyadic constants whose square roots are exact: every expected number is the exact result of the rule.
const StrategyOptions kDyadic = {.zeta = 0.5, .omega = 0.5, .epsilon = 0.125};

TEST(CapuTest, MultipliersAndPenaltiesRestWhileTheLossFalls) {
  ConditionallyAdaptiveUpdate strategy(kDyadic);
  const std::vector<double> eta = {1, 4};
  DualState duals = strategy.start(2);

  // First epoch: L ≥ ½·∞ is false; the average moves, nothing else.
  EXPECT_FALSE(strategy.update(std::vector<double>{0.5, 0.5}, 8, eta, duals));
  EXPECT_EQ(duals.violation_average, (std::vector<double>{0.125, 0.125}));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{1, 1}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{1, 1}));
  EXPECT_EQ(duals.previous_loss, 8);

  // 3 < ½·8: the loss still falls. v̄ = ½·⅛ + ½·1 and ½·⅛ + 0.
  EXPECT_FALSE(strategy.update(std::vector<double>{1, 0}, 3, eta, duals));
  EXPECT_EQ(duals.violation_average, (std::vector<double>{0.5625, 0.0625}));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{1, 1}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{1, 1}));
  EXPECT_EQ(duals.previous_loss, 3);
}

TEST(CapuTest, SettledLossRaisesMultiplierWithOldPenaltyThenPenalty) {
  ConditionallyAdaptiveUpdate strategy(kDyadic);
  const std::vector<double> eta = {1, 4};
  DualState duals = strategy.start(2);
  duals.previous_loss = 2;
  // v̄ = ½·0 + ½·¼ = ⅛; √(⅛ + ⅛) = ½; μ = max(1, η/½) = {2, 8}; λ = 1 + 1·½ with the old μ. L = 1 = ½·2
  // counts as settled.
  EXPECT_TRUE(strategy.update(std::vector<double>{0.5, 0.5}, 1, eta, duals));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{1.5, 1.5}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{2, 8}));
  EXPECT_EQ(duals.previous_loss, 1);

  // A large violation in the first entry makes η/√(v̄+ε) smaller than μ; L = ½·1 is settled again.
  EXPECT_TRUE(strategy.update(std::vector<double>{4, 0.25}, 0.5, eta, duals));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{1.5 + 2 * 4, 1.5 + 8 * 0.25}));
  EXPECT_EQ(duals.violation_average, (std::vector<double>{0.0625 + 8, 0.0625 + 0.03125}));
  EXPECT_EQ(duals.penalty[0], 2) << "penalties never fall";
  EXPECT_EQ(duals.penalty[1], 4 / std::sqrt(0.09375 + 0.125));
  EXPECT_EQ(duals.previous_loss, 0.5);

  // The loss falls below ω L_prev: the average still moves, λ and μ rest.
  const DualState before = duals;
  EXPECT_FALSE(strategy.update(std::vector<double>{0, 0}, 0.125, eta, duals));
  EXPECT_EQ(duals.multiplier, before.multiplier);
  EXPECT_EQ(duals.penalty, before.penalty);
  EXPECT_EQ(duals.violation_average[0], 0.5 * before.violation_average[0]);
  EXPECT_EQ(duals.previous_loss, 0.125);
}

TEST(CapuTest, BoundsOfAppendixC) {
  const StrategyOptions options;  // ε = 1e-16
  ConditionallyAdaptiveUpdate strategy(options);
  const std::size_t count = 64;
  RandomStream stream(9, "bounds");
  std::vector<double> eta(count), constraints(count);
  for (std::size_t i = 0; i < count; ++i) eta[i] = i % 2 == 0 ? 1.0 : 0.01;
  DualState duals = strategy.start(count);
  double violation = 1;
  for (int epoch = 0; epoch < 6000; ++epoch) {
    for (double& c : constraints) c = violation * stream.uniform();
    violation = std::max(violation * 0.99, 1e-11);  // ends far below √ε = 1e-8
    const DualState before = duals;
    strategy.update(constraints, 1.0, eta, duals);  // a constant loss: a dual update in every epoch
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_LE(duals.penalty[i], std::max(1.0, eta[i] / std::sqrt(options.epsilon)));
      ASSERT_GE(duals.penalty[i], before.penalty[i]);
      if (constraints[i] < 0.1 * std::sqrt(options.epsilon)) {
        ASSERT_LT(duals.multiplier[i] - before.multiplier[i], eta[i]);
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_NEAR(duals.penalty[i], eta[i] / std::sqrt(options.epsilon), 1e-5 * eta[i] / std::sqrt(options.epsilon));
}

TEST(CapuTest, PointwiseEntriesAreIndependent) {
  const std::size_t count = 1001;
  RandomStream stream(4, "entries");
  ConditionallyAdaptiveUpdate strategy({});
  DualState all = strategy.start(count);
  std::vector<DualState> alone(count, strategy.start(1));
  const std::vector<double> eta(count, 0.01);
  for (int epoch = 0; epoch < 5; ++epoch) {
    std::vector<double> constraints(count);
    for (double& c : constraints) c = stream.uniform();
    strategy.update(constraints, 1.0, eta, all);
    for (std::size_t i = 0; i < count; ++i) {
      strategy.update(std::span(constraints).subspan(i, 1), 1.0, std::span(eta).subspan(i, 1), alone[i]);
      ASSERT_EQ(all.multiplier[i], alone[i].multiplier[0]);
      ASSERT_EQ(all.penalty[i], alone[i].penalty[0]);
    }
  }
}

TEST(RmspropTest, ScriptedHistory) {
  RmspropUpdate strategy(kDyadic);
  const std::vector<double> eta = {1};
  DualState duals = strategy.start(1);
  // v̄ = ⅛, μ = 1/½ = 2, λ = 1 + 2·½ with the new μ, whatever the loss
  EXPECT_TRUE(strategy.update(std::vector<double>{0.5}, 8, eta, duals));
  EXPECT_EQ(duals.penalty[0], 2);
  EXPECT_EQ(duals.multiplier[0], 2);
  // v̄ = 1/16, μ = 1/√(3/16), λ stays
  EXPECT_TRUE(strategy.update(std::vector<double>{0}, 1, eta, duals));
  EXPECT_EQ(duals.penalty[0], 1 / std::sqrt(0.1875));
  EXPECT_EQ(duals.multiplier[0], 2);
  // a large violation lowers the penalty: what capu forbids
  const double before = duals.penalty[0];
  EXPECT_TRUE(strategy.update(std::vector<double>{8}, 1, eta, duals));
  EXPECT_EQ(duals.violation_average[0], 0.03125 + 32);
  EXPECT_LT(duals.penalty[0], before);
  EXPECT_EQ(duals.multiplier[0], 2 + duals.penalty[0] * 8);
}

}  // namespace
}  // namespace pecann::penalty
